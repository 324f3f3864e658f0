package scenarios

import (
	"gopkg.in/yaml.v3"

	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// Workload is one entry of the list of traffic: one of the types below.
type Workload struct{ Traffic }

// Traffic is an entry as written.
type Traffic interface{ common() *TrafficCommon }

// TrafficCommon is what every entry takes.
type TrafficCommon struct {
	Name string `yaml:"name" need:"true" doc:"the name of the entry in results; each needs its own"`
	Type string `yaml:"type" need:"true" enum:"flows|incast|permutation|all-to-all|poisson|saturate|latency|datagrams" doc:"the kind of traffic"`
	Op   string `yaml:"op" enum:"write|send" omit:"zero" doc:"the RDMA operation; write, unless given"`
	DSCP *int   `yaml:"dscp" min:"0" max:"63" doc:"the code point, if it is not the NIC's"`
	NIC  int    `yaml:"nic" min:"0" max:"64" omit:"zero" doc:"the NIC to use on both ends, counted from 1; without it queue pairs take them in turn"`
	NoCC bool   `yaml:"no_cc" omit:"zero" doc:"whether the entry is exempt from congestion control"`
}

func (c *TrafficCommon) common() *TrafficCommon { return c }

// Span bounds an entry in time.
type Span struct {
	Start sim.Time `yaml:"start" min:"0ps" max:"60s" omit:"zero" doc:"when it begins"`
	Stop  sim.Time `yaml:"stop" min:"0ps" max:"60s" omit:"zero" doc:"when it posts no more; without it never"`
}

// Flows is an explicit list.
type Flows struct {
	TrafficCommon
	Flows []Flow `yaml:"flows" need:"true" doc:"a list of {from, to, bytes, start}"`
}

// Flow is one message on a connection of its own.
type Flow struct {
	From    string       `yaml:"from" need:"true" doc:"the sending host"`
	To      string       `yaml:"to" need:"true" doc:"the receiving host"`
	Bytes   strict.Bytes `yaml:"bytes" need:"true" min:"1B" max:"1TB" doc:"the size"`
	Start   sim.Time     `yaml:"start" min:"0ps" max:"60s" omit:"zero" doc:"when it begins"`
	SrcPort int          `yaml:"src_port" min:"1" max:"65535" omit:"zero" doc:"the UDP source port, if it is not derived from the queue pairs"`
	DstPort int          `yaml:"dst_port" min:"1" max:"65535" omit:"zero" doc:"the UDP destination port, if it is not 4791"`
}

// Incast is all senders to all receivers at one instant.
type Incast struct {
	TrafficCommon
	Senders   HostSet      `yaml:"senders" need:"true" doc:"the sending hosts"`
	Receivers HostSet      `yaml:"receivers" need:"true" doc:"the receiving hosts"`
	Bytes     strict.Bytes `yaml:"bytes" need:"true" min:"1B" max:"1TB" doc:"the size of a flow"`
	QPs       int          `yaml:"qps" min:"1" max:"1024" omit:"zero" doc:"the flows from a sender to a receiver; without it 1"`
	Every     sim.Time     `yaml:"every" min:"1ns" max:"60s" omit:"zero" doc:"the time between two rounds; without it there is one"`
	Rounds    int          `yaml:"rounds" min:"1" max:"1000000" omit:"zero" doc:"the number of rounds; without it no end"`
	Spread    sim.Time     `yaml:"spread" min:"0ps" max:"1s" omit:"zero" doc:"the most that a flow of a round is randomly delayed"`
	Span
}

// Rounds says how often an exchange is repeated.
type Rounds struct {
	Rounds  int      `yaml:"rounds" min:"1" max:"1000000" omit:"zero" doc:"how often; without it once, or until stop"`
	Gap     sim.Time `yaml:"gap" min:"0ps" max:"1s" omit:"zero" doc:"the time between two rounds"`
	Barrier bool     `yaml:"barrier" omit:"zero" doc:"whether all wait for the slowest before the next round"`
	Span
}

// Permutation is every host to one other.
type Permutation struct {
	TrafficCommon
	Hosts    HostSet      `yaml:"hosts" omit:"zero" doc:"the hosts; without it all"`
	Bytes    strict.Bytes `yaml:"bytes" need:"true" min:"1B" max:"1TB" doc:"the size of a flow"`
	Partners int          `yaml:"partners" min:"1" max:"1024" omit:"zero" doc:"the hosts that each one sends to at once; without it 1"`
	QPs      int          `yaml:"qps" min:"1" max:"1024" omit:"zero" doc:"the flows to each partner; without it 1"`
	Rounds
}

// AllToAll is every host to every other.
type AllToAll struct {
	TrafficCommon
	Hosts  HostSet      `yaml:"hosts" omit:"zero" doc:"the hosts; without it all"`
	Bytes  strict.Bytes `yaml:"bytes" need:"true" min:"1B" max:"1TB" doc:"the size of a flow"`
	QPs    int          `yaml:"qps" min:"1" max:"1024" omit:"zero" doc:"the flows to each peer; without it 1"`
	Window int          `yaml:"window" min:"1" max:"20000" omit:"zero" doc:"the peers that a host serves at once; without it all"`
	Rounds
}

// Poisson is flows that start at random.
type Poisson struct {
	TrafficCommon
	Sources      HostSet         `yaml:"sources" omit:"zero" doc:"the sending hosts; without it all"`
	Destinations HostSet         `yaml:"destinations" omit:"zero" doc:"the receiving hosts; without it all"`
	CDF          string          `yaml:"cdf" oneof:"sizes" need:"true" enum:"alistorage|websearch" doc:"the distribution of sizes, by name"`
	CDFFile      string          `yaml:"cdf_file" oneof:"sizes" doc:"the distribution of sizes as a file of lines \"bytes percent\", seen from the scenario's directory"`
	Sizes        []SizePoint     `yaml:"sizes" oneof:"sizes" doc:"the distribution of sizes as a list of {bytes, below}"`
	Bytes        strict.Bytes    `yaml:"bytes" oneof:"sizes" min:"1B" max:"1TB" doc:"one size for all"`
	Load         strict.Fraction `yaml:"load" need:"true" min:"0.0001" max:"2" doc:"the payload as a part of the senders' line rate"`
	Flows        int             `yaml:"flows" min:"1" max:"10000000" omit:"zero" doc:"the number of flows; without it no end"`
	Reuse        bool            `yaml:"reuse" omit:"zero" doc:"whether the flows of a pair share a connection"`
	Span
}

// SizePoint is one point of a distribution of sizes.
type SizePoint struct {
	Bytes strict.Bytes    `yaml:"bytes" min:"0B" max:"1TB" doc:"a size"`
	Below strict.Fraction `yaml:"below" min:"0" max:"1" doc:"the part of the flows that are not larger"`
}

// Saturate keeps queue pairs busy as a bandwidth benchmark does.
type Saturate struct {
	TrafficCommon
	Pairs    PairSet      `yaml:"pairs" need:"true" doc:"who sends to whom"`
	Bytes    strict.Bytes `yaml:"bytes" need:"true" min:"1B" max:"1TB" doc:"the size of a message"`
	Depth    int          `yaml:"depth" min:"1" max:"65536" omit:"zero" doc:"the messages outstanding on a queue pair; without it 1"`
	QPs      int          `yaml:"qps" min:"1" max:"1024" omit:"zero" doc:"the queue pairs of a pair; without it 1"`
	Gap      sim.Time     `yaml:"gap" min:"0ps" max:"1s" omit:"zero" doc:"the time from a completion to the next message"`
	Burst    Burst        `yaml:"burst" omit:"zero" doc:"pauses between bursts"`
	Messages int          `yaml:"messages" min:"1" max:"10000000" omit:"zero" doc:"the messages of a queue pair; without it no end"`
	Span
}

// Burst makes a saturating sender pause.
type Burst struct {
	Messages int      `yaml:"messages" min:"1" max:"1000000" omit:"zero" doc:"the messages of a burst"`
	Pause    sim.Time `yaml:"pause" min:"0ps" max:"1s" omit:"zero" doc:"the time between bursts"`
}

// Latency is periodic small probes.
type Latency struct {
	TrafficCommon
	Pairs PairSet      `yaml:"pairs" need:"true" doc:"who sends to whom"`
	Bytes strict.Bytes `yaml:"bytes" need:"true" min:"1B" max:"1MB" doc:"the size of a probe"`
	Every sim.Time     `yaml:"every" need:"true" min:"1ns" max:"60s" doc:"the time between two probes of a pair"`
	Span
}

// Datagrams is a constant rate that reacts to nothing.
type Datagrams struct {
	TrafficCommon
	Pairs PairSet      `yaml:"pairs" need:"true" doc:"who sends to whom"`
	Rate  sim.Rate     `yaml:"rate" need:"true" min:"1Kbps" max:"100Tbps" doc:"the rate of a pair on the wire"`
	Bytes strict.Bytes `yaml:"bytes" need:"true" min:"1B" max:"1GB" doc:"the size of a message"`
	Steps []RateStep   `yaml:"steps" doc:"a list of {at, rate} that change the rate"`
	Span
}

// RateStep changes the rate of datagrams.
type RateStep struct {
	At   sim.Time `yaml:"at" need:"true" min:"1ps" max:"60s" doc:"when the rate changes"`
	Rate sim.Rate `yaml:"rate" need:"true" min:"1Kbps" max:"100Tbps" doc:"the rate from then on"`
}

// DecodeNode reads the type and then what that type takes.
func (w *Workload) DecodeNode(v strict.Value) {
	kind := ""
	if k, ok := v.Key("type"); ok {
		kind, _ = k.Scalar()
	}
	w.Traffic = newTraffic(kind)
	if w.Traffic == nil {
		w.Traffic = &untyped{}
		v.DecodeKinds("type", w.Traffic, func(kind string) any { return newTraffic(kind) })
		return
	}
	v.Decode(w.Traffic)
}

// untyped is an entry whose type is missing or unknown.
type untyped struct{ TrafficCommon }

// EncodeNode writes what DecodeNode reads.
func (w *Workload) EncodeNode() *yaml.Node { return strict.EncodeStruct(w.Traffic) }
