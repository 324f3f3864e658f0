package model_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// The networks of FACTS section 2.9: 40 Gb/s links of 1 us, packets of 1000
// bytes on the wire, XON 3 KB below XOFF.
const (
	ringRate    = 40 * sim.Gbps
	ringPacket  = 1000
	ringPayload = ringPacket - 62 - 8 - 20 // headers, DETH, preamble and gap
)

// slowLinks makes switches and NICs of these networks, with pauses that last
// until XON.
func slowLinks(tb testing.TB, g *topo.Graph, xoff int64, entries ...workload.Entry) *model.Spec {
	tb.Helper()
	spec := &model.Spec{Graph: g, Framing: packet.RoCEv2(), Seed: 1, InfinitePause: true, Entries: entries}
	spec.Framing.Pad = 1
	for i := range g.Switches {
		c := benchSwitch(g, i)
		c.IngressLatency, c.EgressLatency, c.PFC.Response = 0, 0, 0
		c.PFC.Refresh, c.PFC.Infinite = 0, true
		c.Buffer.Cell = 1
		c.Groups[3] = switching.GroupConfig{
			Lossless: true, XonOffset: 3000, Threshold: switching.Threshold{Static: xoff},
		}
		c.Queues[3].RED = nil
		spec.Switches = append(spec.Switches, c)
	}
	for _, e := range g.Endpoints {
		c := benchNIC(e.Name, ringRate, 0)
		c.MTU = ringPayload
		c.TxLatency, c.RxLatency, c.AckLatency, c.ClockPPM, c.Jitter = 0, 0, 0, 0, 0
		c.PauseResponse, c.Timeout = 0, 0
		spec.NICs = append(spec.NICs, c)
	}
	for _, h := range g.Hosts {
		spec.Hosts = append(spec.Hosts, workload.Host{Name: h.Name, Endpoints: h.Endpoints, Rate: ringRate})
	}
	return spec
}

// greedy is datagrams at a rate: senders that nothing but pauses stops.
func greedy(name string, rate sim.Rate, start sim.Time, pairs ...[2]int) workload.Datagrams {
	d := workload.Datagrams{
		Common: workload.Common{Name: name, Class: workload.Class{DSCP: 26}},
		Rate:   rate, Bytes: ringPayload, Start: start,
	}
	for _, p := range pairs {
		d.Pairs = append(d.Pairs, workload.Pair{Src: p[0], Dst: p[1]})
	}
	return d
}

// ring is n switches with one host each. Routes lead clockwise, so a packet to
// the host h switches on takes h links of the ring.
func ring(tb testing.TB, n, hops int, xoff int64) *model.Spec {
	tb.Helper()
	link := topo.LinkSpec{Rate: ringRate, Delay: sim.Microsecond}
	g, err := topo.Ring{Switches: n, HostsPerSwitch: 1, HostLink: link, RingLink: link}.Build()
	require.NoError(tb, err)
	var pairs [][2]int
	for i := range n {
		pairs = append(pairs, [2]int{i, (i + hops) % n})
	}
	spec := slowLinks(tb, g, xoff, greedy("ring", ringRate, 0, pairs...))
	var clockwise []topo.StaticRoute
	for sw := range n {
		for dst := range n {
			if dst != sw {
				next := len(g.Endpoints) + (sw+1)%n
				clockwise = append(clockwise, topo.StaticRoute{Switch: sw, Endpoint: dst, Ports: g.PortsTo(sw, next)})
			}
		}
	}
	spec.Routes = topo.NewRoutes(g).WithStatic(clockwise)
	return spec
}

// outcome runs for some simulated time and reports how it ended.
func outcome(tb testing.TB, spec *model.Spec, stop sim.Time) (*model.Model, model.End) {
	tb.Helper()
	m, err := model.New(spec)
	require.NoError(tb, err)
	end := m.Run(context.Background(), model.Stop{Time: stop}, nil)
	require.NoError(tb, m.CheckConservation())
	return m, end
}

// FACTS V-18: in a ring of three switches, flows of two hops deadlock whatever
// the threshold, since the egress queues are first in, first out; flows of one
// hop get the whole rate.
func TestV18RingOfThree(t *testing.T) {
	for _, xoff := range []int64{20_000, 50_000, 100_000, 200_000, 300_000} {
		t.Run(fmt.Sprint(xoff), func(t *testing.T) {
			m, end := outcome(t, ring(t, 3, 2, xoff), 20*sim.Millisecond)
			require.Equal(t, model.Deadlocked, end, m.Now())
			assert.Len(t, m.Deadlocks()[0].Cycle, 3)
			m, end = outcome(t, ring(t, 3, 1, xoff), 5*sim.Millisecond)
			assert.Equal(t, model.TimeUp, end)
			rate := float64(m.NICs.DeliveredPackets()) * ringPacket * 8 / m.Now().Seconds()
			assert.InEpsilon(t, 3*float64(ringRate), rate, 0.01)
		})
	}
}
