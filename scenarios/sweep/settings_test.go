package sweep

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

// What was read to look for values that never fit is not read again: one
// combination for each value, and the first is that of two axes.
func TestProbedSettingsAreKept(t *testing.T) {
	spec := Spec{Files: []string{write(t, tiny)}, Sets: []string{"switch.ecn.kmin=10KB,20KB,1MB", "switch.ecn.kmax=200KB,400KB,2MB"}}
	s, err := Load(spec)
	require.NoError(t, err)
	p := prober{sweep: s, per: 9, valid: map[int]*scenarios.Scenario{}}
	require.NoError(t, p.probe())
	require.Len(t, p.valid, 5, "kmin=1MB fits the third kmax only")
	for i, sc := range p.valid {
		again, known := s.setting(0, i, nil, "1"), s.setting(0, i, sc, "1")
		require.Equal(t, again.text, known.text)
		require.Equal(t, again.hash, known.hash)
	}
	sc := *p.valid[0]
	sc.Stop.Max++
	require.NotEqual(t, s.setting(0, 0, nil, "1").text, s.setting(0, 0, &sc, "1").text, "the scenario given is taken")
}
