package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

// names are the rules of findings that plain lint shows, once each.
func names(found []lint.Finding) map[string]bool {
	of := map[string]bool{}
	for _, f := range found {
		if f.Severity >= rules.Warning {
			of[f.Rule.Name] = true
		}
	}
	return of
}

// wrongMaps put the data of all NICs into a lossy class.
func wrongMaps() []string {
	return []string{"switch.dscp_to_tc={26: 1, 48: 6}", "nic.dscp=24", "switch.tc_to_group={3: 0}"}
}

// A wrong map does not hide what else is wrong with the class that was meant.
func TestWrongMapHidesNothing(t *testing.T) {
	mistakes := []string{
		"switch.headroom={bytes: 0B}", "switch.headroom={bytes: 8KB}", "switch.buffer={shared: 8MB, headroom_pool: 400KB}", "switch.buffer.shared=1MB",
		"switch.lossless.alpha=1/1024", "switch.overrides=[{match: leaf1, lossless: {alpha: 1/128}}]", "switch.pfc.refresh=0",
		"switch.ecn.enabled=false", "switch.ecn.queues=[0]", "switch.ecn.mark_only=false", "cc.algorithm=none",
		"nic.pfc.enabled=false", "nic.overrides=[{match: h1, pfc: {priorities: [4]}}]", "switch.overrides=[{match: \"spine*\", pfc: {enabled: false}}]",
	}
	for _, mistake := range mistakes {
		alone := names(lint.Check(resolve(t, clean, mistake)))
		require.NotEmpty(t, alone, mistake)
		for _, wrong := range wrongMaps() {
			both := names(lint.Check(resolve(t, clean, wrong, mistake)))
			assert.True(t, both["data-in-lossy-class"], "%s, %s", wrong, mistake)
			for rule := range alone {
				assert.True(t, both[rule], "%s hides %s of %s", wrong, rule, mistake)
			}
			if wrong == "switch.dscp_to_tc={26: 1, 48: 6}" {
				delete(both, "data-in-lossy-class")
				assert.Equal(t, alone, both, "%s, %s", wrong, mistake)
			}
		}
	}
}

// Three mistakes in one file are found at once, and what a message says of data in
// the class that was meant holds once the map is right.
func TestThreeMistakesAtOnce(t *testing.T) {
	sets := []string{"switch.headroom={bytes: 8KB}", "switch.ecn.queues=[0]", "switch.dscp_to_tc={26: 1, 48: 6}"}
	found := lint.Check(resolve(t, clean, sets...))
	assert.Equal(t, map[string]bool{"data-in-lossy-class": true, "headroom-too-small": true, "reaction-without-marks": true}, names(found))
	marks := of(found, "reaction-without-marks")
	require.Len(t, marks, 1)
	assert.Equal(t, "DCQCN is on for data with DSCP 26, and queue 3 does not mark it (once RS101 is cured)", marks[0].Text)
	assert.Equal(t, "set switch.ecn.enabled: true and switch.ecn.queues: [0, 3], or cc.algorithm: none", marks[0].Remedy)
	for _, rule := range []string{"headroom-too-small", "reaction-without-marks", "data-in-lossy-class"} {
		for _, f := range of(found, rule) {
			sets = append(sets, settings(f.Remedy)...)
		}
	}
	assert.Empty(t, names(lint.Check(resolve(t, clean, sets...))))
}

// Where lossy is what is meant, no headroom is missed: PFC is off, no priority is
// lossless, an entry has a code point of a lossy class, or the file says so.
func TestLossyIsNotJudgedAsLossless(t *testing.T) {
	const wrong = "switch.dscp_to_tc={26: 1, 48: 6}"
	for _, lossy := range [][]string{
		{"switch.pfc.priorities=[]"},
		{"switch.pfc.enabled=false"},
		{"nic.dscp_to_priority={26: 0, 10: 0}", "workload[w].dscp=10"},
		{"lint.ignore=[{code: RS101, reason: this traffic is lossy}]"},
		{"lint.ignore=[{code: data-in-lossy-class, where: \"*\", reason: this traffic is lossy}]"},
	} {
		found := names(lint.Check(resolve(t, clean, append(lossy, wrong, "switch.headroom={bytes: 0B}", "switch.pfc.refresh=0", "switch.lossless.alpha=1/1024")...)))
		for _, rule := range []string{"headroom-zero", "headroom-too-small", "pause-not-refreshed", "ecn-after-pfc", "pfc-off-on-switch"} {
			assert.False(t, found[rule], "%v: %s", lossy, rule)
		}
	}
}
