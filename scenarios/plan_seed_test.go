package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The plan of another seed is the one that is made from the scenario with it,
// for every scenario of the library.
func TestPlanWithSeed(t *testing.T) {
	t.Parallel()
	draw := map[bool]int{}
	for _, e := range Library() {
		sc, err := Parse(e.Name, e.Text, []string{"seed=1"})
		require.NoError(t, err)
		first, err := sc.Plan()
		require.NoError(t, err)
		again, err := sc.Plan()
		require.NoError(t, err)
		other := *sc
		other.Seed = 7
		want, err := other.Plan()
		require.NoError(t, err)
		got, err := first.WithSeed(7)
		require.NoError(t, err)
		assert.Equal(t, want, got, e.Name)
		assert.Equal(t, again, first, "%s: the first is left as it was", e.Name)
		back, err := got.WithSeed(1)
		require.NoError(t, err)
		assert.Equal(t, again, back, e.Name)
		assert.NotEqual(t, first.NICs, got.NICs, "%s: seeds reach NICs", e.Name)
		draw[first.drawn]++
	}
	assert.Greater(t, draw[true], 3, "scenarios that draw hosts")
	assert.Greater(t, draw[false], 30, "scenarios that do not")
}
