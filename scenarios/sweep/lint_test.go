package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

// What lint shall not tell of changes no run, so finished runs stay valid.
func TestLintSectionIsNoPartOfAJob(t *testing.T) {
	const text = "name: x\nfabric: {topology: star, hosts: 2, host_link: {rate: 100Gbps, cable: 3m}}\n" +
		"workload: [{name: w, type: flows, flows: [{from: h0, to: h1, bytes: 1MB}]}]\n"
	with, err := scenarios.Parse("x.yaml", []byte(text+"lint: {ignore: [{code: RS201, reason: meant}]}\n"), nil)
	require.NoError(t, err)
	without, err := scenarios.Parse("x.yaml", []byte(text), nil)
	require.NoError(t, err)
	assert.Equal(t, string(simulated(without).Resolved()), string(simulated(with).Resolved()))
	assert.Contains(t, string(with.Resolved()), "reason: meant", "the resolved scenario keeps it")
}
