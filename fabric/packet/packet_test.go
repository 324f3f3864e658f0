package packet_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
)

// A packet fills one cache line (64 bytes).
func TestPacketIsOneCacheLine(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(packet.Packet{}), uintptr(64))
}

// A queue behaves as a slice does.
func TestQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q packet.Queue
		var model []*packet.Packet
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				require.Equal(t, len(model) == 0, q.Empty())
				require.Equal(t, len(model), q.Len())
				if len(model) == 0 {
					require.Nil(t, q.Head())
				} else {
					require.Same(t, model[0], q.Head())
				}
			},
			"push": func(*rapid.T) {
				p := &packet.Packet{Next: &packet.Packet{}}
				q.Push(p)
				model = append(model, p)
			},
			"push front": func(*rapid.T) {
				p := &packet.Packet{}
				q.PushFront(p)
				model = append([]*packet.Packet{p}, model...)
			},
			"pop": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip("empty")
				}
				p := q.Pop()
				require.Same(t, model[0], p)
				require.Nil(t, p.Next)
				model = model[1:]
			},
		})
	})
}

// The pool never gives out a packet twice, and counts.
func TestPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pool packet.Pool
		out := map[*packet.Packet]bool{}
		var order []*packet.Packet
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				require.Equal(t, len(out), pool.InUse())
				require.GreaterOrEqual(t, pool.Size(), pool.InUse())
			},
			"get": func(t *rapid.T) {
				p := pool.Get()
				require.False(t, out[p])
				require.Nil(t, p.Next)
				out[p] = true
				order = append(order, p)
			},
			"put": func(t *rapid.T) {
				if len(order) == 0 {
					t.Skip("none out")
				}
				i := rapid.IntRange(0, len(order)-1).Draw(t, "which")
				pool.Put(order[i])
				delete(out, order[i])
				order = append(order[:i], order[i+1:]...)
			},
		})
	})
}

// A pool that has grown to what a run needs allocates nothing more.
func TestPoolRecycles(t *testing.T) {
	var pool packet.Pool
	var held []*packet.Packet
	for range 5000 {
		held = append(held, pool.Get())
	}
	size := pool.Size()
	for _, p := range held {
		pool.Put(p)
	}
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		for i := range held {
			held[i] = pool.Get()
		}
		for _, p := range held {
			pool.Put(p)
		}
	}))
	assert.Equal(t, size, pool.Size())
	assert.Zero(t, pool.InUse())
}
