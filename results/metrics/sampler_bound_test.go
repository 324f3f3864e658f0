package metrics

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Memory for values is bounded: a long run and a large network keep fewer, but
// never fewer than 256, and pairs are always whole.
func TestSamplerIsBounded(t *testing.T) {
	for _, c := range []struct {
		n, links int
		full     bool
	}{
		{maxSamples - 2, 1000, false},
		{maxSamples, 1000, true},
		{1024, maxCells / 1024, true},
		{1022, maxCells / 1024, false},
		{1025, maxCells / 1024, false},
		{minSamples, maxCells / minSamples, true},
		{minSamples - 2, maxCells / 2, false},
	} {
		s := sampler{n: c.n, ports: &portSampler{links: make([]linkTrack, c.links)}}
		assert.Equal(t, c.full, s.full(), "%d samples of %d links", c.n, c.links)
	}
}
