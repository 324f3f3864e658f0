package scenarios

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// deadlockPlan reads a built-in scenario, changed by sets.
func deadlockPlan(t *testing.T, name string, sets ...string) *Plan {
	t.Helper()
	e, err := FindScenario(name)
	require.NoError(t, err)
	sc, err := Parse(name, e.Text, sets)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	return p
}

func runPlan(t *testing.T, p *Plan) *results.Run {
	t.Helper()
	run, err := p.Run(context.Background(), RunOptions{})
	require.NoError(t, err)
	return run
}

// Each scenario that deadlocks is known to be able to before it runs, and says
// so in its results; those with a cure are free of any risk.
func TestDeadlockRisks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"deadlock-ring-3": {"buffers can wait for each other in a circle (cyclic buffer dependency), so a deadlock is possible: " +
			"sw0>sw1 priority 3 -> sw1>sw2 priority 3 -> sw2>sw0 priority 3 -> back to sw0>sw1"},
		"deadlock-routing-loop": {"buffers can wait for each other in a circle (cyclic buffer dependency), so a deadlock is possible: " +
			"sw0>sw1 priority 3 -> sw1>sw0 priority 3 -> back to sw0>sw1",
			"packets to h1 can go in circles until their hop limit is reached: sw0 > sw1 > sw0"},
		"deadlock-after-link-failure": {"without link leaf0:spine1 buffers can wait for each other in a circle (cyclic buffer dependency), so a deadlock is possible: " +
			"leaf2>spine1 priority 3 -> spine1>leaf2 priority 3 -> back to leaf2>spine1",
			"without link leaf0:spine1 packets to h0 can go in circles until their hop limit is reached: leaf2 > spine1 > leaf2"},
		"ring-3-one-hop":     nil,
		"clos-detour-tagger": nil,
		"dual-tor-remap":     nil,
		"cluster-200":        nil,
	} {
		assert.Equal(t, want, deadlockPlan(t, name).DeadlockRisks(false), name)
	}
	for _, e := range Library() {
		if strings.Contains(e.Name, "deadlock") {
			assert.NotEmpty(t, deadlockPlan(t, e.Name).DeadlockRisks(false), e.Name)
		}
	}
	run := runPlan(t, deadlockPlan(t, "deadlock-ring-3"))
	assert.Contains(t, strings.Join(run.Manifest.Notes, "\n"), "sw0>sw1 priority 3 -> sw1>sw2 priority 3")
}

// With failures, every link between switches is taken out in turn.
func TestDeadlockRisksOfFailures(t *testing.T) {
	t.Parallel()
	p := deadlockPlan(t, "deadlock-after-link-failure", "faults=[]")
	assert.Empty(t, p.DeadlockRisks(false))
	risks := p.DeadlockRisks(true)
	require.Len(t, risks, 2)
	assert.Contains(t, risks[0], "without link leaf0:spine1 buffers can wait")
	assert.Empty(t, deadlockPlan(t, "cluster-200").DeadlockRisks(true))
}

// Traffic of entries that connect while the run is under way counts too, and
// that of datagrams goes one way.
func TestDeadlockTraffic(t *testing.T) {
	ring := func(entry string) []string {
		return deadlockPlan(t, "deadlock-ring-3", "workload=["+entry+"]").DeadlockRisks(false)
	}
	assert.Len(t, ring("{name: w, type: poisson, bytes: 1KB, load: 50%}"), 1)
	assert.Len(t, ring("{name: w, type: flows, flows: [{from: h0, to: h2, bytes: 1KB}, {from: h1, to: h0, bytes: 1KB}, {from: h2, to: h1, bytes: 1KB}]}"), 1)
	assert.Empty(t, ring("{name: w, type: datagrams, pairs: [[h0, h1], [h1, h2], [h2, h0]], rate: 1Gbps, bytes: 1KB}"))
	assert.Len(t, ring("{name: w, type: saturate, pairs: [[h0, h1], [h1, h2], [h2, h0]], bytes: 1KB}"), 1, "ACKs go clockwise too")
	assert.Empty(t, ring("{name: w, type: poisson, bytes: 1KB, load: 50%, dscp: 0}"), "a lossy class")
}

// A cured network runs to its end: a lower hop limit for the routing loop
// (Hu et al., HotNets 2016: r < n B / t), a watchdog for the pair of top-of-rack
// switches (L27), which breaks the circle after its detection time.
func TestDeadlockCures(t *testing.T) {
	t.Parallel()
	run := runPlan(t, deadlockPlan(t, "deadlock-routing-loop", "nic.ttl=8"))
	assert.Equal(t, results.StoppedTime, run.Manifest.Stop)
	assert.Empty(t, run.Manifest.Deadlocks)

	run = runPlan(t, deadlockPlan(t, "deadlock-dual-tor",
		"switch.watchdog={detect: 20ms, poll: 10ms, restore: 20ms}", "stop.time=100ms"))
	assert.Equal(t, results.StoppedTime, run.Manifest.Stop)
	require.Len(t, run.Manifest.Deadlocks, 1)
	m := results.NewMetrics(run)
	dropped, err := m.Value("drops.lossless", results.Label{Key: "cause", Value: "PFC watchdog"})
	require.NoError(t, err)
	assert.NotZero(t, dropped)
	last := run.Flows[len(run.Flows)-1].Start
	assert.Greater(t, last.Seconds(), 0.099, "senders are at work at the end")

	alert := deadlockPlan(t, "deadlock-dual-tor", "switch.watchdog={detect: 20ms, poll: 10ms, restore: 20ms, action: alert}")
	assert.Equal(t, results.Deadlocked, runPlan(t, alert).Manifest.Stop, "an alert cures nothing")
}
