package validation_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

// Whatever the buffer's settings, after every event the bytes charged to
// priority groups, taken from the pools and held by waiting packets agree, none
// is negative, and no packet is lost track of (V-23, exact).
func TestV23BytesAreConserved(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		shared := rapid.IntRange(10_000, 400_000).Draw(rt, "shared")
		pool := rapid.SampledFrom([]int{0, 40_000}).Draw(rt, "headroom pool")
		most := min(60_000, shared) // more headroom than buffer is refused
		if pool > 0 {
			most = pool
		}
		sets := []string{
			fmt.Sprintf("seed=%d", rapid.IntRange(1, 1000).Draw(rt, "seed")),
			fmt.Sprintf("nic.mtu=%d", rapid.IntRange(64, 9000).Draw(rt, "mtu")),
			fmt.Sprintf("switch.buffer={cell: %dB, partitions: %d, shared: %dB, headroom_pool: %dB}",
				rapid.IntRange(1, 300).Draw(rt, "cell"), rapid.IntRange(1, 3).Draw(rt, "partitions"),
				shared, pool),
			fmt.Sprintf("switch.lossless={alpha: %s, reserved: %dB, xon_offset: %dB, live_xon: %v}",
				rapid.SampledFrom([]string{"1/16", "1", "8"}).Draw(rt, "alpha"), rapid.IntRange(0, 20_000).Draw(rt, "reserved"),
				rapid.IntRange(0, 20_000).Draw(rt, "xon offset"), rapid.Bool().Draw(rt, "live XON")),
			fmt.Sprintf("switch.headroom.bytes=%dB", rapid.IntRange(0, most).Draw(rt, "headroom")),
			fmt.Sprintf("switch.lossy={alpha: 1, reserved: %dB, queue_alpha: 1/2}", rapid.IntRange(0, 5_000).Draw(rt, "lossy reserve")),
			"switch.forwarding=" + rapid.SampledFrom([]string{"store-and-forward", "cut-through"}).Draw(rt, "forwarding"),
		}
		r := assemble(t, "mmu-conservation", nil, sets...)
		for !r.Engine.Run(12*sim.Microsecond, 1) {
			require.NoError(rt, r.CheckConservation())
		}
	})
}
