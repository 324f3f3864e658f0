// Package congestion is the section cc of a scenario: the congestion control in
// the units of a user, and the parameters of package cc/dcqcn that it comes to on
// a NIC of one rate.
//
// It stands apart from package scenarios, which has all other sections, so that
// tests of what scenarios is made of (cc/dcqcn, its fluid model, scenarios/model)
// take the presets from where runs take them. Package cc knows no files and no
// units, so it is no place for it either.
package congestion

import (
	"fmt"

	"rocesim/cc/dcqcn"
	"rocesim/scenarios/presets"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// Control is the congestion control of all queue pairs. Its keys are in the
// words of the DCQCN paper (Zhu et al., SIGCOMM 2015); the preset connectx names the
// settings of the adapter beside them.
type Control struct {
	Preset             string          `yaml:"preset" preset:"cc" doc:"the parameter set that the other values start from"`
	Algorithm          string          `yaml:"algorithm" enum:"dcqcn|none" doc:"the algorithm; none sends at line rate (PFC only)"`
	CNPInterval        sim.Time        `yaml:"cnp_interval" min:"0ps" max:"1s" doc:"the least time between two notifications that a receiver sends to one queue pair (or nic.cnp.scope)"`
	Gain               strict.Fraction `yaml:"gain" min:"0" max:"1" doc:"g, how far one period moves alpha"`
	InitialAlpha       strict.Fraction `yaml:"initial_alpha" min:"0" max:"1" doc:"alpha at the first notification"`
	AlphaPeriod        sim.Time        `yaml:"alpha_period" min:"1ns" max:"1s" doc:"how often alpha is updated"`
	AlphaAtCNP         bool            `yaml:"alpha_at_cnp" doc:"whether each notification raises alpha at once (paper) instead of each period (adapters)"`
	CutAtCNP           bool            `yaml:"cut_at_cnp" doc:"whether a notification cuts the rate at once (paper) instead of at the next check (adapters)"`
	CutPeriod          sim.Time        `yaml:"cut_period" min:"0ps" max:"1s" doc:"the least time between two cuts"`
	CutDelay           sim.Time        `yaml:"cut_delay" min:"0ps" max:"1ms" doc:"how much later than cut_period the first check comes"`
	MinDecrease        strict.Fraction `yaml:"min_decrease" min:"0" max:"1" doc:"the least part of the rate that a cut leaves"`
	MinRate            sim.Rate        `yaml:"min_rate" min:"10Kbps" max:"100Tbps" doc:"the least rate"`
	ClampTarget        bool            `yaml:"clamp_target" doc:"whether every cut sets the target to the rate"`
	ClampAfterIncrease bool            `yaml:"clamp_after_increase" doc:"whether a cut sets the target to the rate if it has increased since the last"`
	FirstRate          sim.Rate        `yaml:"first_rate" min:"0bps" max:"100Tbps" doc:"the rate at the first notification; 0bps keeps it"`
	IncreasePeriod     sim.Time        `yaml:"increase_period" min:"0ps" max:"1s" doc:"the time of one increase; 0ps switches the timer off"`
	IncreaseBytes      strict.Bytes    `yaml:"increase_bytes" min:"0B" max:"1TB" doc:"the bytes on the wire of one increase; 0B switches the counter off"`
	FastRecovery       int             `yaml:"fast_recovery" min:"0" max:"100" doc:"F, the increases that only approach the target"`
	RateAI             sim.Rate        `yaml:"rate_ai" min:"0bps" max:"100Tbps" doc:"what an additive increase adds"`
	RateHAI            sim.Rate        `yaml:"rate_hai" min:"0bps" max:"100Tbps" doc:"what a hyper increase adds"`
	FixedGap           bool            `yaml:"fixed_gap" doc:"whether the gap behind a packet stays as it was when the packet was sent, whatever becomes of the rate"`
	Per                sim.Rate        `yaml:"per" min:"0bps" max:"100Tbps" doc:"the line rate that rate_ai and rate_hai are for, scaling with that of the NIC; 0bps uses them on all"`
}

// Params returns the parameters of a reaction point on a NIC of rate line, whose
// gaps are whole quanta.
func (c *Control) Params(line sim.Rate, quantum sim.Time) dcqcn.Params {
	scaled := func(r sim.Rate) sim.Rate {
		if c.Per == 0 {
			return r
		}
		return sim.Rate(strict.Scale(int64(r), int64(line), int64(c.Per)))
	}
	return dcqcn.Params{
		G:                        float64(c.Gain),
		InitialAlpha:             float64(c.InitialAlpha),
		AlphaPeriod:              c.AlphaPeriod,
		AlphaAtCNP:               c.AlphaAtCNP,
		ReduceImmediately:        c.CutAtCNP,
		RateReduceMonitor:        c.CutPeriod,
		MonitorDelay:             c.CutDelay,
		MinDecreaseFactor:        float64(c.MinDecrease),
		MinRate:                  min(c.MinRate, line),
		ClampTarget:              c.ClampTarget,
		ClampTargetAfterIncrease: c.ClampAfterIncrease,
		RateOnFirstCNP:           c.FirstRate,
		TimerPeriod:              c.IncreasePeriod,
		ByteCounter:              int64(c.IncreaseBytes),
		FastRecovery:             c.FastRecovery,
		RateAI:                   scaled(c.RateAI),
		RateHAI:                  scaled(c.RateHAI),
		FixedGap:                 c.FixedGap,
		Quantum:                  quantum,
	}
}

// MustParams returns the parameters that a built-in preset gives a reaction
// point on a NIC of rate line, exact to the picosecond: for tests and examples. It
// panics if there is no such preset.
func MustParams(preset string, line sim.Rate) dcqcn.Params {
	doc, _ := presets.Read("cc", preset)
	if doc == nil {
		panic(fmt.Sprintf("congestion: there is no preset %q", preset))
	}
	var c Control
	doc.Sub("values").Decode(&c)
	return c.Params(line, sim.Picosecond)
}
