package dcqcn

import (
	"math"

	"rocesim/cc"
	"rocesim/sim"
)

// maxStage bounds F, and so the stage counters, which stop one above it.
const maxStage = 1000

// alphaFloor is where alpha becomes 0. A smaller one changes no rate below
// 1 Tb/s by a bit per second, and a floor bounds how many periods a controller
// has to catch up on after a pause of any length.
const alphaFloor = 1.0 / (1 << 41)

// uncounted is the byte counter of a controller that has none to run: no run
// sends as much.
const uncounted = math.MaxInt64

// Controller is the reaction point of one queue pair. Rates are whole bits per
// second. See New and Init.
//
//	minRate <= rate <= target <= line
type Controller struct {
	// What Sent needs of each packet comes first, for it to be in one cache line
	// or two.

	p *Params
	// due is the earlier of timerAt, the next expiry of the rate timer, and
	// cutAt, when the pending cut is made; sim.Never if there is none.
	due sim.Time
	// bytesLeft is what is left to send until the byte counter's next increase.
	bytesLeft int64
	// perByte is the gap in ps that one byte on the wire earns at the current
	// rate; 0 at line rate.
	perByte float64

	line, rate, target sim.Rate
	timerAt, cutAt     sim.Time
	// checkAt is one check of the rate (the last known; others every
	// RateReduceMonitor), or with ReduceImmediately the earliest next cut.
	checkAt sim.Time

	// alpha estimates congestion. It has been updated up to, not including,
	// alphaAt: only a cut needs it, so only then it is brought up to date.
	alpha   float64
	alphaAt sim.Time

	// timerStage and byteStage count the increases since the last cut: T and
	// BC in the paper.
	timerStage, byteStage int32

	// active is set by the first CNP: until then nothing runs.
	active bool
	// marked is set if a CNP came in the current alpha period.
	marked bool
}

var _ cc.Controller = (*Controller)(nil)

// New returns a controller that starts at the rate of its port, line.
// Preconditions: p is valid.
func New(p *Params, line sim.Rate) *Controller {
	c := new(Controller)
	Init(c, p, line)
	return c
}

// Init makes c what New returns.
func Init(c *Controller, p *Params, line sim.Rate) {
	*c = Controller{
		p:         p,
		line:      line,
		rate:      line,
		target:    line,
		due:       sim.Never,
		timerAt:   sim.Never,
		cutAt:     sim.Never,
		bytesLeft: uncounted,
	}
}

// Sent returns the gap that the queue pair's rate puts between the start of
// this packet and the start of the next: wire bytes over the rate, rounded to
// the nearest picosecond (and floored to Quantum). At line rate it returns 0
// and leaves pacing to the port, so that no rounding slows a lone flow. The
// byte counter counts the packet first. The gap follows the rate timer and a
// cut that is pending (unless FixedGap); a CNP during it does not change it.
// Preconditions, here and below: now, and what the gap adds to it, stay below
// sim.Never.
func (c *Controller) Sent(now sim.Time, wire int) sim.Time {
	if now >= c.due {
		c.catchUp(now)
	}
	c.bytesLeft -= int64(wire)
	if c.bytesLeft <= 0 {
		c.countBytes()
	}
	// The conversion of the product keeps compilers from fusing it with the
	// sum, which would round differently on some machines.
	gap := sim.Time(float64(float64(wire)*c.perByte) + 0.5)
	if now+gap > c.due && !c.p.FixedGap {
		gap = c.earn(now, wire)
	}
	if q := c.p.Quantum; q > 1 {
		gap -= gap % q
	}
	return gap
}

// earn returns when the bytes of a packet are earned if the rate timer runs on
// and no notification comes: a rate limiter fills at the rate of the moment. At
// 1 Mb/s a packet of 4 KiB would otherwise hold its queue pair for 33 ms,
// whatever its rate has recovered to after 300 us.
func (c *Controller) earn(now sim.Time, wire int) sim.Time {
	ahead := *c // runs ahead of the clock; c itself catches up when it is asked
	ahead.bytesLeft = uncounted
	left := float64(wire)
	t := now
	for {
		perByte := ahead.perByte
		if perByte == 0 {
			perByte = 8 * float64(sim.Second) / float64(ahead.line)
		}
		rest := sim.Time(float64(left*perByte) + 0.5)
		if t+rest <= ahead.due {
			return t + rest - now
		}
		left -= float64(ahead.due-t) / perByte
		t = ahead.due
		ahead.catchUp(t)
	}
}

// OnCNP takes a notification.
func (c *Controller) OnCNP(now sim.Time) {
	c.catchUp(now)
	if c.active {
		c.settleAlpha(now)
		c.marked = !c.p.AlphaAtCNP // for the next update; the first CNP only starts them
	} else {
		c.activate(now)
	}
	switch {
	case !c.p.ReduceImmediately:
		c.scheduleCut(now)
	case now >= c.checkAt:
		c.cut(now)
		c.checkAt = now + c.p.RateReduceMonitor
	}
	if c.p.AlphaAtCNP {
		c.raiseAlpha()
		c.alphaAt = now + c.p.AlphaPeriod
	}
}

// OnAck ignores acknowledgements: a notification that comes on one (EchoCNP)
// reaches the controller through OnCNP.
func (c *Controller) OnAck(sim.Time, cc.Ack) {}

// Rate returns the rate at now.
func (c *Controller) Rate(now sim.Time) sim.Rate {
	c.catchUp(now)
	return c.rate
}

// Target returns the rate at now that increases lead back to.
func (c *Controller) Target(now sim.Time) sim.Rate {
	c.catchUp(now)
	return c.target
}

// Alpha returns the estimate of congestion at now, in [0, 1]; 0 before the
// first CNP.
func (c *Controller) Alpha(now sim.Time) float64 {
	c.catchUp(now)
	if c.active {
		c.settleAlpha(now)
	}
	return c.alpha
}

// Window returns 0: DCQCN has none.
func (c *Controller) Window() int64 { return 0 }

// activate creates the state of the reaction point at the first CNP.
func (c *Controller) activate(now sim.Time) {
	c.active = true
	c.alpha = c.p.InitialAlpha
	c.alphaAt = now + c.p.AlphaPeriod
	c.checkAt = now
	if !c.p.ReduceImmediately {
		c.checkAt += c.p.RateReduceMonitor + c.p.MonitorDelay
	}
	if first := c.p.RateOnFirstCNP; first > 0 && first < c.rate {
		c.target = first
		c.setRate(first)
	}
}

// scheduleCut makes the cut pending for the next check after now; a check at
// now itself is over.
func (c *Controller) scheduleCut(now sim.Time) {
	if c.cutAt != sim.Never {
		return
	}
	if now >= c.checkAt {
		c.checkAt += periodsThrough(now, c.checkAt, c.p.RateReduceMonitor)
	}
	c.cutAt = c.checkAt
	c.due = min(c.timerAt, c.cutAt)
}

// catchUp does what timers would have done up to and including now.
func (c *Controller) catchUp(now sim.Time) {
	for c.due <= now {
		if c.timerAt <= c.cutAt {
			c.expire(now)
			c.due = min(c.timerAt, c.cutAt)
		} else {
			at := c.cutAt
			c.cutAt = sim.Never
			c.cut(at)
		}
	}
}

// expire is an expiry of the rate timer. At line rate further ones change
// nothing but the stage, so all until now are one; a cut that is due in between
// finds target and rate equal, and restarts timer and stage.
func (c *Controller) expire(now sim.Time) {
	if c.rate == c.line {
		skipped := periodsThrough(now, c.timerAt, c.p.TimerPeriod)
		c.timerAt += skipped
		c.timerStage = c.stage(int64(c.timerStage) + int64(skipped/c.p.TimerPeriod))
		return
	}
	c.increase()
	c.timerStage = c.stage(int64(c.timerStage) + 1)
	c.timerAt += c.p.TimerPeriod
}

// countBytes handles expiries of the byte counter.
func (c *Controller) countBytes() {
	for c.bytesLeft <= 0 {
		c.increase()
		c.byteStage = c.stage(int64(c.byteStage) + 1)
		c.bytesLeft += c.p.ByteCounter
	}
}

// stage bounds a stage counter: beyond F+1 its value makes no difference.
func (c *Controller) stage(n int64) int32 {
	return int32(min(n, int64(c.p.FastRecovery)+1))
}

// increase raises the rate (paper, section 3.1): by fast recovery
// until one of timer and byte counter has reached F, by hyper increase once
// both have passed F, by additive increase in between. Stages are tested
// before they are incremented, so there are F recoveries. If one of the two is
// off, the other decides alone.
func (c *Controller) increase() {
	most := max(c.timerStage, c.byteStage)
	least := min(c.timerStage, c.byteStage)
	if c.p.TimerPeriod == 0 || c.p.ByteCounter == 0 {
		least = most
	}
	switch f := int32(c.p.FastRecovery); {
	case most < f:
	case least > f:
		c.target += c.p.RateHAI
	default:
		c.target += c.p.RateAI
	}
	c.target = min(c.target, c.line)
	// Rounded up, so that the rate reaches the target.
	c.setRate((c.rate + c.target + 1) / 2)
}

// cut reduces the rate at the instant now and restarts rate timer and byte
// counter.
func (c *Controller) cut(now sim.Time) {
	c.settleAlpha(now)
	if c.p.ClampTarget || c.p.ClampTargetAfterIncrease && max(c.timerStage, c.byteStage) > 0 {
		c.target = c.rate
	}
	reduction := min(c.alpha/2, 1-c.p.MinDecreaseFactor)
	rate := c.rate - sim.Rate(float64(c.rate)*reduction)
	c.setRate(max(rate, min(c.p.MinRate, c.rate)))
	c.timerStage, c.byteStage = 0, 0
	if c.p.ByteCounter > 0 {
		c.bytesLeft = c.p.ByteCounter
	}
	if c.p.TimerPeriod > 0 {
		c.timerAt = now + c.p.TimerPeriod
	}
	c.due = min(c.timerAt, c.cutAt)
}

func (c *Controller) setRate(r sim.Rate) {
	c.rate = r
	c.perByte = 0
	if r < c.line {
		c.perByte = 8 * float64(sim.Second) / float64(r)
	}
}

// settleAlpha does the updates of alpha up to and including now.
func (c *Controller) settleAlpha(now sim.Time) {
	for c.alphaAt <= now {
		if c.alpha == 0 && !c.marked {
			c.alphaAt += periodsThrough(now, c.alphaAt, c.p.AlphaPeriod)
			return
		}
		if c.marked {
			c.raiseAlpha()
		} else {
			c.alpha *= 1 - c.p.G
		}
		if c.alpha < alphaFloor {
			c.alpha = 0
		}
		c.marked = false
		c.alphaAt += c.p.AlphaPeriod
	}
}

func (c *Controller) raiseAlpha() {
	// The conversion forbids fusing: see Sent.
	c.alpha = float64((1-c.p.G)*c.alpha) + c.p.G
}

// periodsThrough is the length of the periods that begin in [from, now], where
// one begins at from: from plus it is the first beginning after now.
// Preconditions: from <= now.
func periodsThrough(now, from, period sim.Time) sim.Time {
	return ((now-from)/period + 1) * period
}
