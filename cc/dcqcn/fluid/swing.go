package fluid

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"rocesim/sim"
)

// Incast is how flows that start together begin: at line rate with an empty queue.
func (l *Loop) Incast() State {
	line := float64(l.Rate)
	return State{Rate: line, Target: line, Alpha: l.Params.InitialAlpha, Busy: 1}
}

// Fair is a start at the fair share with an empty queue: alpha alone is off its
// fixed point.
func (l *Loop) Fair() State {
	share := float64(l.Rate) / float64(l.Flows)
	return State{Rate: share, Target: share, Alpha: l.Params.InitialAlpha, Busy: 1}
}

// Disturbed is the fixed point after a burst: the queue has reached Kmax and the
// flows are a fifth above their share. A loop that is stable for small
// disturbances may go on swinging across the step at Kmax after this one. The
// error is that of Validate.
func (l *Loop) Disturbed() (State, error) {
	const burst = 1.2
	p, err := l.FixedPoint()
	return State{
		Queue: float64(l.RED.Kmax),
		Rate:  burst * p.Rate, Target: burst * p.Target,
		Alpha: p.Alpha,
		Busy:  1,
	}, err
}

// Swing is what a loop's queue does over some time.
type Swing struct {
	// Mean, Deviation (the standard deviation), Low and High are of the queue in
	// bytes.
	Mean, Deviation, Low, High float64
	// Utilisation is the part of the link's capacity that is used.
	Utilisation float64
}

// Swing integrates the loop from a start and returns what its queue does in the
// second half of the time until the end: what remains when the start is forgotten.
// For 100 ms it takes some 30 ms. The error is that of Validate.
func (l *Loop) Swing(start State, end sim.Time) (Swing, error) {
	var queue, busy []float64
	err := l.Integrate(start, end, func(now sim.Time, s State) {
		if now >= end/2 {
			queue = append(queue, s.Queue)
			busy = append(busy, s.Busy)
		}
	})
	if err != nil {
		return Swing{}, err
	}
	mean, deviation := stat.PopMeanStdDev(queue, nil)
	return Swing{
		Mean: mean, Deviation: deviation,
		Low: floats.Min(queue), High: floats.Max(queue),
		Utilisation: stat.Mean(busy, nil),
	}, nil
}
