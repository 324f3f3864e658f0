package scenarios

import (
	"fmt"
	"slices"

	"rocesim/fabric/topo"
	"rocesim/nic"
	"rocesim/scenarios/strict"
)

// nicSpecs finds what each NIC is after overrides: before the switches are
// resolved, whose headroom depends on it.
func (p *planner) nicSpecs() {
	p.mtu = p.sc.NIC.MTU
	if p.plan.Graph == nil || !p.few("nic.overrides", len(p.sc.NIC.Overrides)) {
		return
	}
	if !p.ok("nic") {
		for k := range p.sc.NIC.Overrides { // whom they are about can be told all the same
			p.overrideNICs(p.sc.NIC.Overrides[k].Value(), func(int) {})
		}
		return
	}
	p.checkReceive(&p.sc.NIC, "nic")
	p.checkRecovery(&p.sc.NIC, "nic")
	specs := slices.Repeat([]NIC{p.sc.NIC}, len(p.plan.Graph.Endpoints))
	for k := range p.sc.NIC.Overrides {
		o := p.sc.NIC.Overrides[k].Value()
		p.overrideNICs(o, func(i int) { p.overrideNIC(o, &specs[i]) })
	}
	p.adapters = specs
	for i := range specs {
		p.mtu = max(p.mtu, specs[i].MTU)
	}
}

// overrideNICs applies an override to the NICs that it matches, by their names or
// those of their hosts.
func (p *planner) overrideNICs(o strict.Value, apply func(int)) {
	g := p.plan.Graph
	p.override(o, len(g.Endpoints), func(pattern topo.Pattern, i int) bool {
		e := &g.Endpoints[i]
		return pattern.Match(e.Name) || pattern.Match(g.Hosts[e.Host].Name)
	}, apply, func(pattern string) {
		o.Failf("%q matches no NIC%s", pattern, p.hosts.offer(pattern))
	})
}

// overrideNIC changes one NIC and checks what became of it.
func (p *planner) overrideNIC(o strict.Value, n *NIC) {
	before := *n
	o.Patch(n, "match")
	p.checkReceive(n, o.Path)
	p.checkRecovery(n, o.Path)
	if n.Framing != before.Framing {
		p.doc.Failf(o.Path+".framing", "one network has one framing; set nic.framing")
	}
	if n.DSCP != before.DSCP {
		p.doc.Failf(o.Path+".dscp", "entries of the workload mark their data, not single NICs; set nic.dscp, or dscp of an entry")
	}
}

// nics resolves every endpoint.
func (p *planner) nics() {
	for i := range p.adapters {
		p.checkJitter(&p.adapters[i], i)
		p.plan.NICs = append(p.plan.NICs, p.nicConfig(&p.adapters[i], i))
	}
}

// checkJitter refuses a random delay that could bring a NIC's packets out of
// order: it must stay below what the shortest frame lasts.
func (p *planner) checkJitter(n *NIC, endpoint int) {
	f := p.plan.Framing
	rate := p.port(endpoint).Rate
	shortest := rate.TxTimeCeil(int64(f.Wire(min(f.Frame(1, false), f.Ack, f.CNP))))
	text := fmt.Sprintf("jitter %v at %v", n.Jitter, rate)
	if n.Jitter >= shortest && !p.said[text] {
		p.said[text] = true // once for all NICs alike
		p.doc.Failf("nic.jitter", "%v is too much for NIC %s; allowed at %v: below %v, what the shortest frame lasts, or packets would overtake each other",
			n.Jitter, p.plan.Graph.Endpoints[endpoint].Name, rate, shortest)
	}
}

func (p *planner) nicConfig(n *NIC, endpoint int) nic.Config {
	c := nic.Config{
		Name: p.plan.Graph.Endpoints[endpoint].Name, Seed: p.sc.Seed,
		Rate: p.port(endpoint).Rate, MTU: n.MTU,
		DSCPToPriority: n.priorities(),
		PauseResponse:  n.PFC.Response, TTL: uint8(n.TTL),
		TxLatency: n.TxLatency, RxLatency: n.RxLatency, AckLatency: n.AckLatency, AckEvery: n.AckEvery,
		AcksUnpaused: n.AcksUnpaused,
		CNPDSCP:      uint8(n.CNP.DSCP), CNPInterval: p.sc.CC.CNPInterval, CNPDelay: n.CNP.Delay,
		CNPScope: cnpScope(n.CNP.Scope), EchoCNP: n.CNP.Echo,
		PacketInterval: n.PacketInterval, MessageInterval: n.MessageInterval, QPMessageInterval: n.QPMessageInterval,
		PCIe: n.PCIe, PerMessage: n.Arbitration == "message",
		Timeout: n.Timeout, RetryCount: n.RetryCount, NakInterval: n.NakInterval, OutOfOrder: n.OutOfOrder,
		Receive: p.receive(n, endpoint), StuckAfter: n.Watchdog.after(),
		ClockPPM: n.ClockPPM, Jitter: n.Jitter,
	}
	c.Recovery, c.Window = n.recovery(), int64(n.Window)
	c.RTOLow, c.RTOHigh = n.rto()
	obeyed := n.PFC.Priorities
	if obeyed == nil {
		obeyed = p.sc.Switch.PFC.Priorities
	}
	for _, priority := range obeyed {
		if n.PFC.Enabled {
			c.PFC |= 1 << priority
		}
	}
	return c
}

// priorities spreads the NIC's map out. A DSCP that it does not name has the
// priority of its upper three bits, as "trust dscp" has it on ConnectX.
func (n *NIC) priorities() [64]uint8 {
	var m [64]uint8
	for d := range m {
		m[d] = uint8(d / 8)
		if priority, ok := n.DSCPToPriority[d]; ok {
			m[d] = uint8(priority)
		}
	}
	return m
}

func cnpScope(name string) nic.CNPScope {
	switch name {
	case "source":
		return nic.PerSource
	case "port":
		return nic.PerPort
	default:
		return nic.PerQP
	}
}
