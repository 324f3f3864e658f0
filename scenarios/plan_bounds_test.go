package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// The row that is taken is that of the shortest cable that is long enough, in
// whatever order the table is written.
func TestHeadroomTableNeedsNoOrder(t *testing.T) {
	p := planOf(t, "switch={preset: ideal, lossless: {xoff: 100KB}, headroom: {table: ["+
		"{rate: 100Gbps, cable: 40m, bytes: 40KB}, {rate: 100Gbps, cable: 5m, bytes: 5KB}, "+
		"{rate: 100Gbps, cable: 1m, bytes: 1KB}, {rate: 100Gbps, cable: 300m, bytes: 300KB}]}}")
	assert.EqualValues(t, 5000, p.Switches[0].Ports[0].Headroom)
}

// Forward is away from the end that the fault names first, whichever end the
// topology names first.
func TestForwardIsAsWritten(t *testing.T) {
	for link, want := range map[string]model.Direction{"h0:sw0": model.Forward, "sw0:h0": model.Backward} {
		p := planOf(t, "faults=[{link: '"+link+"', loss: 1%, direction: forward}]")
		assert.Equal(t, want, p.Faults[0].Directions, link)
	}
}

// Losses of the two directions of a link are faults at two places.
func TestLossesOfBothDirections(t *testing.T) {
	p := planOf(t, "faults=[{link: 'h0:sw0', loss: 1%, direction: forward}, {link: 'h0:sw0', loss: 2%, direction: back}]")
	assert.Len(t, p.Faults, 2)

	_, err := Parse("small.yaml", []byte(small), []string{
		"faults=[{link: 'h0:sw0', loss: 1%, direction: forward}, {link: 'h0:sw0', loss: 2%, direction: both}]"})
	assert.ErrorContains(t, err, "overlaps")
}

// A host does not take more from its NIC than PCIe carries.
func TestDrainIsAtMostPCIe(t *testing.T) {
	for drain, want := range map[string]sim.Rate{"40Gbps": 40 * sim.Gbps, "60Gbps": 50 * sim.Gbps} {
		p := planOf(t, "nic={preset: ideal, pcie: 50Gbps, receive: {buffer: 1MB, drain: "+drain+"}}")
		assert.Equal(t, want, p.NICs[0].Receive.Drain, drain)
	}
}

// RoCEv1 has a global route header where RoCEv2 has IPv4 and UDP: 14 + 40 + 12 +
// 4 + 4 bytes around a payload in the middle of a message.
func TestRoCEv1Frames(t *testing.T) {
	assert.Equal(t, 1024+74, planOf(t, "nic={preset: ideal, framing: rocev1}").Framing.Frame(1024, false))
}

// Ports to switches of the same tier are not ports upwards.
func TestBumpOfOneTier(t *testing.T) {
	p := planOf(t, "fabric={topology: dumbbell, left: 1, right: 1, host_link: {rate: 100Gbps, cable: 3m}, middle: {rate: 100Gbps, cable: 3m}}",
		"workload[w].pairs=[[h0, h1]]",
		"switch={preset: ideal, bump: {dscp: {26: 27}}}")
	for _, s := range p.Switches {
		require.NotNil(t, s.Bump)
		assert.NotContains(t, s.Bump.From, true)
		assert.NotContains(t, s.Bump.To, true)
	}
}

// Queue pairs of hosts with several NICs use all of them in turn, so that any
// may be a connection of what is opened during the run.
func TestConnectionsOfSeveralNICs(t *testing.T) {
	p := planOf(t, "fabric.nics_per_host=2", "workload=[{name: w, type: flows, flows: [{from: h0, to: h1, bytes: 1MB}]}]")
	var got [][2]int
	p.Connections(func(src, dst int, _ workload.Class) { got = append(got, [2]int{src, dst}) })
	assert.ElementsMatch(t, [][2]int{{0, 2}, {1, 3}}, got)
}
