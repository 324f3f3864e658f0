package scenarios

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a NIC is warned to need above XOFF is what a host that stands still comes
// to hold: never more arrives, and at some place of XOFF in the stream of frames
// nearly as much. The NIC sends too, so that its pause has to wait.
func TestReceiveRoomIsEnough(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cable string
		mtu   int64
	}{{"3m", 4096}, {"300m", 1024}} {
		text := `name: dead
fabric: {topology: star, hosts: 3, host_link: {rate: 100Gbps, cable: ` + c.cable + `}}
switch: {preset: ideal, latency: 500ns, lossless: {xoff: 200KB}}
nic: {preset: ideal, mtu: ` + fmt.Sprint(c.mtu) + `, overrides: [{match: h1, receive: {buffer: 1MB, drain: 0bps}}]}
cc: {preset: none}
workload:
  - {name: in, type: saturate, pairs: [[h0, h1], [h2, h1]], bytes: 1MiB}
  - {name: out, type: saturate, pairs: [[h1, h0]], bytes: 1MiB}
stop: {time: 200us}
`
		sc, err := Parse("dead.yaml", []byte(text), []string{"nic.overrides[0].receive.xoff=999KB"})
		require.NoError(t, err)
		plan, err := sc.Plan()
		require.NoError(t, err)
		require.Len(t, plan.Warnings, 1)
		sum := regexp.MustCompile(`= (\d+) B > `).FindStringSubmatch(plan.Findings[0].Arithmetic)
		need, err := strconv.ParseInt(sum[1], 10, 64)
		require.NoError(t, err)

		most := int64(0)
		for xoff := int64(500_000); xoff < 500_000+16*c.mtu; xoff += c.mtu/4 + 1 {
			run := runText(t, text, fmt.Sprintf("nic.overrides[0].receive.xoff=%dB", xoff))
			require.Zero(t, run.NICs[1].OutOfBuffer)
			most = max(most, run.NICs[1].ReceivePeak-xoff)
		}
		assert.LessOrEqual(t, most, need, "%s, %d B", c.cable, c.mtu)
		wire := most * (c.mtu + 82) / (c.mtu + 62) // the buffer takes no preambles and gaps
		assert.Greater(t, wire, need-3*c.mtu/2, "%s, %d B", c.cable, c.mtu)
	}
}
