package report

import (
	"fmt"
	"math"

	"rocesim/results"
	"rocesim/sim"
)

// cluster is a run that looks like one of a loaded leaf-spine fabric: an
// all-to-all, a periodic incast and latency probes, with sampled queues that
// follow the incast, and PFC on the ports that feed it.
func cluster() *results.Run {
	run := &results.Run{
		Manifest: results.Manifest{Name: "cluster-64", SimulatedTime: 20 * sim.Millisecond, Stop: results.StoppedTime},
		Workloads: []results.Workload{{Name: "shuffle", Type: "all-to-all"}, {Name: "storage", Type: "incast"},
			{Name: "probe", Type: "latency", Probe: true}},
	}
	stream := sim.NewStream(1, "report/cluster")
	addFabric(run, stream)
	addFlows(run, stream)
	addSeries(run, stream)
	addPauses(run, stream)
	addControl(run, stream)
	run.Latency = []results.LatencyPart{
		{Path: "h0 to h16, 2 B write", Component: "sender NIC", Kind: "nic", Time: 780 * sim.Nanosecond},
		{Path: "h0 to h16, 2 B write", Component: "h0 > leaf0, 3 m", Kind: "wire", Time: 15 * sim.Nanosecond},
		{Path: "h0 to h16, 2 B write", Component: "serialisation", Kind: "wire", Time: 8 * sim.Nanosecond},
		{Path: "h0 to h16, 2 B write", Component: "leaf0 pipeline", Kind: "switch", Time: 450 * sim.Nanosecond},
		{Path: "h0 to h16, 2 B write", Component: "leaf0 > h16, 3 m", Kind: "wire", Time: 15 * sim.Nanosecond},
		{Path: "h0 to h16, 2 B write", Component: "serialisation again", Kind: "wire", Time: 8 * sim.Nanosecond},
		{Path: "h0 to h16, 2 B write", Component: "receiver NIC", Kind: "nic", Time: 830 * sim.Nanosecond},
	}
	return run
}

// addFabric makes 64 hosts on 4 leaves with 4 spines.
func addFabric(run *results.Run, stream *sim.Stream) {
	for h := range 64 {
		run.Nodes = append(run.Nodes, fmt.Sprintf("h%d", h))
	}
	for l := range 4 {
		run.Nodes = append(run.Nodes, fmt.Sprintf("leaf%d", l))
	}
	for s := range 4 {
		run.Nodes = append(run.Nodes, fmt.Sprintf("spine%d", s))
	}
	link := func(node, number, peer int, rate sim.Rate, tier string, load float64) {
		load = min(0.99, load*(0.7+0.6*stream.Float64()))
		wire := int64(load * float64(rate) / 8 * run.Manifest.SimulatedTime.Seconds())
		run.Ports = append(run.Ports, results.PortRow{Node: int32(node), Number: int32(number), Peer: int32(peer), Rate: rate, Tier: tier, WireBytes: wire})
	}
	for h := range 64 {
		link(h, 0, 64+h/16, 100*sim.Gbps, "host>leaf", 0.6)
	}
	for h := range 64 {
		load := 0.55
		if h == 5 {
			load = 1.2
		}
		link(64+h/16, h%16, h, 100*sim.Gbps, "leaf>host", load)
	}
	for l := range 4 {
		for s := range 4 {
			link(64+l, 16+s, 68+s, 400*sim.Gbps, "leaf>spine", 0.45)
		}
	}
	for s := range 4 {
		for l := range 4 {
			link(68+s, l, 64+l, 400*sim.Gbps, "spine>leaf", 0.45)
		}
	}
}

func addFlows(run *results.Run, stream *sim.Stream) {
	add := func(workload int32, bytes int64, start, ideal, fct sim.Time) {
		f := results.FlowRow{ID: uint32(len(run.Flows)), Workload: workload, Bytes: bytes, Measured: bytes, Start: start, Ideal: ideal}
		f.Completed = start + fct
		f.Delivered = f.Completed - 800*sim.Nanosecond
		run.Flows = append(run.Flows, f)
	}
	idle := func(bytes int64) sim.Time { return sim.Time(bytes)*82 + 3*sim.Microsecond }
	for range 4000 {
		bytes := int64(math.Pow(10, 3+3.8*stream.Float64()))
		base := idle(bytes)
		add(0, bytes, stream.Time(18*sim.Millisecond), base, base+stream.Exp(base)+stream.Exp(4*sim.Microsecond))
	}
	for burst := range 20 {
		for sender := range 32 {
			base := idle(262_144)
			add(1, 262_144, sim.Time(burst)*sim.Millisecond, base, sim.Time(sender/2+16)*base+stream.Exp(base))
		}
	}
	for i := range 9000 {
		wait := stream.Exp(300 * sim.Nanosecond)
		if i%40 == 0 {
			wait += stream.Exp(12 * sim.Microsecond)
		}
		add(2, 64, stream.Time(19*sim.Millisecond), 2_900*sim.Nanosecond, 2_900*sim.Nanosecond+wait)
	}
}

func addSeries(run *results.Run, stream *sim.Stream) {
	marks := []results.Mark{{Label: "Kmin", Value: 400_000}, {Label: "Kmax", Value: 1_600_000}}
	const step = 4 * sim.Microsecond
	for q, peak := range []float64{1_300_000, 620_000, 310_000, 120_000, 90_000, 40_000} {
		port := int32(64 + 5 + q)
		s := results.Series{Kind: results.QueueSeries, Name: run.PortName(port) + " prio 3", Port: port, Priority: 3, Step: step, Marks: marks}
		for at := sim.Time(0); at <= run.Manifest.SimulatedTime; at += step {
			phase := float64((at+sim.Time(q)*137*sim.Microsecond)%sim.Millisecond) / float64(sim.Millisecond)
			s.Values = append(s.Values, math.Floor(peak*math.Exp(-6*phase)*(0.85+0.15*stream.Float64())))
		}
		run.Series = append(run.Series, s)
	}
	for w, mean := range []float64{2900e9, 420e9, 0.4e9} {
		s := results.Series{Kind: results.RateSeries, Name: run.Workloads[w].Name, Port: -1, Start: 20 * sim.Microsecond, Step: 20 * sim.Microsecond}
		for at := s.Start; at <= run.Manifest.SimulatedTime; at += s.Step {
			ramp := min(1, float64(at)/float64(sim.Millisecond))
			s.Values = append(s.Values, mean*ramp*(0.9+0.2*stream.Float64()))
		}
		run.Series = append(run.Series, s)
	}
}

// addControl marks, notifies and slows down at every burst.
func addControl(run *results.Run, stream *sim.Stream) {
	const step = 20 * sim.Microsecond
	series := func(kind results.SeriesKind, name string, port int32) results.Series {
		return results.Series{Kind: kind, Name: name, Port: port, Priority: 3, Start: step, Step: step}
	}
	marks := series(results.MarkSeries, run.PortName(69), 69)
	sent, handled := series(results.CNPSentSeries, results.AllNICs, -1), series(results.CNPHandledSeries, results.AllNICs, -1)
	rate := series(results.ControlSeries, "storage", -1)
	free := series(results.ControlSeries, "shuffle", -1)
	for at := step; at <= run.Manifest.SimulatedTime; at += step {
		phase := float64(at%sim.Millisecond) / float64(sim.Millisecond)
		n := math.Floor(60 * math.Exp(-6*phase))
		marks.Values = append(marks.Values, n)
		sent.Values, handled.Values = append(sent.Values, n), append(handled.Values, math.Floor(n*stream.Float64()))
		mean, low, high := 20e9+40e9*phase, 5e9+20e9*phase, 100e9
		if phase > 0.8 { // all is sent
			mean, low, high = 0, 0, 0
		}
		rate.Values, rate.Low, rate.High = append(rate.Values, mean), append(rate.Low, low), append(rate.High, high)
		free.Values, free.Low, free.High = append(free.Values, 100e9), append(free.Low, 100e9), append(free.High, 100e9)
	}
	run.Series = append(run.Series, marks, sent, handled, rate, free)
}

// addPauses pauses uplinks of spines and some hosts at every burst.
func addPauses(run *results.Run, stream *sim.Stream) {
	for burst := range 20 {
		start := sim.Time(burst)*sim.Millisecond + 60*sim.Microsecond
		for k := range 14 {
			port := int32(k * 4)
			if k < 4 {
				port = int32(144 + 4*k) // spine k to leaf 0
			}
			if stream.Float64() < 0.12*float64(k-2) {
				continue
			}
			from := start + stream.Time(20*sim.Microsecond)
			to := from + stream.Exp(60*sim.Microsecond)
			run.Pauses = append(run.Pauses, results.Pause{From: from, To: to, Port: port, Priority: 3})
		}
	}
	run.Queues = []results.QueueRow{{Port: 64, Priority: 3, Lossless: true, PeakShared: 837_000, XoffMin: 1_350_000}}
}

// small is a run of a few flows, samples and ports, so that golden files stay
// readable.
func small() *results.Run {
	run := cluster()
	const first = 60 // port to keep, to have some of each tier
	var flows []results.FlowRow
	for i := 0; i < len(run.Flows); i += 200 {
		flows = append(flows, run.Flows[i])
	}
	run.Flows = flows
	for i := range run.Series {
		s := &run.Series[i]
		s.Values = s.Values[:13]
		if s.Kind == results.ControlSeries {
			s.Low, s.High = s.Low[:13], s.High[:13]
		}
		run.Series[i].Port = max(-1, run.Series[i].Port-first)
		run.Series[i].Step = 240 * sim.Microsecond
	}
	run.Ports = append(run.Ports[first:76:76], run.Ports[len(run.Ports)-16:]...)
	for i := range run.Ports {
		run.Ports[i].WireBytes = run.Ports[i].WireBytes * 3 / 20
	}
	for i := range run.Pauses {
		run.Pauses[i].Port = run.Pauses[i].Port / 4 % 4
	}
	run.Pauses = run.Pauses[:20]
	run.Queues[0].Port -= first
	run.Manifest.SimulatedTime = 3 * sim.Millisecond
	return run
}

// crowded is a run with more workloads than a plot can hold, and names that
// need escaping.
func crowded() *results.Run {
	run := cluster()
	for i := range 30 {
		name := fmt.Sprintf("a workload with a very long & <strange> name, number %d", i)
		run.Workloads = append(run.Workloads, results.Workload{Name: name})
		run.Flows = append(run.Flows, results.FlowRow{Workload: int32(3 + i), Bytes: 1, Completed: sim.Time(i + 1), Ideal: 1})
		run.Series = append(run.Series, results.Series{Kind: results.RateSeries, Name: name, Port: -1, Step: 1, Values: []float64{1e9}})
	}
	return run
}
