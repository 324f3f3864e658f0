package versus

import (
	"slices"
	"strings"

	"rocesim/results/compare"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/sweep"
)

// axis is what settings differ in, and the place of each setting on it.
type axis struct {
	compare.Axis
	places []int
}

// axesOf returns the axes of settings: their scenarios, if there are several,
// and the swept fields. Fields that move together share an axis.
func axesOf(paths []string, settings []*sweep.FinishedSetting) []axis {
	var all []axis
	add := func(name string, value func(*sweep.FinishedSetting) string) {
		a := newAxis(name)
		for _, s := range settings {
			a.add(value(s))
		}
		a.number()
		together := func(b axis) bool { return len(a.Values) > 1 && slices.Equal(a.places, b.places) }
		if k := slices.IndexFunc(all, together); k >= 0 {
			all[k].join(&a)
		} else {
			all = append(all, a)
		}
	}
	several := func(s *sweep.FinishedSetting) bool { return s.Scenario != settings[0].Scenario }
	if slices.ContainsFunc(settings, several) {
		add("scenario", func(s *sweep.FinishedSetting) string { return s.Scenario })
	}
	for i, path := range paths {
		add(path, func(s *sweep.FinishedSetting) string { return s.Values[i] })
	}
	return all
}

func newAxis(name string) axis {
	return axis{Axis: compare.Axis{Name: name, Short: name[strings.LastIndex(name, ".")+1:]}}
}

// add adds the value of the next setting.
func (a *axis) add(value string) {
	k := slices.Index(a.Values, value)
	if k < 0 {
		k = len(a.Values)
		a.Values = append(a.Values, value)
	}
	a.places = append(a.places, k)
}

// number fills in what the values are as numbers, if all are of one kind.
func (a *axis) number() {
	var g grid.Axis
	for _, v := range a.Values {
		g.Values = append(g.Values, grid.Value{Text: v})
	}
	quantities, _ := g.Quantities()
	for _, q := range quantities {
		a.Numbers = append(a.Numbers, q.Float())
	}
}

// join makes one axis of two that move together.
func (a *axis) join(b *axis) {
	a.Name, a.Short, a.Numbers = a.Name+" with "+b.Name, a.Short+" / "+b.Short, nil
	for i := range a.Values {
		a.Values[i] += " / " + b.Values[i]
	}
}
