package fabric

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestLayout holds what a packet-hop touches to the cache lines it was laid out
// for, on machines with 64-bit pointers.
func TestLayout(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("sizes are those of 64-bit machines")
	}
	require.LessOrEqual(t, unsafe.Sizeof(Link{}), uintptr(64))
	require.Zero(t, 64%unsafe.Sizeof(Link{}), "links that straddle lines")
	require.LessOrEqual(t, unsafe.Sizeof(Port{}), uintptr(48), "a switch adds 16 bytes")
}
