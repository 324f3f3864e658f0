package lint_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
	"rocesim/scenarios/lint"
	"rocesim/sim"
)

// memories is one Tomahawk with nine ports in four memories: h0 to h2, h3 and h4, h5
// and h6, h7 and h8.
const memories = `
name: memories
stop: {time: 2ms}
fabric: {topology: star, hosts: 9, host_link: {rate: 100Gbps, cable: 3m}}
switch: {preset: sonic-tomahawk, dscp_to_tc: {26: 3, 48: 6}}
nic: {preset: connectx-6-dx}
cc: {preset: connectx}
workload: [{name: w, type: saturate, pairs: [[h0, h8], [h1, h8]], bytes: 4MiB}]
`

// sending sets Kmin and who sends to h8.
func sending(kmin string, senders ...string) []string {
	pairs := ""
	for _, s := range senders {
		pairs += fmt.Sprintf("[%s, h8], ", s)
	}
	return []string{"switch.ecn={kmin: " + kmin + ", kmax: 8MB, pmax: 100%}", "workload[w].pairs=[" + pairs + "]"}
}

// A memory has 2.719 MB, alpha is 1 and 4174 of 4368 B of cells are frame: two ports of
// one memory feed 2 x (1248 B + 2.719 MB / 3) x 0.956 = 1.734 MB before the first pauses,
// two of different ones 2 x (1248 B + 2.719 MB / 2) x 0.956 = 2.6 MB. The simulator has
// the same two bounds: marks below them, and none above what comes in after the pause.
func TestSmallestIncastOfSeveralMemories(t *testing.T) {
	for _, c := range []struct {
		kmin, other string
		together    string // what marks of h0 and h1, which share a memory
		apart       string // and of h0 and h4
		text        string
	}{
		{"1700KB", "h4", "ecn.marks > 0", "ecn.marks > 0", ""},
		{"1850KB", "h4", "ecn.marks == 0", "ecn.marks > 0", "PFC stops two senders whose ports share a memory, such as h1 and h2, before the queue reaches Kmin, 1.85 MB"},
		{"2550KB", "h3", "ecn.marks == 0", "ecn.marks > 0", "PFC stops two senders whose ports share a memory, such as h1 and h2, before the queue reaches Kmin, 2.55 MB"},
		{"2750KB", "h4", "ecn.marks == 0", "ecn.marks == 0", "PFC stops the smallest incast before the queue reaches Kmin, 2.75 MB"},
	} {
		t.Run(c.kmin, func(t *testing.T) {
			t.Parallel()
			meets(t, resolve(t, memories, sending(c.kmin, "h0", "h1")...), []string{c.together, "pfc.pauses > 0"})
			p := resolve(t, memories, sending(c.kmin, "h0", c.other)...)
			meets(t, p, []string{c.apart, "pfc.pauses > 0"})
			found := of(lint.Check(p), "ecn-after-pfc")
			if c.text == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Equal(t, c.text, found[0].Text)
			assert.Equal(t, []string{"sw0 ports at 100Gbps"}, found[0].Places())
			assert.Contains(t, found[0].Arithmetic, "2 ingress ports of one memory, such as those of h1 and h2: 2 x (1.248 KB + 1 x 2.719 MB / (1 + 2 x 1)) = 1.734 MB <= Kmin ")
			assert.Contains(t, found[0].Arithmetic, "; of two memories 2 x (1.248 KB + 1 x 2.719 MB / (1 + 1 x 1)) = 2.6 MB; ")
		})
	}
}

// Eight senders of which three share the fullest memory have 8 x (1248 B + 2.719 MB / 4)
// x 0.956 = 5.206 MB in the queue when one of the three pauses: above a Kmin of 3 MB,
// though two senders would not reach it.
func TestIncastOfTheWorkloadIsMarked(t *testing.T) {
	senders := []string{"h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"}
	p := resolve(t, memories, sending("3MB", senders...)...)
	found := of(lint.Check(p), "ecn-after-pfc")
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Arithmetic, "; the incast of this workload into h8, of 8 ingress ports, is marked: its queue holds 5.206 MB at the first pause; ")
	meets(t, p, []string{"ecn.marks > 0"})

	// Nothing slows the eight without marks, so that they fill at one pace.
	p = resolve(t, memories, append(sending("3MB", senders...), "cc.preset=none")...)
	meets(t, p, []string{"pfc.pauses > 0", "queue.peak > 5206KB"})
	use, port := firstPause(t, p)
	assert.InEpsilon(t, 2.719e6/4, use, 0.02)
	assert.Less(t, port, 3, "of the memory of three")

	p = resolve(t, memories, sending("5300KB", senders...)...)
	assert.NotContains(t, of(lint.Check(p), "ecn-after-pfc")[0].Arithmetic, "is marked")
}

// firstPause simulates a plan and returns what the priority group held that paused
// first, in bytes, and its port.
func firstPause(t *testing.T, p *scenarios.Plan) (use int64, port int) {
	t.Helper()
	run, err := p.Run(context.Background(), scenarios.RunOptions{})
	require.NoError(t, err)
	first := sim.Time(0)
	for i := range run.Queues {
		if q := &run.Queues[i]; q.TxXoff > 0 && (first == 0 || q.FirstXoff < first) {
			first, use, port = q.FirstXoff, q.FirstXoffUse, int(run.Ports[q.Port].Number)
		}
	}
	require.Positive(t, first)
	return use, port
}

// Of four ports on a Tomahawk no two share a memory, so that the queue of any two
// grows to 2.6 MB; the message does not say otherwise.
func TestNoTwoPortsShareAMemory(t *testing.T) {
	sets := []string{"fabric.hosts=4", "workload[w].pairs=[[h0, h3], [h1, h3]]", "switch.ecn.kmax=8MB"}
	assert.Empty(t, of(lint.Check(resolve(t, memories, append(sets, "switch.ecn.kmin=2550KB")...)), "ecn-after-pfc"))
	found := of(lint.Check(resolve(t, memories, append(sets, "switch.ecn.kmin=2750KB")...)), "ecn-after-pfc")
	require.Len(t, found, 1)
	assert.Equal(t, "PFC stops the smallest incast before the queue reaches Kmin, 2.75 MB", found[0].Text)
	assert.Contains(t, found[0].Arithmetic, "2 ingress ports, no two share a memory, such as those of h1 and h2: 2 x (1.248 KB + 1 x 2.719 MB / (1 + 1 x 1)) = 2.6 MB <= Kmin 2.75 MB; ")
}

// Packets from one spine do not go up to the other: a leaf with a single host has no
// incast in the queues of its uplinks, and one in that of the host.
func TestIncastNeedsTwoWays(t *testing.T) {
	sets := []string{"fabric.hosts=2", "workload[w].pairs=[[h0, h1]]", "switch.lossless={xoff: 100KB}"}
	found := of(lint.Check(resolve(t, clean, sets...)), "ecn-after-pfc")
	require.Len(t, found, 1)
	assert.Equal(t, []string{"leaf0 ports at 100Gbps", "leaf1 ports at 100Gbps"}, found[0].Places())
}

// Each switch is judged by ports of its own, and all alike are one finding.
func TestOneFindingForAllSwitchesWithMemories(t *testing.T) {
	p := resolve(t, memories, "fabric={topology: leaf-spine, leaves: 4, spines: 2, hosts: 32, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 100Gbps, cable: 30m}}",
		"workload[w].pairs=[[h0, h31], [h1, h31]]", "switch.ecn={kmin: 1850KB, kmax: 8MB, pmax: 100%}")
	found := of(lint.Check(p), "ecn-after-pfc")
	require.Len(t, found, 1, "leaves have ten ports, and spines four in memories of their own")
	assert.Contains(t, found[0].Text, "two senders whose ports share a memory, such as h1 and h2,")
	assert.Len(t, found[0].Places(), 4)
}
