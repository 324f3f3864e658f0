package scenarios

import (
	"fmt"
	"slices"

	"rocesim/nic"
)

// nics resolves every endpoint.
func (p *planner) nics() {
	if !p.ok("nic") || p.plan.Graph == nil || !p.few("nic.overrides", p.sc.NIC.Overrides) {
		return
	}
	p.checkReceive(&p.sc.NIC, "nic")
	p.checkRecovery(&p.sc.NIC, "nic")
	g := p.plan.Graph
	specs := make([]NIC, len(g.Endpoints))
	for i := range specs {
		specs[i] = p.sc.NIC
	}
	for k := range p.sc.NIC.Overrides {
		o := p.sc.NIC.Overrides[k].Value()
		pattern, ok := p.pattern(o)
		if !ok {
			continue
		}
		found := false
		for i, e := range g.Endpoints {
			if pattern.Match(e.Name) || pattern.Match(g.Hosts[e.Host].Name) {
				found = true
				o.Patch(&specs[i], "match")
				p.checkReceive(&specs[i], o.Path)
				p.checkRecovery(&specs[i], o.Path)
				if specs[i].Framing != p.sc.NIC.Framing {
					p.doc.Failf(o.Path+".framing", "one network has one framing; set nic.framing")
				}
			}
		}
		if !found {
			o.Failf("%q matches no NIC%s", pattern.String(), p.hosts.offer(pattern.String()))
		}
	}
	for i := range specs {
		p.checkJitter(&specs[i], i)
		p.plan.NICs = append(p.plan.NICs, p.nicConfig(&specs[i], i))
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

// classes warns of the most frequent mistake with RoCE: traffic that the NIC
// believes lossless lands in a lossy class of a switch, or is paused by a
// priority that the NIC does not use for it.
func (p *planner) classes() {
	if p.plan.Graph == nil || p.plan.NICs == nil || p.plan.Switches == nil || len(p.sc.Switch.PFC.Priorities) == 0 {
		return
	}
	own := p.plan.NICs[0].DSCPToPriority
	for _, d := range p.dscps() {
		var lossy []string
		for i := range p.plan.Switches {
			sw := &p.plan.Switches[i]
			tc := sw.Classes.DSCPToTC[d]
			if sw.Classes.TrustPCP {
				tc = sw.Classes.PCPToTC[own[d]]
			}
			group := sw.Classes.TCToGroup[tc]
			if !sw.Groups[group].Lossless {
				lossy = append(lossy, sw.Name)
			} else if priority := sw.Classes.GroupToPFC[group]; priority != own[d] {
				p.warn(fmt.Sprintf("switch %s pauses priority %d for traffic with DSCP %d, but NICs send it with priority %d and will not stop; set nic.dscp_to_priority: {%d: %d}",
					sw.Name, priority, d, own[d], d, priority))
				break
			}
		}
		switch {
		case len(lossy) == 0:
		case p.sc.Switch.Trust == "pcp":
			p.warn(fmt.Sprintf("data with 802.1Q priority %d lands in a lossy class of %d of %d switches (%s, ...); lossless are the classes of priorities %v: set switch.pcp_to_tc or nic.dscp_to_priority",
				own[d], len(lossy), len(p.plan.Switches), lossy[0], p.sc.Switch.PFC.Priorities))
		default:
			p.warn(fmt.Sprintf("data with DSCP %d lands in a lossy class of %d of %d switches (%s, ...); lossless are the classes of priorities %v: set switch.dscp_to_tc: {%d: %d}",
				d, len(lossy), len(p.plan.Switches), lossy[0], p.sc.Switch.PFC.Priorities, d, p.sc.Switch.PFC.Priorities[0]))
		}
	}
}

// dscps lists the code points of reliable traffic that says nothing else.
// Entries with a code point of their own may well mean a lossy class.
func (p *planner) dscps() []int {
	var out []int
	for _, w := range p.sc.Workload {
		_, unreliable := w.Traffic.(*Datagrams)
		if w.common().DSCP == nil && !unreliable && !slices.Contains(out, p.sc.NIC.DSCP) {
			out = append(out, p.sc.NIC.DSCP)
		}
	}
	return out
}
