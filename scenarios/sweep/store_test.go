package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Runs of one setting that end at the same time share its scenario, which is asked
// for once; without it no record is written.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	s := newStore(dir)
	asked := 0 // guarded by the store
	text := func() (string, error) { asked++; return "name: x\n", nil }
	var group sync.WaitGroup
	for seed := range uint64(20) {
		group.Go(func() { assert.NoError(t, s.put(runName("aa", seed), &Record{Format: recordFormat, Seed: seed}, text)) })
	}
	group.Wait()
	assert.Equal(t, 1, asked)
	for seed := range uint64(20) {
		rec, err := s.get(runName("aa", seed))
		require.NoError(t, err)
		assert.Equal(t, seed, rec.Seed)
	}
	files, err := os.ReadDir(filepath.Join(dir, runsDir, "aa"))
	require.NoError(t, err)
	assert.Len(t, files, 21)
	scenario, err := os.ReadFile(filepath.Join(dir, runsDir, "aa", "scenario.yaml"))
	require.NoError(t, err)
	assert.Equal(t, "# simulate it with: rocesim run FILE --seed SEED\nname: x\n", string(scenario))

	gone := errors.New("gone")
	assert.ErrorIs(t, s.put("bb/seed-1", &Record{}, func() (string, error) { return "", gone }), gone)
	rec, err := s.get("bb/seed-1")
	assert.NoError(t, err)
	assert.Nil(t, rec)
}

// Jobs of settings that are not kept in memory are the same.
func TestSettingsMadeAgain(t *testing.T) {
	s, err := Load(Spec{Files: []string{write(t, tiny)}, Sets: []string{"switch.ecn.kmin=10KB,20KB"}, Seeds: "2"})
	require.NoError(t, err)
	r := &runner{sweep: s, opt: Options{Tool: "1", Workers: 1, Fresh: true}, byName: map[string][]int{}}
	require.NoError(t, r.resolve(t.Context()))
	require.NoError(t, r.find())
	var want []string
	for i := range 4 {
		job, err := r.job(i)
		require.NoError(t, err)
		want = append(want, job.Scenario)
	}
	assert.NotEqual(t, want[0], want[2])
	for i := range r.settings {
		r.settings[i].scenario, r.settings[i].text = nil, ""
	}
	for _, i := range []int{0, 1, 3, 2, 0} {
		job, err := r.job(i)
		require.NoError(t, err)
		assert.Equal(t, want[i], job.Scenario)
		assert.Equal(t, uint64(1+i%2), job.Seed)
	}
}

// Two that write the same run at the same time do not stand in each other's way.
func TestWriteWholeTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seed-1.json")
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for range 300 {
				assert.NoError(t, writeWhole(path, []byte("the same")))
			}
		})
	}
	group.Wait()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "the same", string(text))
}
