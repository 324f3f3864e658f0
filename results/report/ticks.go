package report

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// linearTicks marks multiples of 1, 2 or 5 times a power of ten, at most about
// that many of them; 0 stands for usualTicks.
type linearTicks struct{ most int }

const usualTicks = 8

// Ticks implements plot.Ticker.
func (t linearTicks) Ticks(low, high float64) []plot.Tick {
	most := t.most
	if most == 0 {
		most = usualTicks
	}
	step := niceStep(high-low, most)
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	for i := int(math.Ceil(low/step - 1e-9)); float64(i) <= high/step+1e-9; i++ {
		value := float64(i) * step
		ticks = append(ticks, plot.Tick{Value: value, Label: group(strconv.FormatFloat(value, 'f', decimals, 64))})
	}
	return ticks
}

// niceStep divides span into at most count steps of 1, 2 or 5 times a power of
// ten.
func niceStep(span float64, count int) float64 {
	if span <= 0 {
		return 1
	}
	rough := span / float64(count)
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= rough {
			return factor * power
		}
	}
	return 10 * power
}

// niceTop is the end of an axis that begins at 0 and shall hold high.
func niceTop(high float64) float64 {
	if high <= 0 {
		return 1
	}
	step := niceStep(high, usualTicks)
	return math.Ceil(high/step-1e-9) * step
}

// logTicks marks powers of ten, and labels 2 and 5 between them where the axis
// spans few.
type logTicks struct{}

// Ticks implements plot.Ticker. Preconditions: low > 0.
func (logTicks) Ticks(low, high float64) []plot.Tick {
	few := math.Log10(high/low) < 4
	var ticks []plot.Tick
	for exponent := math.Floor(math.Log10(low)); exponent <= math.Ceil(math.Log10(high)); exponent++ {
		for digit := 1.0; digit <= 9; digit++ {
			value := digit * math.Pow(10, exponent)
			if value < low*(1-1e-9) || value > high*(1+1e-9) {
				continue
			}
			label := ""
			if digit == 1 || few && (digit == 2 || digit == 5) {
				label = group(strconv.FormatFloat(value, 'f', max(0, -int(exponent)), 64))
			}
			ticks = append(ticks, plot.Tick{Value: value, Label: label})
		}
	}
	return ticks
}

// namedTicks labels given places.
type namedTicks []plot.Tick

// Ticks implements plot.Ticker.
func (n namedTicks) Ticks(_, _ float64) []plot.Tick { return n }

// group sets a comma between thousands of a decimal number.
func group(number string) string {
	whole, fraction, found := strings.Cut(number, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if found {
		whole += "." + fraction
	}
	return sign + whole
}

// unit is a scale of an axis.
type unit struct {
	name string
	size float64
}

// timeUnit chooses the unit in which a time axis to span picoseconds reads
// best.
func timeUnit(span float64) unit {
	switch {
	case span >= 2e12:
		return unit{"s", 1e12}
	case span >= 2e9:
		return unit{"ms", 1e9}
	case span >= 2e6:
		return unit{"us", 1e6}
	}
	return unit{"ns", 1e3}
}

// sizeUnit chooses the unit for a number of bytes.
func sizeUnit(bytes float64) unit {
	switch {
	case bytes >= 2e6:
		return unit{"MB", 1e6}
	case bytes >= 2e3:
		return unit{"KB", 1e3}
	}
	return unit{"bytes", 1}
}
