package switching

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Frames of two senders arrive in turn at a queue of ten frames that sends one
// in that time: half of each sender's frames must go in, though the first
// sender's always come right behind a departure.
func TestTailDropIsEvenToPhases(t *testing.T) {
	const frame, limit, rounds = 1000, 10_000, 10_000
	var r queueRules
	var length int64
	var dropped [2]int
	for range rounds {
		for sender := range dropped {
			if r.overflows(length, frame, limit) {
				dropped[sender]++
			} else {
				length += frame
			}
		}
		assert.LessOrEqual(t, length, int64(limit))
		length -= frame
	}
	assert.InDelta(t, rounds/2, dropped[0], 10)
	assert.InDelta(t, rounds/2, dropped[1], 10)
}

// A lossy queue fills to its limit, refuses what does not fit, and when it has
// been full takes frames again at room for two, or when empty.
func TestTailDropLimit(t *testing.T) {
	for _, c := range []struct {
		name                 string
		full                 bool
		length, frame, limit int64
		drop                 bool
	}{
		{"room", false, 8000, 1000, 10_000, false},
		{"the last frame fits", false, 9000, 1000, 10_000, false},
		{"a byte too much", false, 9001, 1000, 10_000, true},
		{"was full, room for one", true, 9000, 1000, 10_000, true},
		{"was full, room for two", true, 8000, 1000, 10_000, false},
		{"was full, empty, limit below two frames", true, 0, 1000, 1500, false},
		{"larger than the limit", false, 0, 1000, 999, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := queueRules{full: c.full}
			assert.Equal(t, c.drop, r.overflows(c.length, c.frame, c.limit))
		})
	}
}
