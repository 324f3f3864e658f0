package lint_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

// byHand are rules whose remedy is a decision about the network, not a value.
func byHand() []string {
	return []string{"queue-share", "headroom-row-too-long", "mixed-congestion-control", "timeout-below-round-trip", "receive-buffer-too-small",
		"tier-oversubscribed", "buffer-cycle", "route-loop", "circle-after-failure"}
}

// settings reads the first remedy of a finding as flags: "set a.b: 1 and c: 2, or
// ...".
func settings(remedy string) (sets []string) {
	setting := regexp.MustCompile(`^([a-z_]+(?:\[\w+\])?(?:\.[a-z_]+(?:\[\w+\])?)*): (\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\]]*\]|[^\s,;]+)`)
	rest, found := strings.CutPrefix(remedy, "set ")
	for found {
		match := setting.FindStringSubmatch(rest)
		if match == nil {
			return nil
		}
		sets = append(sets, match[1]+"="+match[2])
		rest, found = strings.CutPrefix(rest[len(match[0]):], " and ")
	}
	return sets
}

func TestSettings(t *testing.T) {
	assert.Equal(t, []string{"a.b={c: {1: 2}}", "switch.overrides[0].pfc.priorities=[3, 4]"},
		settings("set a.b: {c: {1: 2}} and switch.overrides[0].pfc.priorities: [3, 4], or else"))
	assert.Equal(t, []string{"nic.timeout=50ms"}, settings("set nic.timeout: 50ms or more, or less"))
	assert.Empty(t, settings("add a row"))
}

// Who does literally what the remedy says is rid of the finding, and has no new
// mistake.
func TestRemediesCure(t *testing.T) {
	for _, c := range slices.Concat(classCases(), bufferCases(), ecnCases(), congestionCases(), fabricCases(), timerCases()) {
		t.Run(c.rule, func(t *testing.T) {
			before := lint.Check(resolve(t, clean, c.fires...))
			remedy := of(before, c.rule)[0].Remedy
			sets := settings(remedy)
			if slices.Contains(byHand(), c.rule) {
				assert.Empty(t, sets, "now it can be tested")
				return
			}
			require.NotEmpty(t, sets, remedy)
			after := lint.Check(resolve(t, clean, slices.Concat(c.fires, sets)...))
			for _, f := range of(after, c.rule) {
				assert.Less(t, f.Severity, c.severity, "%s leaves %s", remedy, f.Sentence())
			}
			for _, f := range after {
				if f.Severity >= rules.Warning {
					assert.NotEmpty(t, of(before, f.Rule.Name), "%s brings %s", remedy, f.Sentence())
				}
			}
		})
	}
}

// mistakes are settings that operators get wrong.
func mistakes() []string {
	return []string{
		"nic.dscp=24", "nic.dscp_to_priority={26: 5}", "nic.cnp.dscp=26", "nic.pfc.enabled=false", "cc.algorithm=none",
		"switch.dscp_to_tc={26: 3, 48: 3}", "switch.pfc.priorities=[4]", "switch.tc_to_group={3: 0}", "switch.tc_to_queue={3: 5}", "switch.trust=pcp",
		"switch.ecn.queues=[0]", "switch.ecn.enabled=false", "switch.ecn.mark_only=false", "switch.ecn={preset: simai}", "switch.pfc.refresh=0",
		"switch.lossless.alpha=1/1024", "switch.headroom={bytes: 8KB}", "switch.buffer={shared: 33MB, headroom_pool: 300KB}", "switch.watchdog={ports: hosts}",
		"switch.overrides=[{match: leaf1, dscp_to_tc: {26: 4}}]", "switch.overrides=[{match: leaf1, dscp_to_tc: {26: 1}}]",
		"switch.overrides=[{match: leaf1, headroom: {bytes: 8KB}}]", "switch.overrides=[{match: leaf1, lossless: {alpha: 1/128}}]",
		"switch.overrides=[{match: \"spine*\", pfc: {enabled: false}}]",
	}
}

// In scenarios of the library too each mistake is cured by each of its remedies.
func TestRemediesCureTheLibrary(t *testing.T) {
	cured := 0
	for _, e := range scenarios.Library() {
		if e.Name != "incast-32-1" && e.Name != "permutation" {
			continue
		}
		usual := lint.Check(planOf(t, &e))
		for _, mistake := range mistakes() {
			for _, f := range lint.Check(planOf(t, &e, mistake)) {
				if f.Severity < rules.Warning || len(of(usual, f.Rule.Name)) > 0 {
					continue
				}
				sets := settings(f.Remedy)
				require.NotEmpty(t, sets, f.Remedy)
				left := of(lint.Check(planOf(t, &e, append([]string{mistake}, sets...)...)), f.Rule.Name)
				assert.Empty(t, left, "%s: %s: %s", e.Name, mistake, f.Remedy)
				cured++
			}
		}
	}
	assert.Greater(t, cured, 30)
}
