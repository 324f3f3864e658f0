package scenarios

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
)

// pairScenario is two hosts on a switch; what follows is added at the top
// level.
const pairScenario = `
name: faulty
stop: {when: flows-done, max: 1s}
fabric: {topology: star, hosts: 2, host_link: {rate: 100Gbps, cable: 3m}}
switch: {preset: sonic-tomahawk3, dscp_to_tc: {26: 3, 48: 6}}
nic: {preset: connectx-6-dx, dscp: 26}
workload:
  - {name: w, type: flows, flows: [{from: h0, to: h1, bytes: 40MB}]}
output: {sample: 0ns}
`

// simulate runs a scenario that must load.
func simulate(t *testing.T, text string, sets ...string) *results.Run {
	t.Helper()
	sc, err := Parse("test.yaml", []byte(text), sets)
	require.NoError(t, err)
	run, err := Run(context.Background(), sc, RunOptions{})
	require.NoError(t, err)
	return run
}

func dropped(run *results.Run, cause, kind string) (n int64) {
	for _, d := range run.Drops {
		if d.Cause == cause && d.Kind == kind {
			n += d.Packets
		}
	}
	return n
}

// An error rate above 0 must not hang a run, as it does in an ns-3 front end
// (astra-sim/astra-network-ns3 issue 12): with 1e-4 on one link the run ends,
// the flow takes longer, and what was sent again is reported.
func TestErrorRateEndsTheRun(t *testing.T) {
	clean := simulate(t, pairScenario)
	lossy := simulate(t, pairScenario+`
faults:
  - {link: "h0:sw0", loss: 1e-4, kind: data, direction: forward}
`)
	require.Equal(t, results.Finished, lossy.Manifest.Stop)
	require.NotZero(t, lossy.Flows[0].Completed)
	lost := dropped(lossy, "loss", "data")
	assert.Positive(t, lost)
	assert.Greater(t, lossy.Flows[0].FCT(), clean.Flows[0].FCT())
	assert.GreaterOrEqual(t, lossy.NICs[0].Retransmitted, lost)
	assert.Contains(t, lossy.Manifest.Notes, "fault all the time: link h0:sw0 loses data packets with probability 0.0001 (forward)")

	require.Len(t, lossy.Drops, 1)
	d := lossy.Drops[0]
	assert.Equal(t, "h0:0>sw0", lossy.PortName(d.Port), "the port that sent it")
	assert.Equal(t, uint8(3), d.Priority)
	assert.True(t, d.Lossless)
	s := results.Summarise(lossy)
	assert.False(t, s.Verdict.Lossless)
	assert.Contains(t, s.Verdict.Text, "NOT LOSSLESS")
	assert.Contains(t, s.Verdict.Text, "loss at h0:0>sw0")
}

// Causes and places of losses on links, by the fault that makes them.
func TestCausesOfLosses(t *testing.T) {
	for _, tc := range []struct{ fault, cause, kind, port string }{
		{`{link: "h0:sw0", ber: 1e-8, direction: forward}`, "bit error", "data", "h0:0>sw0"},
		{`{link: "sw0:h0", drop_every: 100, kind: ack, direction: forward}`, "loss", "ack", "sw0:0>h0"},
		{`{link: "h0:sw0", drop_every: 100, kind: ack, direction: back}`, "loss", "ack", "sw0:0>h0"},
		{`{link: "h1:sw0", drop_every: 100, kind: ack}`, "loss", "ack", "h1:0>sw0"},
		{`{at: 1ms, for: 100us, link: "h1:sw0", down: true}`, "link down", "data", "sw0:1>h1"},
		{`{at: 1ms, for: 100us, switch: sw0, reboot: true}`, "switch reboot", "data", "h0:0>sw0"},
	} {
		t.Run(tc.fault, func(t *testing.T) {
			run := simulate(t, pairScenario+"faults: ["+tc.fault+"]\n")
			assert.Equal(t, results.Finished, run.Manifest.Stop)
			assert.Positive(t, dropped(run, tc.cause, tc.kind))
			found := slices.ContainsFunc(run.Drops, func(d results.DropRow) bool {
				return d.Cause == tc.cause && d.Kind == tc.kind && run.PortName(d.Port) == tc.port
			})
			assert.True(t, found, run.Drops)
			for _, d := range run.Drops {
				assert.Equal(t, tc.cause, d.Cause)
			}
		})
	}
}

// A degraded lane: the flow takes as long as its new rate says.
func TestDegradedLinkScenario(t *testing.T) {
	run := simulate(t, pairScenario+`
faults: [{link: "h1:sw0", rate: 25Gbps}]
`)
	goodput := 40e6 * 8 / run.Flows[0].FCT().Seconds()
	assert.InEpsilon(t, 25e9*4096/4178, goodput, 0.01)
	assert.Empty(t, run.Drops, "PFC holds the sender back")
}

// Lost pause frames are no packets of a class: they are noted.
func TestLostPauseFramesAreNoted(t *testing.T) {
	run := simulate(t, strings.Replace(pairScenario, "hosts: 2", "hosts: 3", 1)+`
cc: {preset: none}
faults: [{link: "h*:sw0", loss: 30%, kind: pause, direction: back}]
`, `workload[w].flows=[{from: h0, to: h2, bytes: 40MB}, {from: h1, to: h2, bytes: 40MB}]`,
		"switch.lossless.xoff=100KB")
	notes := strings.Join(run.Manifest.Notes, "\n")
	assert.Contains(t, notes, "fault all the time: link h*:sw0 loses pause frames with probability 0.3 (back)")
	assert.Regexp(t, `[0-9]+ pause frames of sw0:0>h0 were lost \(loss\)`, notes)
	for _, d := range run.Drops {
		assert.NotEqual(t, "loss", d.Cause)
	}
}

// CNPs that are lost slow nobody down: the senders push the queue into PFC.
func TestLostCNPScenario(t *testing.T) {
	text := strings.Replace(pairScenario, "hosts: 2", "hosts: 3", 1) + `
faults: [{link: "h2:sw0", loss: 100%, kind: cnp, direction: forward}]
`
	set := `workload[w].flows=[{from: h0, to: h2, bytes: 100MB}, {from: h1, to: h2, bytes: 100MB}]`
	lossy := simulate(t, text, set)
	clean := simulate(t, text, set, "faults=[]")
	assert.Positive(t, lossy.NICs[2].CNPSent)
	assert.Zero(t, lossy.NICs[0].CNPHandled+lossy.NICs[1].CNPHandled)
	assert.Equal(t, lossy.NICs[2].CNPSent, dropped(lossy, "loss", "cnp"))
	assert.Positive(t, clean.NICs[0].CNPHandled)
	assert.Greater(t, results.SummarisePFC(lossy).XoffFrames, results.SummarisePFC(clean).XoffFrames)
}

// What a fault has besides what was written is in the resolved scenario, and
// reading that gives the same faults.
func TestResolvedFaults(t *testing.T) {
	sc, err := Parse("test.yaml", []byte(pairScenario+`
faults:
  - {at: 1ms, for: 2us, link: "h0:sw0", loss: 0.1%}
  - {link: "h1:sw0", ber: 1e-9}
  - {at: 5ms, link: "h*:sw0", down: true}
`), nil)
	require.NoError(t, err)
	resolved := string(sc.Resolved())
	assert.Contains(t, resolved, `faults:
  - at: 1ms
    for: 2us
    link: h0:sw0
    loss: 0.001
    kind: all
    direction: both
  - at: 0ps
    link: h1:sw0
    ber: 1e-09
    direction: both
  - at: 5ms
    link: h*:sw0
    down: true
`)
	again, err := Parse("resolved.yaml", []byte(resolved), nil)
	require.NoError(t, err)
	a, err := sc.Plan()
	require.NoError(t, err)
	b, err := again.Plan()
	require.NoError(t, err)
	assert.Equal(t, a.Faults, b.Faults)
	require.Len(t, a.Faults, 4, "the pattern names two links")
	assert.Equal(t, 50*sim.Millisecond, a.Convergence)
}
