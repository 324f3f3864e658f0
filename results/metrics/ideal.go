package metrics

import (
	"slices"

	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/nic"
	"rocesim/scenarios/model"
	"rocesim/sim"
)

// Idle computes how long messages take alone on an idle fabric: a lower bound
// of every completion time.
type Idle struct {
	spec   *model.Spec
	routes *topo.Routes

	path  []hop // of the pair last asked for, forward
	back  []hop
	src   int
	dst   int
	free  []sim.Time // per hop: when its wire is free, while a message is laid out
	known bool
	last  laidOut
}

// laidOut is the message that was laid out last. Most of a fabric's messages are
// like others, on paths like others'.
type laidOut struct {
	path []hop
	n    int64
	mtu  int
	reth addressing
	time sim.Time
}

// hop is one link of a path.
type hop struct {
	rate sim.Rate
	// delay is from the last bit sent (first bit, if cutThrough) to the next
	// node being ready to send.
	delay sim.Time
	// cutThrough: the next node may send when the first bit is in.
	cutThrough bool
}

// NewIdle returns the times on the network of a spec with these routes.
func NewIdle(spec *model.Spec, routes *topo.Routes) *Idle { return &Idle{spec: spec, routes: routes} }

// steadyPackets is how many packets are laid out one by one; by then the spacing
// is that of the slowest link, on paths of up to as many hops.
const steadyPackets = 16

// Message returns the time from posting n bytes at src to the completion there;
// send tells a SEND from a WRITE. It is 0 without a path.
func (t *Idle) Message(src, dst int, n int64, send bool) sim.Time {
	t.find(src, dst)
	if len(t.path) == 0 {
		return 0
	}
	from, to := t.nic(src), t.nic(dst)
	ack := t.cross(t.back, t.spec.Framing.Ack)
	return from.TxLatency + t.deliver(n, send) + to.AckLatency + ack + from.RxLatency
}

// Delivery returns the time from posting n bytes at src to the last of them in
// the memory of dst. It is 0 without a path.
func (t *Idle) Delivery(src, dst int, n int64, send bool) sim.Time {
	t.find(src, dst)
	if len(t.path) == 0 {
		return 0
	}
	return t.nic(src).TxLatency + t.deliver(n, send) + t.nic(dst).RxLatency
}

// find lays the path between two endpoints out, unless it is that of the last
// call.
func (t *Idle) find(src, dst int) {
	if t.known && src == t.src && dst == t.dst {
		return
	}
	t.path, t.back = t.hops(src, dst), t.hops(dst, src)
	t.src, t.dst, t.known = src, dst, true
}

// deliver returns how long n bytes take along the path found.
func (t *Idle) deliver(n int64, send bool) sim.Time {
	from := t.nic(t.src)
	return t.travel(t.path, n, from, addressing{first: !send, all: from.Places(t.nic(t.dst))})
}

func (t *Idle) nic(e int) *nic.Config { return &t.spec.NICs[e] }

// addressing tells which packets of a message carry a RETH.
type addressing struct{ first, all bool }

// travel returns when the last bit of a message arrives whose first packet
// starts at 0.
func (t *Idle) travel(path []hop, n int64, from *nic.Config, reth addressing) sim.Time {
	mtu := from.MTU
	l := &t.last
	if l.n != n || l.mtu != mtu || l.reth != reth || !slices.Equal(l.path, path) {
		*l = laidOut{path, n, mtu, reth, t.layOutAll(path, n, mtu, reth)}
	}
	return l.time
}

// layOutAll computes what travel returns.
func (t *Idle) layOutAll(path []hop, n int64, mtu int, reth addressing) sim.Time {
	f := t.spec.Framing
	packets := packet.Packets(n, mtu)
	laid := min(packets, steadyPackets)
	last := int(n - (packets-1)*int64(mtu))
	t.free = t.free[:0]
	for range path {
		t.free = append(t.free, 0)
	}
	var arrived sim.Time
	for i := range laid {
		payload := mtu
		if i == laid-1 {
			payload = last
		}
		arrived = t.layOut(path, f.Frame(payload, reth.all || reth.first && i == 0))
	}
	if packets > laid {
		arrived += sim.Time(packets-laid) * slowest(path, f.Wire(f.Frame(mtu, reth.all)), t.spec.Quantum)
	}
	return arrived
}

// layOut sends one frame along the path behind those before it.
func (t *Idle) layOut(path []hop, frame int) sim.Time {
	f := t.spec.Framing
	var ready, last sim.Time
	for i, h := range path {
		start := max(ready, t.free[i])
		t.free[i] = start + duration(h.rate, f.Wire(frame), t.spec.Quantum)
		last = t.free[i] - h.rate.TxTimeCeil(int64(f.Gap)) + h.delay
		ready = last
		if h.cutThrough && i+1 < len(path) && path[i+1].rate <= h.rate {
			ready = start + h.delay
		}
	}
	return last
}

// cross returns how long a lone frame takes along the path.
func (t *Idle) cross(path []hop, frame int) sim.Time {
	for i := range t.free {
		t.free[i] = 0
	}
	for len(t.free) < len(path) {
		t.free = append(t.free, 0)
	}
	return t.layOut(path, frame)
}

// duration is a serialisation time, floored as the run's ports floor it: to at
// least one quantum.
func duration(r sim.Rate, bytes int, quantum sim.Time) sim.Time {
	d := r.TxTimeCeil(int64(bytes))
	if quantum > 1 {
		return max(quantum, d-d%quantum)
	}
	return d
}

func slowest(path []hop, wire int, quantum sim.Time) sim.Time {
	var d sim.Time
	for _, h := range path {
		d = max(d, duration(h.rate, wire, quantum))
	}
	return d
}

// hops returns the path from src to dst: the first of the equal-cost ones.
func (t *Idle) hops(src, dst int) []hop {
	var out []hop
	for _, d := range t.routes.FirstPath(src, dst) {
		out = append(out, t.hopOf(d))
	}
	return out
}

func (t *Idle) hopOf(d topo.DirectedLink) hop {
	g := t.spec.Graph
	from, to := g.From(d), g.To(d)
	h := hop{rate: g.Links[d.Link].Rate, delay: g.Links[d.Link].Delay}
	if g.IsSwitch(from.Node) {
		h.delay += t.spec.Switches[from.Node-len(g.Endpoints)].EgressLatency
	}
	if g.IsSwitch(to.Node) {
		c := &t.spec.Switches[to.Node-len(g.Endpoints)]
		h.delay += c.IngressLatency
		h.cutThrough = c.CutThrough
	}
	return h
}
