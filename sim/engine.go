package sim

import (
	"fmt"
	"math/bits"
	"slices"

	"rocesim/sim/invariant"
)

// Widths of the packed key: 46 bits of picoseconds reach 70 s, which covers
// watchdogs and retry time-outs; 18 bits number 262,144 sources, which is a
// fabric of some 20,000 hosts.
const (
	timeBits = 46
	idBits   = 64 - timeBits
	idMask   = 1<<idBits - 1
)

// MaxSources is how many sources one engine can hold.
const MaxSources = 1 << idBits

// treeLen is the length of a tree over MaxSources leaves.
const treeLen = 2 * MaxSources

// tree is a winner tree in which each node is the least of its four children.
// The children of node i are 4i to 4i+3, side by side in half a cache line; a tree
// of size leaves, a power of 2, has them from node size on, and the winner is the
// least of nodes 1 to 3. With two children each, a change would touch twice the
// cache lines.
type tree [treeLen]uint64

func (t *tree) winner() uint64 { return min(t[1], t[2], t[3]) }

// neverKey sorts behind every key of an instant before Never.
const neverKey = uint64(Never) << idBits

// ID names a source. IDs are dense and fixed when the engine is built.
type ID uint32

// Handler acts for one class of sources.
type Handler interface {
	// Handle is called when source index (counted from the class's first) is
	// due. Before it returns it must Arm its source for a strictly later
	// instant, or Disarm it.
	Handle(now Time, index int)
}

// Queue is an event queue over sources. The engine has its own (a winner
// tree); a second implementation is given to NewEngineOn by tests, to prove
// that results do not depend on the queue.
type Queue interface {
	// Set makes key the only entry of source id; neverKey removes it.
	Set(id ID, key uint64)
	// Min returns the smallest key, or the key of Never if there is none.
	Min() uint64
}

type class struct {
	end        ID
	first      ID
	handler    Handler
	name       string
	background bool
}

// Engine runs sources in order of (time, id). It is used by one goroutine.
type Engine struct {
	// tree has the size of the largest engine, so that a masked index needs no
	// bounds check; pages that are not used stay untouched.
	tree        *tree
	size        int
	other       Queue // nil: use tree
	current     uint64
	fingerprint uint64
	events      uint64
	classes     []class
	sources     ID
	halted      bool
}

// NewEngine returns an engine without sources.
func NewEngine() *Engine {
	return &Engine{tree: new(tree), fingerprint: fnvOffset}
}

// Memory is what an engine has much of. One engine after the other can have the
// same, which spares each to clear some MB. The zero value is ready.
type Memory struct{ tree *tree }

// NewEngineIn returns an engine without sources in the memory of an earlier one,
// which must not be used any more.
func NewEngineIn(m *Memory) *Engine {
	if m.tree == nil {
		m.tree = new(tree)
	}
	m.tree[1], m.tree[2], m.tree[3] = 0, 0, 0 // AddClass overwrites all else that is read
	return &Engine{tree: m.tree, fingerprint: fnvOffset}
}

// NewEngineOn returns an engine that keeps its events in q.
func NewEngineOn(q Queue) *Engine {
	e := NewEngine()
	e.other = q
	return e
}

// AddClass adds count sources that h acts for and returns the first one's ID.
// At one instant, classes act in the order in which they were added.
// A background class (sampling, pause refresh) does not count as progress when
// a stall is looked for.
func (e *Engine) AddClass(name string, count int, background bool, h Handler) (ID, error) {
	if int(e.sources)+count > MaxSources {
		return 0, fmt.Errorf("the model needs %d event sources (adding %d of %q), the kernel holds %d: simulate a smaller fabric",
			int(e.sources)+count, count, name, MaxSources)
	}
	first := e.sources
	e.sources += ID(count)
	e.classes = append(e.classes, class{first: first, end: e.sources, handler: h, name: name, background: background})
	e.grow()
	return first, nil
}

// grow rebuilds the tree for the present number of sources. Sources are armed
// after all classes are there, except in tests, so it keeps what is armed.
func (e *Engine) grow() {
	size := 1 << bits.Len(uint(max(int(e.sources), 4)-1))
	if size == e.size {
		return
	}
	leaves := e.tree[size : 2*size]
	copy(leaves, e.tree[e.size:2*e.size])
	for i := e.size; i < size; i++ {
		leaves[i] = neverKey
	}
	e.size = size
	e.tree[1], e.tree[2], e.tree[3] = neverKey, neverKey, neverKey // one or two of them are used
	for first := size / 4; first > 0; first /= 4 {
		for i := first; i < 2*first; i++ {
			e.tree[i] = slices.Min(e.tree[4*i : 4*i+4])
		}
	}
}

// Now returns the instant of the event being handled.
func (e *Engine) Now() Time { return Time(e.current >> idBits) }

// Events returns how many events were handled.
func (e *Engine) Events() uint64 { return e.events }

// Fingerprint is a hash over (time, source) of every event handled: two runs
// with the same fingerprint took the same path.
func (e *Engine) Fingerprint() uint64 { return e.fingerprint }

// Arm makes t the next event time of source id, replacing any other.
// Preconditions: (t, id) lies behind the event being handled.
func (e *Engine) Arm(id ID, t Time) {
	key := uint64(t)<<idBits | uint64(id)
	if invariant.Enabled && key <= e.current && e.current > 0 {
		panic(fmt.Sprintf("sim: source %s armed for %v while %v of %s is handled",
			e.Name(id), t, e.Now(), e.Name(ID(e.current&idMask))))
	}
	e.set(id, key)
}

// Disarm removes the next event of source id, if any.
func (e *Engine) Disarm(id ID) { e.set(id, neverKey) }

func (e *Engine) set(id ID, key uint64) {
	if e.other != nil {
		e.other.Set(id, key)
	}
	// One pass from leaf to root. The winner so far stays in a register: only
	// the siblings are loaded, and they do not depend on each other.
	t := e.tree
	i := (uint(e.size) + uint(id)) % treeLen
	t[i] = key
	for i > 3 {
		i %= treeLen // changes nothing, and saves the bounds checks below
		key = min(key, min(t[i^1], t[i^2], t[i^3]))
		i /= 4
		t[i] = key
	}
}

// Armed returns the next event time of source id, or Never.
func (e *Engine) Armed(id ID) Time { return Time(e.tree[e.size+int(id)] >> idBits) }

// Next returns the instant of the next event, or Never.
func (e *Engine) Next() Time { return Time(e.min() >> idBits) }

func (e *Engine) min() uint64 {
	if e.other != nil {
		return e.other.Min()
	}
	return e.tree.winner()
}

// Halt makes Run return after the event being handled.
func (e *Engine) Halt() { e.halted = true }

// Halted reports whether Halt was called.
func (e *Engine) Halted() bool { return e.halted }

// Run handles events up to and including instant until, at most budget of
// them. It returns false when the budget or Halt ended it, true when no event
// is left before until. The caller may look at the model between calls.
func (e *Engine) Run(until Time, budget int) bool {
	limit := uint64(min(until, Never-1)+1) << idBits
	fingerprint, left := e.fingerprint, budget
	key := e.min()
	for ; left > 0 && key < limit && !e.halted; left-- {
		e.current = key
		fingerprint = (fingerprint ^ key) * fnvPrime
		id := ID(key & idMask)
		k := 0 // most events are of the first classes
		for id >= e.classes[k].end {
			k++
		}
		c := &e.classes[k]
		c.handler.Handle(Time(key>>idBits), int(id-c.first))
		next := e.tree.winner() // as min, which is too large to be inlined
		if e.other != nil {
			next = e.other.Min()
		}
		if next == key {
			panic(fmt.Sprintf("sim: %s left itself armed at %v", e.Name(id), e.Now()))
		}
		key = next
	}
	e.fingerprint = fingerprint
	e.events += uint64(budget - left)
	return left > 0 && !e.halted
}

// Idle reports whether no foreground source is armed: nothing but sampling and
// refreshing would ever happen again.
func (e *Engine) Idle() bool {
	for i := range e.classes {
		if !e.classes[i].background && e.anyArmed(&e.classes[i]) {
			return false
		}
	}
	return true
}

// ClassArmed reports whether a source of the named class is armed.
func (e *Engine) ClassArmed(name string) bool {
	for i := range e.classes {
		if e.classes[i].name == name && e.anyArmed(&e.classes[i]) {
			return true
		}
	}
	return false
}

func (e *Engine) anyArmed(c *class) bool {
	for id := c.first; id < c.end; id++ {
		if e.Armed(id) < Never {
			return true
		}
	}
	return false
}

// Sources returns the number of sources.
func (e *Engine) Sources() int { return int(e.sources) }

// Name names a source for messages, as "link/17".
func (e *Engine) Name(id ID) string {
	for _, c := range e.classes {
		if id < c.end {
			return fmt.Sprintf("%s/%d", c.name, id-c.first)
		}
	}
	return fmt.Sprintf("source/%d", id)
}

// FNV-1a constants (Fowler, Noll, Vo); used on whole 64-bit keys.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)
