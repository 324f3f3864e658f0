package lint_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

// large has 2,048 hosts that all exchange with each other, four million pairs, and
// a mistake that shows at every link.
const large = `
name: large
stop: {time: 1ms}
fabric: {topology: leaf-spine, leaves: 64, spines: 16, hosts: 2048, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 400Gbps, cable: 30m}}
switch:
  preset: sonic-tomahawk3
  dscp_to_tc: {26: 3}
  headroom: {bytes: 10KB}
  overrides: [{match: "spine*", dscp_to_tc: {26: 4}}]
nic: {preset: connectx-6-dx}
cc: {preset: connectx}
workload: [{name: a, type: all-to-all, bytes: 64KiB}]
`

// However large a fabric is, what is said of it stays short.
func TestLargeFabricIsShort(t *testing.T) {
	found := lint.Check(resolve(t, large))
	report := lint.NewReport("test.yaml", found, rules.Info)
	var out bytes.Buffer
	require.NoError(t, report.WriteText(&out))
	assert.LessOrEqual(t, strings.Count(out.String(), "\n"), 45, out.String())
	require.Len(t, of(found, "class-differs-on-link"), 1)
	assert.Len(t, of(found, "class-differs-on-link")[0].Places(), 16)
	require.Len(t, of(found, "headroom-too-small"), 2, "one for each rate")
	assert.Len(t, of(found, "headroom-too-small")[0].Places(), 2048)
}

func BenchmarkLargeFabric(b *testing.B) {
	plan := resolve(b, large)
	for b.Loop() {
		lint.Check(plan)
	}
}
