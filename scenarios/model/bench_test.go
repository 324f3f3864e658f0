package model_test

import (
	"context"
	"testing"
	"time"

	"rocesim/cc"
	"rocesim/cc/dcqcn"
	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/nic"
	"rocesim/scenarios/congestion"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// permutationSpec is the network of the speed target: a leaf-spine fabric at
// 100G under a permutation of saturating flows, with PFC, ECN and DCQCN.
func permutationSpec(tb testing.TB, leaves, spines, hosts, flows, ackEvery int) *model.Spec {
	tb.Helper()
	const rate = 100 * sim.Gbps
	g, err := topo.LeafSpine{
		Leaves: leaves, Spines: spines, Hosts: hosts, NICsPerHost: 1,
		HostLink: topo.LinkSpec{Rate: rate, Delay: 500 * sim.Nanosecond},
		Uplink:   topo.LinkSpec{Rate: rate, Delay: sim.Microsecond},
	}.Build()
	if err != nil {
		tb.Fatal(err)
	}
	params := congestion.MustParams("connectx", rate)
	spec := &model.Spec{
		Graph:   g,
		Framing: packet.RoCEv2(),
		Seed:    1,
		Control: func(int) cc.Controller { return dcqcn.New(&params, rate) },
	}
	for i := range g.Switches {
		spec.Switches = append(spec.Switches, benchSwitch(g, i))
	}
	for _, e := range g.Endpoints {
		spec.NICs = append(spec.NICs, benchNIC(e.Name, rate, ackEvery))
	}
	perm := workload.Permutation{Common: workload.Common{Name: "perm", Class: workload.Class{DSCP: 26}}}
	for i, h := range g.Hosts {
		spec.Hosts = append(spec.Hosts, workload.Host{Name: h.Name, Endpoints: h.Endpoints, Rate: rate})
		perm.Hosts = append(perm.Hosts, i)
	}
	perm.Bytes = 1 << 30
	perm.QPs = flows
	spec.Entries = []workload.Entry{perm}
	return spec
}

func benchSwitch(g *topo.Graph, i int) switching.Config {
	c := switching.Config{
		Name: g.Switches[i].Name, Seed: 1, HashSeed: uint32(i+1) * 0x9e3779b9,
		IngressLatency: 300 * sim.Nanosecond, EgressLatency: 200 * sim.Nanosecond,
		Buffer: switching.Buffer{Cell: 254, Partitions: 1, Shared: 32 << 20, EgressLossy: 32 << 20},
		PFC: switching.PFCConfig{
			Enabled: 1 << 3, Quanta: packet.MaxQuanta, Refresh: 160 * sim.Microsecond,
			Response: 200 * sim.Nanosecond,
		},
	}
	for d := range c.Classes.DSCPToTC {
		c.Classes.DSCPToTC[d] = uint8(d >> 3)
	}
	for n := range switching.Priorities {
		c.Classes.TCToGroup[n], c.Classes.TCToQueue[n] = uint8(n), uint8(n)
		c.Classes.PFCToQueue[n], c.Classes.GroupToPFC[n] = uint8(n), uint8(n)
		c.Groups[n] = switching.GroupConfig{Threshold: switching.Threshold{Static: 32 << 20}}
		c.Queues[n] = switching.QueueConfig{Weight: 1, Lossy: true, Limit: switching.Threshold{Dynamic: true, Alpha: switching.AlphaOne}}
	}
	c.Groups[3] = switching.GroupConfig{
		Lossless: true, Reserved: 2540, XonOffset: 2540,
		Threshold: switching.Threshold{Dynamic: true, Alpha: switching.AlphaOne / 8},
	}
	c.Queues[3] = switching.QueueConfig{
		Weight: 1,
		RED:    &switching.REDProfile{Kmin: 100_000, Kmax: 400_000, Pmax: 1 << 32 / 5, MarkOnly: true},
	}
	c.Queues[6].Strict = true
	for _, p := range g.Ports(len(g.Endpoints) + i) {
		c.Ports = append(c.Ports, switching.PortConfig{Rate: g.Links[p.Link].Rate, Headroom: 100_000})
	}
	return c
}

func benchNIC(name string, rate sim.Rate, ackEvery int) nic.Config {
	c := nic.Config{
		Name: name, Seed: 1, Rate: rate, MTU: 4096, PFC: 1 << 3,
		TxLatency: 400 * sim.Nanosecond, RxLatency: 300 * sim.Nanosecond, AckLatency: 100 * sim.Nanosecond,
		AckEvery: ackEvery, CNPDSCP: 48, CNPInterval: 4 * sim.Microsecond,
		Timeout: 67 * sim.Millisecond, RetryCount: 7, ClockPPM: 100, Jitter: 2 * sim.Nanosecond,
		PauseResponse: 200 * sim.Nanosecond,
	}
	for d := range c.DSCPToPriority {
		c.DSCPToPriority[d] = uint8(d >> 3)
	}
	return c
}

// benchmarkPermutation runs a permutation in steady state and reports the cost
// of a packet-hop.
func benchmarkPermutation(b *testing.B, leaves, spines, hosts, ackEvery int) {
	m, err := model.New(permutationSpec(b, leaves, spines, hosts, 4, ackEvery))
	if err != nil {
		b.Fatal(err)
	}
	now := 300 * sim.Microsecond
	m.Engine.Run(now, 1<<62)
	start, events := m.PacketHops(), m.Engine.Events()
	const slice = 10 * sim.Microsecond
	b.ReportAllocs()
	cpu := cpuTime()
	for b.Loop() {
		now += slice
		m.Engine.Run(now, 1<<62)
	}
	cpu = cpuTime() - cpu
	hops := float64(m.PacketHops() - start)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/hops, "ns/hop")
	b.ReportMetric(float64(m.Engine.Events()-events)/hops, "events/hop")
	b.ReportMetric(hops/float64(b.N), "hops/op")
	b.ReportMetric(float64(cpu.Nanoseconds())/hops, "cpu-ns/hop")
}

func BenchmarkPermutation128(b *testing.B)         { benchmarkPermutation(b, 8, 16, 128, 4) }
func BenchmarkPermutation128EveryAck(b *testing.B) { benchmarkPermutation(b, 8, 16, 128, 1) }
func BenchmarkPermutation16(b *testing.B)          { benchmarkPermutation(b, 2, 8, 16, 4) }
func BenchmarkPermutation1024(b *testing.B)        { benchmarkPermutation(b, 32, 32, 1024, 4) }

// BenchmarkFatTree128 is the traffic of a reference run of htsim: 128 hosts
// on a three-tier non-blocking fat tree, 100G, 1 us links, no switch latency,
// 4160-byte packets with an ACK each, PFC only (XOFF at 15 packets, XON at 12),
// every host sends 10 MB to another. csg-htsim @841d9e7 took 1.85 s of wall time
// at best for its 3,575,088 packet-hops. The permutation
// is our own, so compare the cost of a packet-hop.
func BenchmarkFatTree128(b *testing.B) {
	const rate = 100 * sim.Gbps
	b.ReportAllocs()
	var hops uint64
	var cpu time.Duration
	for b.Loop() {
		m, err := model.New(fatTreeSpec(b, rate))
		if err != nil {
			b.Fatal(err)
		}
		start := cpuTime()
		if end := m.Run(context.Background(), model.Stop{WhenDone: true, Max: 100 * sim.Millisecond}, nil); end != model.Done {
			b.Fatalf("ended as %d", end)
		}
		cpu += cpuTime() - start
		hops += m.PacketHops()
	}
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(hops), "cpu-ns/hop")
	b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-s/run")
	b.ReportMetric(float64(hops)/float64(b.N), "hops/run")
}

func fatTreeSpec(tb testing.TB, rate sim.Rate) *model.Spec {
	tb.Helper()
	link := topo.LinkSpec{Rate: rate, Delay: sim.Microsecond}
	g, err := topo.FatTree{K: 8, NICsPerHost: 1, HostLink: link, Uplink: link}.Build()
	if err != nil {
		tb.Fatal(err)
	}
	framing := packet.Framing{Data: 64, Ack: 64, CNP: 64, PFC: 64, Pad: 1, Min: 64}
	spec := &model.Spec{Graph: g, Framing: framing, Seed: 1, InfinitePause: true}
	for i := range g.Switches {
		c := benchSwitch(g, i)
		c.IngressLatency, c.EgressLatency, c.PFC.Response, c.PFC.Refresh, c.PFC.Infinite = 0, 0, 0, 0, true
		c.Groups[3] = switching.GroupConfig{Lossless: true, Threshold: switching.Threshold{Static: 15 * 4160}, XonOffset: 3 * 4160}
		c.Queues[3].RED = nil
		spec.Switches = append(spec.Switches, c)
	}
	perm := workload.Permutation{Common: workload.Common{Name: "perm", Class: workload.Class{DSCP: 26}}, Bytes: 10_000_000, QPs: 1}
	for i, h := range g.Hosts {
		c := benchNIC(h.Name, rate, 1)
		c.TxLatency, c.RxLatency, c.AckLatency, c.ClockPPM, c.Jitter, c.PauseResponse, c.Timeout = 0, 0, 0, 0, 0, 0, 0
		spec.NICs = append(spec.NICs, c)
		spec.Hosts = append(spec.Hosts, workload.Host{Name: h.Name, Endpoints: h.Endpoints, Rate: rate})
		perm.Hosts = append(perm.Hosts, i)
	}
	spec.Entries = []workload.Entry{perm}
	return spec
}
