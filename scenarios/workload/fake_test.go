package workload

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

// fakeNet serves each connection in order: a message takes latency plus bytes
// x perByte once the one before is through. Completions are reported ahead of
// the engine by ahead, as a NIC does with its receive latency.
type fakeNet struct {
	engine  *sim.Engine
	driver  *Driver
	id      sim.ID
	latency sim.Time
	perByte sim.Time
	ahead   sim.Time
	conns   []fakeConn
	posts   []fakePost
	pending agenda
	acting  bool
	fail    map[int]bool // connections whose messages fail
	silent  map[int]bool // connections whose messages never end
}

type fakeConn struct {
	src, dst int
	class    Class
	free     sim.Time
}

type fakePost struct {
	at    sim.Time
	conn  int
	bytes int64
	msg   uint32
}

func (n *fakeNet) Connect(src, dst int, c Class) int {
	n.conns = append(n.conns, fakeConn{src: src, dst: dst, class: c})
	return len(n.conns) - 1
}

func (n *fakeNet) Post(now sim.Time, conn int, bytes int64, msg uint32) {
	n.posts = append(n.posts, fakePost{now, conn, bytes, msg})
	if n.silent[conn] {
		return
	}
	c := &n.conns[conn]
	perByte := n.perByte
	if c.class.Rate > 0 {
		perByte = c.class.Rate.TxTimeCeil(1)
	}
	c.free = max(now, c.free) + sim.Time(bytes)*perByte
	n.pending.push(max(c.free+n.latency, now+1), int32(msg))
	if !n.acting {
		n.engine.Arm(n.id, n.pending.next())
	}
}

func (n *fakeNet) Handle(now sim.Time, _ int) {
	n.acting = true
	for n.pending.next() <= now {
		msg := uint32(n.pending.pop())
		if n.fail[int(n.driver.Message(msg).Conn)] {
			n.driver.Failed(now, msg)
			continue
		}
		n.driver.Delivered(now+n.ahead, msg)
		n.driver.Completed(now+n.ahead, msg)
	}
	n.acting = false
	n.engine.Disarm(n.id)
	if next := n.pending.next(); next < sim.Never {
		n.engine.Arm(n.id, next)
	}
}

// testHosts returns n hosts h0, h1, … with nics NICs each of 100 Gb/s;
// endpoint numbers run through hosts.
func testHosts(n, nics int) Hosts {
	hosts := make(Hosts, n)
	for i := range hosts {
		hosts[i] = Host{Name: fmt.Sprintf("h%d", i), Rate: sim.Rate(nics) * 100 * sim.Gbps}
		for k := range nics {
			hosts[i].Endpoints = append(hosts[i].Endpoints, i*nics+k)
		}
	}
	return hosts
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// bench is a driver on a fake network.
type bench struct {
	*fakeNet
	t require.TestingT
}

// newBench builds the driver; configure may change the network first. The
// workload's class stands before the network's if first is set, so that both
// orders of one instant are tried.
func newBench(t require.TestingT, hosts Hosts, first bool, configure func(*fakeNet), entries ...Entry) *bench {
	n := &fakeNet{engine: sim.NewEngine(), latency: sim.Microsecond, perByte: 80}
	if configure != nil {
		configure(n)
	}
	d, err := NewDriver(n, 1, hosts, entries)
	require.NoError(t, err)
	n.driver = d
	add := func(name string, count int, h sim.Handler) sim.ID {
		id, err := n.engine.AddClass(name, count, false, h)
		require.NoError(t, err)
		return id
	}
	var work sim.ID
	if first {
		work = add("workload", d.Sources(), d)
		n.id = add("net", 1, n)
	} else {
		n.id = add("net", 1, n)
		work = add("workload", d.Sources(), d)
	}
	d.Attach(n.engine, work)
	return &bench{n, t}
}

// run runs until nothing is left before until.
func (b *bench) run(until sim.Time) {
	const budget = 5_000_000
	require.True(b.t, b.engine.Run(until, budget), "more than %d events", budget)
}

// starts returns when the messages of connection conn were posted.
func (b *bench) starts(conn int) []sim.Time {
	var at []sim.Time
	for _, p := range b.posts {
		if p.conn == conn {
			at = append(at, p.at)
		}
	}
	return at
}

// forBothOrders runs test with the workload before and behind the network.
// A post to an earlier class at the same instant is the network's own affair:
// the fake has a latency, so it never happens.
func forBothOrders(t *testing.T, test func(t *testing.T, first bool)) {
	t.Run("workload first", func(t *testing.T) { test(t, true) })
	t.Run("network first", func(t *testing.T) { test(t, false) })
}
