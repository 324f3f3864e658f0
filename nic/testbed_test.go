package nic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/cc"
	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/nic"
	"rocesim/sim"
)

const (
	rate100 = 100 * sim.Gbps
	// perByte is how long a byte lasts at 100 Gb/s, in picoseconds.
	perByte = 80
	us      = sim.Microsecond
	ns      = sim.Nanosecond
	// full is the frame of a full packet of 4096 bytes; fullTime is how long it
	// keeps the wire busy.
	full     = 4158
	fullTime = (full + 20) * perByte
)

// sent is a packet that left a NIC; at is when its last bit left.
type sent struct {
	at  sim.Time
	src int
	packet.Packet
}

// ended is a report of a message.
type ended struct {
	at  sim.Time
	msg uint32
}

// pauseFrame is a pause frame that left a NIC; at is when its last bit left.
type pauseFrame struct {
	at  sim.Time
	src int
	packet.Pause
}

// testbed is NICs that all send into one test harness, which hands each packet
// to its destination at once, unless the test interferes. Framing has no RETH,
// so that all full packets are alike.
type testbed struct {
	t        testing.TB
	engine   *sim.Engine
	pool     *packet.Pool
	nics     *nic.Cluster
	links    fabric.Links
	wire     []sent
	pauses   []pauseFrame
	now      sim.Time
	messages uint32

	// pass decides what becomes of a packet: true hands it on. It may change
	// it, or keep it and hand it on later.
	pass func(now sim.Time, src int, p *packet.Packet) bool

	delivered, completed, failed []ended
}

// defaults is a NIC at 100 Gb/s with MTU 4096 and without latencies or limits.
func defaults(name string) nic.Config {
	c := nic.Config{
		Name: name, Seed: 1, Rate: rate100, MTU: 4096, PFC: 1 << 3,
		AckEvery: 1, CNPDSCP: 48, CNPInterval: 50 * us,
	}
	for d := range c.DSCPToPriority {
		c.DSCPToPriority[d] = uint8(d >> 3)
	}
	return c
}

// newTestbed has n NICs whose configuration change may adapt.
func newTestbed(t testing.TB, n int, change func(i int, c *nic.Config)) *testbed {
	framing := packet.RoCEv2()
	framing.First = 0
	return newFramed(t, n, framing, change)
}

func newFramed(t testing.TB, n int, framing packet.Framing, change func(i int, c *nic.Config)) *testbed {
	t.Helper()
	b := &testbed{t: t, engine: sim.NewEngine(), pool: &packet.Pool{}, links: make(fabric.Links, n)}
	pauses := make(fabric.PauseChannels, n)
	var configs []nic.Config
	var outgoing []int
	for i := range n {
		configs, outgoing = append(configs, defaults(string(rune('a'+i)))), append(outgoing, i)
		if change != nil {
			change(i, &configs[i])
		}
	}
	class := func(name string, n int, h sim.Handler) sim.ID {
		id, err := b.engine.AddClass(name, n, false, h)
		require.NoError(t, err)
		return id
	}
	ports, retries, pausers := &late{}, &late{}, &late{}
	linkIDs := class("link", n, b.links)
	portIDs := class("nic", n, ports)
	pauseIDs := class("pause", n, pauses)
	retryIDs := class("retry", n, retries)
	pauserIDs := class("pauser", nic.Pausers(configs), pausers)
	b.nics = nic.NewCluster(configs, nic.Env{
		Engine: b.engine, Packets: b.pool, Framing: framing, Quantum: 1, Links: b.links, Pauses: pauses, Outgoing: outgoing,
		PortID: portIDs, RetryID: retryIDs, PauserID: pauserIDs,
		Observer: nic.Observer{
			Delivered: func(at sim.Time, msg uint32) { b.delivered = append(b.delivered, ended{at, msg}) },
			Completed: func(at sim.Time, msg uint32) { b.completed = append(b.completed, ended{at, msg}) },
			Failed:    func(at sim.Time, msg uint32) { b.failed = append(b.failed, ended{at, msg}) },
		},
	})
	ports.Handler, retries.Handler = b.nics, nic.RetryTimers{Cluster: b.nics}
	pausers.Handler = nic.PauseTimers{Cluster: b.nics}
	for i := range n {
		c := fabric.LinkConfig{To: b, Port: i}
		b.links.Init(i, b.engine, linkIDs, c)
		pauses.Init(i, b.engine, pauseIDs, c)
	}
	return b
}

type late struct{ sim.Handler }

// Receive takes what NIC src has sent.
func (b *testbed) Receive(now sim.Time, src int, p *packet.Packet) {
	b.wire = append(b.wire, sent{now, src, *p})
	if b.pass == nil || b.pass(now, src, p) {
		b.hand(now, p)
	}
}

func (b *testbed) ReceivePause(now sim.Time, src int, f packet.Pause) {
	b.pauses = append(b.pauses, pauseFrame{now, src, f})
}

// hand gives a packet to its destination.
func (b *testbed) hand(now sim.Time, p *packet.Packet) { b.nics.NIC(int(p.Dst)).Receive(now, 0, p) }

// lose is a pass that loses the packets for which drop is true.
func (b *testbed) lose(drop func(p *packet.Packet) bool) {
	b.pass = func(_ sim.Time, _ int, p *packet.Packet) bool {
		if drop(p) {
			b.pool.Put(p)
			return false
		}
		return true
	}
}

// mark is a pass that marks all data.
func (b *testbed) mark() {
	b.pass = func(_ sim.Time, _ int, p *packet.Packet) bool {
		if p.Kind == packet.Data {
			p.Flags |= packet.CE
		}
		return true
	}
}

// connect joins two NICs by a connection of priority 3.
func (b *testbed) connect(src, dst int, control cc.Controller) int {
	return b.nics.Connect(nic.ConnectionConfig{Src: src, Dst: dst, DSCP: 26, Control: control, Forward: 1, Backward: 2})
}

// post posts a message now and returns its number.
func (b *testbed) post(conn int, bytes int64) uint32 {
	b.messages++
	b.nics.Post(b.now, conn, bytes, b.messages-1)
	return b.messages - 1
}

// run lets time pass until t.
func (b *testbed) run(t sim.Time) {
	if !b.engine.Run(t, 1<<40) {
		b.t.Fatalf("no end at %v", b.engine.Now())
	}
	b.now = max(b.now, t)
}

// pause pauses priorities at NIC i now.
func (b *testbed) pause(i int, vector uint8, quanta uint16) {
	b.nics.NIC(i).ReceivePause(b.now, 0, packet.Pause{Vector: vector, Quanta: quanta})
}

// from returns the packets of a kind that NIC src has sent.
func (b *testbed) from(src int, kind packet.Kind) (out []sent) {
	for _, s := range b.wire {
		if s.src == src && s.Kind == kind {
			out = append(out, s)
		}
	}
	return out
}

// conns returns the connections of packets in the order in which they were
// sent.
func conns(packets []sent) (out []int) {
	for _, s := range packets {
		out = append(out, int(s.Conn))
	}
	return out
}

// psns returns their sequence numbers relative to the first one's.
func psns(packets []sent) (out []int) {
	for _, s := range packets {
		out = append(out, s.PSN.Diff(packets[0].PSN))
	}
	return out
}

// starts returns when their first bits left.
func starts(packets []sent) (out []sim.Time) {
	for _, s := range packets {
		out = append(out, s.at-sim.Time(int(s.Frame)+8)*perByte)
	}
	return out
}

// every is n instants from first on, step apart.
func every(first, step sim.Time, n int) (out []sim.Time) {
	for i := range n {
		out = append(out, first+sim.Time(i)*step)
	}
	return out
}
