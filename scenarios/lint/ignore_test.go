package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

// noPFC makes one finding of a rule at two places: leaf0 and spine1 do not pause.
func noPFC() string {
	return "switch.overrides=[{match: leaf0, pfc: {enabled: false}}, {match: spine1, pfc: {enabled: false}}]"
}

// places are those of all findings of a rule.
func places(found []lint.Finding, rule string) []string {
	var all []string
	for _, f := range of(found, rule) {
		all = append(all, f.Places()...)
	}
	return all
}

// An entry hides the findings of its rule, given by code or name, at the places
// that it names, and nothing else.
func TestIgnore(t *testing.T) {
	for _, c := range []struct {
		ignore string
		left   []string
		unused int
	}{
		{"{code: pfc-off-on-switch, reason: meant}", nil, 0},
		{"{code: RS104, reason: meant}", nil, 0},
		{"{code: RS104, where: leaf0, reason: meant}", []string{"spine1"}, 0},
		{"{code: RS104, where: \"*e*[0-1]\", reason: meant}", nil, 0},
		{"{code: RS104, where: spine0, reason: meant}", []string{"leaf0", "spine1"}, 1},
		{"{code: headroom-zero, reason: meant}", []string{"leaf0", "spine1"}, 1},
	} {
		t.Run(c.ignore, func(t *testing.T) {
			found := lint.Check(resolve(t, clean, noPFC(), "lint={ignore: ["+c.ignore+"]}"))
			assert.Equal(t, c.left, places(found, "pfc-off-on-switch"))
			assert.Len(t, of(found, "unused-ignore"), c.unused)
		})
	}
}

// A place of several words is found by each of them: the switch and the link.
func TestIgnoreByLink(t *testing.T) {
	sets := []string{"fabric.host_link.cable=300m", "switch.headroom={bytes: 30720B}"}
	all := places(lint.Check(resolve(t, clean, sets...)), "headroom-too-small")
	require.Len(t, all, 8)
	left := places(lint.Check(resolve(t, clean, append(sets, "lint={ignore: [{code: RS202, where: \"h*:leaf0\", reason: meant}]}")...)), "headroom-too-small")
	require.Len(t, left, 4)
	assert.NotContains(t, left, "leaf0 port h0:leaf0")
	assert.Contains(t, left, "leaf1 port h4:leaf1")
	left = places(lint.Check(resolve(t, clean, append(sets, "lint={ignore: [{code: RS202, where: leaf0, reason: meant}]}")...)), "headroom-too-small")
	assert.Len(t, left, 4)
}

// An entry that matches nothing is a finding at its place in the file.
func TestUnusedIgnore(t *testing.T) {
	found := lint.Check(resolve(t, clean+"lint:\n  ignore:\n    - {code: RS201, reason: it was once}\n", "switch.ecn={kmin: 20KB, kmax: 80KB, pmax: 20%}"))
	require.Len(t, found, 1)
	f := &found[0]
	assert.Equal(t, "RS901 unused-ignore", f.Rule.String())
	assert.Equal(t, rules.Info, f.Severity)
	assert.Equal(t, "test.yaml:20:7", f.Pos.String())
	assert.Equal(t, "the entry for headroom-zero matches no finding", f.Text)
}

// The section changes nothing but findings: the plan is the same without it.
func TestIgnoreChangesNoPlan(t *testing.T) {
	with, without := resolve(t, clean, noPFC(), "lint={ignore: [{code: RS104, reason: meant}]}"), resolve(t, clean, noPFC())
	assert.Equal(t, without.Switches, with.Switches)
	assert.Equal(t, without.NICs, with.NICs)
	assert.Equal(t, without.Notes, with.Notes)
	assert.Equal(t, without.Warnings, with.Warnings)
}

// Findings point at what makes them: the field, the override, the preset that has
// the value, or the flag.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		text string
		sets []string
		rule string
		pos  string
	}{
		{clean, []string{"switch.headroom={bytes: 0B}"}, "headroom-zero", "--set switch.headroom={bytes: 0B}"},
		{clean, []string{"fabric.uplink={rate: 800Gbps, cable: 1km}"}, "headroom-too-small", "test.yaml:13:13"},
		{clean, []string{"cc.preset=connectx"}, "increase-not-scaled", "--set cc.preset=connectx"},
		{clean + "\n# the switch's own map is in its preset\n", []string{"nic.dscp=5", "nic.dscp_to_priority={5: 3}"}, "data-in-lossy-class", "test.yaml:12:11"},
	} {
		found := of(lint.Check(resolve(t, c.text, c.sets...)), c.rule)
		require.NotEmpty(t, found, c.rule)
		assert.Equal(t, c.pos, found[0].Pos.String(), c.rule)
	}
}

// Equal findings of a large fabric are one finding, and are found quickly.
func TestLargeFabric(t *testing.T) {
	large := "fabric={topology: leaf-spine, leaves: 60, spines: 16, hosts: 1200, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 400Gbps, cable: 30m}}"
	found := lint.Check(resolve(t, clean, large, "switch.headroom={bytes: 0B}", "workload=[{name: w, type: permutation, bytes: 1MiB, qps: 40}]", "stop={when: flows-done}"))
	zero := of(found, "headroom-zero")
	require.Len(t, zero, 2, "one for the ports of hosts, one for the uplinks")
	assert.Len(t, zero[0].Places(), 1200)
	assert.Len(t, zero[1].Places(), 2*60*16)
}
