package why_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/why"
)

// After NVIDIA/nccl issue 2409: the fabric carries the line rate, and an
// application that needs 11 us between chunks of 128 KiB, one at a time, does not
// use it. Alone, a chunk takes 32 frames of 4178 B on the line, 10.7 us, and about
// 3 us; with 11 us more that is 42.5 Gb/s of 100 Gb/s. The remedies work.
func TestNotTheFabricOfSimulations(t *testing.T) {
	const loop = "name: chunks, type: saturate, pairs: [[h0, h1]], stop: 2ms, bytes: 128KiB, gap: 11us"
	for _, c := range []struct {
		name, workloads, want string
	}{
		{"one at a time", "{" + loop + "}", "h0 has 1 message of 131.1 KB outstanding; one takes 13.64 us"},
		{"the remedy, more of them", "{" + loop + ", depth: 3}", ""},
		{"the remedy, on queue pairs", "{" + loop + ", qps: 3}", ""},
		{"line rate", "{name: stream, type: saturate, pairs: [[h0, h1]], stop: 1ms, bytes: 128KiB, depth: 16}", ""},
		{"congestion", "{name: incast, type: saturate, pairs: [[h0, h3], [h1, h3], [h2, h3]], stop: 1ms, bytes: 64KiB}", ""},
		{"a low load", "{name: random, type: poisson, bytes: 64KiB, load: 10%, stop: 1ms}", ""},
		{"one round", "{name: once, type: permutation, bytes: 64KiB}", ""},
	} {
		findings := why.Explain(simulated(t, c.workloads))
		at := slices.IndexFunc(findings, func(f results.Finding) bool { return strings.HasPrefix(f.What, "Not the fabric") })
		if c.want == "" {
			require.Negative(t, at, "%s: %+v", c.name, findings)
			continue
		}
		require.GreaterOrEqual(t, at, 0, c.name)
		require.Contains(t, findings[at].What, c.want, c.name)
		require.Contains(t, findings[at].What, ", and the next is posted 11 us after a completion. 131.1 KB every 2", c.name)
		require.Contains(t, findings[at].What, "of 100 Gbps.", c.name)
		require.Contains(t, findings[at].Remedy, "have 3 messages of 131.1 KB outstanding to fill the line", c.name)
		t.Log(findings[at].What)
	}
}
