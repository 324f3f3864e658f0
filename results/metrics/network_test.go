package metrics_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/nic"
	"rocesim/results"
	"rocesim/results/metrics"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

const us = sim.Microsecond

// network is a graph with one configuration for all switches and NICs:
// priority 3 is lossless, buffers are ample, nothing is random.
func network(g *topo.Graph, entries ...workload.Entry) *model.Spec {
	spec := &model.Spec{Graph: g, Framing: packet.RoCEv2(), Seed: 1, Entries: entries}
	for i := range g.Switches {
		spec.Switches = append(spec.Switches, switchConfig(g, i))
	}
	for _, e := range g.Endpoints {
		c := nic.Config{Name: e.Name, Seed: 1, MTU: 4096, PFC: 1 << 3, AckEvery: 1, CNPDSCP: 48, CNPInterval: 50 * us}
		for d := range c.DSCPToPriority {
			c.DSCPToPriority[d] = uint8(d >> 3)
		}
		spec.NICs = append(spec.NICs, c)
	}
	for e := range g.Endpoints {
		spec.NICs[e].Rate = g.Links[g.Ports(e)[0].Link].Rate
	}
	for _, h := range g.Hosts {
		spec.Hosts = append(spec.Hosts, workload.Host{Name: h.Name, Endpoints: h.Endpoints, Rate: spec.NICs[h.Endpoints[0]].Rate})
	}
	return spec
}

func switchConfig(g *topo.Graph, i int) switching.Config {
	c := switching.Config{
		Name: g.Switches[i].Name, Seed: 1, HashSeed: uint32(i),
		Buffer: switching.Buffer{Cell: 1, Partitions: 1, Shared: 1 << 40},
		PFC:    switching.PFCConfig{Enabled: 1 << 3, Quanta: packet.MaxQuanta},
	}
	for d := range c.Classes.DSCPToTC {
		c.Classes.DSCPToTC[d] = uint8(d >> 3)
	}
	for n := range switching.Priorities {
		c.Classes.TCToGroup[n], c.Classes.TCToQueue[n] = uint8(n), uint8(n)
		c.Classes.PFCToQueue[n], c.Classes.GroupToPFC[n] = uint8(n), uint8(n)
		c.Groups[n] = switching.GroupConfig{Threshold: switching.Threshold{Static: 1 << 40}}
		c.Queues[n] = switching.QueueConfig{Weight: 1}
	}
	c.Groups[3].Lossless = true
	for _, p := range g.Ports(len(g.Endpoints) + i) {
		c.Ports = append(c.Ports, switching.PortConfig{Rate: g.Links[p.Link].Rate, Headroom: 1 << 40})
	}
	return c
}

// star is n hosts at 100 Gb/s on one switch, with cables of 10 m.
func star(t testing.TB, n int) *topo.Graph {
	t.Helper()
	g, err := topo.Star{Hosts: n, HostLink: topo.LinkSpec{Rate: 100 * sim.Gbps, Delay: 50 * sim.Nanosecond}}.Build()
	require.NoError(t, err)
	return g
}

// flow is one message from src to dst.
func flow(name string, src, dst int, bytes int64, start sim.Time) workload.Flows {
	return workload.Flows{
		Common: workload.Common{Name: name, Class: workload.Class{DSCP: 26}},
		Flows:  []workload.Flow{{Pair: workload.Pair{Src: src, Dst: dst}, Bytes: bytes, Start: start}},
	}
}

// simulate runs a network with a collector until all messages have ended, or
// until stop if it is not 0.
func simulate(t testing.TB, spec *model.Spec, opt metrics.Options, stop sim.Time) (*results.Run, *model.Model) {
	t.Helper()
	if opt.Workloads == nil {
		for _, e := range spec.Entries {
			opt.Workloads = append(opt.Workloads, results.Workload{Name: e.Label()})
		}
	}
	c := metrics.New(opt)
	spec.Observer = c.Observer()
	m, err := model.New(spec)
	require.NoError(t, err)
	require.NoError(t, c.Attach(m))
	end := m.Run(context.Background(), model.Stop{Time: stop, WhenDone: stop == 0, Max: sim.Second}, nil)
	require.Contains(t, []model.End{model.Done, model.TimeUp}, end)
	require.NoError(t, m.CheckConservation())
	return c.Collect(m.Now()), m
}
