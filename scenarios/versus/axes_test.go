package versus

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results/compare"
	"rocesim/scenarios/sweep"
)

// Fields that move together share an axis, also where the sweeps share only some
// settings; one that is a word has no numbers, and one that stands still is an
// axis of its own.
func TestAxesOf(t *testing.T) {
	setting := func(scenario string, values ...string) *sweep.FinishedSetting {
		return &sweep.FinishedSetting{Scenario: scenario, Values: values}
	}
	axes := axesOf([]string{"switch.ecn.kmin", "switch.ecn.kmax", "cc.preset", "seed"}, []*sweep.FinishedSetting{
		setting("a", "10KB", "40KB", "paper", "1"),
		setting("a", "10KB", "40KB", "connectx", "1"),
		setting("a", "20KB", "80KB", "connectx", "1"),
	})
	var got []compare.Axis
	var places [][]int
	for _, a := range axes {
		got, places = append(got, a.Axis), append(places, a.places)
	}
	require.Equal(t, []compare.Axis{
		{Name: "switch.ecn.kmin with switch.ecn.kmax", Short: "kmin / kmax", Values: []string{"10KB / 40KB", "20KB / 80KB"}},
		{Name: "cc.preset", Short: "preset", Values: []string{"paper", "connectx"}},
		{Name: "seed", Short: "seed", Values: []string{"1"}, Numbers: []float64{1}},
	}, got)
	require.Equal(t, [][]int{{0, 0, 1}, {0, 1, 1}, {0, 0, 0}}, places)

	axes = axesOf([]string{"switch.ecn.kmin"}, []*sweep.FinishedSetting{
		setting("a", "10KB"), setting("a", "20KB"), setting("b", "10KB"), setting("b", "20KB")})
	require.Equal(t, compare.Axis{Name: "scenario", Short: "scenario", Values: []string{"a", "b"}}, axes[0].Axis)
	require.Equal(t, []float64{10_000, 20_000}, axes[1].Numbers)
}
