package check

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/compare"
)

// Each kind of report has what a script needs, and lists are never null.
func TestDocument(t *testing.T) {
	d := NewDocument([]*Report{
		{Path: "a.yaml", Name: "a", FingerprintWas: "1", FingerprintIs: "1"},
		{Path: "b.yaml", Name: "b", failOn: compare.Worse, Compared: 2, Baseline: "b.baseline.json", FingerprintWas: "1", FingerprintIs: "2", Drifts: []Drift{
			{Metric: "fct.p99", Unit: results.Duration, Was: 1e6, Is: 2e6, HasValue: true, Tolerance: "2%", Verdict: compare.Worse},
			{Metric: "fct.p50", Unit: results.Duration, Was: 1e6, Tolerance: "2%", Verdict: compare.NoValue},
		}},
		{Path: "c.yaml", Err: errors.New("c.yaml: there is no such file")},
	})
	assert.Equal(t, []int{1, 1, 1}, []int{d.Passed, d.Failed, d.Broken})
	text, err := json.Marshal(d.Scenarios)
	require.NoError(t, err)
	assert.JSONEq(t, `[
		{"path": "a.yaml", "name": "a", "status": "ok", "expectations": [], "updated": false, "compared_metrics": 0, "drifts": [], "new_configuration": false},
		{"path": "b.yaml", "name": "b", "status": "FAIL", "expectations": [], "baseline": "b.baseline.json", "updated": false, "compared_metrics": 2,
		 "drifts": [
			{"metric": "fct.p99", "unit": "ps", "was": 1000000, "is": 2000000, "tolerance": "2%", "verdict": "worse", "fails": true},
			{"metric": "fct.p50", "unit": "ps", "was": 1000000, "is": null, "tolerance": "2%", "verdict": "no value", "fails": true}],
		 "fingerprint_was": "1", "fingerprint_is": "2", "new_configuration": false},
		{"path": "c.yaml", "name": "", "status": "ERROR", "error": "c.yaml: there is no such file", "expectations": [], "updated": false,
		 "compared_metrics": 0, "drifts": [], "new_configuration": false}]`, string(text))
	empty, err := json.Marshal(NewDocument(nil))
	require.NoError(t, err)
	assert.Equal(t, `{"passed":0,"failed":0,"broken":0,"scenarios":[]}`, string(empty))
}
