package scenarios

import (
	"fmt"
	"math"

	"rocesim/fabric/topo"
	"rocesim/nic"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// Receive is a NIC's receive buffer that the host empties; without it the host
// is always fast enough.
type Receive struct {
	Buffer strict.Bytes `yaml:"buffer" need:"true" min:"1KB" max:"1GB" doc:"the size of the receive buffer"`
	Drain  *sim.Rate    `yaml:"drain" min:"0bps" max:"100Tbps" doc:"the rate at which the host empties it, at most nic.pcie; 0bps is a dead host"`
	Xoff   strict.Bytes `yaml:"xoff" min:"1B" max:"1GB" omit:"zero" doc:"the level at which the NIC pauses its switch; three quarters of the buffer without it"`
	Xon    strict.Bytes `yaml:"xon" min:"0B" max:"1GB" omit:"zero" doc:"the level at which it lets go; half of the buffer without it"`
	Hiccup *Hiccup      `yaml:"hiccup" doc:"a periodic standstill of the host"`
	Miss   *Miss        `yaml:"miss" doc:"address translations that the NIC's cache misses"`
}

// Hiccup is a periodic standstill of a host.
type Hiccup struct {
	Every sim.Time `yaml:"every" need:"true" min:"1us" max:"60s" doc:"the time from one standstill to the next"`
	For   sim.Time `yaml:"for" need:"true" min:"1ns" max:"60s" doc:"how long one lasts"`
}

// Miss is what a cache miss of address translation costs.
type Miss struct {
	Probability strict.Fraction `yaml:"probability" need:"true" min:"0" max:"1" doc:"the part of packets that miss"`
	Delay       sim.Time        `yaml:"delay" need:"true" min:"1ns" max:"1ms" doc:"for how long a miss stops the drain"`
}

// NICWatchdog stops a NIC from pausing its switch for ever.
type NICWatchdog struct {
	After sim.Time `yaml:"after" min:"1us" max:"60s" omit:"zero" doc:"how long the NIC pauses its switch while nothing moves before it stops; 100ms without it"`
}

// nicWatchdogDefault is that of Guo et al., SIGCOMM 2016, section 4.3.
const nicWatchdogDefault = 100 * sim.Millisecond

// after returns the watchdog's time; 0 without a watchdog.
func (w *NICWatchdog) after() sim.Time {
	switch {
	case w == nil:
		return 0
	case w.After == 0:
		return nicWatchdogDefault
	default:
		return w.After
	}
}

// levels returns the thresholds, defaults filled in.
func (r *Receive) levels() (xoff, xon strict.Bytes) {
	xoff, xon = r.Xoff, r.Xon
	if xoff == 0 {
		xoff = r.Buffer / 4 * 3
	}
	if xon == 0 {
		xon = min(r.Buffer/2, xoff)
	}
	return xoff, xon
}

// checkReceive checks what the limits of single values do not.
func (p *planner) checkReceive(n *NIC, path string) {
	r := n.Receive
	if r == nil || !p.ok(path+".receive") {
		return
	}
	path += ".receive"
	xoff, xon := r.levels()
	if xoff > r.Buffer {
		p.doc.Failf(path+".xoff", "%v is above the buffer of %v; allowed: up to the buffer, less what arrives after a pause was sent", xoff, r.Buffer)
	}
	if xon > xoff {
		p.doc.Failf(path+".xon", "%v is above xoff, %v; allowed: 0B to xoff", xon, xoff)
	}
	if r.Drain == nil && n.PCIe == 0 {
		p.doc.Failf(path, "no drain rate is given, and nic.pcie is without limit; allowed: drain, such as 40Gbps, or nic.pcie")
	}
	if h := r.Hiccup; h != nil && h.For >= h.Every {
		p.doc.Failf(path+".hiccup.for", "%v is not less than every, %v; allowed: less, or drain: 0bps for a dead host", h.For, h.Every)
	}
}

// receive resolves the receive buffer of an endpoint's NIC; nil without one.
func (p *planner) receive(n *NIC, endpoint int) *nic.ReceiveConfig {
	r := n.Receive
	if r == nil {
		return nil
	}
	xoff, xon := r.levels()
	c := &nic.ReceiveConfig{Buffer: int64(r.Buffer), Xoff: int64(xoff), Xon: int64(xon), Drain: n.PCIe}
	if r.Drain != nil && (n.PCIe == 0 || *r.Drain < n.PCIe) {
		c.Drain = *r.Drain
	}
	if r.Hiccup != nil {
		c.HiccupEvery, c.HiccupFor = r.Hiccup.Every, r.Hiccup.For
	}
	if r.Miss != nil {
		c.MissProbability = uint64(math.Round(float64(r.Miss.Probability) * (1 << 32)))
		c.MissDelay = r.Miss.Delay
	}
	p.checkRoom(c, endpoint)
	return c
}

// checkRoom warns if the buffer above XOFF does not hold what may still arrive.
// It is the headroom of a switch with the NIC as the receiver, whose buffer
// counts bytes instead of cells.
func (p *planner) checkRoom(c *nic.ReceiveConfig, endpoint int) {
	port := p.pauser(p.port(endpoint), 1)
	port.Response, port.PeerEgress = p.switchDelays(p.plan.Graph.Ports(endpoint)[0])
	worst := port.Reserve()
	need, room := worst.Total, c.Buffer-c.Xoff
	if once := fmt.Sprintf("receive buffer: %d of %d", room, need); room < need && !p.said[once] {
		p.said[once] = true
		name := p.plan.Graph.Endpoints[endpoint].Name
		p.find("receive-buffer-too-small", p.plan.NICPath(endpoint, "receive"), []string{name},
			fmt.Sprintf("the receive buffer of %s has %v above xoff; up to %v may arrive after a pause was sent, and what does not fit is dropped",
				name, strict.Bytes(room), strict.Bytes(need)),
			fmt.Sprintf("%v x %v + 3 x %d B + %d B = %d B > %d B - %d B", port.Rate, worst.Ahead, worst.Full, worst.Pause, need, c.Buffer, c.Xoff),
			fmt.Sprintf("set nic.receive.xoff to %v at most, or raise nic.receive.buffer", strict.Bytes(max(0, c.Buffer-need))))
	}
}

// switchDelays is how long the switch at the other end of a NIC's cable takes to
// obey a pause, and its pipeline behind the scheduler.
func (p *planner) switchDelays(ref topo.PortRef) (response, egress sim.Time) {
	sw := ref.Peer.Node - len(p.plan.Graph.Endpoints)
	if sw < 0 || sw >= len(p.plan.Switches) {
		return 0, 0
	}
	return p.plan.Switches[sw].PFC.Response, p.plan.Switches[sw].EgressLatency
}
