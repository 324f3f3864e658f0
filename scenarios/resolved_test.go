package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestResolvedLongLists reads back what is written of long lists of flows,
// between and behind other entries.
func TestResolvedLongLists(t *testing.T) {
	var long strings.Builder
	for i := range longList + 1 {
		fmt.Fprintf(&long, "      - {from: h%d, to: h%d, bytes: %dB, start: %dns}\n", i%3, 3, i+1, 7*i)
	}
	const text = `name: long
fabric: {topology: star, hosts: 4, host_link: {rate: 100Gbps, delay: 1us}}
workload:
  - {name: "1", type: incast, senders: [h0, h1], receivers: h2, bytes: 1KB}
  - name: first
    type: flows
    flows:
      - {from: h0, to: h1, bytes: 1KB, src_port: 77, dst_port: 88}
%[1]s  - {name: second, type: flows, flows: [{from: h0, to: h1, bytes: 2KB}]}
  - name: third
    type: flows
    dscp: 8
    flows:
%[1]sexpect: ["drops.lossless == 0"]
`
	sc, err := Parse("long.yaml", fmt.Appendf(nil, text, long.String()), nil)
	require.NoError(t, err)
	resolved := sc.Resolved()
	assert.Contains(t, string(resolved), `{from: "h0", to: "h1", bytes: 1KB, start: 0ps, src_port: 77, dst_port: 88}`)
	again, err := Parse("resolved.yaml", resolved, nil)
	require.NoError(t, err)
	want, err := sc.Plan()
	require.NoError(t, err)
	got, err := again.Plan()
	require.NoError(t, err)
	assert.Equal(t, want.Workload, got.Workload)
	assert.Equal(t, want.Expect, got.Expect)
	assert.Equal(t, resolved, again.Resolved())
}
