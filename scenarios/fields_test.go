package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fieldPaths are the paths of Fields.
func fieldPaths(sc *Scenario) map[string]bool {
	paths := map[string]bool{}
	for _, f := range Fields(sc) {
		paths[f.Path] = true
	}
	return paths
}

// A scenario has the fields of its own topology and types of traffic.
func TestFields(t *testing.T) {
	sc, err := Parse("x.yaml", []byte(`name: x
stop: {time: 1ms}
fabric: {topology: star, hosts: 2, host_link: {rate: 100Gbps, cable: 3m}}
workload:
  - {name: one, type: incast, senders: h0, receivers: h1, bytes: 1KB}
  - {name: two, type: latency, pairs: [[h0, h1]], bytes: 2B, every: 10us}
faults:
  - {link: "h0:sw0", at: 1us, loss: 1%}
`), nil)
	require.NoError(t, err)
	of, all := fieldPaths(sc), fieldPaths(nil)
	for _, path := range []string{"seed", "fabric.host_link.rate", "switch.ecn.kmin", "workload[one].senders", "workload[two].pairs", "faults[0].loss"} {
		assert.True(t, of[path], path)
	}
	for _, path := range []string{"fabric.leaves", "workload[one].pairs", "workload[two].senders", "workload[0].bytes", "sweep.axes", "tune.budget", "lint.ignore"} {
		assert.False(t, of[path], path)
	}
	for _, path := range []string{"fabric.leaves", "fabric.k", "workload[0].pairs", "workload[0].senders", "faults[0].loss"} {
		assert.True(t, all[path], path)
	}
}

// What Fields names, --set reaches: no path is refused as one that is not there.
func TestFieldsCanBeSet(t *testing.T) {
	t.Parallel()
	sc, err := Parse("small.yaml", []byte(small), nil)
	require.NoError(t, err)
	for _, f := range Fields(sc) {
		_, err := Parse("small.yaml", []byte(small), []string{f.Path + "={x: 1}"})
		if err != nil {
			assert.NotContains(t, err.Error(), "the list has no element", f.Path)
			assert.NotContains(t, err.Error(), "unknown key \""+f.Key+"\"", f.Path)
		}
	}
}
