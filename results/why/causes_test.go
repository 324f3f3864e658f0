package why

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/fabric"
	switching "rocesim/switch"
)

// The words of causes are those of the model, which results hand on: each has an
// explanation of its own.
func TestEveryCauseIsExplained(t *testing.T) {
	var words []string
	for c := range switching.DropCauses {
		words = append(words, c.String())
	}
	for c := range fabric.LossCauses {
		words = append(words, c.String())
	}
	for _, cause := range words {
		run := quiet()
		dropped(run, false, cause, "data")
		reason, _, _ := newExplainer(run).reason(&run.Drops[0])
		assert.NotContains(t, reason, `of "`, cause)
		assert.NotEmpty(t, reason, cause)
	}
	run := quiet()
	dropped(run, false, "a new cause", "data")
	reason, _, _ := newExplainer(run).reason(&run.Drops[0])
	assert.Equal(t, `of "a new cause"`, reason, "what the others must not say")
}
