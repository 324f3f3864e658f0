package scenarios

import (
	"math"
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios/strict"
	"rocesim/sim"
	switching "rocesim/switch"
)

// switches resolves every switch.
func (p *planner) switches() {
	if !p.ok("switch") {
		p.checkStated()
		return
	}
	p.checkSwitch(&p.sc.Switch, "switch")
	if p.plan.Graph == nil || !p.few("switch.overrides", len(p.sc.Switch.Overrides)) {
		return
	}
	specs := p.switchSpecs()
	if !p.ok("switch") {
		return
	}
	p.plan.specs = specs
	for i := range specs {
		r := switchResolver{planner: p, spec: &specs[i], specs: specs, number: i}
		p.plan.Switches = append(p.plan.Switches, r.config())
	}
}

// overrideSwitches applies an override to the switches that it matches.
func (p *planner) overrideSwitches(o strict.Value, apply func(int)) {
	g := p.plan.Graph
	p.override(o, len(g.Switches), func(pattern topo.Pattern, i int) bool {
		return pattern.Match(g.Switches[i].Name)
	}, apply, func(pattern string) {
		o.Failf("%q matches no switch; there are %d, %s to %s", pattern, len(g.Switches),
			g.Switches[0].Name, g.Switches[len(g.Switches)-1].Name)
	})
}

// switchSpecs returns what each switch is after overrides.
func (p *planner) switchSpecs() []Switch {
	specs := slices.Repeat([]Switch{p.sc.Switch}, len(p.plan.Graph.Switches))
	for k := range p.sc.Switch.Overrides {
		o := p.sc.Switch.Overrides[k].Value()
		p.overrideSwitches(o, func(i int) {
			changed := specs[i]
			o.Patch(&changed, "match")
			p.checkSwitch(&changed, o.Path)
			if p.ok(o.Path) { // else a later override would repeat the error
				specs[i] = changed
			}
		})
	}
	return specs
}

// switchResolver makes the configuration of one switch.
type switchResolver struct {
	*planner
	spec   *Switch
	specs  []Switch // of all switches
	number int
}

func (r *switchResolver) config() switching.Config {
	s := r.spec
	name := r.plan.Graph.Switches[r.number].Name
	c := switching.Config{
		Name: name, Seed: r.sc.Seed, HashSeed: r.plan.hashSeed(s, r.number),
		Routing:        routing(s.Routing),
		CutThrough:     s.Forwarding == "cut-through",
		IngressLatency: s.ingressLatency(),
		Classes:        s.classMap(),
		PFC: switching.PFCConfig{
			Quanta: uint16(s.PFC.Quanta), Infinite: s.PFC.Infinite, Response: s.PFC.Response,
		},
	}
	c.EgressLatency = s.Latency - c.IngressLatency
	c.Watchdog, c.Bump = r.watchdog(name), r.bump()
	c.Ports = r.ports()
	if s.PFC.Enabled {
		for _, n := range s.PFC.Priorities {
			c.PFC.Enabled |= 1 << n
		}
		c.PFC.Refresh = r.refresh(c.Ports)
	}
	c.Buffer = r.buffer(c.Ports)
	for i := range switching.Priorities {
		lossless := slices.Contains(s.PFC.Priorities, i)
		c.Groups[i] = s.group(lossless)
		c.Queues[i] = r.queue(i, lossless)
	}
	return c
}

// ingressLatency is the part of the pipeline before buffer admission.
func (s *Switch) ingressLatency() sim.Time {
	return sim.Time(math.Round(float64(s.Latency) * float64(s.IngressShare)))
}

// hashSeed is that of switch number n of the graph, which is s.
func (p *Plan) hashSeed(s *Switch, n int) uint32 {
	name := p.Graph.Switches[n].Name
	switch {
	case s.HashSeeds == "same":
		name = ""
	case s.Routing == "murmur3":
		return uint32(nodeNumber(name, len(p.Graph.Hosts)+n))
	}
	return sim.NewStream(p.Seed, "ecmp/"+name).Uint32()
}

func routing(name string) switching.Routing {
	switch name {
	case "spray-random":
		return switching.SprayRandom
	case "spray-round":
		return switching.SprayRound
	case "murmur3":
		return switching.Murmur3
	default:
		return switching.ECMP
	}
}

// classMap spreads the maps out: what they do not name keeps its number.
func (s *Switch) classMap() switching.ClassMap {
	m := switching.ClassMap{TrustPCP: s.Trust == "pcp"}
	for d := range m.DSCPToTC {
		m.DSCPToTC[d] = uint8(s.DefaultTC)
		if tc, ok := s.DSCPToTC[d]; ok {
			m.DSCPToTC[d] = uint8(tc)
		}
	}
	for i := range uint8(switching.Priorities) {
		m.PCPToTC[i] = i
		if tc, ok := s.PCPToTC[int(i)]; ok {
			m.PCPToTC[i] = uint8(tc)
		}
		m.TCToGroup[i], m.TCToQueue[i], m.PFCToQueue[i], m.GroupToPFC[i] = i, i, i, i
		if g, ok := s.TCToGroup[int(i)]; ok {
			m.TCToGroup[i] = uint8(g)
		}
		if q, ok := s.TCToQueue[int(i)]; ok {
			m.TCToQueue[i] = uint8(q)
		}
	}
	return m
}

// refresh is a part of the shortest pause time that the switch can ask for,
// that of its fastest port: a quantum is 512 bit times of the paused port.
func (r *switchResolver) refresh(ports []switching.PortConfig) sim.Time {
	fastest := sim.Rate(1)
	for _, port := range ports {
		fastest = max(fastest, port.Rate)
	}
	if r.spec.PFC.Infinite || r.spec.PFC.Refresh == 0 {
		return 0
	}
	pause := strict.Scale(int64(r.spec.PFC.Quanta)*512, int64(sim.Second), int64(fastest))
	return max(1, sim.Time(float64(pause)*float64(r.spec.PFC.Refresh)))
}

// checkHeadroom refuses headroom of one group that no buffer of the switch could
// hold: more than the pool that all headroom comes from, or than the shared pool.
func (r *switchResolver) checkHeadroom(b *switching.Buffer, ports []switching.PortConfig) {
	limit, name := b.Shared, "the shared buffer"
	if b.HeadroomPool > 0 {
		limit, name = b.HeadroomPool, "the headroom pool"
	}
	for i, port := range ports {
		if port.Headroom > limit {
			r.doc.Failf("switch.headroom", "%v of port %d of switch %s are larger than %s; allowed: up to %v",
				strict.Bytes(port.Headroom), i, r.plan.Graph.Switches[r.number].Name, name, strict.Bytes(limit))
			return
		}
	}
}

// buffer resolves the pools; of a total memory, the shared pool is what
// reserves and headroom leave.
func (r *switchResolver) buffer(ports []switching.PortConfig) switching.Buffer {
	b := &r.spec.Buffer
	out := switching.Buffer{
		Cell: int(b.Cell), Partitions: b.Partitions, Shared: int64(b.Shared),
		HeadroomPool: int64(b.HeadroomPool), EgressLossy: int64(b.EgressLossy),
	}
	if b.Total == 0 {
		r.checkHeadroom(&out, ports)
		return out
	}
	groups := int64(len(r.spec.PFC.Priorities))
	taken := out.HeadroomPool
	for _, port := range ports {
		taken += groups * int64(r.spec.Lossless.Reserved)
		taken += (switching.Priorities - groups) * int64(r.spec.Lossy.Reserved)
		if out.HeadroomPool == 0 {
			taken += groups * port.Headroom
		}
	}
	out.Shared = int64(b.Total) - taken
	if out.Shared <= 0 {
		r.doc.Failf("switch.buffer.total", "%v of switch %s are not enough: reserves and headroom of its %d ports take %v",
			b.Total, r.plan.Graph.Switches[r.number].Name, len(ports), strict.Bytes(taken))
	}
	return out
}

// group is the ingress profile of one priority group.
func (s *Switch) group(lossless bool) switching.GroupConfig {
	if !lossless {
		return switching.GroupConfig{
			Reserved: int64(s.Lossy.Reserved), Threshold: threshold(s.Lossy.Alpha, s.Lossy.Limit),
		}
	}
	return switching.GroupConfig{
		Lossless: true, Reserved: int64(s.Lossless.Reserved),
		Threshold: threshold(s.Lossless.Alpha, s.Lossless.Xoff),
		Xon:       int64(s.Lossless.Xon), XonOffset: int64(s.Lossless.XonOffset), LiveXon: s.Lossless.LiveXon,
	}
}

// threshold is a dynamic limit, a static one, or none.
func threshold(alpha strict.Alpha, size strict.Bytes) switching.Threshold {
	switch {
	case alpha > 0:
		return switching.Threshold{Dynamic: true, Alpha: int64(alpha)}
	case size > 0:
		return switching.Threshold{Static: int64(size)}
	default:
		return switching.Threshold{Static: math.MaxInt64}
	}
}

// queue is the profile of egress queue i. Thresholds that depend on the rate
// are those of the ports; here the base profile stands.
func (r *switchResolver) queue(i int, lossless bool) switching.QueueConfig {
	s := r.spec
	q := switching.QueueConfig{
		Strict:     slices.Contains(s.StrictQueues, i),
		Weight:     1,
		PerIngress: s.Arbitration == "per-ingress",
		Lossy:      !lossless,
	}
	if w, ok := s.QueueWeights[i]; ok {
		q.Weight = w
	}
	if q.Lossy {
		q.Limit = threshold(s.Lossy.QueueAlpha, s.Lossy.QueueLimit)
	}
	if marks := s.ECN.Queues; s.ECN.Enabled && (slices.Contains(marks, i) || marks == nil && lossless) {
		q.RED = r.red(r.slowest())
	}
	return q
}

// slowest is the least rate of the switch's ports.
func (r *switchResolver) slowest() sim.Rate {
	least := sim.Rate(math.MaxInt64)
	for _, ref := range r.links() {
		least = min(least, r.plan.Graph.Links[ref.Link].Rate)
	}
	return least
}

func (r *switchResolver) links() []topo.PortRef {
	return r.plan.Graph.Ports(len(r.plan.Graph.Endpoints) + r.number)
}

// red is the marking profile of a port of a rate.
func (r *switchResolver) red(rate sim.Rate) *switching.REDProfile {
	e := &r.spec.ECN
	kmin, kmax, pmax := e.Kmin, e.Kmax, e.Pmax
	if row := slices.IndexFunc(e.Table, func(row ECNRow) bool { return row.Rate == rate }); row >= 0 {
		kmin, kmax, pmax = e.Table[row].Kmin, e.Table[row].Kmax, e.Table[row].Pmax
	} else if kmax == 0 {
		r.doc.Failf("switch.ecn.table", "no row for %v, which a port of switch %s has", rate, r.plan.Graph.Switches[r.number].Name)
	} else if e.Per > 0 {
		kmin = strict.Bytes(strict.Scale(int64(kmin), int64(rate), int64(e.Per)))
		kmax = strict.Bytes(strict.Scale(int64(kmax), int64(rate), int64(e.Per)))
	}
	return &switching.REDProfile{
		Kmin: int64(kmin), Kmax: int64(kmax), Pmax: uint64(math.Round(float64(pmax) * (1 << 32))),
		CapAtPmax: e.CapAtPmax, AtEnqueue: e.At == "enqueue", WithDeparting: e.Inclusive,
		Weight: uint8(e.Weight), MarkOnly: e.MarkOnly,
	}
}

// ports resolves what depends on each port's rate and cable.
func (r *switchResolver) ports() []switching.PortConfig {
	lossless := len(r.spec.PFC.Priorities) > 0
	var out []switching.PortConfig
	for _, ref := range r.links() {
		link := &r.plan.Graph.Links[ref.Link]
		port := switching.PortConfig{Rate: link.Rate, NoPFC: !r.spec.PFC.Enabled}
		if lossless {
			port.Headroom = r.room(ref)
			port.Threshold = r.scaledAlpha(link.Rate)
		}
		if r.spec.ECN.Enabled && (r.spec.ECN.Per > 0 || len(r.spec.ECN.Table) > 0) {
			port.RED = r.red(link.Rate)
		}
		out = append(out, port)
	}
	return out
}

// scaledAlpha doubles alpha for each begun doubling of the port's rate over the
// slowest host's, up to 1, as the HPCC ns-3 simulator does.
func (r *switchResolver) scaledAlpha(rate sim.Rate) *switching.Threshold {
	if !r.spec.Lossless.ScaleAlpha || r.spec.Lossless.Alpha == 0 {
		return nil
	}
	base := sim.Rate(math.MaxInt64)
	for e := range r.plan.Graph.Endpoints {
		base = min(base, r.port(e).Rate)
	}
	alpha := r.spec.Lossless.Alpha
	for ; rate > base && alpha < strict.AlphaOne; rate /= 2 {
		alpha *= 2
	}
	t := threshold(alpha, 0)
	return &t
}
