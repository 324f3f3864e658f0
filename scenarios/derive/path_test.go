package derive

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
	"rocesim/scenarios/headroom"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// One packet in each class of paths, on an idle fabric with other rates, cables
// and forwarding in each, takes what the class says: to the picosecond.
func TestPathTimesAreThoseOfTheSimulator(t *testing.T) {
	const rest = `
workload: [{name: w, type: flows, flows: [{from: h0, to: h1, bytes: 64B}]}]
nic: {preset: connectx-6-dx, dscp: 3, clock_ppm: 0, pcie: 0bps}
cc: {preset: none}
stop: {time: 2ms}
`
	for _, c := range []struct{ name, text string }{
		{"leaf-spine", "name: a\nfabric: {topology: leaf-spine, leaves: 2, spines: 2, hosts: 4, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 400Gbps, cable: 30m}}\nswitch: {preset: sonic-tomahawk3}\n"},
		{"cut-through", "name: b\nfabric: {topology: leaf-spine, leaves: 2, spines: 2, hosts: 4, host_link: {rate: 400Gbps, cable: 3m}, uplink: {rate: 100Gbps, cable: 300m}}\nswitch: {preset: sonic-tomahawk3, forwarding: cut-through}\n"},
		{"fat-tree", "name: c\nfabric: {topology: fat-tree, k: 4, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 100Gbps, cable: 30m}, overrides: [{match: \"core*\", cable: 300m}]}\nswitch: {preset: sonic-tomahawk3}\n"},
		{"overrides", "name: d\nfabric: {topology: star, hosts: 4, host_link: {rate: 100Gbps, cable: 3m}, overrides: [{match: \"h0:*\", rate: 25Gbps, cable: 1000m}]}\nswitch: {preset: sonic-tomahawk3, headroom: {bytes: 100KB}}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(t, c.text+rest)
			paths := Paths(p)
			require.NotEmpty(t, paths)
			for _, class := range paths {
				flow := lonePacket(t, p, &class)
				assert.Equal(t, flow.delivered, class.OneWay, "%d hops", len(class.Hops))
				assert.Equal(t, flow.completed, class.RTT, "%d hops", len(class.Hops))
				assert.Equal(t, class.OneWay, sum(class.Parts))
				assert.Equal(t, class.RTT, sum(class.Parts)-p.NICs[class.Dst].RxLatency+sum(class.Answer))
			}
			hosts := int64(len(p.Graph.Hosts))
			assert.Equal(t, hosts*(hosts-1), pairsOf(paths))
		})
	}
}

type packetTimes struct{ delivered, completed sim.Time }

// lonePacket simulates a WRITE of one packet and nothing else.
func lonePacket(t *testing.T, p *scenarios.Plan, class *Path) packetTimes {
	g := p.Graph
	p.Workload = []workload.Entry{workload.Flows{
		Common: workload.Common{Name: "w", Class: workload.Class{DSCP: 3}},
		Flows: []workload.Flow{{
			Pair:  workload.Pair{Src: g.Endpoints[class.Src].Host, Dst: g.Endpoints[class.Dst].Host},
			Bytes: int64(class.MTU),
		}},
	}}
	run := simulate(t, p)
	require.Len(t, run.Flows, 1)
	return packetTimes{run.Flows[0].Delivered, run.Flows[0].Completed}
}

func sum(terms []headroom.Term) (t sim.Time) {
	for _, one := range terms {
		t += one.Time
	}
	return t
}

func pairsOf(paths []Path) (n int64) {
	for i := range paths {
		n += paths[i].Pairs
	}
	return n
}

// The classes cover every pair once, also where a static route singles out an
// endpoint: each pair's own path has the times of its class.
func TestEveryPairIsInAClass(t *testing.T) {
	for _, name := range []string{"cluster-200", "deadlock-clos-detour", "bonded-adapter", "parking-lot"} {
		e, err := scenarios.FindScenario(name)
		require.NoError(t, err)
		p := plan(t, string(e.Text))
		want := map[string]int64{}
		w := pathWalker{network: newNetwork(p), idle: idleOf(p), known: map[string]int{}}
		for src := range p.Graph.Endpoints {
			for dst := range p.Graph.Endpoints {
				if p.Graph.Endpoints[src].Host != p.Graph.Endpoints[dst].Host {
					w.add(src, dst, 1)
				}
			}
		}
		for i := range w.paths {
			want[classText(&w.paths[i])] += w.paths[i].Pairs
		}
		got := map[string]int64{}
		paths := Paths(p)
		for i := range paths {
			got[classText(&paths[i])] += paths[i].Pairs
		}
		assert.Equal(t, want, got, name)
	}
}

func classText(p *Path) string { return fmt.Sprint(p.Hops, p.OneWay, p.RTT, p.Oversubscription) }

// The cluster of the README: 200 hosts with two adapters.
func TestPathsOfTheCluster(t *testing.T) {
	e, err := scenarios.FindScenario("cluster-200")
	require.NoError(t, err)
	paths := Paths(plan(t, string(e.Text)))
	require.Len(t, paths, 2)
	assert.Equal(t, int64(400*398), pairsOf(paths))
	assert.Len(t, paths[1].Hops, 4)
	assert.Equal(t, 1.0, paths[1].Oversubscription, "20 x 100G down, 5 x 400G up")
	assert.Equal(t, 100*sim.Gbps, paths[1].Bottleneck)
	assert.Equal(t, headroom.BytesIn(100*sim.Gbps, paths[1].RTT), paths[1].BDP)
}

// Two thousand adapters are looked at by their leaves, not pair by pair: 4 M pairs
// fall into three classes.
func TestPathsOfTwoThousandHosts(t *testing.T) {
	paths := Paths(plan(t, `
name: large
stop: {time: 1ms}
fabric: {topology: fat-tree, k: 20, host_link: {rate: 400Gbps, cable: 3m}, uplink: {rate: 400Gbps, cable: 30m}}
switch: {preset: sonic-tomahawk3, dscp_to_tc: {26: 3}, headroom: {standard: true}}
nic: {preset: connectx-7}
cc: {preset: none}
workload: [{name: w, type: permutation, bytes: 1MiB}]
`))
	require.Len(t, paths, 3)
	for i, pairs := range []int64{2000 * 9, 2000 * 90, 2000 * 1900} {
		assert.Equal(t, pairs, paths[i].Pairs)
		assert.Len(t, paths[i].Hops, 2*(i+1))
	}
}
