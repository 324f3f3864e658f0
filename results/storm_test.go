package results

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

// twoLeaves is hosts h0 and h1 on leaf0, h2 and h3 on leaf1, and one spine. Port
// 2i leads from host i to its leaf, 2i+1 back; 8 to 11 join leaves and spine.
func twoLeaves() *Run {
	const leaf0, leaf1, spine = 4, 5, 6
	run := &Run{Nodes: []string{"h0", "h1", "h2", "h3", "leaf0", "leaf1", "spine0"}, Workloads: []Workload{{Name: "w"}}}
	run.Manifest.SimulatedTime = sim.Millisecond
	cable := func(a, b int32) {
		run.Ports = append(run.Ports, PortRow{Node: a, Peer: b, Rate: sim.Gbps}, PortRow{Node: b, Peer: a, Rate: sim.Gbps})
	}
	for h := range int32(4) {
		cable(h, leaf0+h/2)
		run.NICs = append(run.NICs, NICRow{Node: h})
	}
	cable(leaf0, spine)
	cable(leaf1, spine)
	return run
}

const (
	leaf0ToH0    = 1
	leaf1ToSpine = 10
	spineToLeaf0 = 9
	h1ToLeaf0    = 2
	h2ToLeaf1    = 4
)

// pauses adds pauses of priority 3: port, from and to in microseconds, in order
// of from.
func pauses(run *Run, list ...[3]int) *Run {
	for _, p := range list {
		run.Pauses = append(run.Pauses, Pause{Port: int32(p[0]), From: sim.Time(p[1]) * sim.Microsecond, To: sim.Time(p[2]) * sim.Microsecond, Priority: 3})
	}
	return run
}

// shape writes a tree as "port(port(port) port)".
func shape(t *PauseTree) string {
	var write func(i int) string
	write = func(i int) string {
		text := fmt.Sprint(t.Ports[i].Port)
		inner := ""
		for j := range t.Ports {
			if t.Ports[j].Cause == i {
				if inner != "" {
					inner += " "
				}
				inner += write(j)
			}
		}
		if inner != "" {
			text += "(" + inner + ")"
		}
		return text
	}
	return write(0)
}

func TestPauseTrees(t *testing.T) {
	for _, c := range []struct {
		name   string
		pauses [][3]int
		want   []string
	}{
		{"none", nil, nil},
		{"a NIC pauses all the way back to the other leaf",
			[][3]int{{leaf0ToH0, 10, 1000}, {h1ToLeaf0, 20, 900}, {spineToLeaf0, 30, 900}, {leaf1ToSpine, 40, 900}, {h2ToLeaf1, 50, 900}},
			[]string{"1(2 9(10(4)))"}},
		{"a pause before the one that might explain it is a root of its own",
			[][3]int{{spineToLeaf0, 10, 500}, {leaf0ToH0, 20, 400}}, []string{"9", "1"}},
		{"a pause after the one that might explain it too",
			[][3]int{{leaf0ToH0, 10, 20}, {spineToLeaf0, 20, 30}}, []string{"1", "9"}},
		{"most of the paused time decides",
			[][3]int{{spineToLeaf0, 0, 10}, {leaf0ToH0, 20, 120}, {spineToLeaf0, 30, 120}}, []string{"1(9)"}},
		{"half of the paused time is not most of it",
			[][3]int{{leaf0ToH0, 0, 1000}, {spineToLeaf0, 10, 60}, {leaf1ToSpine, 20, 50}, {leaf1ToSpine, 100, 130}}, []string{"1(9)", "10"}},
		{"a little more than half is",
			[][3]int{{leaf0ToH0, 0, 1000}, {spineToLeaf0, 10, 60}, {leaf1ToSpine, 20, 50}, {leaf1ToSpine, 100, 129}}, []string{"1(9(10))"}},
		{"a host's other ports explain nothing",
			[][3]int{{h2ToLeaf1, 0, 100}, {5, 10, 50}}, []string{"4", "5"}},
		{"the peer's own port back explains nothing",
			[][3]int{{8, 0, 100}, {spineToLeaf0, 10, 50}}, []string{"8", "9"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, tree := range PauseTrees(pauses(twoLeaves(), c.pauses...)) {
				got = append(got, shape(&tree))
				assert.False(t, tree.Circular)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// Ports that wait for each other in a circle make one tree, from the one that was
// paused first.
func TestPauseTreeOfACircle(t *testing.T) {
	run := &Run{Nodes: []string{"a", "b", "c"}}
	for i := range int32(3) { // ports i: from i to i+1
		run.Ports = append(run.Ports, PortRow{Node: i, Peer: (i + 1) % 3})
	}
	pauses(run, [3]int{0, 0, 5}, [3]int{2, 1, 100}, [3]int{1, 2, 100}, [3]int{0, 10, 100})
	trees := PauseTrees(run)
	require.Len(t, trees, 1)
	assert.True(t, trees[0].Circular)
	assert.Equal(t, "0(2(1))", shape(&trees[0]))
}

// Every paused port is in exactly one tree, behind its cause, and no time is
// lost.
func TestPauseTreesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := twoLeaves()
		now := 0
		var total sim.Time
		paused := map[int32]bool{}
		for range rapid.IntRange(0, 40).Draw(t, "pauses") {
			now += rapid.IntRange(0, 20).Draw(t, "step")
			p := rapid.IntRange(0, len(run.Ports)-1).Draw(t, "port")
			length := rapid.IntRange(1, 100).Draw(t, "length")
			pauses(run, [3]int{p, now, now + length})
			total += sim.Time(length) * sim.Microsecond
			paused[int32(p)] = true
		}
		for _, tree := range PauseTrees(run) {
			for i, p := range tree.Ports {
				require.True(t, paused[p.Port], "port %d is in a tree, twice or without a pause", p.Port)
				delete(paused, p.Port)
				total -= p.Time
				require.Less(t, p.Cause, i)
				if p.Cause >= 0 {
					require.Equal(t, run.Ports[p.Port].Peer, run.Ports[tree.Ports[p.Cause].Port].Node, "the cause is a port of the pausing node")
				}
			}
		}
		require.Empty(t, paused)
		require.Zero(t, total)
	})
}

// A storm of h0 stops h2, which sends to h1: h2's flow is the victim, with the
// goodput of its samples.
func TestVictims(t *testing.T) {
	us := sim.Microsecond
	run := pauses(twoLeaves(), [3]int{leaf0ToH0, 100, 600}, [3]int{spineToLeaf0, 110, 600}, [3]int{leaf1ToSpine, 120, 600}, [3]int{h2ToLeaf1, 130, 600})
	run.Queues = []QueueRow{{Port: 0, Priority: 3, TxXoff: 5}}
	run.Workloads = append(run.Workloads, Workload{Name: "elsewhere"})
	run.Flows = []FlowRow{
		{Src: 2, Dst: 1, Priority: 3, Start: 50 * us, Completed: 700 * us},
		{Src: 2, Dst: 1, Priority: 3, Start: 60 * us, Unfinished: RunEnded},
		{Src: 2, Dst: 0, Priority: 3, Start: 60 * us, Unfinished: RunEnded},
		{Src: 2, Dst: 1, Priority: 3, Start: 10 * us, Completed: 90 * us},              // over before
		{Src: 2, Dst: 1, Priority: 3, Start: 650 * us, Completed: 800 * us},            // began later
		{Src: 2, Dst: 1, Priority: 0, Start: 50 * us, Completed: 700 * us},             // not paused
		{Src: 3, Dst: 2, Priority: 3, Start: 50 * us, Completed: 60 * us, Workload: 1}, // its NIC was not
	}
	run.Series = []Series{{Kind: RateSeries, Name: "w", Start: 50 * us, Step: 50 * us,
		Values: []float64{0, 40e9, 4e9, 0, 0, 0, 0, 0, 0, 0, 0, 2e9, 10e9, 30e9, 0}}}
	trees := PauseTrees(run)
	require.Len(t, trees, 1)
	host, ok := trees[0].RootHost(run)
	assert.True(t, ok)
	assert.Equal(t, "h0", run.Nodes[host])
	require.Len(t, trees[0].Victims, 1)
	assert.Equal(t, Victim{Workload: 0, ToRoot: 1, Others: 2, OthersUnfinished: 1, Before: 40e9, During: 0.6e9, After: 20e9}, trees[0].Victims[0])

	s := Summarise(run)
	require.Len(t, s.Storms, 1)
	assert.Equal(t, "h0", s.Storms[0].Host)
	assert.Equal(t, "leaf0:0>h0", s.Storms[0].Root)
	assert.InDelta(t, 1, s.Storms[0].Paused, 1e-9)
	assert.Equal(t, 3, s.Storms[0].Hops)
	assert.Equal(t, VictimSummary{Workload: "w", ToRoot: 1, Others: 2, OthersUnfinished: 1, BeforeGbps: 40, DuringGbps: 0.6, AfterGbps: 20}, s.Storms[0].Victims[0])
}

// What expectations may ask of watchdogs.
func TestWatchdogMetrics(t *testing.T) {
	m := NewMetrics(tiny())
	for text, want := range map[string]float64{
		"pfcwd.storms == 0": 1, "pfcwd.drops == 0": 6, "pfcwd.storms{node=h0} == 0": 0, "pfcwd.storms{priority=4} == 0": 0,
		"out_of_buffer == 0": 0,
	} {
		e, err := ParseExpectation(text)
		require.NoError(t, err)
		got := Evaluate([]Expectation{e}, m)
		assert.InDelta(t, want, got[0].Value, 0, text)
	}
}
