package hpcc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestWindows has the products of TestIdeal in whole packets of 1000 bytes: 52
// packets from 0 to 1 and back, 24 from 0 to 2 (23187 bytes), 78 from 3 to 0
// (77250 bytes, the largest of all).
func TestWindows(t *testing.T) {
	g := parse(t, small)
	set, err := ParseFlows("flow.txt", []byte("5\n0 1 3 100 1 2\n0 2 3 100 1 2\n0 1 3 100 1 2\n3 0 3 100 1 2\n1 0 3 100 1 2\n"), g)
	require.NoError(t, err)
	cases := []struct {
		name   string
		config Config
		want   []Window
		uneven []int
	}{
		{"off", Config{PayloadSize: 1000, GlobalWindow: true}, nil, nil},
		{"global", Config{PayloadSize: 1000, HasWindow: true, GlobalWindow: true}, []Window{{Bytes: 78_000, Nodes: []int{0, 1, 3}}}, nil},
		{"by pair", Config{PayloadSize: 1000, HasWindow: true}, []Window{
			{Bytes: 78_000, Nodes: []int{3}},
			{Bytes: 52_000, Nodes: []int{0, 1}},
		}, []int{0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			windows, uneven := g.Windows(&c.config, set)
			assert.Equal(t, c.want, windows)
			assert.Equal(t, c.uneven, uneven)
		})
	}
}

// TestMaxBDPOfAllPairs compares with the definition, over trees whose hosts have
// links of several kinds.
func TestMaxBDPOfAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		switches, hosts := rapid.IntRange(1, 4).Draw(t, "switches"), rapid.IntRange(2, 10).Draw(t, "hosts")
		var b strings.Builder
		fmt.Fprintf(&b, "%d %d %d\n", hosts+switches, switches, hosts+switches-1)
		for s := range switches {
			fmt.Fprintf(&b, "%d ", hosts+s)
		}
		b.WriteString("\n")
		for s := 1; s < switches; s++ {
			fmt.Fprintf(&b, "%d %d 400Gbps %dns 0\n", hosts+s, hosts+rapid.IntRange(0, s-1).Draw(t, "parent"), rapid.IntRange(1, 3).Draw(t, "delay")*500)
		}
		for h := range hosts {
			fmt.Fprintf(&b, "%d %d %dGbps %dns 0\n", h, hosts+rapid.IntRange(0, switches-1).Draw(t, "switch"),
				rapid.IntRange(1, 2).Draw(t, "rate")*50, rapid.IntRange(1, 2).Draw(t, "delay")*500)
		}
		g, err := ParseTopology("topology.txt", []byte(b.String()))
		require.NoError(t, err)
		var want int64
		for src := range hosts {
			for dst := range hosts {
				if src != dst {
					want = max(want, g.BDP(src, dst, 1000))
				}
			}
		}
		require.Equal(t, want, g.MaxBDP(1000))
	})
}
