package switching_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	switching "rocesim/switch"
)

// bumped is a switch of three ports, of which 1 and 2 lead up, and packets of
// priority 3 that turn around there go on in priority 4.
func bumped() switching.Config {
	c := defaults(3)
	c.PFC.Enabled |= 1 << 4
	c.Groups[4] = c.Groups[3]
	c.Bump = &switching.Bump{From: []bool{false, true, true}, To: []bool{false, true, true}}
	for d := range c.Bump.DSCP {
		c.Bump.DSCP[d] = uint8(d)
	}
	c.Bump.DSCP[3<<3] = 4 << 3
	return c
}

// A packet that turns around leaves in the new class and is charged to the old
// one (Hu et al., Tagger, CoNEXT 2017: the egress queue goes by the
// new tag, the ingress group by the old one). Others keep their class.
func TestBumpChangesTheQueueOnly(t *testing.T) {
	c := bumped()
	b := newTestbed(t, &c)
	for _, turn := range []struct {
		in, out  int
		priority uint8
	}{{1, 2, 4}, {0, 2, 3}, {1, 0, 3}} {
		b.pause(turn.out, 3)
		b.pause(turn.out, 4)
		b.receive(turn.in, turn.out, 3, 1000, 1)
		assert.Equal(t, int64(1000), b.sw.QueueBytes(turn.out, int(turn.priority)), turn)
		used, _ := b.sw.GroupUse(turn.in, 3)
		assert.Equal(t, int64(1000), used, turn)
		require.NoError(t, b.sw.CheckConservation())
		b.resume(turn.out, 3)
		b.resume(turn.out, 4)
		b.runAll()
		sent := b.sinks[turn.out].packets
		assert.Equal(t, turn.priority<<3, sent[len(sent)-1].DSCP, turn)
	}
}

// A switch whose bumped queue is stopped pauses the neighbour in the class that
// the neighbour sends, not in the one that it sends itself.
func TestBumpPausesTheOldClass(t *testing.T) {
	c := bumped()
	b := newTestbed(t, &c)
	b.pause(2, 4)
	b.receive(1, 2, 3, 1000, 101)
	b.runAll()
	require.NotEmpty(t, b.sinks[1].pauses)
	assert.Equal(t, uint8(1<<3), b.sinks[1].pauses[0].Vector)
}
