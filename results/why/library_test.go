package why_test

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/why"
	"rocesim/scenarios"
)

// Built-in scenarios of public reports are explained as the reports were in the
// end: what was wrong is the first finding, or among them.
func TestExplanationsOfTheLibrary(t *testing.T) {
	for name, want := range map[string][]string{
		// sonic-net/SONiC issue 480: headroom of 0. Frames of 4194 B on the wire take
		// 335.5 ns: 50 + 500 + 335.5 + 5.8 + 334.6 ns.
		"no-headroom": {`^\d[\d,]* packets dropped in a lossless class because headroom overran: 16,696 B needed, 0 B configured \(cable there and back 50 ns \+ ` +
			`response of the peer 500 ns \+ the frames at both ends and the pause 675.8 ns = 1.226 us at 100Gbps, in which 3 frames begin; with the one that crosses XOFF 4 x 4,174 B\)`, `^PFC fired`},
		// sonic-buildimage pull request 25208: 300 m of cable, headroom of 5 m.
		"long-cable": {`because headroom overran: 50,688 B needed, 30,720 B configured \(cable there and back 3 us .* with the one that crosses XOFF 12 x 4,224 B\)`},
		// sonic-buildimage issue 4545: ECN that is not enabled.
		"no-marks": {`^ECN never marked because no queue that carried anything has a profile: dcqcn runs on the NICs and never hears of congestion\.`, `^PFC fired`},
		// protoviz issue 30: marks that no NIC acts on, and a victim.
		"marks-without-dcqcn": {`^ECN marked [\d,]+ packets but the sender did not slow down because no congestion control listens`,
			`^The slowest message of victim .* which is not even on its way to h14: it is a victim of head-of-line blocking\.`},
		// sonic-buildimage issue 20590: only the lossless priorities pause.
		"lossless-among-lossy": {`^[\d,]+ packets dropped in a lossy class because the lossy queue sw0:4>h4 priority 0 was at its limit \(200 KB\)`,
			`^PFC fired .* the priority group sw0:\d>h\d priority [34] reached its XOFF threshold`},
		// SimAI issue 174: 10 ms of link; 2 x 10 ms x 12.5 GB/s = 250 MB on the wire.
		"wide-area-link":        {`^Headroom is smaller than the worst case: 400,000 B configured, 248,816,314 B could be needed \(cable there and back 20 ms .* with the one that crosses XOFF 59,611 x 4,174 B\)`},
		"adapter-ignores-pause": {`^\d+ packets dropped in a lossless class because h1 does not obey pauses of priority 3`},
		"one-spine-without-pfc": {`because spine1 does not obey pauses of priority 3: leaf1 had sent \d+ XOFF frames`},
		"dscp-not-mapped":       {`because their sender takes DSCP 26 for lossless, but leaf0 puts it into priority group 0, which is lossy there \(egress limit\)`},
		"lost-pauses":           {`because pause frames got lost: sw0 sent \d+, h0 received \d+`},
		"lost-notifications":    {`but senders slowed down less than they should because \d+ of \d+ CNPs got lost`},
		"acks-behind-incast":    {`^The slowest message of away .* had arrived after 7\.\d+ us, and the ACK needed 937\.1 us for the way back: the narrowest hop on it is sw0:0>h0 `},
		"slow-receiver":         {`^h1 pauses the fabric: sw0:1>h1 priority 3 was not allowed to send 6\d[\d.]* % of the run`},
		"deadlock-ring-3":       {`^Buffers wait for each other in a circle: deadlock at .*: sw0>sw1 priority 3 .* -> sw1>sw2 priority 3 .* -> sw2>sw0 priority 3 .* -> back to sw0>sw1\.$`},
		"single-flow":           {`^PFC never fired because `, `^ECN never marked because no queue exceeded Kmin`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := library(t, name)
			findings := why.Explain(run)
			for _, pattern := range want {
				wanted := regexp.MustCompile(pattern)
				assert.True(t, slices.ContainsFunc(findings, func(f results.Finding) bool { return wanted.MatchString(f.What) }),
					"%s\n%+v", pattern, findings)
			}
			explainsEveryDrop(t, run, findings)
			sameAfterReading(t, run, findings)
		})
	}
}

func library(t *testing.T, name string) *results.Run {
	t.Helper()
	entry, err := scenarios.FindScenario(name)
	require.NoError(t, err)
	sc, err := scenarios.Parse(name+".yaml", entry.Text, nil)
	require.NoError(t, err)
	run, err := scenarios.Run(context.Background(), sc, scenarios.RunOptions{})
	require.NoError(t, err)
	return run
}

// explainsEveryDrop requires that errors name as many packets as were dropped
// in lossless classes.
func explainsEveryDrop(t *testing.T, run *results.Run, findings []results.Finding) {
	t.Helper()
	var want, got float64
	for _, d := range run.Drops {
		if d.Lossless {
			want += float64(d.Packets)
		}
	}
	for _, f := range findings {
		if f.Severity == results.SeverityError && len(f.Numbers) > 0 && f.Numbers[0].Name == "packets" {
			got += f.Numbers[0].Value
		}
	}
	assert.InDelta(t, want, got, 0)
}

// sameAfterReading requires that the run directory explains as the run did.
func sameAfterReading(t *testing.T, run *results.Run, findings []results.Finding) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	s := results.Summarise(run)
	require.NoError(t, results.Write(dir, run, &s))
	back, err := results.Read(dir)
	require.NoError(t, err)
	assert.Equal(t, findings, why.Explain(back))
}
