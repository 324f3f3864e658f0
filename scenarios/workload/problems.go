package workload

import (
	"fmt"
	"strconv"
	"strings"

	"rocesim/sim"
)

// Limits of an entry.
const (
	// MaxBytes bounds one message: 1 TiB is more than 100 Gb/s carry in the
	// 70 s that a run can last.
	MaxBytes = 1 << 40
	// MaxConnections bounds the connections of one entry, at some 512 bytes
	// each.
	MaxConnections = 1 << 22
	// MaxLoad bounds the load of a Poisson entry; above 1 it overloads the
	// senders.
	MaxLoad = 2
)

// Problem is one thing that is wrong with an entry.
type Problem struct {
	// Field is the field's name in a scenario file.
	Field string
	// Text says what was read and what is allowed.
	Text string
}

// Problems are all things that are wrong with an entry.
type Problems []Problem

// Error lists the problems, one a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.Field + ": " + one.Text
	}
	return strings.Join(lines, "\n")
}

// checker collects problems of one entry.
type checker struct {
	hosts Hosts
	nic   NIC
	found Problems
}

func newChecker(h Hosts, c Common) *checker {
	k := &checker{hosts: h, nic: max(c.NIC, ByQP)}
	if c.Class.DSCP > 63 {
		k.add("dscp", "%d is no code point; 0 to 63 are", c.Class.DSCP)
	}
	if c.Class.Rate < 0 {
		k.add("rate", "%v is negative", c.Class.Rate)
	}
	if c.NIC < 0 {
		k.add("nic", "%d is no NIC; they are counted from 1", int(c.NIC))
	}
	return k
}

func (k *checker) add(field, format string, args ...any) {
	k.found = append(k.found, Problem{field, fmt.Sprintf(format, args...)})
}

// err returns what was found.
func (k *checker) err() error {
	if k.found == nil {
		return nil
	}
	return k.found
}

// host checks that a host and the NIC asked for exist.
func (k *checker) host(field string, host int, nic NIC) bool {
	if host < 0 || host >= len(k.hosts) {
		k.add(field, "host %d does not exist; the fabric has %d hosts, counted from 0", host, len(k.hosts))
		return false
	}
	if nic == ByQP {
		nic = k.nic
	}
	n := len(k.hosts[host].Endpoints)
	switch {
	case n == 0:
		k.add(field, "host %s has no NIC", k.name(host))
	case nic < 0 || int(nic) > n:
		k.add(field, "host %s has no NIC %d; it has %d, counted from 1", k.name(host), int(nic), n)
	default:
		return true
	}
	return false
}

// list checks a list of hosts for its length and for doubles.
func (k *checker) list(field string, hosts []int, least int) {
	if len(hosts) < least {
		k.add(field, "read a list of %d; at least %d are needed", len(hosts), least)
	}
	seen := make(map[int]bool, len(hosts))
	for _, h := range hosts {
		if seen[h] {
			k.add(field, "host %s is listed twice", k.name(h))
		}
		if !seen[h] {
			k.host(field, h, ByQP)
		}
		seen[h] = true
	}
}

func (k *checker) name(host int) string {
	if host < 0 || host >= len(k.hosts) || k.hosts[host].Name == "" {
		return strconv.Itoa(host)
	}
	return k.hosts[host].Name
}

// pairs checks senders and receivers.
func (k *checker) pairs(field string, pairs []Pair) {
	if len(pairs) == 0 {
		k.add(field, "the list is empty; at least one pair is needed")
	}
	for _, p := range pairs {
		k.pair(field, p)
	}
}

func (k *checker) pair(field string, p Pair) {
	src := k.host(field, p.Src, p.SrcNIC)
	dst := k.host(field, p.Dst, p.DstNIC)
	if src && dst && p.Src == p.Dst {
		k.add(field, "host %s sends to itself; sender and receiver must differ", k.name(p.Src))
	}
}

// bytes checks a message size.
func (k *checker) bytes(field string, n int64) {
	if n < 1 || n > MaxBytes {
		k.add(field, "%d bytes are out of range; 1 B to 1 TiB are allowed", n)
	}
}

// count checks a number that may be left at 0.
func (k *checker) count(field string, n int) {
	if n < 0 {
		k.add(field, "%d is negative", n)
	}
}

// span checks a duration or an instant that may be left at 0.
func (k *checker) span(field string, t sim.Time) {
	if t < 0 {
		k.add(field, "%v is negative", t)
	}
	if t >= sim.Never {
		k.add(field, "is later than any run can reach (about 70 s)")
	}
}

// window checks when an entry starts and stops.
func (k *checker) window(start, stop sim.Time) {
	k.span("start", start)
	k.span("stop", stop)
	if stop != 0 && stop <= start {
		k.add("stop", "%v is not after start %v", stop, start)
	}
}

// positive checks a duration that must be given.
func (k *checker) positive(field string, t sim.Time) {
	if t == 0 {
		k.add(field, "is 0; a duration above 0 is needed")
	}
	k.span(field, t)
}

// connections checks the number of connections of an entry.
func (k *checker) connections(field string, factors ...int) {
	n := 1.0
	for _, f := range factors {
		n *= float64(max(f, 1))
	}
	if n > MaxConnections {
		k.add(field, "needs %.0f connections; at most %d are allowed in one entry", n, MaxConnections)
	}
}
