package scenarios

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Wrong values bring no errors but their own, whatever else the scenario has: what
// is checked beside them is right in all scenarios of the library.
func TestWrongValuesBringNoOtherErrors(t *testing.T) {
	t.Parallel()
	for _, sets := range [][]string{
		{"switch.preset=none-such"}, {"nic.preset=none-such"}, {"cc.preset=none-such"}, {"switch.ecn.preset=none-such"},
		{"switch.preset=none-such", "nic.preset=none-such", "cc.preset=none-such"},
		{"switch.latency=fast"}, {"nic.dscp=200"}, {"nic.mtu=0"},
	} {
		for _, e := range Library() {
			if e.Name == "cluster-200" { // as others, and slow
				continue
			}
			_, err := Parse(e.Name+".yaml", e.Text, sets)
			var all Errors
			require.True(t, errors.As(err, &all), "%s %v: %v", e.Name, sets, err)
			assert.Len(t, all, len(sets), "%s %v: %v", e.Name, sets, err)
		}
	}
}
