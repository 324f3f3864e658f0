package sweep

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

// A job that was sent elsewhere as text computes the same record as one that
// stayed in the process, with every kind of scenario of the library; and the
// version that simulates it is part of its name.
func TestJobsAsText(t *testing.T) {
	for _, name := range []string{"incast-8-1", "sonic-incast-weights", "speed-step", "link-flap", "dead-peer", "pause-of-a-lossy-priority", "deadlock-ring-3", "one-leaf-wrong-map"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := scenarios.FindScenario(name)
			require.NoError(t, err)
			sc, err := scenarios.Parse(name, e.Text, nil)
			require.NoError(t, err)
			here := NewJob(sc, 7, nil)
			text, err := json.Marshal(here)
			require.NoError(t, err)
			var elsewhere Job
			require.NoError(t, json.Unmarshal(text, &elsewhere))

			assert.Equal(t, here.Hash("0.1.0+00000000"), elsewhere.Hash("0.1.0+00000000"))
			assert.NotEqual(t, here.Hash("0.1.0+00000000"), here.Hash("0.1.0+00000001"))
			want, err := here.Run(t.Context(), "test")
			require.NoError(t, err)
			got, err := elsewhere.Run(t.Context(), "test")
			require.NoError(t, err)
			assert.Equal(t, want, got)

			run := NewRunner("test")
			for _, seed := range []uint64{8, 7} {
				here.Seed = seed
				got, err = run(t.Context(), here)
				require.NoError(t, err)
			}
			assert.Equal(t, want, got, "with the plan of another seed, which was run")
		})
	}
}
