package switching_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
	switching "rocesim/switch"
)

const (
	rate100    = 100 * sim.Gbps
	psPerByte  = 80 // of a byte at 100 Gb/s
	wireExtra  = packet.Preamble + packet.InterFrameGap
	defaultTTL = 64
)

// arrival is a packet that left the switch, as the far end of the cable saw it.
type arrival struct {
	at sim.Time
	packet.Packet
}

// pauseFrame is a pause frame that left the switch.
type pauseFrame struct {
	at sim.Time
	packet.Pause
}

// sink is the far end of one cable.
type sink struct {
	packets []arrival
	pauses  []pauseFrame
	pool    *packet.Pool
}

func (s *sink) Receive(now sim.Time, _ int, p *packet.Packet) {
	s.packets = append(s.packets, arrival{now, *p})
	s.pool.Put(p)
}

func (s *sink) ReceivePause(now sim.Time, _ int, f packet.Pause) {
	s.pauses = append(s.pauses, pauseFrame{now, f})
}

// testbed is one switch with a sink behind every port. Cables have no delay.
// Endpoint i is reached through port i unless the test says otherwise.
type testbed struct {
	t      testing.TB
	engine *sim.Engine
	pool   *packet.Pool
	sw     *switching.Switch
	links  fabric.Links
	sinks  []*sink
	drops  []drop
	now    sim.Time
}

type drop struct {
	at    sim.Time
	port  int
	cause switching.DropCause
	packet.Packet
}

// defaults is a switch of n ports at 100 Gb/s: priority and class are DSCP/8,
// priority 3 is lossless with a static threshold of 100 KB, memory is ample,
// accounting is in bytes, nothing is marked.
func defaults(n int) switching.Config {
	c := switching.Config{
		Name: "sw", Seed: 1, HashSeed: 1,
		Buffer: switching.Buffer{Cell: 1, Partitions: 1, Shared: 1 << 40},
		PFC:    switching.PFCConfig{Enabled: 1 << 3, Quanta: packet.MaxQuanta},
	}
	for d := range c.Classes.DSCPToTC {
		c.Classes.DSCPToTC[d] = uint8(d >> 3)
	}
	for i := range switching.Priorities {
		c.Classes.TCToGroup[i], c.Classes.TCToQueue[i] = uint8(i), uint8(i)
		c.Classes.PFCToQueue[i], c.Classes.GroupToPFC[i] = uint8(i), uint8(i)
		c.Groups[i] = switching.GroupConfig{Threshold: switching.Threshold{Static: 1 << 40}}
		c.Queues[i] = switching.QueueConfig{Weight: 1}
	}
	c.Groups[3] = switching.GroupConfig{Lossless: true, Threshold: switching.Threshold{Static: 100_000}}
	for range n {
		c.Ports = append(c.Ports, switching.PortConfig{Rate: rate100, Headroom: 50_000})
	}
	return c
}

// newTestbed builds the switch; sets may replace the next hops by endpoint.
func newTestbed(t testing.TB, c *switching.Config, sets ...[]uint16) *testbed {
	return newObserved(t, c, switching.Observer{}, sets...)
}

// newObserved is newTestbed with an observer; drops are written down anyway.
func newObserved(t testing.TB, c *switching.Config, observer switching.Observer, sets ...[]uint16) *testbed {
	t.Helper()
	n := len(c.Ports)
	b := &testbed{t: t, engine: sim.NewEngine(), pool: &packet.Pool{}, links: make(fabric.Links, 2*n)}
	pauses := make(fabric.PauseChannels, 2*n)
	ports := make(switching.Ports, n)
	refreshers := make(switching.Refreshers, 1)
	class := func(name string, n int, background bool, h sim.Handler) sim.ID {
		id, err := b.engine.AddClass(name, n, background, h)
		require.NoError(t, err)
		return id
	}
	linkIDs := class("link", 2*n, false, b.links)
	portIDs := class("port", n, false, ports)
	pauseIDs := class("pause", 2*n, false, pauses)
	refreshID := class("refresh", 1, true, refreshers)
	watchdogs := &switching.Watchdogs{Engine: b.engine}
	watchdogs.First = class("watchdog", 1, true, watchdogs)
	observer.Dropped = b.dropped
	env := switching.Env{
		Engine: b.engine, Packets: b.pool, Framing: packet.RoCEv2(), Quantum: 1,
		Links: b.links, Pauses: pauses, PortID: portIDs, RefreshID: refreshID, WatchdogID: watchdogs.First,
		Observer: observer,
		Tuple:    func(p *packet.Packet) packet.Tuple { return packet.Tuple{SrcIP: p.Conn, DstIP: p.Dst} },
	}
	for i := range n {
		env.Outgoing, env.Incoming = append(env.Outgoing, i), append(env.Incoming, n+i)
		if len(sets) == 0 {
			env.Sets = append(env.Sets, []uint16{uint16(i)})
		}
	}
	if len(sets) > 0 {
		env.Sets = sets
	}
	for i := range env.Sets {
		env.SetOf = append(env.SetOf, uint16(i))
	}
	b.sw = switching.New(c, ports, env)
	refreshers[0] = b.sw
	watchdogs.Switches = []*switching.Switch{b.sw}
	for i := range n {
		b.sinks = append(b.sinks, &sink{pool: b.pool})
		out := fabric.LinkConfig{To: b.sinks[i]}
		in := fabric.LinkConfig{To: b.sw, Port: i, AtHeader: c.CutThrough}
		b.links.Init(i, b.engine, linkIDs, out)
		b.links.Init(n+i, b.engine, linkIDs, in)
		pauses.Init(i, b.engine, pauseIDs, out)
		pauses.Init(n+i, b.engine, pauseIDs, in)
	}
	return b
}

func (b *testbed) dropped(now sim.Time, _ *switching.Switch, port int, p *packet.Packet, cause switching.DropCause) {
	b.drops = append(b.drops, drop{now, port, cause, *p})
}

// run lets time pass until t.
func (b *testbed) run(t sim.Time) {
	if !b.engine.Run(t, 1<<40) {
		b.t.Fatalf("no end at %v", b.engine.Now())
	}
	b.now = max(b.now, t)
}

// runAll runs until nothing but refreshing is left to do.
func (b *testbed) runAll() {
	for !b.engine.Idle() {
		b.run(b.engine.Next())
	}
}

// frame makes a packet of a priority to an endpoint.
func (b *testbed) frame(dst, priority, size int) *packet.Packet {
	p := b.pool.Get()
	*p = packet.Packet{Dst: uint32(dst), Frame: uint16(size), Payload: uint16(size - 62), DSCP: uint8(priority << 3), TTL: defaultTTL, Flags: packet.ECT}
	return p
}

// receive makes n frames arrive at a port now.
func (b *testbed) receive(in, dst, priority, size, n int) {
	for range n {
		b.sw.Receive(b.now, in, b.frame(dst, priority, size))
	}
}

// pause makes the peer of a port pause a priority, resume lets it go on.
func (b *testbed) pause(port, priority int) {
	b.sw.ReceivePause(b.now, port, packet.Pause{Vector: 1 << priority, Quanta: packet.MaxQuanta})
}

func (b *testbed) resume(port, priority int) {
	b.sw.ReceivePause(b.now, port, packet.Pause{Vector: 1 << priority})
}

// conserved checks that bytes are conserved (V-23).
func (b *testbed) conserved() { require.NoError(b.t, b.sw.CheckConservation()) }
