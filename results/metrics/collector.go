// Package metrics turns what the model counts into results. It attaches to a
// model before the run, samples it during the run, and fills a results.Run at
// the end. It changes nothing in the model.
//
// A Collector hears of drops and pauses when they happen (drops.go, losses.go,
// collector.go), takes series at equal steps (sampler*.go), and reads all other
// counters at the end (collect.go, flows.go, paths.go, storms.go). Idle and
// Headroom are the arithmetic that results rest on: how long messages take alone,
// and what ports need beyond XOFF. Package derive uses the same before a run.
package metrics

import (
	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/results"
	"rocesim/scenarios/model"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Options say what is recorded beside the counters.
type Options struct {
	// Sample is the time between samples of queues and rates; 0 takes none.
	Sample sim.Time
	// Queues is how many of the deepest queues become time series.
	Queues int
	// MetricsOnly takes no time series but only what results.Metrics needs of
	// the samples: the mean depths of queues.
	MetricsOnly bool
	// Workloads describe the entries, in their order.
	Workloads []results.Workload
	// CongestionControl names the algorithm of the NICs; empty if there is none.
	CongestionControl string
	// MeasureFrom is the end of the warm-up for goodput.
	MeasureFrom sim.Time
}

// maxPauses bounds the pause timeline: a run of minutes in a storm would fill
// the memory. Counters go on; the run's notes say so.
const maxPauses = 2_000_000

// Collector gathers one run. Its switch observer goes into the model's Spec;
// Attach follows when the model is built.
type Collector struct {
	opt   Options
	m     *model.Model
	ports portIndex

	pauses      []results.Pause
	pausedSince map[portPriority]sim.Time
	pausesLost  int

	xoffSince map[portPriority]sim.Time // we keep the peer paused since
	sent      map[portPriority]*sentPauses
	drops     map[dropKey]*results.DropRow
	lossless  bool // some class is, somewhere
	sampler   *sampler
}

type portPriority struct {
	port     int32
	priority uint8
}

type sentPauses struct {
	first, total sim.Time
	// use and threshold are those of the priority group at first, in bytes.
	use, threshold int64
}

// dropKey tells drops apart that results keep apart.
type dropKey struct {
	portPriority
	cause switching.DropCause
	kind  packet.Kind
	dscp  uint8
	sent  uint8 // code point
	// promised says that the sender takes the class for lossless.
	promised bool
}

// New returns a collector.
func New(opt Options) *Collector {
	return &Collector{
		opt:         opt,
		pausedSince: map[portPriority]sim.Time{},
		xoffSince:   map[portPriority]sim.Time{},
		sent:        map[portPriority]*sentPauses{},
		drops:       map[dropKey]*results.DropRow{},
	}
}

// Observer is what the collector wants to hear from switches.
func (c *Collector) Observer() switching.Observer {
	return switching.Observer{Dropped: c.dropped, PauseSent: c.pauseSent}
}

// Attach makes the collector watch m. It must be called before the run.
func (c *Collector) Attach(m *model.Model) error {
	c.m = m
	c.ports = newPortIndex(m)
	c.lossless = c.anyLossless()
	m.ObserveLosses(c.lost)
	for i := range m.NICs.Len() {
		c.watch(&m.NICs.NIC(i).Port, c.ports.nic(i))
	}
	for i, s := range m.Switches {
		for p := range s.NumPorts() {
			c.watch(s.Port(p), c.ports.of(i, p))
		}
	}
	if c.opt.Sample == 0 {
		return nil
	}
	c.sampler = newSampler(c)
	if c.opt.MetricsOnly {
		return m.Sample(c.opt.Sample, c.sampler.takeMeans)
	}
	return m.Sample(c.opt.Sample, c.sampler.take)
}

// watch records when a port is paused by its peer.
func (c *Collector) watch(p *fabric.Port, port int32) {
	p.Observe(func(at sim.Time, priority int, paused bool) {
		k := portPriority{port, uint8(priority)}
		if paused {
			c.pausedSince[k] = at
			return
		}
		c.endPause(k, c.pausedSince[k], at)
		delete(c.pausedSince, k)
	})
}

func (c *Collector) endPause(k portPriority, from, to sim.Time) {
	if len(c.pauses) >= maxPauses {
		c.pausesLost++
		return
	}
	c.pauses = append(c.pauses, results.Pause{From: from, To: to, Port: k.port, Priority: k.priority})
}

// pauseSent records for how long a switch keeps its peer paused.
func (c *Collector) pauseSent(now sim.Time, sw *switching.Switch, port, priority int, paused bool) {
	k := portPriority{c.ports.of(c.ports.number[sw], port), uint8(priority)}
	s := c.sent[k]
	if s == nil {
		s = c.firstPause(now, sw, port, priority)
		c.sent[k] = s
	}
	since, open := c.xoffSince[k]
	switch {
	case paused && !open:
		c.xoffSince[k] = now
	case !paused && open:
		s.total += now - since
		delete(c.xoffSince, k)
	}
}

// firstPause records the level of the group that made a switch pause a priority
// for the first time: the fullest, where several share the priority.
func (c *Collector) firstPause(now sim.Time, sw *switching.Switch, port, priority int) *sentPauses {
	first := &sentPauses{first: now}
	for group, pfc := range sw.Config().Classes.GroupToPFC {
		if int(pfc) != priority || !sw.Pausing(port, group) {
			continue
		}
		_, headroom := sw.GroupUse(port, group)
		if use := sw.GroupShared(port, group) + headroom; use >= first.use {
			first.use, first.threshold = use, sw.Threshold(port, group)
		}
	}
	return first
}

// portIndex numbers all ports: NICs first, then switch by switch.
type portIndex struct {
	nics   int
	base   []int // of each switch
	total  int
	number map[*switching.Switch]int
}

func newPortIndex(m *model.Model) portIndex {
	x := portIndex{nics: m.NICs.Len(), total: m.NICs.Len(), number: map[*switching.Switch]int{}}
	for i, s := range m.Switches {
		x.base = append(x.base, x.total)
		x.total += s.NumPorts()
		x.number[s] = i
	}
	return x
}

func (x *portIndex) nic(i int) int32 { return int32(i) }

func (x *portIndex) of(sw, port int) int32 { return int32(x.base[sw] + port) }
