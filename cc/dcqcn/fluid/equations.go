package fluid

import "math"

// equations are the model's constants in packets and seconds.
type equations struct {
	capacity    float64 // C, packets/s
	flows       float64 // N
	cut         float64 // tau, s: least time between two cuts
	alphaPeriod float64 // tau', s
	gain        float64 // g
	timer       float64 // T, s; infinite if it is off
	counter     float64 // B, packets; infinite if it is off
	recoveries  float64 // F
	additive    float64 // R_AI, packets/s
}

// flow is the state of one flow, or its change per second.
type flow struct {
	alpha        float64
	target, rate float64 // R_T and R_C, packets/s
}

func (l *Loop) equations() equations {
	bits := 8 * float64(l.Packet)
	e := equations{
		capacity:    float64(l.Rate) / bits,
		flows:       float64(l.Flows),
		cut:         max(l.CNPInterval, l.Params.RateReduceMonitor).Seconds(),
		alphaPeriod: l.Params.AlphaPeriod.Seconds(),
		gain:        l.Params.G,
		timer:       l.Params.TimerPeriod.Seconds(),
		counter:     float64(l.Params.ByteCounter) / float64(l.Packet),
		recoveries:  float64(l.Params.FastRecovery),
		additive:    float64(l.Params.RateAI) / bits,
	}
	if e.timer == 0 {
		e.timer = math.Inf(1)
	}
	if e.counter == 0 {
		e.counter = math.Inf(1)
	}
	return e
}

// fair is the rate of each flow when all share the link, packets/s.
func (e *equations) fair() float64 { return e.capacity / e.flows }

// change is the model of SIGCOMM 2015 (section 5, equations 5 to 9): how fast a
// flow's state changes when it hears of the mark probability p at which it sent at
// the rate then, both one delay ago.
func (e *equations) change(p, then float64, f flow) flow {
	m := marksAt(p)
	expiries, increases := e.events(m, then)
	cuts := m.hit(e.cut*then) / e.cut
	return flow{
		alpha:  e.gain / e.alphaPeriod * (m.hit(e.alphaPeriod*then) - f.alpha),
		target: -(f.target-f.rate)*cuts + e.additive*then*increases,
		rate:   -f.rate*f.alpha/2*cuts + (f.target-f.rate)/2*then*expiries,
	}
}

// events are how many times per packet the byte counter or the timer expires
// (b + d), and how many of these raise the target (c + e): those after F in a row
// without a mark.
func (e *equations) events(m marks, rate float64) (expiries, increases float64) {
	for _, n := range [...]float64{e.counter, e.timer * rate} {
		if math.IsInf(n, 1) {
			continue
		}
		each := m.missed(n)
		expiries += each
		increases += each * (1 - m.hit(e.recoveries*n))
	}
	return expiries, increases
}

// marks are independent marks of packets with a probability of p.
type marks struct {
	p        float64
	unmarked float64 // ln(1-p)
}

func marksAt(p float64) marks { return marks{p, math.Log1p(-p)} }

// hit is the chance 1-(1-p)^n that one of n packets is marked.
func (m marks) hit(n float64) float64 { return -math.Expm1(n * m.unmarked) }

// missed is how many runs of n packets without a mark end per packet,
// p/((1-p)^-n - 1), for a count that starts anew at every mark and every end.
func (m marks) missed(n float64) float64 {
	if m.p == 0 {
		return 1 / n
	}
	return m.p / math.Expm1(-n*m.unmarked)
}
