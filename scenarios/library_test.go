package scenarios

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// Each scenario of the library opens with what it is for, says what it expects
// and where that comes from, and checks it.
func TestLibraryIsExplained(t *testing.T) {
	all := Library()
	require.GreaterOrEqual(t, len(all), 8)
	for _, e := range all {
		t.Run(e.Name, func(t *testing.T) {
			assert.True(t, strings.HasPrefix(string(e.Text), "# "), "opens with a comment")
			sc, err := Parse(e.Name, e.Text, nil)
			require.NoError(t, err)
			assert.Equal(t, e.Name, sc.Name)
			assert.True(t, strings.HasSuffix(sc.Question, "?"), sc.Question)
			assert.NotEmpty(t, sc.Expectation)
			assert.NotEmpty(t, sc.Source)
			assert.NotEmpty(t, sc.Expect)
			p, err := sc.Plan()
			require.NoError(t, err)
			assert.Empty(t, p.Warnings)
		})
	}
}

// Each scenario of the library keeps what it promises. cluster-200 is run by
// the tests of whole runs.
func TestLibraryKeepsItsExpectations(t *testing.T) {
	for _, e := range Library() {
		if e.Name == "cluster-200" {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			sc, err := Parse(e.Name, e.Text, nil)
			require.NoError(t, err)
			p, err := sc.Plan()
			require.NoError(t, err)
			run, err := Run(context.Background(), sc, RunOptions{})
			require.NoError(t, err)
			for _, o := range results.Evaluate(p.Expect, results.NewMetrics(run)) {
				assert.True(t, o.OK, o.Text)
			}
		})
	}
}

func TestFindScenario(t *testing.T) {
	_, err := FindScenario("incast-9-1")
	require.Error(t, err)
	assert.Contains(t, err.Error(), `unknown scenario "incast-9-1"; did you mean incast-2-1? (allowed: cluster-200,`)
}

func TestFindPreset(t *testing.T) {
	p, err := FindPreset("nic", "connectx-5")
	require.NoError(t, err)
	assert.Equal(t, "connectx-5", p.Name)
	assert.Contains(t, string(p.Text()), "\nname: connectx-5\n")
	_, err = FindPreset("nic", "connectx5")
	assert.EqualError(t, err, `unknown nic preset "connectx5"; did you mean connectx-5? (allowed: bluefield-3, connectx-5, connectx-6-dx, connectx-7, hpcc-ns3, ideal, thor2)`)
	_, err = FindPreset("router", "x")
	assert.EqualError(t, err, `unknown router preset "x"`)
}
