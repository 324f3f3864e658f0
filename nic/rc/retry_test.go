package rc

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/sim"
)

// TestDeadPeer: V-45: with retry count 7 and time-outs of 4.096 us x 2^14 (Local
// ACK Timeout 14, as perftest has it) the queue pair fails at 8 x 67.1 ms = 536.9 ms.
func TestDeadPeer(t *testing.T) {
	const timeout = 4096 * sim.Nanosecond << 14
	r := Retry{Count: 7}
	var now sim.Time
	for failed := false; !failed; {
		now += timeout
		failed = r.Timeout()
	}
	assert.Equal(t, 536_870_912*sim.Nanosecond, now)
}

// TestRetryStartsAnew: only time-outs in a row count.
func TestRetryStartsAnew(t *testing.T) {
	r := Retry{Count: 1}
	assert.False(t, r.Timeout())
	r.Progress()
	assert.False(t, r.Timeout())
	assert.True(t, r.Timeout())
	none := Retry{}
	assert.True(t, none.Timeout(), "retry count 0 fails at the first time-out")
}
