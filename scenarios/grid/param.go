package grid

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"rocesim/scenarios/strict"
)

// Param is a field of a scenario that a search may set, and to what: a range
// or a list. Places in it are numbers from 0 to 1.
type Param struct {
	Path string
	// Low and High are the ends of a range, as written.
	Low, High string
	// Log says that equal ratios are equal distances, Integer that only whole
	// numbers are tried.
	Log, Integer bool
	// List holds the values instead of a range.
	List []Value
	Pos  strict.Pos

	low, high Quantity // of a range
}

// digits is how many significant digits a value in a range has: nobody
// configures more, and near values then share a run.
const digits = 3

// ParseParam reads "path=LOW..HIGH", "path=LOW..HIGH:log", "path=LOW..HIGH:integer"
// or "path=value,value,...". The error is of type strict.Errors.
func ParseParam(arg string) (Param, error) {
	path, text, ok := strings.Cut(arg, "=")
	p := Param{Path: strings.TrimSpace(path), Pos: strict.Pos{File: "--param " + arg}}
	err := fmt.Errorf("allowed: path=LOW..HIGH, path=LOW..HIGH:log, path=LOW..HIGH:integer or path=value,value,..., such as switch.ecn.kmin=50KB..2MB:log")
	if ok && p.Path != "" {
		err = p.parse(text)
	} else {
		p.Path = ""
	}
	if err != nil {
		return Param{}, strict.Errors{{Pos: p.Pos, Path: p.Path, Text: err.Error()}}
	}
	return p, nil
}

// parse reads what stands behind the equals sign.
func (p *Param) parse(text string) error {
	low, rest, ranged := strings.Cut(strings.TrimSpace(text), "..")
	if !ranged {
		for _, part := range SplitCommas(text) {
			p.List = append(p.List, Value{strings.TrimSpace(part), p.Pos})
		}
		return p.checkList()
	}
	high, scale, _ := strings.Cut(rest, ":")
	p.Low, p.High = strings.TrimSpace(low), strings.TrimSpace(high)
	switch scale {
	case "", "linear":
	case "log":
		p.Log = true
	case "integer":
		p.Integer = true
	default:
		return fmt.Errorf("%s", strict.Unknown("scale", scale, []string{"integer", "linear", "log"}))
	}
	return p.checkRange()
}

func (p *Param) checkList() error {
	if twice, again := repeated(p.List); again {
		return fmt.Errorf("%s is given twice", twice)
	}
	if len(p.List) < 2 || slices.ContainsFunc(p.List, func(v Value) bool { return v.Text == "" }) {
		return fmt.Errorf("%q leaves nothing to search; allowed: a range such as 50KB..2MB:log, or a list of two values or more", p.texts())
	}
	return nil
}

func (p *Param) texts() string {
	var all []string
	for _, v := range p.List {
		all = append(all, v.Text)
	}
	return strings.Join(all, ",")
}

func (p *Param) checkRange() error {
	s := Span{From: p.Low, To: p.High}
	from, to, err := s.ends()
	switch {
	case err != nil:
		return err
	case from.Value.Cmp(to.Value) > 0:
		return fmt.Errorf("the range from %s to %s is upside down", p.Low, p.High)
	case p.Log && from.Value.Sign() <= 0:
		return fmt.Errorf("the range from %s to %s has no constant ratio; on a log scale both ends are above 0", p.Low, p.High)
	case p.Integer && !(from.Value.IsInt() && to.Value.IsInt() && from.Kind() == Number):
		return fmt.Errorf("%s to %s are no whole numbers", p.Low, p.High)
	}
	p.low, p.high = from, to
	return nil
}

// At returns the value at a place; places outside 0 to 1 are those of the ends.
func (p *Param) At(place float64) string {
	if p.List != nil {
		return p.List[p.index(place)].Text
	}
	switch value := p.value(place); {
	case value == p.low.Value:
		return p.Low
	case value == p.high.Value:
		return p.High
	default:
		return p.low.unit.write(value)
	}
}

// Nearest is the place of the value at a place: values have few digits.
func (p *Param) Nearest(place float64) float64 {
	if p.List != nil {
		return (float64(p.index(place)) + 0.5) / float64(len(p.List))
	}
	value, _ := p.value(place).Float64()
	return p.placeOf(value)
}

// index is that of the element of a list at a place.
func (p *Param) index(place float64) int {
	n := len(p.List)
	return max(0, min(n-1, int(math.Floor(place*float64(n)))))
}

// value is the number at a place of a range: that of an end itself if it is
// not between them.
func (p *Param) value(place float64) *big.Rat {
	low, high := p.low.Float(), p.high.Float()
	value := low + place*(high-low)
	if p.Log {
		value = low * math.Pow(high/low, place)
	}
	rounded, _ := new(big.Rat).SetString(strconv.FormatFloat(value, 'e', digits-1, 64))
	if p.Integer {
		rounded.SetInt64(int64(math.Round(value)))
	}
	s := Span{From: p.Low, To: p.High}
	rounded = s.whole(p.low, rounded)
	switch {
	case place <= 0 || rounded.Cmp(p.low.Value) <= 0:
		return p.low.Value
	case place >= 1 || rounded.Cmp(p.high.Value) >= 0:
		return p.high.Value
	}
	return rounded
}

// placeOf is where a number lies in a range.
func (p *Param) placeOf(value float64) float64 {
	low, high := p.low.Float(), p.high.Float()
	if p.Log {
		return math.Log(value/low) / math.Log(high/low)
	}
	return (value - low) / (high - low)
}

// Place is where a value lies, outside 0 to 1 if it is outside the range. It
// reports whether there is such a place.
func (p *Param) Place(text string) (float64, bool) {
	if p.List != nil {
		i := slices.IndexFunc(p.List, func(v Value) bool { return equalValues(v.Text, text) })
		return (float64(i) + 0.5) / float64(len(p.List)), i >= 0
	}
	q, ok := ParseQuantity(text)
	if !ok || q.Kind() != p.low.Kind() || p.Log && q.Value.Sign() <= 0 {
		return 0, false
	}
	return p.placeOf(q.Float()), true
}

func equalValues(a, b string) bool {
	x, okA := ParseQuantity(a)
	y, okB := ParseQuantity(b)
	return a == b || okA && okB && x.Kind() == y.Kind() && x.Value.Cmp(y.Value) == 0
}

// Ordered reports whether near places have near values: in ranges and in lists
// of ascending or descending numbers.
func (p *Param) Ordered() bool {
	if p.List == nil {
		return true
	}
	all, kind := Axis{Values: p.List}.Quantities()
	ascending := func(a, b Quantity) int { return a.Value.Cmp(b.Value) }
	return kind != Words && (slices.IsSortedFunc(all, ascending) ||
		slices.IsSortedFunc(all, func(a, b Quantity) int { return ascending(b, a) }))
}

// Words is the parameter behind the equals sign, as ParseParam reads it.
func (p *Param) Words() string {
	switch {
	case p.List != nil:
		return p.texts()
	case p.Log:
		return p.Low + ".." + p.High + ":log"
	case p.Integer:
		return p.Low + ".." + p.High + ":integer"
	}
	return p.Low + ".." + p.High
}

// Params are those of a section, in the order of the file.
type Params []Param

// DecodeNode reads a group of keys, each the path of a field.
func (p *Params) DecodeNode(v strict.Value) {
	*p = nil
	eachField(v, "{switch.ecn.kmin: 50KB..2MB:log}", func(path string, value strict.Value) {
		one := Param{Path: path, Pos: value.Pos()}
		if err := one.decode(value); err != nil {
			value.Failf("%v", err)
			return
		}
		*p = append(*p, one)
	})
}

// decode reads a list of values, or a range.
func (p *Param) decode(v strict.Value) error {
	elements, list := v.Elements()
	if !list {
		text, _ := v.Scalar()
		return p.parse(text)
	}
	for _, e := range elements {
		p.List = append(p.List, Value{e.Text(), e.Pos()})
	}
	return p.checkList()
}

// EncodeNode writes what DecodeNode reads.
func (p *Params) EncodeNode() *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, one := range *p {
		value := strict.Text(one.Words())
		if one.List != nil {
			value = encodeValues(one.List)
		}
		n.Content = append(n.Content, strict.Text(one.Path), value)
	}
	return n
}
