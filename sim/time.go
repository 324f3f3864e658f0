package sim

import (
	"fmt"
	"math/bits"
	"strconv"
)

// Time is simulated time in picoseconds: an instant since the start of the
// run, or a span. From 10 Gb/s to 1.6 Tb/s one byte lasts a whole number of
// picoseconds, so no floating point decides the order of events.
type Time int64

// Units of Time.
const (
	Picosecond  Time = 1
	Nanosecond       = 1000 * Picosecond
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)

// Never is later than every instant that a run can reach (about 70 s).
const Never Time = 1<<timeBits - 1

// Seconds returns t in seconds, for reports only.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// Micros returns t in microseconds, for reports only.
func (t Time) Micros() float64 { return float64(t) / float64(Microsecond) }

// Nanos returns t in nanoseconds, for reports only.
func (t Time) Nanos() float64 { return float64(t) / float64(Nanosecond) }

// String prints t in the largest unit that keeps it at least 1, as "12.5us".
func (t Time) String() string {
	if t >= Never {
		return "never"
	}
	units := []struct {
		size Time
		name string
	}{{Second, "s"}, {Millisecond, "ms"}, {Microsecond, "us"}, {Nanosecond, "ns"}}
	for _, u := range units {
		if t >= u.size || t <= -u.size {
			return strconv.FormatFloat(float64(t)/float64(u.size), 'f', -1, 64) + u.name
		}
	}
	return strconv.FormatInt(int64(t), 10) + "ps"
}

// Rate is a data rate in bits per second.
type Rate int64

// Units of Rate.
const (
	BitPerSecond Rate = 1
	Kbps              = 1000 * BitPerSecond
	Mbps              = 1000 * Kbps
	Gbps              = 1000 * Mbps
)

// Gbit returns r in gigabits per second, for reports only.
func (r Rate) Gbit() float64 { return float64(r) / float64(Gbps) }

// String prints r in the largest unit that keeps it at least 1, as "100Gbps".
func (r Rate) String() string {
	units := []struct {
		size Rate
		name string
	}{{1000 * Gbps, "Tbps"}, {Gbps, "Gbps"}, {Mbps, "Mbps"}, {Kbps, "Kbps"}}
	for _, u := range units {
		if r >= u.size {
			return strconv.FormatFloat(float64(r)/float64(u.size), 'f', -1, 64) + u.name
		}
	}
	return strconv.FormatInt(int64(r), 10) + "bps"
}

// picobits is one second expressed in the unit "picoseconds x bits per byte":
// a byte lasts picobits/rate picoseconds.
const picobits = 8 * int64(Second)

// TxTimeCeil returns how long n bytes last at rate r, rounded up to a whole
// picosecond. It is for set-up and analysis; ports use a Serializer.
func (r Rate) TxTimeCeil(n int64) Time {
	if r <= 0 {
		panic(fmt.Sprintf("sim: rate %d bit/s has no transmission time", int64(r)))
	}
	hi, lo := bits.Mul64(uint64(n), uint64(picobits))
	q, rem := bits.Div64(hi, lo, uint64(r))
	if rem > 0 {
		q++
	}
	return Time(q)
}

// Serializer turns bytes into time on the wire at one fixed rate. Where a byte
// is no whole number of picoseconds (2880 Gb/s) it carries the remainder from
// one call to the next, so that a long train of packets lasts exactly
// bytes/rate. The zero value is unusable: see NewSerializer.
type Serializer struct {
	psPerByte int64
	irregular *irregular // nil for the rates of Ethernet
}

// irregular is the state of a serializer whose times need more than a product.
type irregular struct {
	remainder int64 // picobits mod rate: what psPerByte leaves out, per byte
	rate      int64
	carry     int64
	quantum   Time // times are floored to this; 1 is exact
}

// NewSerializer returns a Serializer for rate r. quantum 1 is exact; another
// quantum floors each time to a multiple of it (but not to 0), as simulators do
// that compute in whole nanoseconds.
func NewSerializer(r Rate, quantum Time) Serializer {
	if r <= 0 || quantum <= 0 {
		panic(fmt.Sprintf("sim: serializer for rate %d bit/s, quantum %d ps", int64(r), int64(quantum)))
	}
	s := Serializer{psPerByte: picobits / int64(r)}
	if remainder := picobits % int64(r); remainder != 0 || quantum != 1 {
		s.irregular = &irregular{remainder: remainder, rate: int64(r), quantum: quantum}
	}
	return s
}

// PerByte returns how long a byte lasts if n bytes last n times as long, whatever
// went before; else 0.
func (s *Serializer) PerByte() Time {
	if s.irregular != nil {
		return 0
	}
	return Time(s.psPerByte)
}

// Time returns how long the next n bytes last.
func (s *Serializer) Time(n int) Time {
	t := Time(int64(n) * s.psPerByte)
	if s.irregular == nil {
		return t
	}
	return s.irregular.adjust(t, int64(n))
}

func (s *irregular) adjust(t Time, n int64) Time {
	if s.remainder != 0 {
		s.carry += n * s.remainder
		t += Time(s.carry / s.rate)
		s.carry %= s.rate
	}
	if s.quantum == 1 {
		return t
	}
	s.carry = 0
	if t -= t % s.quantum; t == 0 && n > 0 {
		t = s.quantum // a port's next event must lie later than this one
	}
	return t
}
