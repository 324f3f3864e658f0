package headroom

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

// IEEE 802.1Qbb's worst case for frames of 4200 and 9216 bytes,
// in kilobytes. The table rounds to 0.1 KB.
func TestIEEE(t *testing.T) {
	for _, c := range []struct {
		rate  sim.Rate
		frame int64
		kb    [5]float64 // at 5, 40, 100, 300 and 500 m
	}{
		{100, 4200, [5]float64{34.4, 38.7, 46.2, 71.2, 96.2}},
		{100, 9216, [5]float64{44.4, 48.8, 56.3, 81.3, 106.3}},
		{400, 4200, [5]float64{68.9, 86.4, 116.4, 216.4, 316.4}},
		{400, 9216, [5]float64{79.0, 96.5, 126.5, 226.5, 326.5}},
	} {
		for i, metres := range []sim.Time{5, 40, 100, 300, 500} {
			got := IEEE(c.rate*sim.Gbps, metres*5*sim.Nanosecond, c.frame)
			assert.InDelta(t, c.kb[i], float64(got.Total)/1000, 0.1, "%v %d B %d m", c.rate, c.frame, metres)
		}
	}
	assert.Zero(t, IEEE(30*sim.Gbps, 0, 4200))
}

// IEEE 802.3 Annex 31B.3.7: 394 quanta of 512 bits at 100G and 905 at 400G, 25.2 and
// 57.9 kB (sonic-mgmt issue 6223); SONiC's table has 67 instead of 60 at 10G.
func TestResponses(t *testing.T) {
	assert.Equal(t, Standard{Frames: 8400, Pause: 84, Cable: 12_500, Response: 25_216, Total: 46_200}, IEEE(100*sim.Gbps, 500*sim.Nanosecond, 4200))
	assert.Equal(t, int64(57_920), IEEE(400*sim.Gbps, 0, 4200).Response)
	assert.Equal(t, int64(3840), IEEE(10*sim.Gbps, 0, 4200).Response)
	sonic, err := Spectrum{Rate: 10 * sim.Gbps}.response()
	require.NoError(t, err)
	assert.Equal(t, "4288", sonic.RatString())
}
