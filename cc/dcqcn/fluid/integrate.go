package fluid

import "rocesim/sim"

// State is a loop at one instant.
type State struct {
	// Queue is in bytes.
	Queue float64
	// Rate and Target are those of each flow in bit/s.
	Rate, Target float64
	// Alpha is that of each flow.
	Alpha float64
	// Busy is the part of the link that is in use, less than 1 only while the
	// queue is empty.
	Busy float64
}

// Steps of the integration are at most longestStep, since loops have time
// constants of tens of microseconds and more; and delays below noDelay count as
// none.
const (
	longestStep = sim.Microsecond
	noDelay     = 100 * sim.Nanosecond
)

// Integrate follows the model's delay differential equations from a start until
// the given time, and shows each state to visit, start and end included, a
// microsecond or less apart. Before the start all was as at the start. The queue is
// never negative, no rate or target above the link's, no rate below the least one.
// The error is that of Validate.
//
// The method is Heun's, with steps that divide the delay: the plain Euler method
// adds an oscillation of its own, which decides where the phase margin is small.
func (l *Loop) Integrate(start State, until sim.Time, visit func(now sim.Time, s State)) error {
	if err := l.Validate(); err != nil {
		return err
	}
	in := l.integrator(start)
	for n := sim.Time(0); ; n++ {
		now := n * in.span / in.parts
		visit(now, in.shown())
		if now >= until {
			return nil
		}
		in.advance()
	}
}

// system is a loop's state in packets and seconds.
type system struct {
	queue float64
	flow
}

// heard is what a flow is told one delay later: how its packets were marked, and
// its rate then.
type heard struct{ mark, rate float64 }

// integrator advances a system by span/parts at a time.
type integrator struct {
	equations
	red         RED
	packet      float64 // bytes
	least       float64 // packets/s
	span, parts sim.Time
	step        float64 // s
	now         system
	// past has what was heard in the last delay, in a ring whose oldest entry,
	// the one that arrives now, is at next; empty without delay.
	past []heard
	next int
}

func (l *Loop) integrator(start State) *integrator {
	delay := l.Delay
	if delay < noDelay {
		delay = 0
	}
	bits := 8 * float64(l.Packet)
	in := &integrator{
		equations: l.equations(),
		red:       l.RED,
		packet:    float64(l.Packet),
		least:     float64(min(l.Params.MinRate, l.Rate)) / bits,
		now: system{start.Queue / float64(l.Packet),
			flow{alpha: start.Alpha, target: start.Target / bits, rate: start.Rate / bits}},
		span:  longestStep,
		parts: 1,
	}
	if delay > 0 {
		in.span = delay
		in.parts = (delay + longestStep - 1) / longestStep
		in.past = make([]heard, in.parts)
	}
	in.step = in.span.Seconds() / float64(in.parts)
	for i := range in.past {
		in.past[i] = in.tell(in.now)
	}
	return in
}

// advance makes one step of Heun's method: the mean of the changes here and at
// the end of a step of Euler's.
func (in *integrator) advance() {
	here := in.tell(in.now)
	first, then := here, here
	if n := len(in.past); n > 0 {
		first = in.past[in.next]
		in.past[in.next] = here
		in.next = (in.next + 1) % n
		then = in.past[in.next]
	}
	a := in.slope(in.now, first)
	ahead := in.moved(in.now, a, a)
	if len(in.past) == 0 {
		then = in.tell(ahead)
	}
	in.now = in.moved(in.now, a, in.slope(ahead, then))
}

func (in *integrator) tell(s system) heard {
	return heard{in.red.Mark(s.queue * in.packet), s.rate}
}

// slope bounds the mark's probability, since the equations take a logarithm.
func (in *integrator) slope(s system, h heard) system {
	return system{in.flows*s.rate - in.capacity, in.change(min(h.mark, surely), h.rate, s.flow)}
}

// moved is s after one step with the mean of two changes, held to its bounds.
func (in *integrator) moved(s, a, b system) system {
	half := in.step / 2
	bounded := func(low, v, high float64) float64 { return min(max(low, v), high) }
	return system{
		queue: max(0, s.queue+half*(a.queue+b.queue)),
		flow: flow{
			alpha:  bounded(0, s.alpha+half*(a.alpha+b.alpha), 1),
			target: bounded(in.least, s.target+half*(a.target+b.target), in.capacity),
			rate:   bounded(in.least, s.rate+half*(a.rate+b.rate), in.capacity),
		},
	}
}

func (in *integrator) shown() State {
	s := &in.now
	bits := 8 * in.packet
	shown := State{
		Queue: s.queue * in.packet,
		Rate:  s.rate * bits, Target: s.target * bits,
		Alpha: s.alpha,
		Busy:  1,
	}
	if s.queue == 0 {
		shown.Busy = min(1, in.flows*s.rate/in.capacity)
	}
	return shown
}
