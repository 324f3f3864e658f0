package page

import (
	"math"
	"strconv"
	"strings"

	"rocesim/results"
)

// Unit is the unit of the numbers of an axis, as CSV files have them.
type Unit string

// Units of axes.
const (
	Microseconds Unit = "us"
	Bytes        Unit = "bytes"
	Gigabits     Unit = "Gb/s"
	Percent      Unit = "%"
	Share        Unit = "ratio" // a part of 1, shown in percent
	Packets      Unit = "packets"
	Plain        Unit = ""
)

// Scale is one way to show numbers of a unit: in Name, which is Size of the
// unit.
type Scale struct {
	Name string  `json:"name"`
	Size float64 `json:"size"`
}

// scales lists how numbers of the unit may be shown, the smallest first.
func (u Unit) scales() []Scale {
	switch u {
	case Microseconds:
		return []Scale{{"ps", 1e-6}, {"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}}
	case Bytes:
		return []Scale{{"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}
	case Share:
		return []Scale{{"%", 0.01}}
	}
	return []Scale{{string(u), 1}}
}

// scale returns the one in which an axis that ends at top reads best.
func (u Unit) scale(top float64) Scale {
	all := u.scales()
	best := all[0]
	for _, s := range all {
		if top >= 2*s.Size {
			best = s
		}
	}
	return best
}

// format prints a value for a person, as the summary does.
func (u Unit) format(value float64) string {
	switch u {
	case Microseconds:
		return results.Duration.Format(value * 1e6)
	case Bytes:
		return results.Size.Format(value)
	case Share:
		return results.Ratio.Format(100*value) + " %"
	case Packets:
		return results.Count.Format(value) + " packets"
	case Plain:
		return results.Count.Format(value)
	}
	return results.Ratio.Format(value) + " " + string(u)
}

// ticks returns about count round numbers from low to high.
func ticks(low, high float64, count int) []float64 {
	span := high - low
	if span <= 0 {
		return []float64{low}
	}
	power := math.Pow(10, math.Floor(math.Log10(span/float64(count))))
	step := 10 * power
	for _, f := range []float64{5, 2, 1} {
		if span/(f*power) <= float64(count) {
			step = f * power
		}
	}
	var at []float64
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		at = append(at, i*step+0) // + 0 makes -0 a 0
	}
	return at
}

// leastTicks is how many places of a logarithmic axis are named at least.
const leastTicks = 3

// logTicks returns round numbers from low to high, which are above 0: powers of
// ten, or also 2 and 5 times those, or all digits, or what ticks returns, so
// that there are leastTicks.
func logTicks(low, high float64) []float64 {
	for _, digits := range [][]float64{{1}, {1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		var at []float64
		for e := math.Floor(math.Log10(low)); e <= math.Log10(high); e++ {
			for _, d := range digits {
				if v := d * math.Pow(10, e); v >= low*(1-1e-9) && v <= high*(1+1e-9) {
					at = append(at, v)
				}
			}
		}
		if len(at) >= leastTicks {
			return at
		}
	}
	return ticks(low, high, 8) // never fewer than 8/2.5, as steps are 1, 2 and 5
}

// tickText prints a tick without an exponent.
func tickText(v float64) string {
	text := strconv.FormatFloat(v, 'f', 6, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
