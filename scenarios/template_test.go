package scenarios

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A template makes the scenarios that reading the file makes, wrong ones too,
// however many goroutines ask at once.
func TestTemplate(t *testing.T) {
	t.Parallel()
	sets := [][]string{
		nil,
		{"switch.ecn.kmin=50KB", "seed=7"},
		{"switch.preset=sonic-tomahawk3"},
		{"switch.preset=nonsense", "nic.mtu=1KB", "workload[nobody].bytes=1MB"},
		{"workload[0].bytes=1MB"},
		{"switch.overrides=[{match: leaf0, ecn: {kmin: 40KB}}]"},
	}
	for _, path := range []string{"ecn/incast-32-1.yaml", "cluster-200.yaml", "storm/watchdog-64-hosts.yaml", "incast-8-1"} {
		template, err := LoadTemplate(path)
		require.NoError(t, err)
		var group sync.WaitGroup
		for i := range 3 * len(sets) {
			group.Go(func() {
				got, wrong := template.Scenario(sets[i%len(sets)])
				want, err := Load(path, sets[i%len(sets)])
				assert.Equal(t, fmt.Sprint(err), fmt.Sprint(wrong), path)
				if err == nil {
					assert.Equal(t, string(want.Resolved()), string(got.Resolved()), path)
				}
			})
		}
		group.Wait()
	}
	_, err := LoadTemplate("testdata/none.yaml")
	require.EqualError(t, err, "testdata/none.yaml: there is no such file")
}
