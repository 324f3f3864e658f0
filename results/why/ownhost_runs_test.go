package why_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/why"
	"rocesim/scenarios"
)

// What keeps a message in its host, from simulations whose cause is known by
// construction: 30 messages of one adapter to hosts that nobody else sends to,
// which no queue of the switch marks; seven senders of one message each to one
// host, which DCQCN slows down; and both at once.
func TestOwnHostOfSimulations(t *testing.T) {
	const (
		incast = "{name: cut, type: incast, senders: [h0, h7, h8, h9, h10, h11, h12], receivers: [h15], bytes: 4MB}"
		behind = "behind other messages of its own"
		slowed = "congestion control had cut rates of cut"
	)
	many := "{name: many, type: flows, flows: [" + strings.Join(slices.Repeat([]string{
		"{from: h0, to: h1, bytes: 256KiB}", "{from: h0, to: h2, bytes: 256KiB}", "{from: h0, to: h3, bytes: 256KiB}",
	}, 10), ", ") + "]}"
	for _, c := range []struct {
		name, workloads, of string
		has, hasNot         []string
	}{
		{"many flows of one host", many, "many", []string{behind}, []string{"congestion control"}},
		{"one flow under an incast", incast, "cut", []string{slowed}, []string{behind}},
		{"both, the messages", many + ", " + incast, "many", []string{behind}, nil},
		{"both, the incast", many + ", " + incast, "cut", []string{slowed}, nil},
	} {
		findings := why.Explain(simulated(t, c.workloads))
		at := slices.IndexFunc(findings, func(f results.Finding) bool { return strings.HasPrefix(f.What, "The slowest message of "+c.of) })
		require.GreaterOrEqual(t, at, 0, c.name)
		for _, part := range c.has {
			require.Contains(t, findings[at].What, part, c.name)
		}
		for _, part := range c.hasNot {
			require.NotContains(t, findings[at].What, part, c.name)
		}
		t.Log(findings[at].What)
	}
}

func simulated(t *testing.T, workloads string, sets ...string) *results.Run {
	t.Helper()
	sc, err := scenarios.Parse("own.yaml", []byte(`
name: own
stop: {when: flows-done, max: 20ms}
fabric: {topology: star, hosts: 16, host_link: {rate: 100Gbps, cable: 3m}}
switch: {preset: sonic-tomahawk3, dscp_to_tc: {26: 3, 48: 6}, ecn: {kmin: 50KB, kmax: 200KB, pmax: 20%}}
nic: {preset: connectx-6-dx, dscp: 26}
cc: {algorithm: dcqcn, preset: connectx}
workload: [`+workloads+`]
`), sets)
	require.NoError(t, err)
	run, err := scenarios.Run(context.Background(), sc, scenarios.RunOptions{})
	require.NoError(t, err)
	return run
}
