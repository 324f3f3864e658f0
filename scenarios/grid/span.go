package grid

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Span is a range of values. Steps are exact; the values between the ends of a
// geometric range have four significant digits.
type Span struct {
	From   string `yaml:"from" need:"true" doc:"the first value"`
	To     string `yaml:"to" need:"true" doc:"the last value, which steps may miss"`
	Step   string `yaml:"step" oneof:"how" doc:"the difference of neighbours"`
	Points int    `yaml:"points" oneof:"how" min:"2" max:"1000000" doc:"the number of values"`
	Log    bool   `yaml:"log" doc:"whether neighbours have a constant ratio instead of a constant difference; with points"`
}

// expand lists the values of a span.
func (s *Span) expand() ([]string, error) {
	from, to, err := s.ends()
	if err != nil {
		return nil, err
	}
	switch {
	case s.Step == "" && s.Points == 0:
		return nil, fmt.Errorf("the range from %s to %s has neither step nor points; allowed: {from: 100KB, to: 400KB, step: 100KB} or {from: 100KB, to: 400KB, points: 3, log: true}", s.From, s.To)
	case s.Log && s.Points == 0:
		return nil, fmt.Errorf("a range with log: true needs points, not step")
	case s.Log:
		return s.geometric(from, to)
	case s.Points > 0:
		width := new(big.Rat).Sub(to.Value, from.Value)
		values := s.linear(from, width.Quo(width, big.NewRat(int64(s.Points-1), 1)), s.Points)
		if found := len(slices.Compact(slices.Clone(values))); found < s.Points && from.Kind() == Number {
			return nil, fmt.Errorf("from %s to %s are %d whole numbers, not %d; write %s.0 for numbers with a point", s.From, s.To, found, s.Points, s.From)
		}
		return values, nil
	}
	return s.stepped(from, to)
}

func (s *Span) ends() (from, to Quantity, err error) {
	from, okFrom := ParseQuantity(s.From)
	to, okTo := ParseQuantity(s.To)
	if !okFrom || !okTo || from.Kind() != to.Kind() {
		return from, to, fmt.Errorf("%s to %s is no range; allowed: two numbers of the same kind, such as from: 100KB, to: 1MB", s.From, s.To)
	}
	if from.Value.Cmp(to.Value) == 0 {
		return from, to, fmt.Errorf("the range from %s to %s has a single value", s.From, s.To)
	}
	return from, to, nil
}

// stepped goes from one end to the other, not beyond it.
func (s *Span) stepped(from, to Quantity) ([]string, error) {
	step, ok := ParseQuantity(s.Step)
	if !ok || step.Kind() != from.Kind() {
		return nil, fmt.Errorf("the step %s is not of the kind of %s", s.Step, s.From)
	}
	width := new(big.Rat).Sub(to.Value, from.Value)
	if step.Value.Sign() != width.Sign() {
		return nil, fmt.Errorf("steps of %s from %s never reach %s", s.Step, s.From, s.To)
	}
	steps := new(big.Rat).Quo(width, step.Value)
	count := new(big.Int).Quo(steps.Num(), steps.Denom())
	if !count.IsInt64() || count.Int64() >= MaxRuns {
		return nil, fmt.Errorf("from %s to %s in steps of %s are %s values; at most %s are allowed", s.From, s.To, s.Step,
			thousands(new(big.Int).Add(count, big.NewInt(1)).String()), thousands(strconv.Itoa(MaxRuns)))
	}
	return s.linear(from, step.Value, int(count.Int64())+1), nil
}

func (s *Span) linear(from Quantity, step *big.Rat, count int) []string {
	values := make([]string, count)
	for i := range values {
		at := new(big.Rat).Mul(step, big.NewRat(int64(i), 1))
		values[i] = from.unit.write(s.whole(from, at.Add(at, from.Value)))
	}
	return values
}

// geometric spaces values by a constant ratio.
func (s *Span) geometric(from, to Quantity) ([]string, error) {
	if from.Value.Sign() <= 0 || to.Value.Sign() <= 0 {
		return nil, fmt.Errorf("the range from %s to %s has no constant ratio; with log: true both ends are above 0", s.From, s.To)
	}
	ratio := to.Float() / from.Float()
	values := make([]string, s.Points)
	for i := range values {
		value := from.Float() * math.Pow(ratio, float64(i)/float64(s.Points-1))
		rounded, _ := new(big.Rat).SetString(strconv.FormatFloat(value, 'e', 3, 64))
		values[i] = from.unit.write(s.whole(from, rounded))
	}
	values[0], values[len(values)-1] = s.From, s.To
	return values, nil
}

// whole rounds a value to what its field can hold: a whole number of base
// units, and of a plain number if the range begins with one.
func (s *Span) whole(from Quantity, value *big.Rat) *big.Rat {
	if from.Kind() == Number && (from.unit.name == "%" || strings.ContainsAny(s.From+s.To+s.Step, "./^e")) {
		return value
	}
	nearest := new(big.Int)
	nearest.SetString(value.FloatString(0), 10)
	return new(big.Rat).SetInt(nearest)
}
