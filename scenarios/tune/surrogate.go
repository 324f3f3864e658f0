package tune

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// surrogate is a Gaussian process with a Matern 5/2 kernel that has a length
// for each parameter (Rasmussen and Williams 2006, chapters 2, 4 and 5).
type surrogate struct {
	words  []bool // parameters without an order
	points [][]float64
	scores []float64
	hyper
	chol  mat.Cholesky
	alpha mat.VecDense
}

// hyper are the numbers that a fit chooses.
type hyper struct {
	lengths         []float64 // in units of the box
	variance, noise float64
}

// Priors of the logarithms of hyper: a length is about half the box, the
// scores have variance 1, and a tenth of their deviation is noise.
const (
	usualLength   = 0.5
	usualNoise    = 0.01
	lengthSpread  = 0.8
	varianceWidth = 1.0
	noiseSpread   = 1.5
	// leastNoise keeps matrices of near points well conditioned.
	leastNoise = 1e-6
)

// fit chooses the most probable hyper for scores at points, by Nelder and
// Mead, and conditions on the scores.
func fit(points [][]float64, scores []float64, words []bool) *surrogate {
	s := &surrogate{words: words, points: points, scores: scores}
	dim := len(words)
	x := make([]float64, dim+2)
	for i := range dim {
		x[i] = math.Log(usualLength)
	}
	x[dim+1] = math.Log(usualNoise)
	if len(points) > 2 {
		problem := optimize.Problem{Func: s.improbability}
		settings := optimize.Settings{FuncEvaluations: evaluations * len(x)}
		found, err := optimize.Minimize(problem, x, &settings, &optimize.NelderMead{SimplexSize: simplex})
		if err == nil {
			x = found.X
		}
	}
	s.set(x)
	return s
}

// How long and with what first steps hyper is looked for.
const (
	evaluations = 40
	simplex     = 0.7
)

// set takes the logarithms of hyper and conditions on the scores. It reports
// whether that is possible.
func (s *surrogate) set(x []float64) bool {
	dim := len(s.words)
	s.lengths = make([]float64, dim)
	for i := range dim {
		s.lengths[i] = math.Exp(x[i])
	}
	s.variance, s.noise = math.Exp(x[dim]), leastNoise+math.Exp(x[dim+1])
	return s.condition()
}

// condition factorises the covariance of the points.
func (s *surrogate) condition() bool {
	n := len(s.points)
	covariance := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			covariance.SetSym(i, j, s.kernel(s.points[i], s.points[j]))
		}
		covariance.SetSym(i, i, s.variance+s.noise)
	}
	if !s.chol.Factorize(covariance) {
		return false
	}
	s.alpha.Reset()
	return s.chol.SolveVecTo(&s.alpha, mat.NewVecDense(n, s.scores)) == nil
}

// improbability is the negative logarithm of the posterior density of hyper,
// up to a constant.
func (s *surrogate) improbability(x []float64) float64 {
	if !s.set(x) {
		return math.Inf(1)
	}
	dim := len(s.words)
	fit := mat.Dot(mat.NewVecDense(len(s.scores), s.scores), &s.alpha)
	prior := square(x[dim]/varianceWidth) + square((x[dim+1]-math.Log(usualNoise))/noiseSpread)
	for i := range dim {
		prior += square((x[i] - math.Log(usualLength)) / lengthSpread)
	}
	return (fit + s.chol.LogDet() + prior) / 2
}

func square(x float64) float64 { return x * x }

// kernel is the covariance of the scores at two points.
func (s *surrogate) kernel(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		d := a[i] - b[i]
		if s.words[i] && d != 0 {
			d = 1 // one word is as far from another as from any
		}
		sum += square(d / s.lengths[i])
	}
	r := math.Sqrt(5 * sum)
	return s.variance * (1 + r + r*r/3) * math.Exp(-r)
}

// predict returns mean and standard deviation of the score at a point.
func (s *surrogate) predict(at []float64) (mean, deviation float64) {
	n := len(s.points)
	k := mat.NewVecDense(n, nil)
	for i, p := range s.points {
		k.SetVec(i, s.kernel(at, p))
	}
	var solved mat.VecDense
	if s.chol.SolveVecTo(&solved, k) != nil {
		return mat.Dot(k, &s.alpha), 0
	}
	return mat.Dot(k, &s.alpha), math.Sqrt(max(0, s.variance-mat.Dot(k, &solved)))
}

// believe takes a prediction for a result, so that the next point of a batch
// lies elsewhere.
func (s *surrogate) believe(at []float64) {
	mean, _ := s.predict(at)
	n := len(s.points)
	s.points, s.scores = append(s.points, at), append(s.scores, mean)
	if !s.condition() { // too near to another one to tell them apart
		s.points, s.scores = s.points[:n], s.scores[:n]
		s.condition()
	}
}
