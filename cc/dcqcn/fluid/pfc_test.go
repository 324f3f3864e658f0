package fluid_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"rocesim/cc/dcqcn/fluid"
)

// V-34: the paper's chip (Trident II: 12 MB, 32 ports) with headroom of 22.4 KB:
// 24.47 and 21.75 KB. That no pause is sent then: results/validation.
func TestV34ECNBeforePFC(t *testing.T) {
	c := fluid.Chip{Buffer: 12_000_000, Ports: 32, Headroom: 22_400, Beta: 8}
	assert.InDelta(t, 24.47, c.StaticPFC()/1000, 0.01)
	assert.InDelta(t, 21.75, c.DynamicECN()/1000, 0.01)
}

// At the bound and with every queue of the chip at Kmin, XOFF is at n times Kmin:
// what one group holds if all queues of its priority were filled through one port.
func TestDynamicECNIsWhereTheThresholdMeetsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fluid.Chip{
			Buffer:   rapid.Int64Range(10_000_000, 200_000_000).Draw(t, "buffer"),
			Ports:    rapid.IntRange(1, 64).Draw(t, "ports"),
			Headroom: rapid.Int64Range(0, 15_000).Draw(t, "headroom"),
			Beta:     rapid.Float64Range(0.1, 64).Draw(t, "beta"),
		}
		kmin := c.DynamicECN()
		assert.Less(t, kmin, c.StaticPFC())
		queues := 8 * float64(c.Ports)
		free := float64(c.Buffer) - queues*float64(c.Headroom) - queues*kmin
		assert.InEpsilon(t, float64(c.Ports)*kmin, c.Beta/8*free, 1e-6)
	})
}
