package rc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

// TestAckTimeout: V-45: 4.096 us x 2^t (perftest uses t=14, UCX and NCCL 18 to
// 22).
func TestAckTimeout(t *testing.T) {
	for code, want := range map[int]sim.Time{
		0:  0, // off
		1:  8192 * sim.Nanosecond,
		14: 67_108_864 * sim.Nanosecond,
		18: 1_073_741_824 * sim.Nanosecond,
		20: 4_294_967_296 * sim.Nanosecond,
		31: 4096 * sim.Nanosecond << 31,
	} {
		got, err := AckTimeout(code)
		require.NoError(t, err)
		assert.Equal(t, want, got, "code %d", code)
	}
	_, err := AckTimeout(32)
	assert.EqualError(t, err, "ack timeout code 32: allowed are 0 (off) to 31")
	_, err = AckTimeout(-1)
	assert.EqualError(t, err, "ack timeout code -1: allowed are 0 (off) to 31")
}

// TestDeadPeer: V-45: with retry count 7 and t=14 the queue pair fails at
// 8 x 67.1 ms = 536.9 ms.
func TestDeadPeer(t *testing.T) {
	timeout, err := AckTimeout(14)
	require.NoError(t, err)
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

// TestRNRTimer: V-46: code 12 is 0.64 ms; ends of the table.
func TestRNRTimer(t *testing.T) {
	for code, want := range map[int]sim.Time{
		0:  655_360 * sim.Microsecond,
		1:  10 * sim.Microsecond,
		12: 640 * sim.Microsecond,
		25: 61_440 * sim.Microsecond,
		31: 491_520 * sim.Microsecond,
	} {
		got, err := RNRTimer(code)
		require.NoError(t, err)
		assert.Equal(t, want, got, "code %d", code)
	}
	previous := sim.Time(0)
	for code := 1; code <= 31; code++ {
		got, err := RNRTimer(code)
		require.NoError(t, err)
		assert.Greater(t, got, previous, "code %d", code)
		previous = got
	}
	_, err := RNRTimer(32)
	assert.EqualError(t, err, "RNR timer code 32: allowed are 0 to 31")
}
