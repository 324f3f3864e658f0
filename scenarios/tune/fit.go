package tune

import (
	"slices"
	"strings"

	"rocesim/scenarios/grid"
	"rocesim/scenarios/strict"
)

// probes is how many values of a parameter are tried to find one that fits the
// scenario, and companies how many places of the other parameters to find one
// that a value fits.
const probes, companies = 9, 60

// checkParam refuses fields that are no settings, and parameters of which no
// value fits the scenario as it is.
func (p *Problem) checkParam(one *grid.Param) error {
	first, _, _ := strings.Cut(one.Path, ".")
	first, _, _ = strings.Cut(first, "[")
	if slices.Contains([]string{"seed", "sweep", "tune", "name", "question", "expectation", "source", "output", "expect"}, first) {
		return strict.Errors{{Pos: one.Pos, Path: one.Path, Text: "this is no setting of the network or of its load"}}
	}
	var problem error
	for i := range probes {
		_, err := p.parse([]string{one.Path + "=" + one.At(float64(i)/(probes-1))})
		if err == nil {
			return nil
		}
		if problem == nil {
			problem = relocate(err, one.Pos)
		}
	}
	return problem
}

// checkValues refuses a value of a list, and an end of a range, that fits no
// setting. A value may be wrong only together with another parameter, such as a
// kmin above kmax: then it fits at another place of that one.
func (p *Problem) checkValues(d int) error {
	one := &p.Params[d]
	places := []float64{0, 1}
	if one.List != nil {
		places = nil
		for i := range one.List {
			places = append(places, (float64(i)+0.5)/float64(len(one.List)))
		}
	}
	for i, place := range places {
		pos := one.Pos
		if one.List != nil {
			pos = one.List[i].Pos
		}
		if err := p.fits(d, one.At(place)); err != nil {
			return relocate(err, pos)
		}
	}
	return nil
}

// fits looks for a setting with a value of a parameter. The error is that of the
// value in the scenario as it is.
func (p *Problem) fits(d int, value string) error {
	set := p.Params[d].Path + "=" + value
	_, problem := p.parse([]string{set})
	for i := 0; problem != nil && i < companies; i++ {
		var sets []string
		for o, at := range p.company(i) {
			if o != d {
				sets = append(sets, p.Params[o].Path+"="+p.Params[o].At(at))
			}
		}
		if _, err := p.parse(append(sets, set)); err == nil {
			return nil
		}
	}
	return problem
}

// company is one of the places in the box that values are tried at: first the
// ends of all parameters, then places all over.
func (p *Problem) company(i int) []float64 {
	shift := make([]float64, len(p.Params))
	if i < 2 {
		for d := range shift {
			shift[d] = float64(i)
		}
		return shift
	}
	return halton(i-1, shift)
}

// relocate moves an error to where the parameter was given.
func relocate(err error, pos strict.Pos) error {
	errs, ok := err.(strict.Errors)
	if !ok {
		return err
	}
	errs = slices.Clone(errs)
	for i := range errs {
		if strings.HasPrefix(errs[i].Pos.File, "--set ") {
			errs[i].Pos = pos
		}
	}
	return errs
}
