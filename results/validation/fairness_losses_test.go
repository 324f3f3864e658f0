package validation_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
	switching "rocesim/switch"
)

// L46: two equal senders at line rate into one port with 5.2 MB of tail
// drop lose the same within each run, whatever the seed (a stable order gave
// all losses to one; hardware splits them within 0.5 %), and whatever the NICs'
// clocks and the phase of their starts.
func TestL46EqualSendersLoseEqually(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		sets []string
	}{
		{"adapters as they are", nil},
		{"clocks locked, no jitter", []string{"nic.clock_ppm=0", "nic.jitter=0ps"}},
		{"clocks locked, other phase", []string{"nic.clock_ppm=0", "nic.jitter=0ps",
			"nic.overrides=[{match: h2, tx_latency: 1083ns}]"}},
		{"jitter", []string{"nic.jitter=5ns"}},
	} {
		for seed := range 5 {
			t.Run(fmt.Sprint(c.name, " ", seed), func(t *testing.T) {
				b := build(t, "fairness-tail-drop.yaml", append(c.sets, fmt.Sprintf("seed=%d", seed))...)
				sw, _ := b.egress("h0")
				for _, at := range []sim.Time{sim.Millisecond, 5 * sim.Millisecond} {
					b.run(at)
					first := float64(sw.Group(1, 0).Drops[switching.DropEgress])
					second := float64(sw.Group(2, 0).Drops[switching.DropEgress])
					require.Greater(t, first+second, 1000.0)
					assert.InDelta(t, 0.5, first/(first+second), 0.01, "%v of %v at %v", first, second, at)
				}
			})
		}
	}
}

// The same in a lossless class: PFC halves the port between the two to a
// percent (V-13), within a millisecond.
func TestV13EqualSendersArePausedEqually(t *testing.T) {
	t.Parallel()
	for seed := range 5 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := build(t, "fairness-tail-drop.yaml", fmt.Sprintf("seed=%d", seed),
				"switch.pfc={enabled: true}", "switch.dscp_to_tc={26: 3, 48: 6}", "switch.lossless.xoff=100KB")
			f := b.measure("h0", sim.Millisecond, 2*sim.Millisecond)
			t.Log(f.rates)
			assert.InEpsilon(t, 1, 2*f.rates[0]/(f.rates[0]+f.rates[1]), 0.01)
			assert.InDelta(t, 1, f.utilisation, 0.001)
			sw, _ := b.egress("h0")
			for cause := range switching.DropCauses {
				assert.Zero(t, sw.Drops(cause))
			}
		})
	}
}
