package switching

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestLayout holds what a packet-hop touches to one cache line each, on machines
// with 64-bit pointers.
func TestLayout(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("sizes are those of 64-bit machines")
	}
	require.Equal(t, uintptr(64), unsafe.Sizeof(port{}))
	require.Equal(t, uintptr(64), unsafe.Sizeof(queue{}))
	require.Equal(t, uintptr(64), unsafe.Sizeof(group{}))
}
