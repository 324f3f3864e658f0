package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/sim"
)

// A run ends at its time; one that waits for an event at the latest when it is
// given up, which is after a second if nobody says otherwise.
func TestLatestEnd(t *testing.T) {
	for _, c := range []struct {
		stop Stop
		want sim.Time
	}{
		{Stop{Time: sim.Millisecond}, sim.Millisecond},
		{Stop{Time: sim.Millisecond, Max: 2 * sim.Second}, sim.Millisecond},
		{Stop{When: "flows-done", Max: 2 * sim.Second}, 2 * sim.Second},
		{Stop{When: "flows-done"}, sim.Second},
		{Stop{}, sim.Second},
	} {
		assert.Equal(t, c.want, c.stop.latest(), "%+v", c.stop)
	}
	assert.Equal(t, sim.Second, defaults().Stop.latest())
}
