package switching_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/sim"
)

// A paused priority does not hold up the others, and XON lets it go on at once
// (IEEE 802.1Qbb; FACTS 2.3: other priorities keep being served).
func TestPauseStopsItsPriorityOnly(t *testing.T) {
	c := defaults(2)
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 2)
	b.run(sim.Microsecond)
	assert.Empty(t, b.sinks[1].packets)
	b.receive(0, 1, 2, 1000, 1)
	b.run(2 * sim.Microsecond)
	assert.Len(t, b.sinks[1].packets, 1)
	b.resume(1, 3)
	b.run(3 * sim.Microsecond)
	assert.Len(t, b.sinks[1].packets, 3)
}
