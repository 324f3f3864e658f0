package fluid

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"rocesim/sim"
)

// Verdict is what becomes of a small disturbance of the fixed point.
type Verdict uint8

const (
	// Stable: it dies out.
	Stable Verdict = iota
	// Marginal: it dies out in the model, with a phase margin below MarginalBelow.
	// The random marks of a packet network keep such a loop swinging; once it
	// swings to Kmax, the step there may keep it oscillating.
	Marginal
	// Unstable: it grows into an oscillation, in which the queue may run empty
	// and the link idle.
	Unstable
	// Switching: there is no point on a line to be stable at. The queue rides
	// at Kmax across the step, or is not held by marks at all (Regime).
	Switching
)

// String names a verdict for a table.
func (v Verdict) String() string {
	return [...]string{"stable", "marginal", "unstable", "switching"}[v]
}

// MarginalBelow is the phase margin in degrees below which a loop is Marginal. It
// is where packet simulations of the paper's setting begin to run empty: ten
// flows at 40G do not with a loop of 4 us (8.7 degrees), and do with 20 us (6.3),
// although the model alone would bear 62 us.
const MarginalBelow = 8.0

// Stability is the answer of the linearised loop (CoNEXT 2016, section 3 and
// appendix): the fixed point, the loop opened at the marking and driven by a
// sine.
type Stability struct {
	Verdict Verdict
	// PhaseMargin is in degrees: how much more lag at Crossover the loop bears;
	// below 0 it oscillates. The paper's settings have little (20 degrees at
	// best). It is NaN if Verdict is Switching.
	PhaseMargin float64
	// Crossover is where the loop gain is 1, in Hz; if Unstable, oscillations
	// are close to it. NaN if Verdict is Switching.
	Crossover float64
	// MaxDelay is the longest Delay that leaves a phase margin; sim.Never if it is
	// above 100 ms, and 0 if none does or Verdict is Switching.
	MaxDelay sim.Time
}

// Stability linearises the loop at its fixed point and finds its margins. The
// error is that of Validate.
func (l *Loop) Stability() (Stability, error) {
	point, err := l.FixedPoint()
	if err != nil {
		return Stability{}, err
	}
	if point.Regime != OnLine {
		return Stability{Verdict: Switching, PhaseMargin: math.NaN(), Crossover: math.NaN()}, nil
	}
	o := l.open(point.Mark)
	margin, crossover := o.margin(l.Delay.Seconds())
	s := Stability{PhaseMargin: margin, Crossover: crossover, MaxDelay: o.maxDelay()}
	switch {
	case margin < 0:
		s.Verdict = Unstable
	case margin < MarginalBelow:
		s.Verdict = Marginal
	}
	return s, nil
}

// openLoop is the loop of small relative disturbances, opened at the marking.
type openLoop struct {
	// gain is what a disturbance of the rates, as a part of them, does to p as a
	// part of it per second: C times p per packet over p*.
	gain float64
	// alpha, target and rate are how fast each changes, as a part of itself and
	// in 1/s, per part of disturbance.
	alpha, target, rate response
}

// response is how the change of one variable depends on the five that it may
// depend on: p and R as they were a delay ago, and the flow's state now.
type response struct{ p, then, alpha, target, rate float64 }

// open linearises the model around p.
func (l *Loop) open(p float64) *openLoop {
	e := l.equations()
	at, _ := e.rest(p)
	// Variables are in units of their fixed point, so that one step suits all.
	change := func(y, x []float64) {
		d := e.change(p*x[0], at.rate*x[1], flow{at.alpha * x[2], at.target * x[3], at.rate * x[4]})
		y[0], y[1], y[2] = d.alpha/at.alpha, d.target/at.target, d.rate/at.rate
	}
	j := mat.NewDense(3, 5, nil)
	fd.Jacobian(j, change, []float64{1, 1, 1, 1, 1}, &fd.JacobianSettings{Formula: fd.Central})
	row := func(i int) response {
		return response{j.At(i, 0), j.At(i, 1), j.At(i, 2), j.At(i, 3), j.At(i, 4)}
	}
	return &openLoop{
		gain:  e.capacity * l.RED.line() * float64(l.Packet) / p,
		alpha: row(0), target: row(1), rate: row(2),
	}
}

// at is the loop's gain and phase at the angular frequency w (rad/s) with a delay in
// seconds, as a complex number whose negative is fed back.
func (o *openLoop) at(w, delay float64) complex128 {
	s := complex(0, w)
	late := cmplx.Exp(-s * complex(delay, 0))
	// Rates move alpha and target, which move rates.
	alpha := complex(o.rate.alpha, 0) / (s - complex(o.alpha.alpha, 0))
	target := complex(o.rate.target, 0) / (s - complex(o.target.target, 0))
	c := func(v float64) complex128 { return complex(v, 0) }
	drive := c(o.rate.p) + alpha*c(o.alpha.p) + target*c(o.target.p)
	resist := s - c(o.rate.rate) - c(o.rate.then)*late -
		alpha*c(o.alpha.then)*late - target*(c(o.target.then)*late+c(o.target.rate))
	return -c(o.gain) * late / s * drive / resist
}

// The search for crossovers, in rad/s: from where the queue's integral alone makes
// the gain large up to where the gain is too small to come back.
const (
	lowestFrequency = 1.0
	least           = 1.0 / 30 // gain
	relativeStep    = 1.0 / 50
	phaseStep       = 0.5 // rad that the delay may turn in one step
)

// margin is the least phase margin in degrees over all crossovers, and the
// frequency of that crossover in Hz. The phase is followed from the lowest
// frequency on, since a complex number does not tell -190 from 170 degrees.
func (o *openLoop) margin(delay float64) (degrees, hertz float64) {
	degrees, hertz = math.Inf(1), math.NaN()
	w := lowestFrequency
	here := o.at(w, delay)
	phase := cmplx.Phase(here)
	for cmplx.Abs(here) > least {
		step := min(w*relativeStep, phaseStep/delay)
		next := o.at(w+step, delay)
		if (cmplx.Abs(next) < 1) != (cmplx.Abs(here) < 1) {
			cross := o.crossover(w, w+step, delay)
			turned := phase + cmplx.Phase(o.at(cross, delay)/here)
			if m := 180 + turned*180/math.Pi; m < degrees {
				degrees, hertz = m, cross/(2*math.Pi)
			}
		}
		phase += cmplx.Phase(next / here)
		w, here = w+step, next
	}
	return degrees, hertz
}

// crossover is where the gain is 1 between two frequencies of which one has more
// and one has less.
func (o *openLoop) crossover(low, high, delay float64) float64 {
	falls := cmplx.Abs(o.at(low, delay)) > 1
	for high-low > 1e-9*high {
		middle := (low + high) / 2
		if (cmplx.Abs(o.at(middle, delay)) > 1) == falls {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// longestDelay bounds the search for MaxDelay: no network's loop is as long.
const longestDelay = 100 * sim.Millisecond

// maxDelay is the delay at which the phase margin is 0, rounded down to 10 ns;
// sim.Never if that is beyond longestDelay.
func (o *openLoop) maxDelay() sim.Time {
	const resolution = 10 * sim.Nanosecond
	bears := func(d sim.Time) bool {
		m, _ := o.margin(d.Seconds())
		return m > 0
	}
	if !bears(0) {
		return 0
	}
	low, high := sim.Time(0), resolution
	for bears(high) {
		if high > longestDelay {
			return sim.Never
		}
		low, high = high, 2*high
	}
	for high-low > resolution {
		middle := (low + high) / 2 / resolution * resolution
		if bears(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
