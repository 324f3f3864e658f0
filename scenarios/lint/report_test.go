package lint_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
	"rocesim/scenarios/strict"
)

// two are findings with all and with few of their parts.
func two() []lint.Finding {
	return []lint.Finding{
		{
			Rule: rules.Must("headroom-zero"), Severity: rules.Error, Text: "no headroom, 100%", Path: "switch.headroom", Pos: strict.Pos{File: "a.yaml", Line: 3, Col: 5},
			Where: "s0", Same: []string{"s1", "s2", "s3", "s4", "s5"}, Remedy: "set it",
			Arithmetic: "a rather long sum of one and one and one and one and one and one and one and one and one is nine",
		},
		{
			Rule: rules.Must("few-flows"), Severity: rules.Info, Text: "few", Pos: strict.Pos{File: "--set x=1"}, Arithmetic: "1 < 2", Remedy: "more",
		},
	}
}

func TestText(t *testing.T) {
	var b strings.Builder
	r := lint.NewReport("a.yaml", two(), rules.Info)
	require.NoError(t, r.WriteText(&b))
	assert.Equal(t, `a.yaml:3:5: error RS201 headroom-zero: no headroom, 100%
    at      s0, s1, s2, s3 and 2 more
    sum     a rather long sum of one and one and one and one and one and one and one and one and
            one is nine
    remedy  set it
--set x=1: info RS502 few-flows: few
    sum     1 < 2
    remedy  more
`, b.String())
}

func TestGitHub(t *testing.T) {
	var b strings.Builder
	r := lint.NewReport("a.yaml", two(), rules.Info)
	require.NoError(t, r.WriteGitHub(&b))
	assert.Equal(t, "::error file=a.yaml,line=3,col=5,title=RS201 headroom-zero::no headroom, 100%25 (s0, s1, s2, s3 and 2 more)%0A"+
		"a rather long sum of one and one and one and one and one and one and one and one and one is nine%0ARemedy: set it\n"+
		"::notice file=--set x=1,title=RS502 few-flows::few%0A1 < 2%0ARemedy: more\n", b.String())
}

func TestJSON(t *testing.T) {
	text, err := json.Marshal(lint.NewReport("a.yaml", two(), rules.Warning))
	require.NoError(t, err)
	assert.JSONEq(t, `{"file": "a.yaml", "below_severity": 1, "findings": [{
		"code": "RS201", "name": "headroom-zero", "severity": "error", "file": "a.yaml", "line": 3, "column": 5, "path": "switch.headroom",
		"text": "no headroom, 100%", "places": ["s0", "s1", "s2", "s3", "s4", "s5"], "remedy": "set it",
		"arithmetic": "a rather long sum of one and one and one and one and one and one and one and one and one is nine"}]}`, string(text))
	empty, err := json.Marshal(lint.NewReport("a.yaml", nil, rules.Info))
	require.NoError(t, err)
	assert.JSONEq(t, `{"file": "a.yaml", "findings": [], "below_severity": 0}`, string(empty))
}
