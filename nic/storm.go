package nic

import (
	"math/bits"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// pauser makes a NIC pause its peer: because its receive buffer is full, or
// because it storms. A NIC that does neither has none.
type pauser struct {
	id      sim.ID
	refresh sim.Time // between two XOFF frames of one pause; Never repeats none
	stuck   sim.Time // NIC watchdog: how long is too long; 0 is off

	full  uint8 // priorities that the receive buffer pauses
	storm uint8 // priorities that a storm pauses
	muted bool  // the watchdog has stopped pauses
	held  uint8 // what the peer was told
	ever  uint8 // priorities that were ever held

	refreshAt sim.Time
	checkAt   sim.Time // when the watchdog looks next
	served    sim.Time // of the receive buffer, when it last looked

	began  [fabric.Priorities]sim.Time // its first pause
	since  [fabric.Priorities]sim.Time
	paused [fabric.Priorities]sim.Time
}

// refreshesPerPause repeats XOFF after half of its pause time, so that one lost
// frame does not end it. 802.1Qbb leaves the period open; half is
// common.
const refreshesPerPause = 2

// newPauser returns what a NIC needs to pause its peer, or nil if it never
// does.
func newPauser(id sim.ID, cfg *Config, infinite bool) *pauser {
	if !cfg.pausesPeer() {
		return nil
	}
	p := &pauser{id: id, refresh: sim.Never, stuck: cfg.StuckAfter, refreshAt: sim.Never, checkAt: sim.Never}
	if !infinite {
		p.refresh = packet.QuantaTime(packet.MaxQuanta, cfg.Rate) / refreshesPerPause
	}
	return p
}

// pausesPeer reports whether the NIC may send pause frames.
func (c *Config) pausesPeer() bool { return c.Receive != nil || c.Storms }

// Pausers returns how many event sources NICs need to pause their peers: one
// each if any of them may, else none.
func Pausers(configs []Config) int {
	for i := range configs {
		if configs[i].pausesPeer() {
			return len(configs)
		}
	}
	return 0
}

// StartStorm makes the NIC send XOFF of the given priorities until StopStorm,
// repeated before it runs out (Guo et al., SIGCOMM 2016, section 4.3).
// Preconditions: Config.Storms.
func (n *NIC) StartStorm(now sim.Time, priorities uint8) {
	n.pauser.storm |= priorities
	n.hold(now)
}

// StopStorm ends a storm: what the receive buffer does not hold is resumed.
func (n *NIC) StopStorm(now sim.Time) {
	n.pauser.storm = 0
	n.hold(now)
}

// hold tells the peer what it may send, if that has changed, and arms the
// NIC's pause source.
func (n *NIC) hold(now sim.Time) {
	p := n.pauser
	want := p.full | p.storm
	if want == 0 {
		p.muted = false
	}
	if p.muted {
		want = 0
	}
	n.tell(now, want&^p.held, packet.MaxQuanta)
	n.tell(now, p.held&^want, 0)
	began := p.held == 0 && want != 0
	p.account(now, want)
	switch {
	case want == 0:
		p.refreshAt, p.checkAt = sim.Never, sim.Never
	case began:
		p.refreshAt = after(now, p.refresh)
		p.watch(now, n.rx)
	}
	n.armPauser(now)
}

// account notes since when each priority is held and for how long it was.
func (p *pauser) account(now sim.Time, want uint8) {
	for v := want ^ p.held; v != 0; v &= v - 1 {
		i := bits.TrailingZeros8(v)
		if want>>i&1 == 1 {
			if p.ever>>i&1 == 0 {
				p.ever |= 1 << i
				p.began[i] = now
			}
			p.since[i] = now
		} else {
			p.paused[i] += now - p.since[i]
		}
	}
	p.held = want
}

// tell sends one pause frame about the given priorities, if there are any.
func (n *NIC) tell(now sim.Time, priorities uint8, quanta uint16) {
	if priorities == 0 {
		return
	}
	n.SendPause(now, packet.Pause{Vector: priorities, Quanta: quanta})
}

// after is now+span, and Never if span is.
func after(now, span sim.Time) sim.Time {
	if span == sim.Never {
		return sim.Never
	}
	return now + span
}

// watch sets the watchdog on a pause that begins or goes on.
func (p *pauser) watch(now sim.Time, rx *rxBuffer) {
	if p.stuck == 0 {
		return
	}
	p.checkAt = now + p.stuck
	if rx != nil {
		p.served = rx.served(now)
	}
}

// armPauser arms the source for whatever comes first.
func (n *NIC) armPauser(now sim.Time) {
	p := n.pauser
	t := min(p.refreshAt, p.checkAt)
	if p.full != 0 {
		t = min(t, max(n.rx.resumesAt(now), now+1))
	}
	if t < sim.Never {
		n.cluster.engine.Arm(p.id, t)
	} else {
		n.cluster.engine.Disarm(p.id)
	}
}

// pauseDue handles the NIC's pause source: the buffer has drained, XOFF wants
// repeating, or the watchdog is to look.
func (n *NIC) pauseDue(now sim.Time) {
	p := n.pauser
	if p.full != 0 && n.rx.resumesAt(now) <= now {
		p.full = 0
	}
	if p.checkAt <= now {
		n.checkStuck(now)
	}
	repeat := p.refreshAt <= now
	if repeat {
		p.refreshAt = after(now, p.refresh)
	}
	n.hold(now)
	if repeat {
		n.tell(now, p.held, packet.MaxQuanta)
	}
}

// checkStuck is the NIC's watchdog (Guo et al., SIGCOMM 2016, section 4.3): if
// the peer has been paused all the time while the receive pipeline stood still,
// the NIC stops pausing until the buffer drains and the storm is over.
func (n *NIC) checkStuck(now sim.Time) {
	p := n.pauser
	moves := n.rx != nil && n.rx.served(now) != p.served
	if p.storm == 0 && moves {
		p.watch(now, n.rx)
		return
	}
	p.checkAt = sim.Never
	if !p.muted {
		p.muted = true
		n.stats.StormErrors++
	}
}

// Held returns the priorities that the NIC holds its peer paused for.
func (n *NIC) Held() uint8 {
	if n.pauser == nil {
		return 0
	}
	return n.pauser.held
}

// FirstHeld returns when the NIC first paused its peer for a priority; 0 if it
// never did.
func (n *NIC) FirstHeld(priority int) sim.Time {
	if n.pauser == nil {
		return 0
	}
	return n.pauser.began[priority]
}

// HeldTime returns for how long the NIC has held its peer paused for a
// priority, until now.
func (n *NIC) HeldTime(now sim.Time, priority int) sim.Time {
	if n.pauser == nil {
		return 0
	}
	t := n.pauser.paused[priority]
	if n.pauser.held>>priority&1 == 1 {
		t += now - n.pauser.since[priority]
	}
	return t
}

// Storming reports whether the NIC is in a storm.
func (n *NIC) Storming() bool { return n.pauser != nil && n.pauser.storm != 0 }

// LetsGo reports whether the NIC will let its peer go, or go on with what it
// has received, without anything else happening: its receive buffer drains, or
// its watchdog will act.
func (n *NIC) LetsGo(now sim.Time) bool {
	if n.rx != nil && n.rx.drains(now) {
		return true
	}
	return n.pauser != nil && n.pauser.checkAt < sim.Never
}

// PauseTimers act for the kernel's class of NICs that pause their peers.
type PauseTimers struct{ Cluster *Cluster }

// Handle runs the pause source of NIC i.
func (t PauseTimers) Handle(now sim.Time, i int) { t.Cluster.nics[i].pauseDue(now) }
