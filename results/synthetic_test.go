package results

import (
	"rocesim/sim"
)

// tiny is a run small enough to check every number of by hand: two flows of a
// workload "bulk", of which one did not finish, and three probes.
func tiny() *Run {
	us := sim.Microsecond
	return &Run{
		Manifest: Manifest{
			Tool: "0.1.0", Name: "tiny", Question: "Does it add up?", Seed: 7,
			Scenario: "name: tiny\n", Fingerprint: 0xabc, Events: 100, PacketHops: 40,
			SimulatedTime: 100 * us, Stop: StoppedTime, LargestFrame: 4178, PauseFrame: 84,
		},
		Nodes:     []string{"h0", "h1", "leaf0"},
		Workloads: []Workload{{Name: "bulk", Type: "flows"}, {Name: "probe", Type: "latency", Probe: true}},
		Flows: []FlowRow{
			{ID: 0, Src: 0, Dst: 1, Bytes: 100_000, Measured: 100_000, Start: 0, Delivered: 19 * us, Completed: 20 * us, Ideal: 10 * us, SourcePort: 49152, Priority: 3},
			{ID: 1, Src: 1, Dst: 0, Bytes: 500_000, Measured: 250_000, Start: 20 * us, Ideal: 45 * us, Unfinished: RunEnded, SourcePort: 49153, Priority: 3},
			{ID: 2, Workload: 1, Src: 0, Dst: 1, Bytes: 64, Measured: 64, Start: 10 * us, Delivered: 12 * us, Completed: 13 * us, Ideal: 3 * us},
			{ID: 3, Workload: 1, Src: 0, Dst: 1, Bytes: 64, Measured: 64, Start: 30 * us, Delivered: 33 * us, Completed: 36 * us, Ideal: 3 * us},
			{ID: 4, Workload: 1, Src: 0, Dst: 1, Bytes: 64, Measured: 64, Start: 50 * us, Delivered: 54 * us, Completed: 59 * us, Ideal: 3 * us},
		},
		Ports: []PortRow{
			{Node: 0, Number: 0, Peer: 2, PeerNumber: 0, Rate: 100 * sim.Gbps, Tier: "host>leaf", WireBytes: 625_000, Delay: 15 * sim.Nanosecond, Response: 500 * sim.Nanosecond},
			{Node: 2, Number: 0, Peer: 0, PeerNumber: 0, Rate: 100 * sim.Gbps, Tier: "leaf>host", WireBytes: 312_500, Delay: 15 * sim.Nanosecond, IngressLatency: 375 * sim.Nanosecond, EgressLatency: 375 * sim.Nanosecond},
			{Node: 2, Number: 1, Peer: 1, PeerNumber: 0, Rate: 100 * sim.Gbps, Tier: "leaf>host", WireBytes: 0},
		},
		Queues: []QueueRow{
			{Port: 0, Priority: 3, Lossless: true, TxPackets: 30, TxBytes: 120_000, RxPause: 4, RxXoff: 2, RxPaused: 5 * us, RxTransitions: 2},
			{Port: 1, Priority: 3, Lossless: true, PFC: true, TxPackets: 90, TxBytes: 360_000, TxPause: 4, TxXoff: 2, TxPaused: 5 * us, FirstXoff: 40 * us,
				PeakQueue: 70_000, MeanQueue: 1500.5, PeakShared: 60_000, PeakHeadroom: 9_000, XoffMin: 60_000, Headroom: 40_000,
				Kmin: 20_000, Kmax: 80_000, ECNMarked: 12},
			{Port: 2, Priority: 0, TxPackets: 3, TxBytes: 200},
		},
		NICs: []NICRow{
			{Node: 0, Name: "h0", CongestionControl: "dcqcn", CNPHandled: 5, AckTimeouts: 1, Retransmitted: 8},
			{Node: 1, Name: "h1", CNPSent: 6, ECNMarked: 12, OutOfSequence: 3},
		},
		Drops: []DropRow{
			{Port: 2, Priority: 0, Cause: "egress limit", Kind: "cnp", DSCP: 48, Packets: 2, Bytes: 130, First: 60 * us},
		},
		Storms: []StormRow{
			{Port: 1, Priority: 3, Action: "drop", Detected: 45 * us, Restored: 90 * us, TxOK: 1, TxDropped: 2, RxOK: 3, RxDropped: 4},
		},
		Paths: []PathHop{{1, 0, "data", 3}, {1, 1, "data", 3}, {1, 2, "ack", 3}, {1, 2, "cnp", 6}},
		Series: []Series{
			{Kind: QueueSeries, Name: "leaf0:0>h0", Port: 1, Priority: 3, Step: 50 * us, Values: []float64{0, 70_000, 500.25},
				Marks: []Mark{{"Kmin", 20_000}, {"Kmax", 80_000}}},
			{Kind: RateSeries, Name: "bulk", Port: -1, Start: 50 * us, Step: 50 * us, Values: []float64{40e9, 20e9}},
			{Kind: UtilisationSeries, Name: "h0:0>leaf0", Port: 0, Start: 50 * us, Step: 50 * us, Values: []float64{0.75, 0.25}},
			{Kind: MarkSeries, Name: "leaf0:0>h0", Port: 1, Priority: 3, Start: 50 * us, Step: 50 * us, Values: []float64{9, 3}},
			{Kind: CNPSentSeries, Name: AllNICs, Port: -1, Start: 50 * us, Step: 50 * us, Values: []float64{4, 2}},
			{Kind: CNPSentSeries, Name: "h1", Port: -1, Start: 50 * us, Step: 50 * us, Values: []float64{4, 2}},
			{Kind: CNPHandledSeries, Name: "h0", Port: -1, Start: 50 * us, Step: 50 * us, Values: []float64{3, 2}},
			{Kind: ControlSeries, Name: "bulk", Port: -1, Start: 50 * us, Step: 50 * us, Values: []float64{60e9, 0}, Low: []float64{40e9, 0}, High: []float64{80e9, 0}},
		},
		Pauses:  []Pause{{From: 40 * us, To: 43 * us, Port: 0, Priority: 3}, {From: 50 * us, To: 52 * us, Port: 0, Priority: 3}},
		Latency: []LatencyPart{{"h0 to h1, 64 B", "h0 NIC", "nic", 900 * sim.Nanosecond}, {"h0 to h1, 64 B", "cable", "wire", 10 * sim.Nanosecond}},
	}
}

// many is a run of n flows, for tests of size.
func many(n int) *Run {
	run := tiny()
	stream := sim.NewStream(1, "results/many")
	run.Flows = make([]FlowRow, n)
	for i := range run.Flows {
		f := &run.Flows[i]
		f.ID = uint32(i)
		f.Bytes = int64(1 + stream.Intn(4_000_000))
		f.Measured = f.Bytes
		f.Start = stream.Time(sim.Millisecond)
		f.Ideal = sim.Time(f.Bytes)*80 + 2*sim.Microsecond
		f.Completed = f.Start + f.Ideal + stream.Exp(f.Ideal)
		f.Delivered = f.Completed - sim.Microsecond
		f.Src, f.Dst = 0, 1
	}
	return run
}

// drop adds a drop in a lossless class to run.
func drop(run *Run, packets int64) {
	run.Drops = append(run.Drops, DropRow{Port: 1, Priority: 3, Lossless: true, Cause: "headroom overrun",
		Packets: packets, Bytes: packets * 4158, First: 55 * sim.Microsecond})
}

func labelled(workload string) []Label { return []Label{{"workload", workload}} }
