package why

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
)

const us = sim.Microsecond

// Ports of the synthetic run.
const (
	host0 = iota // h0:0>leaf0
	host1        // h1:0>leaf0
	leaf0        // leaf0:0>h0
	leaf1        // leaf0:1>h1
)

// quiet is a run of two hosts at 100 Gb/s over 10 m (50 ns) on one switch with
// a pipeline of 250 + 250 ns; h1 sent 1000 packets of priority 3 to h0. In its
// worst case the pause works after 100 ns of cable, 500 ns of response, 250 ns of
// pipeline, 334.2 ns for a frame, 5.76 ns for the pause and 333.3 ns for a frame to
// be stored: 1.523 us, in which 4 frames of 334.2 ns begin.
func quiet() *results.Run {
	port := func(node, number, peer, peerNumber int32) results.PortRow {
		p := results.PortRow{Node: node, Number: number, Peer: peer, PeerNumber: peerNumber, Rate: 100 * sim.Gbps,
			Delay: 50 * sim.Nanosecond, Response: 500 * sim.Nanosecond}
		if node == 2 {
			p.IngressLatency, p.EgressLatency = 250*sim.Nanosecond, 250*sim.Nanosecond
			p.HeadroomReach, p.HeadroomFrame, p.HeadroomNeed = 1_523_280, 4158, 5*4158
		}
		return p
	}
	return &results.Run{
		Manifest:  results.Manifest{Name: "quiet", Stop: results.Finished, SimulatedTime: 1000 * us, LargestFrame: 4178, PauseFrame: 84},
		Nodes:     []string{"h0", "h1", "leaf0"},
		Workloads: []results.Workload{{Name: "bulk", Type: "flows"}},
		Ports:     []results.PortRow{port(0, 0, 2, 0), port(1, 0, 2, 1), port(2, 0, 0, 0), port(2, 1, 1, 0)},
		Queues: []results.QueueRow{
			{Port: host0, Priority: 3, Lossless: true, PFC: true, RxPackets: 1000},
			{Port: host1, Priority: 3, Lossless: true, PFC: true, TxPackets: 1000},
			{Port: leaf0, Priority: 3, Lossless: true, PFC: true, TxPackets: 1000, PeakQueue: 300_000, Headroom: 40_000, Kmin: 400_000, Kmax: 1_600_000},
			{Port: leaf1, Priority: 3, Lossless: true, PFC: true, RxPackets: 1000, RxBytes: 4_158_000, PeakShared: 297_000, XoffMin: 1_350_000, Headroom: 40_000},
		},
		NICs: []results.NICRow{{Node: 0, Name: "h0", CongestionControl: "dcqcn"}, {Node: 1, Name: "h1", CongestionControl: "dcqcn"}},
	}
}

// dropped adds a drop of 7 packets at the switch's port to h1.
func dropped(run *results.Run, lossless bool, cause, kind string) {
	run.Drops = append(run.Drops, results.DropRow{Port: leaf1, Priority: 3, Lossless: lossless, Cause: cause, Kind: kind, DSCP: 26, SentDSCP: 26,
		Packets: 7, Bytes: 7 * 4158, First: 55 * us})
}

// finding returns the one finding whose text contains a part.
func finding(t *testing.T, run *results.Run, part string) results.Finding {
	t.Helper()
	all := Explain(run)
	i := slices.IndexFunc(all, func(f results.Finding) bool { return strings.Contains(f.What, part) })
	require.GreaterOrEqual(t, i, 0, "no finding has %q: %+v", part, all)
	return all[i]
}
