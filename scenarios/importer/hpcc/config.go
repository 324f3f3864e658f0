package hpcc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rocesim/sim"
)

// Config is what a config.txt says about things that rocesim models.
type Config struct {
	// PayloadSize of a full packet in bytes.
	PayloadSize int
	// QCN enables ECN marking at switches, and with it congestion control.
	QCN bool
	// DynamicPFC selects the dynamic PFC threshold.
	DynamicPFC bool
	// CCMode is the congestion control: see ModeDCQCN.
	CCMode int

	// Parameters of DCQCN: the intervals of the alpha update, of the rate
	// decrease and of the rate increase; whether the target rate follows every
	// decrease; the gain g; the steps of fast recovery; the additive and hyper
	// increase; and the least rate.
	AlphaInterval, DecreaseInterval, RPTimer sim.Time
	ClampTarget                              bool
	Gain                                     float64
	FastRecovery                             int
	AI, HAI, MinRate                         sim.Rate

	// AckInterval is how many bytes of a flow must have come before packets are
	// acknowledged; from then on each one is. 1 is every packet.
	AckInterval int
	// ChunkSize in bytes and BackToZero: on loss, go back to the start of the
	// chunk instead of to the lost packet.
	ChunkSize  int64
	BackToZero bool
	// HasWindow bounds the bytes in flight to the bandwidth-delay product of
	// the pair or, with GlobalWindow, the largest of all pairs; VarWindow
	// scales it with the rate.
	HasWindow, GlobalWindow, VarWindow bool
	// AckHighPrio sends acknowledgements ahead of data at hosts.
	AckHighPrio bool

	// RED has the ECN thresholds per link rate, in ascending order.
	RED []REDPoint
	// Buffer of each switch in bytes.
	Buffer int64
	// Stop is when the run ends, on the clock of flow.txt.
	Stop sim.Time
	// LinkDown is a link to take down; nil is none.
	LinkDown *LinkDown
	// LossRate is the packet loss probability of links whose own is 0.
	LossRate float64
	// TopologyFile and FlowFile are the names that the file gives.
	TopologyFile, FlowFile string

	// Honoured, Ignored and Unknown are the keys of the file, in its order.
	Honoured, Ignored, Unknown []Key
	Warnings                   []Problem
}

// ModeDCQCN is the CCMode that rocesim models.
const ModeDCQCN = 1

// Key is a key that the file sets.
type Key struct {
	Name string
	Line int
	// Reason why the key is ignored.
	Reason string
}

// REDPoint is the marking profile of ports of one rate: from probability 0 at
// Kmin linearly to Pmax at Kmax, 1 above. Kmin and Kmax are in bytes.
type REDPoint struct {
	Rate       sim.Rate
	Kmin, Kmax int64
	Pmax       float64
}

// LinkDown takes down the link between nodes A and B, counted by id, at an
// instant on the clock of flow.txt.
type LinkDown struct {
	At   sim.Time
	A, B int
}

// DefaultConfig holds where no file says otherwise: the original's defaults
// and, where it has none (rates of increase, gain, timer, ECN thresholds), the
// values of the configuration that its authors distribute. ECN thresholds there
// are 4 and 16 KB per Gb/s.
func DefaultConfig() Config {
	c := Config{
		PayloadSize: 1000, QCN: true, DynamicPFC: true, CCMode: ModeDCQCN,
		AlphaInterval: 55 * sim.Microsecond, DecreaseInterval: 4 * sim.Microsecond, RPTimer: 900 * sim.Microsecond,
		Gain: 1.0 / 256, FastRecovery: 5,
		AI: 50 * sim.Mbps, HAI: 100 * sim.Mbps, MinRate: 100 * sim.Mbps,
		AckInterval: 1, ChunkSize: 4000,
		HasWindow: true, GlobalWindow: true,
		Buffer: 16 << 20,
		Stop:   3010 * sim.Millisecond,
	}
	for _, gbit := range []int64{10, 25, 40, 50, 100, 200, 400, 800} {
		c.RED = append(c.RED, REDPoint{Rate: sim.Rate(gbit) * sim.Gbps, Kmin: 4000 * gbit, Kmax: 16000 * gbit, Pmax: 0.2})
	}
	return c
}

// ParseConfig reads a config.txt: a line "KEY value..." per key. Text behind the
// values in braces or behind "#" is a note. The error is a *Problems; name is
// the file's name in it.
func ParseConfig(name string, data []byte) (*Config, error) {
	p := configParser{report: report{file: name}, config: DefaultConfig(), keys: configKeys(), seen: make(map[string]int)}
	lines := p.split(data)
	if len(lines) == 0 {
		p.empty("lines of \"KEY value\"")
	}
	for _, line := range lines {
		p.line(withoutComment(line))
	}
	p.thresholds()
	if err := p.err(); err != nil {
		return nil, err
	}
	p.warnMissing()
	p.config.Warnings = p.warnings
	return &p.config, nil
}

type configParser struct {
	report
	config           Config
	keys             map[string]key
	seen             map[string]int // keys to lines
	kmin, kmax, pmax map[sim.Rate]float64
}

// withoutComment cuts a line at a word that begins with "{" or "#".
func withoutComment(line record) record {
	for i, f := range line.fields {
		if f.text[0] == '{' || f.text[0] == '#' {
			line.fields = line.fields[:i]
			break
		}
	}
	return line
}

// line reads one key with its values.
func (p *configParser) line(line record) {
	if len(line.fields) == 0 {
		return
	}
	head := line.fields[0]
	k, known := p.keys[head.text]
	if !known {
		p.config.Unknown = append(p.config.Unknown, Key{Name: head.text, Line: line.number})
		return
	}
	if earlier, twice := p.seen[head.text]; twice {
		p.warnAt(line.number, 1, "%s is set twice; this value replaces the one in line %d", head.text, earlier)
	}
	p.seen[head.text] = line.number
	set := Key{Name: head.text, Line: line.number, Reason: k.ignored}
	if k.ignored != "" {
		p.config.Ignored = append(p.config.Ignored, set)
	} else {
		p.config.Honoured = append(p.config.Honoured, set)
	}
	if k.read == nil {
		return
	}
	values := line.fields[1:]
	if len(values) < k.values {
		p.errorAt(line.number, head.column+len(head.text), "%s needs %d value(s), %d found", head.text, k.values, len(values))
		return
	}
	if len(values) > k.values && !k.open {
		p.warnAt(line.number, values[k.values].column, "%s and what follows is ignored, %s takes %d value(s)",
			values[k.values].quoted(), head.text, k.values)
	}
	k.read(p, values)
}

// thresholds joins the three maps to RED points.
func (p *configParser) thresholds() {
	if p.kmin == nil && p.kmax == nil && p.pmax == nil {
		return
	}
	maps := []struct {
		key    string
		values map[sim.Rate]float64
	}{{"KMIN_MAP", p.kmin}, {"KMAX_MAP", p.kmax}, {"PMAX_MAP", p.pmax}}
	var rates []sim.Rate
	for _, m := range maps {
		for rate := range m.values {
			rates = append(rates, rate)
		}
	}
	slices.SortFunc(rates, cmp.Compare)
	p.config.RED = nil
	for _, rate := range slices.Compact(rates) {
		for _, m := range maps {
			if _, ok := m.values[rate]; !ok {
				p.errorAt(p.seen[m.key], 1, "%s has no value for %v, must have one for every rate of the other maps", m.key, rate)
			}
		}
		r := REDPoint{Rate: rate, Kmin: int64(p.kmin[rate]), Kmax: int64(p.kmax[rate]), Pmax: p.pmax[rate]}
		if r.Kmin > r.Kmax && len(p.errors.List) == 0 {
			p.errorAt(p.seen["KMIN_MAP"], 1, "Kmin of %v is %d bytes, must be at most Kmax, which is %d", rate, r.Kmin, r.Kmax)
		}
		p.config.RED = append(p.config.RED, r)
	}
}

// warnMissing tells of defaults that the original does not have.
func (p *configParser) warnMissing() {
	c := &p.config
	for _, m := range []struct {
		key   string
		value any
	}{
		{"RP_TIMER", c.RPTimer}, {"EWMA_GAIN", c.Gain}, {"RATE_AI", c.AI}, {"RATE_HAI", c.HAI},
		{"L2_ACK_INTERVAL", c.AckInterval}, {"KMAX_MAP", "4 KB (Kmin) and 16 KB (Kmax) per Gb/s"},
	} {
		if _, ok := p.seen[m.key]; !ok {
			p.warnAt(0, 0, "%s is missing and has no default in the original: %v is used", m.key, m.value)
		}
	}
	if c.CCMode != ModeDCQCN {
		p.warnAt(p.seen["CC_MODE"], 1, "CC_MODE %d (%s) is not modelled, only 1 (DCQCN) is", c.CCMode, modeName(c.CCMode))
	}
}

// modeName names a value of CC_MODE.
func modeName(mode int) string {
	switch mode {
	case ModeDCQCN:
		return "DCQCN"
	case 3:
		return "HPCC"
	case 7:
		return "TIMELY"
	case 8:
		return "DCTCP"
	case 10:
		return "HPCC-PINT"
	}
	return "unknown"
}

// REDFor returns the ECN thresholds of ports of a rate.
func (c *Config) REDFor(rate sim.Rate) (REDPoint, bool) {
	for _, r := range c.RED {
		if r.Rate == rate {
			return r, true
		}
	}
	return REDPoint{}, false
}

// CheckRates returns an error for every rate without ECN thresholds, which the
// original requires for every link. name is the configuration's file.
func (c *Config) CheckRates(name string, rates []sim.Rate) error {
	r := report{file: name}
	for _, rate := range rates {
		if _, ok := c.REDFor(rate); !ok {
			r.errorAt(0, 0, "the topology has links of %v, for which there must be values in KMIN_MAP, KMAX_MAP and PMAX_MAP", rate)
		}
	}
	return r.err()
}

// Ignore moves a key from Honoured to Ignored, for callers that do not model
// it after all.
func (c *Config) Ignore(name, reason string) {
	for i, k := range c.Honoured {
		if k.Name == name {
			k.Reason = reason
			c.Ignored = append(c.Ignored, k)
			c.Honoured = slices.Delete(c.Honoured, i, i+1)
			return
		}
	}
}

// IgnoreUnmodelled moves the keys to Ignored that ask for something that
// rocesim does not model whatever the topology and the flows. Their other values
// change nothing.
func (c *Config) IgnoreUnmodelled() {
	for _, k := range []struct {
		asked        bool
		name, reason string
	}{
		{c.HasWindow && c.VarWindow, "VAR_WIN", "a window stays as large as at line rate, in the original it shrinks with the rate"},
		{!c.DynamicPFC, "USE_DYNAMIC_PFC_THRESHOLD", "thresholds are dynamic, in the original too whatever it says"},
		{c.AckInterval > c.PayloadSize, "L2_ACK_INTERVAL", "every packet is acknowledged, in the original those behind the first so many bytes of a flow"},
	} {
		if k.asked {
			c.Ignore(k.name, k.reason)
		}
	}
}

// Summary has a line for each reason for which keys are ignored, and one for
// the unknown keys.
func (c *Config) Summary() []string {
	var lines []string
	for i, k := range c.Ignored {
		same := func(other Key) bool { return other.Reason == k.Reason }
		if slices.IndexFunc(c.Ignored, same) == i {
			lines = append(lines, names(c.Ignored, same)+" ignored: "+k.Reason)
		}
	}
	if len(c.Unknown) > 0 {
		lines = append(lines, names(c.Unknown, func(Key) bool { return true })+" ignored: not a known key")
	}
	return lines
}

// names lists the names and lines of the keys that match.
func names(keys []Key, match func(Key) bool) string {
	var found []string
	for _, k := range keys {
		if match(k) {
			found = append(found, fmt.Sprintf("%s (line %d)", k.Name, k.Line))
		}
	}
	return strings.Join(found, ", ")
}
