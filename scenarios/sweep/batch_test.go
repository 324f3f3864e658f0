package sweep

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

// A cache needs no more than a directory: runs are done here, and a record that
// is damaged is made again without a word.
func TestCacheDefaults(t *testing.T) {
	sc, err := scenarios.Load(write(t, tiny), nil)
	require.NoError(t, err)
	jobs := []*Job{NewJob(sc, 1, nil), NewJob(sc, 2, nil)}
	c := Cache{Dir: t.TempDir(), Tool: "test"}
	first, err := c.Run(context.Background(), jobs, nil)
	require.NoError(t, err)
	record := filepath.Join(c.Dir, runsDir, jobs[0].name("test")+".json")
	require.FileExists(t, record)
	require.NoError(t, os.WriteFile(record, []byte("{"), 0o644))

	var found []bool
	again, err := c.Run(context.Background(), jobs, func(f bool) { found = append(found, f) })
	require.NoError(t, err)
	assert.Equal(t, first, again)
	assert.Equal(t, []bool{true, false}, found, "the second is there, the first is repeated")
}
