package page

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Changes are drawn between the names and the margin; intervals that are wider
// than the drawing end there.
func TestRangesKeepToTheDrawing(t *testing.T) {
	g := ranges{width: 360, left: 150, least: -0.5, most: 1.5}
	require.InDelta(t, 150, g.at(-0.5), 1e-9)
	require.InDelta(t, 150, g.at(-7), 1e-9)
	require.InDelta(t, 150+(360-150-rangesMargin)/4, g.at(0), 1e-9)
	require.InDelta(t, 360-rangesMargin, g.at(99), 1e-9)
}
