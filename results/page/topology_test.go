package page

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
)

// wired is a run with hosts, switches and cables between nodes, by name.
func wired(hosts, switches []string, cables ...[2]string) *results.Run {
	run := &results.Run{Manifest: results.Manifest{SimulatedTime: 1000 * us}, Nodes: append(slices.Clone(hosts), switches...)}
	for i := range hosts {
		run.NICs = append(run.NICs, results.NICRow{Node: int32(i)})
	}
	used := make([]int32, len(run.Nodes))
	for _, c := range cables {
		a, b := int32(slices.Index(run.Nodes, c[0])), int32(slices.Index(run.Nodes, c[1]))
		run.Ports = append(run.Ports,
			results.PortRow{Node: a, Number: used[a], Peer: b, PeerNumber: used[b], Rate: 100 * sim.Gbps, WireBytes: 6_250_000},
			results.PortRow{Node: b, Number: used[b], Peer: a, PeerNumber: used[a], Rate: 100 * sim.Gbps})
		used[a]++
		used[b]++
	}
	return run
}

func names(prefix string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(prefix, i))
	}
	return all
}

// leafSpine has dual-homed hosts, as cluster-200 has.
func leafSpine(hosts, leaves, spines int) *results.Run {
	var cables [][2]string
	for h := range hosts {
		pair := h * (leaves / 2) / hosts * 2
		cables = append(cables, [2]string{fmt.Sprint("h", h), fmt.Sprint("leaf", pair)}, [2]string{fmt.Sprint("h", h), fmt.Sprint("leaf", pair+1)})
	}
	for l := range leaves {
		for s := range spines {
			cables = append(cables, [2]string{fmt.Sprint("leaf", l), fmt.Sprint("spine", s)})
		}
	}
	return wired(names("h", hosts), append(names("leaf", leaves), names("spine", spines)...), cables...)
}

func TestLevels(t *testing.T) {
	n := newNetwork(leafSpine(4, 4, 2))
	require.Equal(t, []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2}, n.level)
	require.Len(t, n.cables, 16)
	for _, c := range n.cables {
		a, b := n.peers(c)
		require.Less(t, n.level[a], n.level[b])
	}
	lost := newNetwork(wired([]string{"h0"}, []string{"s0", "s1", "s2"}, [2]string{"h0", "s0"}, [2]string{"s1", "s2"}))
	require.Equal(t, []int{0, 1, 1, 1}, lost.level, "switches that no host reaches")
}

// 200 hosts on 20 leaves become 10 boxes, and no box covers another.
func TestClusterIsLegible(t *testing.T) {
	n := newNetwork(leafSpine(200, 20, 5))
	groups, of := n.groups()
	require.Len(t, groups, 25+10)
	require.Equal(t, "h0\u2013h19", groups[25].name)
	l := place(n, groups, of)
	require.InDelta(t, drawWidth, l.width, 0)
	for i := range groups {
		for k := range i {
			near := math.Abs(l.at[i].x-l.at[k].x) < l.room(groups, i) && math.Abs(l.at[i].y-l.at[k].y) < boxHeight+14
			require.False(t, near, "%s covers %s", groups[i].name, groups[k].name)
		}
		require.Less(t, l.at[i].y+boxHeight, l.height)
	}
	lines := n.lines(groups, of)
	require.Len(t, lines, 100+20)
	bundle := slices.IndexFunc(lines, func(l line) bool { return len(l.ports[0]) > 1 })
	require.Len(t, lines[bundle].ports[0], 20)
	require.Len(t, lines[bundle].ports[1], 20)
}

// A row is as wide as its names need, up to a limit.
func TestWideNetwork(t *testing.T) {
	n := newNetwork(leafSpine(400, 128, 2))
	groups, of := n.groups()
	l := place(n, groups, of)
	require.InDelta(t, 2*margin+128*(7*letter+12), l.width, 0.001)
	require.Equal(t, "leaf127", fitting(groups[127].name, l.room(groups, 127)))
	part, err := Topology(n.run)
	require.NoError(t, err)
	require.NotContains(t, string(part.Sections[0].Body), `class="narrow"`)
	part, err = Topology(leafSpine(200, 20, 5))
	require.NoError(t, err)
	require.Contains(t, string(part.Sections[0].Body), `id="enlarge" class="narrow"`)
}

func TestRingIsRound(t *testing.T) {
	run := wired(names("h", 4), names("sw", 4), [2]string{"h0", "sw0"}, [2]string{"h1", "sw1"}, [2]string{"h2", "sw2"}, [2]string{"h3", "sw3"},
		[2]string{"sw0", "sw1"}, [2]string{"sw1", "sw2"}, [2]string{"sw2", "sw3"}, [2]string{"sw3", "sw0"})
	n := newNetwork(run)
	groups, of := n.groups()
	l := place(n, groups, of)
	require.True(t, l.round)
	centre := point{l.width / 2, l.height / 2}
	for i := range groups {
		dx, dy := (l.at[i].x-centre.x)/1.25, l.at[i].y-centre.y
		want := 100.0
		if groups[i].hosts {
			want += hostGap
		}
		require.InDelta(t, want, math.Hypot(dx, dy), 25)
	}
}

// A chain of switches is a row: only what would cross a switch is a bow.
func TestChainIsARow(t *testing.T) {
	run := wired([]string{"h0"}, names("s", 3), [2]string{"h0", "s0"}, [2]string{"h0", "s1"}, [2]string{"h0", "s2"}, [2]string{"s0", "s1"}, [2]string{"s0", "s2"})
	n := newNetwork(run)
	groups, of := n.groups()
	l := place(n, groups, of)
	require.False(t, l.round)
	lines := n.lines(groups, of)
	require.Regexp(t, `^M\S+ 34\.0Q\S+ 34\.0 \S+ 34\.0$`, half(&lines[3], 0, &l, groups))
	require.NotRegexp(t, `^M\S+ 34\.0Q\S+ 34\.0`, half(&lines[4], 0, &l, groups))
}

// Parallel cables lie beside each other, and the halves of a cable do not meet.
func TestParallelCables(t *testing.T) {
	run := wired([]string{"h0"}, []string{"s0", "s1"}, [2]string{"h0", "s0"}, [2]string{"s0", "s1"}, [2]string{"s0", "s1"}, [2]string{"s0", "s1"})
	n := newNetwork(run)
	groups, of := n.groups()
	var offsets []float64
	lines := n.lines(groups, of)
	for _, l := range lines {
		offsets = append(offsets, l.offset)
	}
	require.Equal(t, []float64{0, -6, 0, 6}, offsets)
	l := place(n, groups, of)
	require.NotEqual(t, half(&lines[1], 0, &l, groups), half(&lines[2], 0, &l, groups))
	require.NotEqual(t, half(&lines[1], 0, &l, groups), half(&lines[1], 1, &l, groups))
}

func TestDrawingIsDeterministicAndWhole(t *testing.T) {
	run := leafSpine(40, 4, 2)
	var first string
	for range 3 {
		n := newNetwork(run)
		d := draw(n, n.loads())
		if first == "" {
			first = string(d.svg)
		}
		require.Equal(t, first, string(d.svg))
		ports := map[int32]bool{}
		for _, l := range d.lanes {
			for _, p := range l.ports {
				require.False(t, ports[p], "port %d is in two lanes", p)
				ports[p] = true
			}
		}
		require.Len(t, ports, len(run.Ports))
	}
	require.NotContains(t, first, "NaN")
	require.Contains(t, first, "Network of 40 hosts, 6 switches and 88 cables; hosts with the same switches share one of 2 boxes.")
	require.Contains(t, first, "h0\u2013h19 &gt; leaf0, 20 links of 100 Gbps\nutilisation: mean 50 %, most 50 %")
	require.Equal(t, strings.Count(first, "<path"), strings.Count(first, "</title></path>"))
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		value, top float64
		want       int
	}{{0, 1, 0}, {1e-9, 1, 1}, {1.0 / 7, 1, 1}, {0.5, 1, 4}, {1, 1, 7}, {1.2, 1, 7}, {1, 0, 0}} {
		require.Equal(t, c.want, step(c.value, c.top), "%v of %v", c.value, c.top)
	}
}

func TestNotDrawn(t *testing.T) {
	part, err := Topology(&results.Run{})
	require.NoError(t, err)
	require.Contains(t, string(part.Sections[0].Body), "The run has no cables to draw.")
	require.Equal(t, "The network is not drawn: it has 5,000 cables, too many to be told apart. The tables have them all.", notDrawn(5000))
}

func TestFitting(t *testing.T) {
	require.Equal(t, "leaf0", fitting("leaf0", 60))
	require.Equal(t, "\u202612", fitting("a-long-name12", 31))
	require.Empty(t, fitting("leaf0", 10))
}

// A long run's slider has the highest of several samples, and the longest of
// very many pauses.
func TestTimelineIsBounded(t *testing.T) {
	run := uneven()
	tl := newTimeline(run)
	require.Equal(t, 5, tl.Merged)
	require.Equal(t, []Number{"50", "50"}, []Number{tl.Start, tl.Step})
	require.Len(t, tl.Queues[0].Values, 1000)
	require.Equal(t, Number(results.FloatText(slices.Max(run.Series[0].Values[:5]))), tl.Queues[0].Values[0])

	run.Pauses = nil
	for i := range sim.Time(maxPauses + 100) {
		run.Pauses = append(run.Pauses, results.Pause{From: i * 3 * us, To: i*3*us + i + 1, Port: 1, Priority: 3})
	}
	tl = newTimeline(run)
	require.Equal(t, 100, tl.Left)
	require.Len(t, tl.Pauses[0].Times, 2*maxPauses)
	require.Equal(t, Number("300"), tl.Pauses[0].Times[0], "the shortest are left out")
	require.Equal(t, []string{"0", "h1 uneven:0>leaf0 uneven"}, []string{string(tl.First), tl.FirstAt})
}
