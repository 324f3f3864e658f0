package scenarios

import "slices"

// WithSeed returns the plan of the same scenario with another seed. It spares
// nearly all of Scenario.Plan, unless parts of the plan are drawn, such as the
// hosts of a workload. The two plans share what is equal, which runs only read.
// The error is of type Errors.
func (p *Plan) WithSeed(seed uint64) (*Plan, error) {
	sc := *p.scenario
	sc.Seed = seed
	if p.drawn {
		return sc.Plan()
	}
	other := *p
	other.Seed, other.scenario = seed, &sc
	other.Switches, other.NICs = slices.Clone(p.Switches), slices.Clone(p.NICs)
	for i := range other.Switches {
		other.Switches[i].Seed, other.Switches[i].HashSeed = seed, other.hashSeed(&other.specs[i], i)
	}
	for i := range other.NICs {
		other.NICs[i].Seed = seed
	}
	return &other, nil
}
