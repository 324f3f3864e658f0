package explain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

// A page about 2,000 hosts that all send to each other: 4 M connections.
func BenchmarkReport2000(b *testing.B) {
	sc, err := scenarios.Parse("big.yaml", []byte(`
name: big
stop: {time: 1ms}
fabric: {topology: leaf-spine, leaves: 50, spines: 20, hosts: 2000, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 400Gbps, cable: 30m}}
switch: {preset: sonic-tomahawk3, dscp_to_tc: {26: 3, 48: 6}}
nic: {preset: connectx-7}
cc: {preset: connectx}
workload: [{name: w, type: all-to-all, bytes: 64KiB}]
`), nil)
	require.NoError(b, err)
	p, err := sc.Plan()
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		New(p, "")
	}
}
