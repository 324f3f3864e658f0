// Package simtest holds a second event queue, to prove in tests that results
// do not depend on the kernel's own.
package simtest

import (
	"container/heap"

	"rocesim/sim"
)

// Heap is a plain binary heap over sources: container/heap with an index from
// source to position. It is the obvious implementation of sim.Queue.
type Heap struct {
	keys  []uint64
	ids   []sim.ID
	where map[sim.ID]int
}

// NewHeap returns an empty heap.
func NewHeap() *Heap { return &Heap{where: map[sim.ID]int{}} }

// Set makes key the only entry of source id.
func (h *Heap) Set(id sim.ID, key uint64) {
	if i, ok := h.where[id]; ok {
		h.keys[i] = key
		heap.Fix((*items)(h), i)
		return
	}
	heap.Push((*items)(h), entry{key, id})
}

// Min returns the smallest key.
func (h *Heap) Min() uint64 {
	if len(h.keys) == 0 {
		return uint64(sim.Never) << 18
	}
	return h.keys[0]
}

type entry struct {
	key uint64
	id  sim.ID
}

// items is the heap as container/heap wants it.
type items Heap

func (h *items) Len() int           { return len(h.keys) }
func (h *items) Less(i, j int) bool { return h.keys[i] < h.keys[j] }
func (h *items) Swap(i, j int) {
	h.keys[i], h.keys[j] = h.keys[j], h.keys[i]
	h.ids[i], h.ids[j] = h.ids[j], h.ids[i]
	h.where[h.ids[i]], h.where[h.ids[j]] = i, j
}

func (h *items) Push(x any) {
	e := x.(entry)
	h.where[e.id] = len(h.keys)
	h.keys = append(h.keys, e.key)
	h.ids = append(h.ids, e.id)
}

func (h *items) Pop() any {
	n := len(h.keys) - 1
	e := entry{h.keys[n], h.ids[n]}
	h.keys, h.ids = h.keys[:n], h.ids[:n]
	delete(h.where, e.id)
	return e
}
