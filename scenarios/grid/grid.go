package grid

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"rocesim/scenarios/strict"
)

// MaxRuns is how many runs a sweep may have. At a second each, a million take
// twelve days.
const MaxRuns = 1_000_000

// Value is one value of an axis.
type Value struct {
	// Text is YAML on one line, as behind --set PATH=.
	Text string
	// Pos is where it was given.
	Pos strict.Pos
}

// Axis is one field of a scenario and the values that it takes.
type Axis struct {
	Path   string
	Values []Value
	// Pos is where the field was named.
	Pos strict.Pos
}

// Dimension is one axis, or several that move together: all have the same
// number of values.
type Dimension []Axis

// Len is the number of places in the dimension.
func (d Dimension) Len() int { return len(d[0].Values) }

// Name is the paths of its axes.
func (d Dimension) Name() string {
	var names []string
	for _, a := range d {
		names = append(names, a.Path)
	}
	return strings.Join(names, " with ")
}

// Grid is every combination of the places of its dimensions.
type Grid []Dimension

// New makes a grid. Axes named together in linked move together; the others
// are dimensions of their own. The error is of type strict.Errors.
func New(axes []Axis, linked []Link) (Grid, error) {
	for _, l := range linked {
		if err := l.check(axes); err != nil {
			return nil, err
		}
	}
	var g Grid
	for _, a := range axes {
		group := slices.IndexFunc(linked, func(l Link) bool { return slices.Contains(l.Paths, a.Path) })
		if group < 0 {
			g = append(g, Dimension{a})
			continue
		}
		if linked[group].Paths[0] == a.Path {
			g = append(g, linked[group].pick(axes))
		}
	}
	return g, nil
}

// Link names axes that move together.
type Link struct {
	Paths []string
	Pos   strict.Pos
}

func (l Link) pick(axes []Axis) Dimension {
	var d Dimension
	for _, path := range l.Paths {
		d = append(d, axes[slices.IndexFunc(axes, func(a Axis) bool { return a.Path == path })])
	}
	return d
}

func (l Link) check(axes []Axis) error {
	var names []string
	for _, a := range axes {
		names = append(names, a.Path)
	}
	for i, path := range l.Paths {
		if !slices.Contains(names, path) {
			return strict.Errors{{Pos: l.Pos, Text: strict.Unknown("axis", path, names)}}
		}
		if slices.Contains(l.Paths[:i], path) {
			return strict.Errors{{Pos: l.Pos, Text: fmt.Sprintf("%s is linked to itself", path)}}
		}
	}
	if len(l.Paths) < 2 {
		return strict.Errors{{Pos: l.Pos, Text: "a link needs two axes or more, such as [switch.ecn.kmin, switch.ecn.kmax]"}}
	}
	d := l.pick(axes)
	for _, a := range d[1:] {
		if len(a.Values) != d.Len() {
			return strict.Errors{{Pos: l.Pos, Text: fmt.Sprintf("%s has %d values and %s has %d; axes that move together have the same number",
				d[0].Path, d.Len(), a.Path, len(a.Values))}}
		}
	}
	return nil
}

// Axes lists all axes in order, those of one dimension side by side.
func (g Grid) Axes() []Axis {
	var all []Axis
	for _, d := range g {
		all = append(all, d...)
	}
	return all
}

// Count multiplies the dimensions with further factors, such as the number of
// seeds. The error shows the arithmetic of more runs than MaxRuns.
func (g Grid) Count(more ...Factor) (int, error) {
	var factors []Factor
	for _, d := range g {
		factors = append(factors, Factor{d.Len(), "of " + d.Name()})
	}
	product := big.NewInt(1)
	var words []string
	for _, f := range append(factors, more...) {
		product.Mul(product, big.NewInt(int64(f.Count)))
		if f.Count > 1 {
			words = append(words, fmt.Sprintf("%d %s", f.Count, f.What))
		}
	}
	if product.Cmp(big.NewInt(MaxRuns)) > 0 {
		return 0, fmt.Errorf("%s = %s runs; at most %s are allowed", strings.Join(words, " x "),
			thousands(product.String()), thousands(strconv.Itoa(MaxRuns)))
	}
	return int(product.Int64()), nil
}

// thousands sets a comma between thousands.
func thousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Factor is one factor of a product, and what it counts.
type Factor struct {
	Count int
	What  string
}

// Places returns the place in each dimension of combination i: the last
// dimension changes fastest.
func (g Grid) Places(i int) []int {
	places := make([]int, len(g))
	for d := len(g) - 1; d >= 0; d-- {
		places[d] = i % g[d].Len()
		i /= g[d].Len()
	}
	return places
}

// Values returns the values of all axes at a combination, in the order of Axes.
func (g Grid) Values(i int) []Value {
	var values []Value
	places := g.Places(i)
	for d, dimension := range g {
		for _, a := range dimension {
			values = append(values, a.Values[places[d]])
		}
	}
	return values
}
