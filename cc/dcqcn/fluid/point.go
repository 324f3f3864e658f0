package fluid

import (
	"math"

	"rocesim/sim"
)

// Regime is where a loop's fixed point lies on the marking profile.
type Regime uint8

const (
	// OnLine: the queue settles between Kmin and Kmax (or on the extended line).
	OnLine Regime = iota
	// AtKmax: the flows need more marks than Pmax, or Kmin is Kmax. The queue
	// rides at Kmax, in a sawtooth across the step.
	AtKmax
	// Unbounded: no marks hold the flows, since RED stays at Pmax, or the fair
	// share is below the least rate or so small that a flow's rate rises between
	// two of its packets. The queue grows until PFC pauses. The rest of the Point
	// is the balance that is not reached.
	Unbounded
)

// String names a regime for a table.
func (r Regime) String() string {
	return [...]string{"on the line", "at Kmax", "unbounded"}[r]
}

// Point is the state in which nothing of the loop changes, the same for all
// flows. It is unique (CoNEXT 2016, section 3). Whether the loop gets and stays
// there is Stability's matter.
type Point struct {
	Regime Regime
	// Mark is p*, the probability of a mark that holds the flows at their share.
	// It depends on that share, not on RED: 4 flows at 40G need the same as 10
	// at 100G.
	Mark float64
	// MarkApproximate is the closed form of p* for small p (CoNEXT 2016,
	// section 3), some 15 to 60 % above Mark.
	MarkApproximate float64
	// Queue is q* in bytes: Kmin + (Kmax - Kmin) p*/Pmax on the line, Kmax at
	// Kmax, +Inf if Unbounded.
	Queue float64
	// Wait is the time that Queue takes to drain; sim.Never if Unbounded.
	Wait sim.Time
	// Rate is that of each flow, the fair share; Target is R_T*, towards which
	// they recover. Both in bit/s. One flow alone has a target above the link,
	// which a real flow's cannot be.
	Rate, Target float64
	// Alpha is alpha*, twice the part by which a cut reduces the rate.
	Alpha float64
	// Notifications is how many cuts, so CNPs, each flow sees per second.
	Notifications float64
}

// FixedPoint solves the model for its fixed point. The error is that of Validate.
func (l *Loop) FixedPoint() (Point, error) {
	if err := l.Validate(); err != nil {
		return Point{}, err
	}
	e := l.equations()
	p := e.mark()
	f, cuts := e.rest(p)
	bits := 8 * float64(l.Packet)
	point := Point{
		Mark:            p,
		MarkApproximate: e.markApproximate(),
		Rate:            f.rate * bits,
		Target:          f.target * bits,
		Alpha:           f.alpha,
		Notifications:   cuts,
	}
	l.place(&point)
	return point, nil
}

// place finds the queue at which RED marks with the point's probability.
func (l *Loop) place(p *Point) {
	switch {
	case p.Rate < float64(l.Params.MinRate), p.Mark > l.RED.Pmax && l.RED.Beyond == Cap, p.Mark > 0.999*surely:
		p.Regime = Unbounded
		p.Queue = math.Inf(1)
		p.Wait = sim.Never
		return
	case p.Mark > l.RED.Pmax && l.RED.Beyond == Step, l.RED.Kmin == l.RED.Kmax:
		p.Regime = AtKmax
		p.Queue = float64(l.RED.Kmax)
	default:
		p.Queue = float64(l.RED.Kmin) + p.Mark/l.RED.line()
	}
	p.Wait = sim.Time(p.Queue * 8 / float64(l.Rate) * float64(sim.Second))
}

// The search for p* goes from one mark in 10^15 packets, fewer than any network
// needs, to all but one in 10^9. A flow for which that is too few sends so slowly that
// it rises between two packets: no marks hold it.
const (
	leastMark = 1e-15
	surely    = 1 - 1e-9
)

// mark is p*, the root of surplus, which falls all the way from few marks to
// many. It is found by bisection of its logarithm to the last bit.
func (e *equations) mark() float64 {
	low, high := math.Log(leastMark), math.Log(surely)
	for {
		middle := (low + high) / 2
		if middle <= low || middle >= high {
			return math.Exp(middle)
		}
		if e.surplus(math.Exp(middle)) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
}

// surplus is the logarithm of what the increases of a flow at its fair share give
// over what the cuts take, when each packet is marked with probability p: 0
// where a^2 alpha / ((b+d)(c+e)) = tau^2 R_AI R (CoNEXT 2016, section 3).
func (e *equations) surplus(p float64) float64 {
	r := e.fair()
	m := marksAt(p)
	expiries, increases := e.events(m, r)
	take := 2*math.Log(m.hit(e.cut*r)/e.cut) + math.Log(m.hit(e.alphaPeriod*r))
	return math.Log(e.additive*r) + math.Log(expiries) + math.Log(increases) - take
}

// rest is the state of a flow at its fair share under marks of probability p, and
// its cuts per second.
func (e *equations) rest(p float64) (f flow, cuts float64) {
	r := e.fair()
	m := marksAt(p)
	expiries, _ := e.events(m, r)
	cuts = m.hit(e.cut*r) / e.cut
	f = flow{alpha: m.hit(e.alphaPeriod * r), rate: r}
	f.target = r + f.alpha*cuts/expiries
	return f, cuts
}

// markApproximate is p* for p so small that (1-p)^n is 1-np everywhere.
func (e *equations) markApproximate() float64 {
	r := e.fair()
	perPacket := 1/e.counter + 1/(e.timer*r)
	return math.Cbrt(e.additive / (e.alphaPeriod * r * r) * perPacket * perPacket)
}
