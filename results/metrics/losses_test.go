package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric"
	"rocesim/results"
	"rocesim/results/metrics"
	"rocesim/scenarios/model"
	"rocesim/sim"
)

// loss is a certain loss of some frames.
func loss(link int, d model.Direction, frames fabric.Frames) model.Fault {
	return model.Fault{Kind: model.LinkLoss, Target: link, Directions: d, Loss: fabric.Loss{Frames: frames, Every: 1}}
}

// A lost packet is a drop at the port that sent it, a NIC's or a switch's, in
// the priority that it has there, by kind and cause.
func TestLossesAreDropsAtTheSender(t *testing.T) {
	for _, tc := range []struct {
		name  string
		fault model.Fault
		port  string
		want  results.DropRow
	}{
		{"data from the NIC", loss(0, model.Forward, fabric.DataFrames), "h0:0>sw0",
			results.DropRow{Priority: 3, Lossless: true, Cause: "loss", Kind: "data", DSCP: 26, SentDSCP: 26, Packets: 3, Bytes: 3 * 4096}},
		{"data from the switch", loss(1, model.Backward, fabric.DataFrames), "sw0:1>h1",
			results.DropRow{Priority: 3, Lossless: true, Cause: "loss", Kind: "data", DSCP: 26, SentDSCP: 26, Packets: 3, Bytes: 3 * 4096}},
		{"ACKs from the NIC", loss(1, model.Forward, fabric.AckFrames), "h1:0>sw0",
			results.DropRow{Priority: 3, Lossless: true, Cause: "loss", Kind: "ack", DSCP: 26, SentDSCP: 26, Packets: 3}},
		{"a link that is down", model.Fault{Kind: model.LinkDown, Target: 1}, "sw0:1>h1",
			results.DropRow{Priority: 3, Lossless: true, Cause: "link down", Kind: "data", DSCP: 26, SentDSCP: 26, Packets: 3, Bytes: 3 * 4096}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			spec := network(star(t, 2), flow("w", 0, 1, 3*4096, 0))
			spec.NICs[0].Timeout = sim.Millisecond // else it is a stall
			spec.Faults, spec.Convergence = []model.Fault{tc.fault}, sim.Millisecond
			run, _ := simulate(t, spec, metrics.Options{}, 100*us)
			require.Len(t, run.Drops, 1)
			d := run.Drops[0]
			assert.Equal(t, tc.port, run.PortName(d.Port))
			overhead := int64(62)
			if tc.want.Kind == "ack" {
				overhead += 4
			}
			assert.InDelta(t, tc.want.Bytes+overhead*d.Packets, d.Bytes, 16, "the first packet has a RETH")
			tc.want.Port, tc.want.Bytes, tc.want.First = d.Port, d.Bytes, d.First
			assert.Equal(t, tc.want, d)
			assert.Positive(t, d.First)
		})
	}
}

// Packets of a class that PFC does not protect are lost in a lossy class.
func TestLossInALossyClass(t *testing.T) {
	spec := network(star(t, 2), flow("w", 0, 1, 4096, 0))
	for i := range spec.NICs {
		spec.NICs[i].PFC, spec.NICs[i].Timeout = 0, sim.Millisecond
	}
	spec.Switches[0].Groups[3].Lossless = false
	spec.Faults = []model.Fault{loss(0, model.Forward, fabric.DataFrames)}
	run, _ := simulate(t, spec, metrics.Options{}, 100*us)
	require.Len(t, run.Drops, 1)
	assert.False(t, run.Drops[0].Lossless)
}
