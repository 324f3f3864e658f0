package hpcc

import (
	"fmt"
	"math"

	"rocesim/fabric/topo"
	"rocesim/sim"
)

// key is how one key of config.txt is read.
type key struct {
	// values is how many the key takes, or at least takes if it is open.
	values int
	open   bool
	read   func(p *configParser, v []field)
	// ignored is why the key changes nothing; empty if it is honoured.
	ignored string
}

// Reasons for which keys are ignored.
const (
	otherOutput = "results go to the run directory"
	otherHPCC   = "it belongs to HPCC, which is not modelled"
	otherPINT   = "it belongs to HPCC-PINT, which is not modelled"
	otherDCTCP  = "it belongs to DCTCP, which is not modelled"
	otherTopo   = "the topology file says it for each link"
	otherSample = "queues are sampled as the scenario says"
	otherPause  = "a pause lasts until it is resumed, in the original too"
	commandLine = "files are named on the command line"
)

// configKeys returns every key that the original knows.
func configKeys() map[string]key {
	keys := map[string]key{
		"PACKET_PAYLOAD_SIZE":       number(1, 65000, func(c *Config, v int64) { c.PayloadSize = int(v) }),
		"ENABLE_QCN":                flag(func(c *Config) *bool { return &c.QCN }),
		"USE_DYNAMIC_PFC_THRESHOLD": flag(func(c *Config) *bool { return &c.DynamicPFC }),
		"CC_MODE":                   number(0, 100, func(c *Config, v int64) { c.CCMode = int(v) }),
		"ALPHA_RESUME_INTERVAL":     micros(func(c *Config) *sim.Time { return &c.AlphaInterval }),
		"RATE_DECREASE_INTERVAL":    micros(func(c *Config) *sim.Time { return &c.DecreaseInterval }),
		"RP_TIMER":                  micros(func(c *Config) *sim.Time { return &c.RPTimer }),
		"CLAMP_TARGET_RATE":         flag(func(c *Config) *bool { return &c.ClampTarget }),
		"EWMA_GAIN":                 fraction(func(c *Config) *float64 { return &c.Gain }),
		"FAST_RECOVERY_TIMES":       number(0, 1000, func(c *Config, v int64) { c.FastRecovery = int(v) }),
		"RATE_AI":                   rate(func(c *Config) *sim.Rate { return &c.AI }),
		"RATE_HAI":                  rate(func(c *Config) *sim.Rate { return &c.HAI }),
		"MIN_RATE":                  rate(func(c *Config) *sim.Rate { return &c.MinRate }),
		"L2_CHUNK_SIZE":             number(0, 1<<40, func(c *Config, v int64) { c.ChunkSize = v }),
		"L2_ACK_INTERVAL":           number(1, 1<<20, func(c *Config, v int64) { c.AckInterval = int(v) }),
		"L2_BACK_TO_ZERO":           flag(func(c *Config) *bool { return &c.BackToZero }),
		"HAS_WIN":                   flag(func(c *Config) *bool { return &c.HasWindow }),
		"GLOBAL_T":                  flag(func(c *Config) *bool { return &c.GlobalWindow }),
		"VAR_WIN":                   flag(func(c *Config) *bool { return &c.VarWindow }),
		"ACK_HIGH_PRIO":             flag(func(c *Config) *bool { return &c.AckHighPrio }),
		"BUFFER_SIZE":               number(1, 1<<20, func(c *Config, v int64) { c.Buffer = v << 20 }),
		"ERROR_RATE_PER_LINK":       fraction(func(c *Config) *float64 { return &c.LossRate }),
		"KMIN_MAP":                  rateMap(func(p *configParser) *map[sim.Rate]float64 { return &p.kmin }, kilobyte, maxKilobytes),
		"KMAX_MAP":                  rateMap(func(p *configParser) *map[sim.Rate]float64 { return &p.kmax }, kilobyte, maxKilobytes),
		"PMAX_MAP":                  rateMap(func(p *configParser) *map[sim.Rate]float64 { return &p.pmax }, 1, 1),
		"SIMULATOR_STOP_TIME":       {values: 1, read: readStop},
		"LINK_DOWN":                 {values: 3, read: readLinkDown},
		"TOPOLOGY_FILE":             {values: 1, ignored: commandLine, read: func(p *configParser, v []field) { p.config.TopologyFile = v[0].text }},
		"FLOW_FILE":                 {values: 1, ignored: commandLine, read: func(p *configParser, v []field) { p.config.FlowFile = v[0].text }},
		"RATE_BOUND":                {values: 1, read: readRateBound},
		"DCTCP_RATE_AI":             {ignored: otherDCTCP},
		"PAUSE_TIME":                {ignored: otherPause},
	}
	for reason, names := range ignoredKeys() {
		for _, name := range names {
			keys[name] = key{ignored: reason}
		}
	}
	return keys
}

// ignoredKeys are those without influence here, by reason.
func ignoredKeys() map[string][]string {
	return map[string][]string{
		otherOutput: {"TRACE_FILE", "TRACE_OUTPUT_FILE", "FCT_OUTPUT_FILE", "PFC_OUTPUT_FILE", "ENABLE_TRACE", "QLEN_MON_FILE", "MON_FILE"},
		otherHPCC:   {"FAST_REACT", "U_TARGET", "MI_THRESH", "INT_MULTI", "MULTI_RATE", "SAMPLE_FEEDBACK"},
		otherPINT:   {"PINT_LOG_BASE", "PINT_PROB"},
		otherTopo:   {"DATA_RATE", "LINK_DELAY"},
		otherSample: {"QLEN_MON_START", "QLEN_MON_END", "MON_START", "MON_END", "MON_INTERVAL"},
	}
}

const (
	// kilobyte is the unit of Kmin and Kmax in bytes.
	kilobyte = 1000
	// maxKilobytes of Kmin and Kmax is beyond any buffer.
	maxKilobytes = 1e9
	// maxMicros of an interval is a minute.
	maxMicros = 60e6
	// flowClock is the instant that LINK_DOWN counts from.
	flowClock = 2 * sim.Second
)

// number reads a whole number from lo to hi.
func number(lo, hi int64, set func(*Config, int64)) key {
	return key{values: 1, read: func(p *configParser, v []field) { set(&p.config, p.whole(v[0], lo, hi)) }}
}

// flag reads 0 or 1.
func flag(at func(*Config) *bool) key {
	return key{values: 1, read: func(p *configParser, v []field) { *at(&p.config) = p.whole(v[0], 0, 1) == 1 }}
}

// rate reads a rate with its unit.
func rate(at func(*Config) *sim.Rate) key {
	return key{values: 1, read: func(p *configParser, v []field) { *at(&p.config) = p.rate(v[0], sim.BitPerSecond) }}
}

// real reads a number from lo to hi, called what in messages.
func (r *report) real(f field, lo, hi float64, what string) float64 {
	v, ok := f.number(lo, hi)
	if !ok {
		r.bad(f, fmt.Sprintf("%s from %g to %g", what, lo, hi))
	}
	return v
}

// fraction reads a number from 0 to 1.
func fraction(at func(*Config) *float64) key {
	return key{values: 1, read: func(p *configParser, v []field) { *at(&p.config) = p.real(v[0], 0, 1, "a number") }}
}

// micros reads a time in microseconds.
func micros(at func(*Config) *sim.Time) key {
	return key{values: 1, read: func(p *configParser, v []field) {
		us := p.real(v[0], 0, maxMicros, "a time in us")
		*at(&p.config) = sim.Time(math.Round(us * float64(sim.Microsecond)))
	}}
}

// rateMap reads "n rate value rate value ...": a value per link rate in bit/s,
// in the given unit.
func rateMap(at func(*configParser) *map[sim.Rate]float64, unit, limit float64) key {
	return key{values: 1, open: true, read: func(p *configParser, v []field) {
		values := make(map[sim.Rate]float64)
		*at(p) = values
		if n := p.whole(v[0], 1, 1000); int64(len(v)) != 1+2*n {
			p.errorAt(v[0].line, v[0].column, "%d pairs are announced, %d words follow", n, len(v)-1)
			return
		}
		for i := 1; i < len(v); i += 2 {
			rate := sim.Rate(p.whole(v[i], 1, int64(topo.MaxRate)))
			values[rate] = p.real(v[i+1], 0, limit, "a value") * unit
		}
	}}
}

// readStop reads the end of the run in seconds.
func readStop(p *configParser, v []field) {
	seconds := p.real(v[0], 0, maxStart, "a time in seconds")
	p.config.Stop = sim.Time(nanoseconds(seconds)) * sim.Nanosecond
}

// readLinkDown reads "time_us a b"; all 0 is no link. The original counts the
// time from 2 s, where flows customarily start.
func readLinkDown(p *configParser, v []field) {
	us := p.whole(v[0], 0, maxMicros)
	a, b := int(p.whole(v[1], 0, maxNode)), int(p.whole(v[2], 0, maxNode))
	if us > 0 {
		p.config.LinkDown = &LinkDown{At: flowClock + sim.Time(us)*sim.Microsecond, A: a, B: b}
	}
}

// readRateBound warns if pacing is to be off, which is not modelled.
func readRateBound(p *configParser, v []field) {
	if p.whole(v[0], 0, 1) == 0 {
		p.warnAt(v[0].line, v[0].column, "RATE_BOUND 0 is not modelled: queue pairs are always paced at their rate")
	}
}
