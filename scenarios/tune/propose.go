package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"rocesim/scenarios/sweep"
	"rocesim/sim"
)

// Sizes of the search.
const (
	// batch is how many settings are chosen at a time. It does not depend on
	// the number of workers, as the path must not.
	batch = 4
	// spreadPoints is how many places all over the box are looked at for each
	// choice, and nearPoints how many around each of the best settings.
	spreadPoints, nearPoints, nearBest = 400, 60, 4
	// attempts is how many settings of the first spread may be impossible.
	attempts = 2000
	// maxFitted is how many settings a fit takes: its time grows with the cube.
	maxFitted = 200
)

// startSize is how many settings are spread over the box before the search
// looks at results.
func startSize(params, settings int) int { return max(3, min(2*params+2, settings/2)) }

// primes are the bases of the Halton sequence, one for each parameter.
func primes() [maxParams]int { return [maxParams]int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29} }

// halton returns point i of the sequence, moved around the torus by shift.
func halton(i int, shift []float64) []float64 {
	at := make([]float64, len(shift))
	for d := range at {
		base := primes()[d]
		fraction, value := 1.0, 0.0
		for n := i; n > 0; n /= base {
			fraction /= float64(base)
			value += fraction * float64(n%base)
		}
		_, at[d] = math.Modf(value + shift[d])
	}
	return at
}

func (s *search) shift(stream *sim.Stream) []float64 {
	shift := make([]float64, len(s.p.Params))
	for d := range shift {
		shift[d] = stream.Float64()
	}
	return shift
}

// start returns n possible settings spread over the box, or fewer if there are
// not as many.
func (s *search) start(n int) []*Trial {
	shift := s.shift(sim.NewStream(s.p.base.Seed, "tune/start"))
	var chosen []*Trial
	for i := 1; len(chosen) < n && i <= attempts; i++ {
		if t := s.fresh(halton(i, shift), "start"); t != nil {
			chosen = append(chosen, t)
		}
	}
	return chosen
}

// fresh returns the trial of a place if its setting is possible and new.
func (s *search) fresh(at []float64, phase string) *Trial {
	values := make([]string, len(at))
	sets := make([]string, len(at))
	for d := range at {
		p := &s.p.Params[d]
		values[d] = p.At(at[d])
		sets[d] = p.Path + "=" + values[d]
	}
	key := strings.Join(values, "\n")
	if s.seen[key] {
		return nil
	}
	s.seen[key] = true
	sc, err := s.p.parse(sets)
	if err != nil {
		s.impossible++
		return nil
	}
	text := sweep.NewJob(sc, 0, nil).Scenario
	if s.seen[text] {
		return nil // the same in other words
	}
	s.seen[text] = true
	return &Trial{Values: values, Phase: phase, text: text, at: s.place(values)}
}

// place is where values lie in the box; nil if the box has no place for them.
func (s *search) place(values []string) []float64 {
	at := make([]float64, len(values))
	for d, v := range values {
		place, ok := s.p.Params[d].Place(v)
		if !ok {
			return nil
		}
		at[d] = place
	}
	return at
}

// model fits a surrogate to what is known; nil if that is too little.
func (s *search) model() *surrogate {
	ranked, scores := s.ranked()
	var points [][]float64
	var known []float64
	for i, t := range ranked {
		if t.at != nil {
			points, known = append(points, t.at), append(known, scores[i])
		}
	}
	for len(points) > maxFitted { // the bad ones are dense enough
		middle := maxFitted/2 + (len(points)-maxFitted)%(maxFitted/2)
		points, known = slices.Delete(points, middle, middle+1), slices.Delete(known, middle, middle+1)
	}
	if len(points) < 3 {
		return nil
	}
	words := make([]bool, len(s.p.Params))
	for d := range words {
		words[d] = !s.p.Params[d].Ordered()
	}
	return fit(points, known, words)
}

// propose returns up to n settings that are expected to improve most.
func (s *search) propose(n int) []*Trial {
	m := s.model()
	if m == nil || n <= 0 {
		return nil
	}
	stream := sim.NewStream(s.p.base.Seed, fmt.Sprintf("tune/%d", len(s.trials)))
	candidates := s.candidates(m, stream)
	var chosen []*Trial
	for len(chosen) < n && len(candidates) > 0 {
		t := s.pick(m, &candidates)
		if t != nil {
			chosen = append(chosen, t)
			m.believe(t.at)
		}
	}
	return chosen
}

// candidates are places all over the box and near the best settings.
func (s *search) candidates(m *surrogate, stream *sim.Stream) [][]float64 {
	var all [][]float64
	shift := s.shift(stream)
	for i := range spreadPoints {
		all = append(all, halton(i+1, shift))
	}
	ranked, _ := s.ranked()
	centres := 0
	for _, t := range ranked {
		if t.at == nil || centres == nearBest {
			continue
		}
		centres++
		for i := range nearPoints {
			all = append(all, s.near(t.at, m.words, 0.15*math.Pow(0.2, float64(i%3)), stream))
		}
	}
	for i, at := range all { // what is predicted is what would run
		all[i] = s.snap(at)
	}
	return all
}

// near moves some coordinates of a place.
func (s *search) near(centre []float64, words []bool, width float64, stream *sim.Stream) []float64 {
	at := slices.Clone(centre)
	for d := range at {
		at[d] = min(max(at[d], 0), 1)
		switch draw := stream.Float64(); {
		case words[d] && draw < 0.3:
			at[d] = stream.Float64()
		case !words[d] && draw < 0.7:
			normal := distuv.UnitNormal.Quantile(max(stream.Float64(), 1e-12))
			at[d] = min(max(at[d]+width*normal, 0), 1)
		}
	}
	return at
}

// snap moves a place to that of the setting that it stands for.
func (s *search) snap(at []float64) []float64 {
	snapped := make([]float64, len(at))
	for d := range at {
		snapped[d] = s.p.Params[d].Nearest(at[d])
	}
	return snapped
}

// pick takes the candidate with the largest expected improvement out of the
// list. It returns nil if that one cannot be run.
func (s *search) pick(m *surrogate, candidates *[][]float64) *Trial {
	best := math.Inf(1)
	for _, p := range m.points {
		mean, _ := m.predict(p)
		best = min(best, mean)
	}
	gains := make([]float64, len(*candidates))
	order := make([]int, len(*candidates))
	for i, at := range *candidates {
		gains[i], order[i] = improvement(best, m, at), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gains[b], gains[a]) })
	for n, i := range order {
		t := s.fresh((*candidates)[i], "search")
		if t == nil {
			continue
		}
		var left [][]float64
		for _, j := range order[n+1:] {
			left = append(left, (*candidates)[j])
		}
		*candidates = left
		return t
	}
	*candidates = nil
	return nil
}

// improvement is the expected one over best (Jones, Schonlau, Welch 1998,
// equation 15).
func improvement(best float64, m *surrogate, at []float64) float64 {
	mean, deviation := m.predict(at)
	if deviation == 0 {
		return max(0, best-mean)
	}
	z := (best - mean) / deviation
	return (best-mean)*distuv.UnitNormal.CDF(z) + deviation*distuv.UnitNormal.Prob(z)
}

// influence is how much of the variation of the ranks over the box a parameter
// explains, alone and together with others: its total-order index (Jansen
// 1999), by the fitted model. It is nil if the model knows nothing.
func (s *search) influence() []float64 {
	m := s.model()
	if m == nil {
		return nil
	}
	stream := sim.NewStream(s.p.base.Seed, "tune/influence")
	dim := len(m.words)
	squares := make([]float64, dim)
	var values []float64
	for range influencePoints {
		a := s.snap(s.shift(stream))
		b := s.snap(s.shift(stream))
		at, _ := m.predict(a)
		values = append(values, at)
		for d := range dim {
			mixed := slices.Clone(a)
			mixed[d] = b[d]
			moved, _ := m.predict(mixed)
			squares[d] += square(at - moved)
		}
	}
	total := 0.0
	mean := sum(values) / influencePoints
	for _, v := range values {
		total += square(v - mean)
	}
	if total < 1e-9 {
		return nil
	}
	for d := range squares {
		squares[d] = min(squares[d]/(2*total), 1) // estimated apart, the two may miss by some hundredths
	}
	return squares
}

// influencePoints is how many places an index is computed from: it is then
// sure to some hundredths.
const influencePoints = 400

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}
