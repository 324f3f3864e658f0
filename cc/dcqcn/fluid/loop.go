package fluid

import (
	"errors"
	"fmt"

	"rocesim/cc/dcqcn"
	"rocesim/sim"
)

// Loop is a control loop of DCQCN: equal flows through one bottleneck queue.
// The zero value is not valid.
type Loop struct {
	// Params are the settings of the flows' reaction points.
	Params dcqcn.Params
	// CNPInterval is the least time between two CNPs of one flow at the
	// notification point; 0 sends one for every marked packet. Cuts are this or
	// Params.RateReduceMonitor apart, whichever is longer.
	CNPInterval sim.Time
	// RED marks at the bottleneck.
	RED RED
	// Rate is that of the bottleneck link, and the most that a flow sends.
	Rate sim.Rate
	// Flows share the bottleneck equally.
	Flows int
	// Delay is from a mark at the queue to the arrival there of the first packet
	// of the changed rate, without what waits in the queue: one round trip of the
	// path for marking at dequeue.
	Delay sim.Time
	// Packet is the size of all packets in bytes on the wire.
	Packet int
}

// RED is the marking profile of the bottleneck queue: nothing is marked up to
// Kmin, and the probability rises on a line to Pmax at Kmax. If both are equal, it is
// a cut-off without a line.
type RED struct {
	// Kmin and Kmax are in bytes.
	Kmin, Kmax int64
	// Pmax is a probability, in (0, 1].
	Pmax float64
	// Beyond says what is marked above Kmax.
	Beyond Beyond
}

// Beyond is what RED does with a queue above Kmax.
type Beyond uint8

const (
	// Step marks every packet, as switches do.
	Step Beyond = iota
	// Cap stays at Pmax, as some chips can.
	Cap
	// Extended lets the line go on up to 1, as the analysis of CoNEXT 2016 does
	// to keep the loop linear. No switch does that.
	Extended
)

// line is the probability per byte between Kmin and Kmax.
func (r *RED) line() float64 { return r.Pmax / float64(r.Kmax-r.Kmin) }

// Mark is the probability of a mark when the queue holds that many bytes.
func (r *RED) Mark(bytes float64) float64 {
	switch {
	case bytes <= float64(r.Kmin):
		return 0
	case bytes <= float64(r.Kmax) || r.Beyond == Extended:
		return min(1, (bytes-float64(r.Kmin))*r.line())
	case r.Beyond == Cap:
		return r.Pmax
	}
	return 1
}

// Validate returns everything that is wrong with l, joined; nil if nothing is.
func (l *Loop) Validate() error {
	errs := l.Params.Validate()
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	check(l.Params.RateAI != 0, "additive increase is 0 bit/s: rates never rise, so there is no fixed point")
	check(l.CNPInterval >= 0, "CNP interval is %v: it must not be negative", l.CNPInterval)
	check(max(l.CNPInterval, l.Params.RateReduceMonitor) > 0,
		"CNP interval and rate reduce monitor period are both 0s: the model needs a least time between two cuts")
	check(l.RED.Kmin >= 0, "Kmin is %d bytes: it must not be negative", l.RED.Kmin)
	check(l.RED.Kmax >= l.RED.Kmin,
		"Kmin is %d and Kmax %d bytes: Kmax must not be below Kmin", l.RED.Kmin, l.RED.Kmax)
	check(l.RED.Pmax > 0 && l.RED.Pmax <= 1, "Pmax is %v: allowed are more than 0 up to 1", l.RED.Pmax)
	check(l.Rate > 0, "rate of the bottleneck is %d bit/s: it must be more than 0", int64(l.Rate))
	check(l.Flows > 0, "number of flows is %d: it must be at least 1", l.Flows)
	check(l.Delay >= 0, "delay of the loop is %v: it must not be negative", l.Delay)
	check(l.Packet > 0, "packet size is %d bytes: it must be at least 1", l.Packet)
	return errors.Join(errs...)
}

// Approximations names the settings of l that the fluid model has no term for,
// each with what it leaves out; none for the paper's settings.
func (l *Loop) Approximations() []string {
	var list []string
	note := func(applies bool, text string) {
		if applies {
			list = append(list, text)
		}
	}
	p := &l.Params
	note(!p.ClampTarget,
		"the target does not fall to the rate at every cut: real flows recover faster, and mark more")
	note(!p.AlphaAtCNP && p.AlphaPeriod < l.CNPInterval,
		"alpha is updated more often than CNPs can come: the model's alpha is an upper bound")
	note(!p.ReduceImmediately, "cuts wait for the next check of the rate, which adds to the delay")
	note(p.MinDecreaseFactor > 0.5, "a cut is bounded by the minimum decrease factor")
	note(p.RateHAI > p.RateAI, "hyper increase is left out: it counts after long times without a cut")
	return list
}
