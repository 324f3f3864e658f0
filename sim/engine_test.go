package sim_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
	"rocesim/sim/invariant"
	"rocesim/sim/simtest"
)

// event is one call of a handler.
type event struct {
	at sim.Time
	id sim.ID
}

// step is what a scripted handler does when it is called: re-arm its own
// source after own (0: disarm it), and arm source other after span, or disarm
// it if span is negative.
type step struct {
	own, span sim.Time
	other     sim.ID
}

// player handles all sources of an engine by a script, one step an event, and
// writes down what happened. When the script is over it disarms.
type player struct {
	e      *sim.Engine
	first  sim.ID
	script *[]step
	log    *[]event
}

func (p *player) Handle(now sim.Time, index int) {
	id := p.first + sim.ID(index)
	*p.log = append(*p.log, event{now, id})
	if len(*p.script) == 0 {
		p.e.Disarm(id)
		return
	}
	s := (*p.script)[0]
	*p.script = (*p.script)[1:]
	switch {
	case s.other == id: // its own source is set below
	case s.span < 0:
		p.e.Disarm(s.other)
	case s.span > 0 || s.other > id:
		p.e.Arm(s.other, now+s.span)
	}
	if s.own > 0 {
		p.e.Arm(id, now+s.own)
	} else {
		p.e.Disarm(id)
	}
}

// naive plays the same script by scanning all sources for each event: what the
// order (time, id) means, without any data structure.
func naive(starts []sim.Time, script []step) (log []event) {
	armed := slices.Clone(starts)
	for {
		id := 0
		for i, at := range armed {
			if at < armed[id] {
				id = i
			}
		}
		now := armed[id]
		if now == sim.Never {
			return log
		}
		log = append(log, event{now, sim.ID(id)})
		armed[id] = sim.Never
		if len(script) == 0 {
			continue
		}
		s := script[0]
		script = script[1:]
		switch other := int(s.other); {
		case other == id:
		case s.span < 0:
			armed[other] = sim.Never
		case s.span > 0 || other > id:
			armed[other] = now + s.span
		}
		if s.own > 0 {
			armed[id] = now + s.own
		}
	}
}

// play runs the script on an engine whose sources are spread over classes of
// the given sizes and armed in the given order.
func play(t require.TestingT, e *sim.Engine, classes []int, starts []sim.Time, order []int, script []step) []event {
	var log []event
	script = slices.Clone(script)
	for i, n := range classes {
		p := &player{e: e, script: &script, log: &log}
		first, err := e.AddClass(fmt.Sprint("class", i), n, false, p)
		require.NoError(t, err)
		p.first = first
	}
	for _, i := range order {
		if starts[i] < sim.Never {
			e.Arm(sim.ID(i), starts[i])
		}
	}
	require.True(t, e.Run(sim.Never, 1<<40))
	return log
}

func spans(limit int64) *rapid.Generator[sim.Time] {
	return rapid.Custom(func(t *rapid.T) sim.Time { return sim.Time(rapid.Int64Range(-1, limit).Draw(t, "span")) })
}

// Whatever is armed, re-armed and disarmed, in whatever order and on whichever
// queue, events come in the order of (time, id) that a plain scan gives. Spans
// are short, so that many events fall on one instant.
func TestOrderIsThatOfAScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.SliceOfN(rapid.IntRange(1, 20), 1, 5).Draw(t, "classes")
		n := 0
		for _, c := range classes {
			n += c
		}
		starts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sim.Time {
			return rapid.OneOf(rapid.Just(sim.Never), spans(6)).Draw(t, "start") & sim.Never
		}), n, n).Draw(t, "starts")
		script := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
			return step{
				own:   max(0, spans(6).Draw(t, "own")),
				span:  spans(6).Draw(t, "other's"),
				other: sim.ID(rapid.IntRange(0, n-1).Draw(t, "other")),
			}
		}), 0, 300).Draw(t, "script")
		order := rapid.Permutation(seq(n)).Draw(t, "order")

		want := naive(starts, script)
		tree, heap := sim.NewEngine(), sim.NewEngineOn(simtest.NewHeap())
		require.Equal(t, want, play(t, tree, classes, starts, seq(n), script))
		require.Equal(t, want, play(t, heap, classes, starts, order, script))
		require.Equal(t, tree.Fingerprint(), heap.Fingerprint())
		require.Equal(t, uint64(len(want)), tree.Events())
	})
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// At one instant classes act in the order in which they were added, and within
// a class by index: links deliver before ports transmit.
func TestClassesActInOrder(t *testing.T) {
	e := sim.NewEngine()
	log := play(t, e, []int{2, 1, 3}, slices.Repeat([]sim.Time{sim.Nanosecond}, 6), []int{5, 0, 3, 1, 4, 2}, nil)
	var ids []sim.ID
	for _, ev := range log {
		assert.Equal(t, sim.Nanosecond, ev.at)
		ids = append(ids, ev.id)
	}
	assert.Equal(t, []sim.ID{0, 1, 2, 3, 4, 5}, ids)
	assert.Equal(t, "class1/0", e.Name(2))
	assert.Equal(t, "class2/2", e.Name(5))
	assert.Equal(t, "source/6", e.Name(6))
	assert.Equal(t, 6, e.Sources())
}

// once handles an event with f; f must re-arm or disarm.
type once func(now sim.Time, i int)

func (f once) Handle(now sim.Time, i int) { f(now, i) }

// engineWith has n sources whose handler is f, or disarms if f is nil.
func engineWith(t *testing.T, n int, f func(e *sim.Engine, now sim.Time, i int)) *sim.Engine {
	t.Helper()
	e := sim.NewEngine()
	if f == nil {
		f = func(e *sim.Engine, _ sim.Time, i int) { e.Disarm(sim.ID(i)) }
	}
	_, err := e.AddClass("port", n, false, once(func(now sim.Time, i int) { f(e, now, i) }))
	require.NoError(t, err)
	return e
}

// tick re-arms source i a nanosecond later.
func tick(e *sim.Engine, now sim.Time, i int) { e.Arm(sim.ID(i), now+sim.Nanosecond) }

func TestRunEndsAtItsInstantAndBudget(t *testing.T) {
	e := engineWith(t, 1, tick)
	assert.Equal(t, sim.Never, e.Next())
	e.Arm(0, 0)
	assert.True(t, e.Run(3*sim.Nanosecond, 100), "until is included")
	assert.Equal(t, uint64(4), e.Events())
	assert.Equal(t, 3*sim.Nanosecond, e.Now())
	assert.Equal(t, 4*sim.Nanosecond, e.Next())
	assert.Equal(t, 4*sim.Nanosecond, e.Armed(0))
	assert.False(t, e.Run(sim.Second, 10), "the budget ended it")
	assert.Equal(t, uint64(14), e.Events())
	assert.False(t, e.Run(13*sim.Nanosecond, 0))
}

// A budget that ends at the last event leaves the answer to the next call.
func TestRunWithoutEvents(t *testing.T) {
	e := engineWith(t, 3, nil)
	assert.True(t, e.Run(sim.Never, 1))
	e.Arm(1, 5)
	assert.False(t, e.Run(sim.Never, 1))
	assert.True(t, e.Run(sim.Never, 1))
	assert.Equal(t, uint64(1), e.Events())
}

func TestHaltEndsTheRunAfterTheEvent(t *testing.T) {
	e := engineWith(t, 2, func(e *sim.Engine, now sim.Time, i int) {
		if now == 5*sim.Nanosecond {
			e.Halt()
		}
		tick(e, now, i)
	})
	e.Arm(0, 0)
	e.Arm(1, 0)
	assert.False(t, e.Halted())
	assert.False(t, e.Run(sim.Never, 1000))
	assert.True(t, e.Halted())
	assert.Equal(t, uint64(11), e.Events(), "both at 0 to 4 ns, and the first at 5 ns")
	assert.False(t, e.Run(sim.Never, 1000))
	assert.Equal(t, uint64(11), e.Events(), "halted for good")
}

// Background sources do not count as progress.
func TestIdle(t *testing.T) {
	e := sim.NewEngine()
	h := once(func(sim.Time, int) {})
	link, err := e.AddClass("link", 2, false, h)
	require.NoError(t, err)
	sample, err := e.AddClass("sample", 1, true, h)
	require.NoError(t, err)
	assert.True(t, e.Idle())
	e.Arm(sample, sim.Second)
	assert.True(t, e.Idle())
	assert.True(t, e.ClassArmed("sample"))
	e.Arm(link+1, sim.Second)
	assert.False(t, e.Idle())
	assert.True(t, e.ClassArmed("link"))
	assert.False(t, e.ClassArmed("port"))
	e.Disarm(link + 1)
	assert.True(t, e.Idle())
	assert.False(t, e.ClassArmed("link"))
}

func TestHandlerThatLeavesItsSourceArmedPanics(t *testing.T) {
	e := engineWith(t, 3, func(*sim.Engine, sim.Time, int) {})
	e.Arm(1, 5*sim.Nanosecond)
	assert.PanicsWithValue(t, "sim: port/1 left itself armed at 5ns", func() { e.Run(sim.Second, 10) })
}

// Arming for the past is looked for in builds with the invariants tag only.
func TestArmingForThePastPanics(t *testing.T) {
	if !invariant.Enabled {
		t.Skip("needs -tags invariants")
	}
	for want, f := range map[string]func(e *sim.Engine, now sim.Time, i int){
		"sim: source port/1 armed for 5ns while 5ns of port/1 is handled":     func(e *sim.Engine, now sim.Time, _ int) { e.Arm(1, now) },
		"sim: source port/0 armed for 5ns while 5ns of port/1 is handled":     func(e *sim.Engine, now sim.Time, _ int) { e.Arm(0, now) },
		"sim: source port/2 armed for 4.999ns while 5ns of port/1 is handled": func(e *sim.Engine, now sim.Time, _ int) { e.Arm(2, now-1) },
	} {
		e := engineWith(t, 3, f)
		e.Arm(1, 5*sim.Nanosecond)
		assert.PanicsWithValue(t, want, func() { e.Run(sim.Second, 10) })
	}
}

// A source behind the one being handled may still be armed for this instant.
func TestArmLaterSourceAtTheSameInstant(t *testing.T) {
	var order []int
	e := engineWith(t, 3, func(e *sim.Engine, now sim.Time, i int) {
		order = append(order, i)
		e.Disarm(sim.ID(i))
		if i == 1 {
			e.Arm(2, now)
		}
	})
	e.Arm(1, 7)
	e.Run(7, 10)
	assert.Equal(t, []int{1, 2}, order)
}

func TestTooManySources(t *testing.T) {
	e := sim.NewEngine()
	_, err := e.AddClass("link", sim.MaxSources-1, false, nil)
	require.NoError(t, err)
	_, err = e.AddClass("port", 2, false, nil)
	require.EqualError(t, err, `the model needs 262145 event sources (adding 2 of "port"), the kernel holds 262144: simulate a smaller fabric`)
	last, err := e.AddClass("port", 1, false, nil)
	require.NoError(t, err)
	e.Arm(last, 1)
	assert.Equal(t, sim.Time(1), e.Next(), "the last source works")
}

// Adding a class keeps what is armed.
func TestAddClassKeepsWhatIsArmed(t *testing.T) {
	e := engineWith(t, 2, nil)
	e.Arm(1, 9)
	_, err := e.AddClass("more", 1000, false, once(func(sim.Time, int) {}))
	require.NoError(t, err)
	assert.Equal(t, sim.Time(9), e.Next())
	assert.Equal(t, sim.Time(9), e.Armed(1))
	e.Arm(500, 8)
	assert.Equal(t, sim.Time(8), e.Next())
}

// The fingerprint tells paths apart that differ in time, source or order only.
func TestFingerprintDependsOnThePath(t *testing.T) {
	of := func(events ...event) uint64 {
		e := engineWith(t, 4, nil)
		for _, ev := range events {
			e.Arm(ev.id, ev.at)
			e.Run(ev.at, 1)
		}
		return e.Fingerprint()
	}
	base := of(event{5, 1}, event{9, 2})
	assert.Equal(t, base, of(event{5, 1}, event{9, 2}))
	for _, other := range [][]event{
		{{5, 2}, {9, 1}}, {{5, 1}, {8, 2}}, {{5, 1}}, {{5, 1}, {9, 2}, {9, 3}}, {{4, 1}, {9, 2}}, nil,
	} {
		assert.NotEqual(t, base, of(other...))
	}
}
