package dcqcn

import (
	"fmt"

	"rocesim/sim"
)

// Params are the settings of a reaction point. One value serves any number of
// controllers and must not change while they run. Names in brackets are those
// of NVIDIA's firmware settings.
type Params struct {
	// G is the gain of alpha, in (0, 1]: how far one period moves it towards 1
	// or 0 [(1024 - dce_tcp_g) / 1024]. Too large, and alpha forgets the
	// congestion between two CNPs; too small, and early cuts halve the rate
	// long after the congestion is over.
	G float64
	// InitialAlpha is alpha at the first CNP, in [0, 1]
	// [initial_alpha_value / 1024]. Small values make the first cuts, those of
	// an incast, weak.
	InitialAlpha float64
	// AlphaPeriod is how often alpha is updated [dce_tcp_rtt]. If shorter than
	// the notification point's CNP interval, alpha decays between the CNPs of
	// one congestion.
	AlphaPeriod sim.Time
	// AlphaAtCNP tells what moves alpha up. True (paper): each CNP does, at
	// once, and restarts the period; a period without CNP moves it down. False
	// (adapters): each period does if a CNP came in it.
	AlphaAtCNP bool

	// ReduceImmediately cuts the rate when a CNP arrives (paper). False: at
	// the next check, every RateReduceMonitor from the first CNP on (adapters).
	ReduceImmediately bool
	// RateReduceMonitor is the least time between two cuts
	// [rate_reduce_monitor_period]. With ReduceImmediately, CNPs that come
	// sooner cut nothing; 0 lets every CNP cut. If longer than the CNP
	// interval, notifications are lost on the rate.
	RateReduceMonitor sim.Time
	// MonitorDelay delays the first check, and so all, by this much beyond
	// RateReduceMonitor after the first CNP. The simulator of the HPCC paper
	// has 1 ns.
	MonitorDelay sim.Time
	// MinDecreaseFactor is the least part of the rate that a cut leaves, in
	// [0, 1] [rpg_min_dec_fac]. A cut is by alpha/2, so up to 0.5 has no
	// effect; near 1 the flow hardly yields and PFC takes over.
	MinDecreaseFactor float64
	// MinRate is the least rate [rpg_min_rate]. Times the number of flows it
	// must stay well below the line rate, or an incast cannot drain.
	MinRate sim.Rate
	// ClampTarget sets the target to the rate at every cut
	// [clamp_tgt_rate; paper].
	ClampTarget bool
	// ClampTargetAfterIncrease does so at a cut only if the rate has increased
	// since the previous one [clamp_tgt_rate_after_time_inc]. With neither,
	// the target stays at line rate, and every recovery rushes back there.
	ClampTargetAfterIncrease bool
	// RateOnFirstCNP replaces rate and target at the first CNP if they are
	// higher [rate_to_set_on_first_cnp]; 0 keeps them.
	RateOnFirstCNP sim.Rate

	// TimerPeriod is the time of one increase [rpg_time_reset]; 0 switches the
	// timer off. It runs from the last cut. Short periods with many flows
	// outweigh the cuts.
	TimerPeriod sim.Time
	// ByteCounter is how many bytes on the wire (frames with preamble and gap)
	// the queue pair sends for one increase [64 x rpg_byte_reset]; 0 switches
	// the counter off. It counts from the last cut. Small values favour the
	// faster of two flows.
	ByteCounter int64
	// FastRecovery is F: how many increases of the timer, or of the byte
	// counter, only halve the distance to the target, before the target rises
	// [rpg_threshold].
	FastRecovery int
	// RateAI and RateHAI are what an additive and a hyper increase add to the
	// target [rpg_ai_rate, rpg_hai_rate]. RateAI decides the queue in steady
	// state and how fast a flow regains the line rate.
	RateAI, RateHAI sim.Rate

	// FixedGap keeps the gap behind a packet as it was computed when the packet
	// was sent, whatever becomes of the rate. Real rate limiters do not; other
	// simulators do.
	FixedGap bool
	// Quantum floors the pacing gap to a multiple, as simulators do that
	// compute in whole nanoseconds; 0 or 1 ps is exact.
	Quantum sim.Time
}

// minMinRate bounds MinRate from below so that the gap behind a jumbo frame
// stays far below sim.Never (7.4 s for 9216 bytes).
const minMinRate = 10 * sim.Kbps

// Validate returns everything that is wrong with p; nil if nothing is.
func (p *Params) Validate() []error {
	var errs []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	fraction := func(name string, v float64) {
		check(v >= 0 && v <= 1, "%s is %v: allowed are 0 to 1", name, v)
	}
	notNegative := func(name string, v sim.Time) {
		check(v >= 0, "%s is %v: it must not be negative", name, v)
	}
	check(p.G > 0 && p.G <= 1, "gain of alpha is %v: allowed are more than 0 up to 1", p.G)
	fraction("initial alpha", p.InitialAlpha)
	fraction("minimum decrease factor", p.MinDecreaseFactor)
	check(p.AlphaPeriod > 0, "alpha period is %v: it must be more than 0", p.AlphaPeriod)
	notNegative("rate reduce monitor period", p.RateReduceMonitor)
	check(p.ReduceImmediately || p.RateReduceMonitor != 0,
		"rate reduce monitor period is 0s: without immediate reduction it must be more than 0")
	notNegative("delay of the first rate check", p.MonitorDelay)
	notNegative("rate increase timer", p.TimerPeriod)
	notNegative("quantum", p.Quantum)
	check(p.ByteCounter >= 0, "byte counter is %d bytes: it must not be negative", p.ByteCounter)
	check(p.TimerPeriod != 0 || p.ByteCounter != 0,
		"rate increase timer and byte counter are both off: a rate once cut would never recover")
	check(p.FastRecovery >= 0 && p.FastRecovery <= maxStage,
		"fast recovery threshold is %d: allowed are 0 to %d", p.FastRecovery, maxStage)
	check(p.RateAI >= 0, "additive increase is %d bit/s: it must not be negative", int64(p.RateAI))
	check(p.RateHAI >= 0, "hyper increase is %d bit/s: it must not be negative", int64(p.RateHAI))
	check(p.MinRate >= minMinRate, "minimum rate is %d bit/s: it must be at least %v", int64(p.MinRate), minMinRate)
	check(p.RateOnFirstCNP == 0 || p.RateOnFirstCNP >= p.MinRate,
		"rate on first CNP is %d bit/s: allowed are 0 (keep the rate) and the minimum rate %v or more",
		int64(p.RateOnFirstCNP), p.MinRate)
	return errs
}
