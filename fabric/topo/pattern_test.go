package topo

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

func TestPatternMatch(t *testing.T) {
	cases := []struct {
		pattern string
		yes, no []string
	}{
		{"leaf3", []string{"leaf3"}, []string{"leaf33", "xleaf3", ""}},
		{"leaf*", []string{"leaf", "leaf3", "leaf0:spine1"}, []string{"lea", "spine0:leaf1"}},
		{"*:spine1", []string{"leaf0:spine1", "h0/nic1:spine1"}, []string{"leaf0:spine11"}},
		{"h?", []string{"h0", "hx"}, []string{"h", "h10"}},
		{"h[0-3,7]", []string{"h0", "h3", "h7"}, []string{"h4", "h13", "h", "hx"}},
		{"h[10-12]*", []string{"h10", "h12/nic1"}, []string{"h1", "h100", "h9"}},
		{"*[1-3]", []string{"h1", "1", "a3"}, []string{"h11", "h", "h4"}},
		{"*a*b", []string{"ab", "aab", "xaxbxb"}, []string{"aba", "b"}},
		{"", []string{""}, []string{"x"}},
	}
	for _, c := range cases {
		p, err := ParsePattern(c.pattern)
		require.NoError(t, err)
		assert.Equal(t, c.pattern, p.String())
		for _, name := range c.yes {
			assert.True(t, p.Match(name), "%q on %q", c.pattern, name)
		}
		for _, name := range c.no {
			assert.False(t, p.Match(name), "%q on %q", c.pattern, name)
		}
	}
}

func TestPatternErrors(t *testing.T) {
	cases := map[string]string{
		"h[0-3":   `pattern "h[0-3": "[" without "]"`,
		"h[]":     `pattern "h[]": "[]" is not allowed, must be numbers and ascending ranges like [0-3,7]`,
		"h[3-0]":  `pattern "h[3-0]": "[3-0]" is not allowed, must be numbers and ascending ranges like [0-3,7]`,
		"h[a-b]":  `pattern "h[a-b]": "[a-b]" is not allowed, must be numbers and ascending ranges like [0-3,7]`,
		"h[1,,2]": `pattern "h[1,,2]": "[1,,2]" is not allowed, must be numbers and ascending ranges like [0-3,7]`,
	}
	for pattern, want := range cases {
		_, err := ParsePattern(pattern)
		assert.EqualError(t, err, want)
	}
}

// TestPatternAgainstRegexp compares "*" and "?" with the regular expressions
// that mean the same.
func TestPatternAgainstRegexp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab*?]{0,8}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[ab]{0,10}`).Draw(t, "name")
		p, err := ParsePattern(pattern)
		require.NoError(t, err)
		re := regexp.MustCompile("^" + strings.NewReplacer("*", ".*", "?", ".").Replace(pattern) + "$")
		assert.Equal(t, re.MatchString(name), p.Match(name))
	})
}

func TestOverride(t *testing.T) {
	spec := LeafSpine{Leaves: 2, Spines: 12, Hosts: 4, HostLink: link100, Uplink: LinkSpec{Rate: 400 * sim.Gbps, Count: 2}}
	cases := map[string]int{
		"leaf0:*":         24 + 2, // 12 spines, two links each, and two hosts from their leaf's side
		"*:spine1":        2,      // one of each leaf's two; the second has a suffix
		"spine1:*":        4,
		"leaf0:spine1":    1,
		"spine1:leaf0":    1,
		"spine1:leaf0#2":  1,
		"leaf[0-1]:spine": 0,
		"h[1-2]:*":        2,
		"*":               52,
		"h[":              0,
	}
	for pattern, want := range cases {
		g := build(t, spec)
		n := g.Override(pattern, func(l *Link) { l.Rate = 7 })
		assert.Equal(t, want, n, pattern)
		changed := 0
		for _, l := range g.Links {
			if l.Rate == 7 {
				changed++
			}
		}
		assert.Equal(t, want, changed, pattern)
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("h[0-3,7]*", "h3/nic1")
	f.Add("*[1-2]?*", "aaa1")
	f.Fuzz(func(_ *testing.T, pattern, name string) {
		if p, err := ParsePattern(pattern); err == nil {
			p.Match(name)
		}
	})
}
