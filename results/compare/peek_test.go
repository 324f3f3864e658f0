package compare

import (
	"bytes"
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadDir reads back what Write wrote: the same text and the same cells.
func TestReadDir(t *testing.T) {
	for _, firstB := range []uint64{1, 100} { // paired, and by Welch's test
		a, b, names := example(firstB)
		c, err := Compare(a, b, names, Options{Ignore: DefaultIgnore})
		require.NoError(t, err)
		c.Changes = []Change{{"nic.mtu", "1024", "4096"}}
		dir := t.TempDir() + "/c"
		require.NoError(t, Write(dir, c, func(string) error { return nil }))
		assert.True(t, IsDir(os.DirFS(dir), "."))
		back, sweep, err := ReadDir(os.DirFS(dir), ".")
		require.NoError(t, err)
		assert.Nil(t, sweep)
		assert.Equal(t, textOf(t, c), textOf(t, back))
		for i := range c.Rows {
			assert.Equal(t, c.Cells(&c.Rows[i]), back.Cells(&back.Rows[i]))
		}
	}
}

func TestReadDirOfSweeps(t *testing.T) {
	a, b, names := example(1)
	c, err := Compare(a, b, names, Options{})
	require.NoError(t, err)
	s := &SweepComparison{A: "old", B: "new", Level: 0.01, Settings: []SettingComparison{{Setting: "mtu=1024", Comparison: c}}}
	dir := t.TempDir() + "/c"
	for _, axes := range [][]Axis{nil, {{Name: "nic.mtu", Short: "mtu", Values: []string{"1024"}, Numbers: []float64{1024}}}} {
		s.Axes, s.Settings[0].Places = axes, make([]int, len(axes))
		require.NoError(t, Write(dir, s, func(string) error { return nil }))
		one, back, err := ReadDir(os.DirFS(dir), ".")
		require.NoError(t, err)
		assert.Nil(t, one)
		assert.Equal(t, textOf(t, s), textOf(t, back))
		assert.Equal(t, axes, back.Axes)
	}
	for _, places := range [][]int{nil, {1}, {-1}, {0, 0}} {
		s.Settings[0].Places = places
		require.NoError(t, Write(dir, s, func(string) error { return nil }))
		_, _, err := ReadDir(os.DirFS(dir), ".")
		assert.EqualError(t, err, "comparison.json: the setting mtu=1024 has no place on the axes, so the file was changed")
	}
}

// 1, 2, 3 and 4 have a mean of 2.5, a deviation of 1.291 and, by the table of
// Student's t, 3.182 for 3 degrees of freedom.
func TestHalfWidth(t *testing.T) {
	l := level([]float64{1, 2, 3, 4}, 4)
	assert.InDelta(t, 3.182*1.29099/2, l.HalfWidth(), 1e-3)
	l = level([]float64{1}, 1)
	assert.Zero(t, l.HalfWidth())
}

func textOf(t *testing.T, r Report) string {
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	return out.String()
}

func FuzzReadDir(f *testing.F) {
	f.Add(`{"metrics": [{"metric": "fct.p99", "verdict": "same"}]}`)
	f.Add(`{"a": {"seeds": [1]}, "b": {"seeds": [2, 3]}, "method": "welch", "metrics": [{"metric": "fct.p99", "verdict": "same"}]}`)
	f.Add(`{"settings": [{"setting": "x"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, s, err := ReadDir(fstest.MapFS{jsonFile: &fstest.MapFile{Data: []byte(text)}}, ".")
		if err != nil {
			assert.Contains(t, err.Error(), jsonFile)
			return
		}
		if c != nil {
			require.NoError(t, c.WriteText(&bytes.Buffer{}))
		} else {
			require.NoError(t, s.WriteText(&bytes.Buffer{}))
		}
	})
}
