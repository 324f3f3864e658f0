package scenarios_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/check"
)

// Each scenario of the library keeps what it promises and does, event for event
// and in every metric, what its baseline says: rocesim test scenarios/... for
// those who work on the model, which tolerates nothing.
func TestLibraryBaselines(t *testing.T) {
	t.Parallel()
	files, err := check.Find([]string{"./..."})
	require.NoError(t, err)
	require.Len(t, files, len(scenarios.Library()))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sets := shortened(t, name)
			result, err := check.Load(t.Context(), file, sets...)
			require.NoError(t, err)
			assert.NoError(t, result.Err())
			assertDeadlock(t, name, &result.Run.Manifest)
			assertDropsAreMeant(t, result)
			if look := closerLooks()[name]; look != nil {
				look(t, result.Run)
			}
			if sets == nil {
				assertBaseline(t, result, check.BaselinePath(file, name, ""))
			}
		})
	}
}

// shortened returns what is changed of a scenario that takes seconds, with
// -short: four of its 20 ms hold all that is in cluster-200.
func shortened(t *testing.T, name string) []string {
	switch {
	case !testing.Short():
	case name == "watchdog-64-hosts":
		t.Skip("takes seconds")
	case name == "cluster-200":
		return []string{"stop.time=4ms"}
	}
	return nil
}

// assertDeadlock says that the detector fires where the name says so, and
// nowhere else (V-21): congestion is no deadlock.
func assertDeadlock(t *testing.T, name string, m *results.Manifest) {
	t.Helper()
	assert.Equal(t, strings.Contains(name, "deadlock"), m.Stop == results.Deadlocked, m.Stop)
	assert.Equal(t, m.Stop == results.Deadlocked, len(m.Deadlocks) > 0, m.Deadlocks)
	assert.NotEqual(t, results.Stalled, m.Stop)
}

// assertDropsAreMeant asks a scenario that loses lossless packets to expect it: its
// summary and page say so then, and do not alarm.
func assertDropsAreMeant(t *testing.T, result *check.Result) {
	t.Helper()
	drops, err := result.Value("drops.lossless")
	require.NoError(t, err)
	meant := slices.ContainsFunc(result.Outcomes, func(o results.Outcome) bool {
		return regexp.MustCompile(`^drops\.(lossless|total)(\{[^}]*\})? (>|>=) `).MatchString(o.Expectation)
	})
	assert.True(t, drops == 0 || meant, "%v packets of lossless classes are dropped, and no clause expects it", drops)
}

func assertBaseline(t *testing.T, result *check.Result, file string) {
	t.Helper()
	const update = "if that is meant, say why in the commit and run: go run ./cmd/rocesim test scenarios/... --update"
	old, err := check.ReadBaseline(file)
	require.NoError(t, err)
	require.NotNil(t, old, "%s is not there; run: go run ./cmd/rocesim test scenarios/... --update", file)
	now := check.NewBaseline(result, old)
	assert.Equal(t, old.Fingerprint, now.Fingerprint, "the events are not those of %s; "+update, file)
	assert.Equal(t, old.Metrics, now.Metrics, "the metrics are not those of %s; "+update, file)
}

// Each baseline belongs to a scenario: one without would be part of the model's
// version for ever.
func TestBaselinesHaveScenarios(t *testing.T) {
	for _, pattern := range []string{"*.baseline.json", "*/*.baseline.json"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			_, err := os.Stat(strings.TrimSuffix(file, ".baseline.json") + ".yaml")
			assert.NoError(t, err, file)
		}
	}
}
