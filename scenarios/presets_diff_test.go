package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/scenarios/strict"
)

func TestPresetDifferences(t *testing.T) {
	for _, c := range []struct {
		sets []string
		want []strict.Difference
	}{
		{nil, nil},
		{[]string{"switch.preset=sonic-tomahawk", "nic.preset=connectx-6-dx", "cc.preset=none"}, nil},
		{[]string{"switch.preset=sonic-tomahawk", "switch.ecn.kmin=123KB", "nic.mtu=1024"},
			[]strict.Difference{{Path: "switch.ecn.kmin", A: "123KB", B: "250KB"}, {Path: "nic.mtu", A: "1024", B: "4096"}}},
	} {
		sc, err := Parse("small.yaml", []byte(small), c.sets)
		require.NoError(t, err)
		require.Equal(t, c.want, sc.PresetDifferences(), c.sets)
	}
}

// No scenario of the library is too strange for it.
func TestPresetDifferencesOfTheLibrary(t *testing.T) {
	t.Parallel()
	for _, entry := range Library() {
		sc, err := Parse(entry.Name+".yaml", entry.Text, nil)
		require.NoError(t, err)
		for _, d := range sc.PresetDifferences() {
			require.NotEqual(t, d.A, d.B)
		}
	}
}
