package scenarios

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/nic/rc"
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
