package sweep

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// What is not known is null, as JSON has no NaN; values are in base units.
func TestMeasuredInJSON(t *testing.T) {
	s, err := results.ParseSubject("fct.p99{workload=w}")
	require.NoError(t, err)
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{nil, `{"metric":"fct.p99{workload=w}","unit":"ps","mean":null,"ci95":null,"seeds":0}`},
		{[]float64{5e6}, `{"metric":"fct.p99{workload=w}","unit":"ps","mean":5000000,"ci95":null,"seeds":1}`},
		{[]float64{4, 4}, `{"metric":"fct.p99{workload=w}","unit":"ps","mean":4,"ci95":0,"seeds":2}`},
	} {
		text, err := json.Marshal(NewMeasured(s, NewEstimate(c.values)))
		require.NoError(t, err)
		assert.Equal(t, c.want, string(text))
	}
	assert.Nil(t, known(math.Inf(1)))
}

// Cells keep their kind: numbers, words, nothing.
func TestRowsInJSON(t *testing.T) {
	cells := func(text string) func(int) string { return func(int) string { return text } }
	rows := table{rows: 1, columns: []column{
		{"scenario", word, cells("x")}, {"number", word, cells("7")}, {"seed", whole, cells("18446744073709551615")},
		{"fct.p99_us_mean", real, cells("5.25")}, {"none", real, cells("")}, {"signed", real, cells("+5")},
	}}
	text, err := json.Marshal(rows.object(0))
	require.NoError(t, err)
	assert.Equal(t, `{"fct.p99_us_mean":5.25,"none":null,"number":"7","scenario":"x","seed":18446744073709551615,"signed":"+5"}`, string(text))
}
