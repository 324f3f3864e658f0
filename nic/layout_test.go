package nic

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestLayout holds a NIC to whole cache lines and what it has of one priority to
// one, on machines with 64-bit pointers.
func TestLayout(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("sizes are those of 64-bit machines")
	}
	require.Zero(t, unsafe.Sizeof(NIC{})%64)
	require.Zero(t, unsafe.Offsetof(NIC{}.classes)%64)
	require.Equal(t, uintptr(64), unsafe.Sizeof(class{}))
}
