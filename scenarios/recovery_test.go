package scenarios

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/nic/rc"
	"rocesim/results"
	"rocesim/sim"
)

// Presets recover as the standard has it; the time-outs of selective repeat are
// those of IRN unless a scenario says otherwise.
func TestRecovery(t *testing.T) {
	const us = sim.Microsecond
	for _, c := range []struct {
		sets      []string
		how       rc.Recovery
		low, high sim.Time
		window    int64
	}{
		{nil, rc.GoBackN, 100 * us, 320 * us, 0},
		{[]string{"nic.recovery=go-back-0"}, rc.GoBack0, 100 * us, 320 * us, 0},
		{[]string{"nic.recovery=selective-repeat", "nic.window=120KB"}, rc.SelectiveRepeat, 100 * us, 320 * us, 120_000},
		{[]string{"nic.rto_low=500us"}, rc.GoBackN, 500 * us, 500 * us, 0},
		{[]string{"nic.rto_high=50us"}, rc.GoBackN, 50 * us, 50 * us, 0},
		{[]string{"nic.rto_low=1us", "nic.rto_high=2us"}, rc.GoBackN, 1 * us, 2 * us, 0},
	} {
		n := planOf(t, c.sets...).NICs[1]
		assert.Equal(t, c.how, n.Recovery, c.sets)
		assert.Equal(t, []sim.Time{c.low, c.high}, []sim.Time{n.RTOLow, n.RTOHigh}, c.sets)
		assert.Equal(t, c.window, n.Window, c.sets)
	}
}

func TestRTOBelowRoundTripIsDoubted(t *testing.T) {
	sets := []string{"nic.recovery=selective-repeat", "fabric.host_link.cable=20km"}
	assert.Contains(t, planOf(t, sets...).Warnings,
		"nic.rto_low is 100us, less than the 200us that the first link of NIC h0 takes to and fro; packets will be sent twice: set nic.rto_low and nic.rto_high above the round trip")
	assert.NotContains(t, strings.Join(planOf(t, append(sets, "nic.rto_low=250us")...).Warnings, " "), "rto_low")
}

// A message that nothing moves any more says what it waits for; one that merely
// had no time to end does not.
func TestReasonsOfUnfinishedFlows(t *testing.T) {
	t.Parallel()
	const down = `faults=[{at: 1ms, link: "h1:sw0", down: true}]`
	for _, c := range []struct {
		want results.UnfinishedReason
		sets []string
	}{
		{results.RunEnded, nil},
		{results.AwaitsTimeout, []string{down}},
		{results.AwaitsTimeout, []string{down, "nic.recovery=selective-repeat", "nic.rto_low=2ms", "nic.rto_high=2ms"}},
		{results.AwaitsTimeout, []string{down, "nic.timeout=500us"}},
		{results.RetriesSpent, []string{down, "nic.timeout=500us", "nic.retry_count=2"}},
		{results.AwaitsAck, []string{`faults=[{at: 1ms, link: "h1:sw0", loss: 100%, kind: ack}]`, "nic.timeout=0ps"}},
		{results.WindowFull, []string{down, "nic.timeout=0ps", "nic.window=64KiB", "nic.ack_every=4"}},
		{results.HeldByPause, []string{`faults=[{at: 1ms, nic: h1, pause_storm: true}]`, "nic.timeout=0ps"}},
	} {
		sc, err := Parse("small.yaml", []byte(small), append(c.sets, "stop.time=4ms",
			"workload=[{name: w, type: flows, flows: [{from: h0, to: h1, bytes: 1GB}]}]", "cc.preset=none", "switch.dscp_to_tc={26: 3, 48: 6}"))
		require.NoError(t, err)
		run, err := Run(context.Background(), sc, RunOptions{})
		require.NoError(t, err)
		assert.Equal(t, c.want.String(), run.Flows[0].Unfinished.String(), c.sets)
	}
}
