package grid

import (
	"math/big"
	"regexp"
	"strings"
)

// Kind is what an axis is measured in.
type Kind uint8

// Kinds of axes, with the base unit of their values.
const (
	Words  Kind = iota // not a number
	Number             // 1; 20% is 0.2
	Time               // picoseconds
	Rate               // bit/s
	Size               // bytes
	Length             // millimetres
)

// unit is one way to write a quantity.
type unit struct {
	name  string
	kind  Kind
	scale *big.Rat
}

// units lists the notations of a scenario.
func units() []unit {
	var all []unit
	add := func(kind Kind, factor int64, first int64, names ...string) {
		scale := first
		for _, name := range names {
			all = append(all, unit{name, kind, big.NewRat(scale, 1)})
			scale *= factor
		}
	}
	add(Number, 1, 1, "")
	add(Time, 1000, 1, "ps", "ns", "us", "ms", "s")
	add(Rate, 1000, 1, "bps", "Kbps", "Mbps", "Gbps", "Tbps")
	add(Size, 1000, 1, "B", "KB", "MB", "GB", "TB")
	add(Size, 1024, 1024, "KiB", "MiB", "GiB", "TiB")
	add(Length, 10, 1, "mm", "cm")
	add(Length, 1000, 1000, "m", "km")
	return append(all, unit{"%", Number, big.NewRat(1, 100)})
}

// Quantity is a value of an axis as a number in the base unit of its kind.
type Quantity struct {
	Value *big.Rat
	unit  unit
}

// Kind is what the quantity is measured in.
func (q Quantity) Kind() Kind { return q.unit.kind }

// Float is the value in base units.
func (q Quantity) Float() float64 {
	f, _ := q.Value.Float64()
	return f
}

// ParseQuantity reads "400KB", "20%", "1/8", "2^-3" or "7", and reports whether
// text is a number at all.
func ParseQuantity(text string) (Quantity, bool) {
	m := regexp.MustCompile(`^([-+]?[0-9.]{1,40}(?:/[0-9.]{1,40}|e-?[0-9]{1,2})?|2\^-?[0-9]{1,2}) *([A-Za-z%]*)$`).FindStringSubmatch(text)
	if m == nil {
		return Quantity{}, false
	}
	value, ok := new(big.Rat), true
	if exponent, power := strings.CutPrefix(m[1], "2^"); power {
		value, ok = powerOfTwo(exponent)
	} else if above, below, ratio := strings.Cut(m[1], "/"); ratio {
		value, ok = quotient(above, below)
	} else {
		_, ok = value.SetString(m[1])
	}
	for _, u := range units() {
		if ok && u.name == m[2] {
			return Quantity{value.Mul(value, u.scale), u}, true
		}
	}
	return Quantity{}, false
}

func powerOfTwo(exponent string) (*big.Rat, bool) {
	n, ok := new(big.Int).SetString(exponent, 10)
	if !ok {
		return nil, false
	}
	power := new(big.Int).Exp(big.NewInt(2), new(big.Int).Abs(n), nil)
	value := new(big.Rat).SetInt(power)
	if n.Sign() < 0 {
		value.Inv(value)
	}
	return value, true
}

func quotient(above, below string) (*big.Rat, bool) {
	a, okA := new(big.Rat).SetString(above)
	b, okB := new(big.Rat).SetString(below)
	if !okA || !okB || b.Sign() == 0 {
		return nil, false
	}
	return a.Quo(a, b), true
}

// decimals is how many digits behind the point a value may have that was
// computed; its last digit is then that of a picosecond or a byte.
const decimals = 12

// readable is how many digits behind the point a value in a binary unit may have
// before a decimal one is easier to read: 1.5MiB, but 13.7KB and not
// 13.37890625KiB.
const readable = 3

// write prints a number of base units as a scenario has it: in the unit, or if
// that is a binary one with many digits, in the decimal one with the fewest. A
// part of a MiB may need more than decimals has, and would be no whole number
// of bytes.
func (u unit) write(base *big.Rat) string {
	text := u.text(base)
	number, _, binary := strings.Cut(text, "i")
	_, behind, _ := strings.Cut(number, ".")
	if !binary || len(behind)-1 <= readable { // its last letter is that of the unit
		return text
	}
	for _, other := range units() {
		if other.kind != u.kind || strings.Contains(other.name, "i") || other.scale.Cmp(base) > 0 {
			continue
		}
		if short := other.text(base); other.name == "B" || len(short) <= len(text) {
			text = short
		}
	}
	return text
}

func (u unit) text(base *big.Rat) string {
	text := new(big.Rat).Quo(base, u.scale).FloatString(decimals)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + u.name
}

// Quantities returns the values of an axis as numbers of one kind, or Words if
// they are not.
func (a Axis) Quantities() ([]Quantity, Kind) {
	var all []Quantity
	for _, v := range a.Values {
		q, ok := ParseQuantity(v.Text)
		if !ok || len(all) > 0 && q.Kind() != all[0].Kind() {
			return nil, Words
		}
		all = append(all, q)
	}
	if len(all) == 0 {
		return nil, Words
	}
	return all, all[0].Kind()
}
