package workload

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

func TestMessageFitsACacheLine(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(Message{}), uintptr(64))
}

func TestTableKeepsMessagesInPages(t *testing.T) {
	var table table
	const n = 3*pageSize + 5
	for i := range n {
		assert.EqualValues(t, i, table.add(Message{Bytes: int64(i)}))
	}
	assert.Len(t, table.pages, 4)
	assert.EqualValues(t, pageSize, table.at(pageSize).Bytes)
	d := Driver{table: &table}
	all := d.Messages()
	require.Len(t, all, n)
	for i, m := range all {
		require.EqualValues(t, i, m.Bytes)
	}
	assert.PanicsWithValue(t, "workload: message 12293 reported, 12293 posted", func() { table.at(n) })
}

// A binary heap must hand out what was put in, sorted by (time, token).
func TestAgendaIsSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a agenda
		var popped, pushed int
		last := appointment{-1, -1}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			if len(a.items) > 0 && rapid.Bool().Draw(t, "pop") {
				at := a.next()
				item := appointment{at, a.pop()}
				require.False(t, item.before(last), "%v after %v", item, last)
				last = item
				popped++
				continue
			}
			at := max(last.at, 0) + sim.Time(rapid.IntRange(1, 20).Draw(t, "delay"))
			a.push(at, int32(rapid.IntRange(0, 5).Draw(t, "token")))
			pushed++
		}
		require.Len(t, a.items, pushed-popped)
	})
}

func TestAgendaDropsWhatNoRunReaches(t *testing.T) {
	var a agenda
	a.push(sim.Never, 1)
	a.push(sim.Never+sim.Second, 1)
	assert.Equal(t, sim.Never, a.next())
}

func everyKind() []Entry {
	sizes, _ := BuiltinCDF(AliStorage)
	return []Entry{
		Flows{Common: Common{Name: "flows"}, Flows: []Flow{{Pair: Pair{Src: 0, Dst: 1}, Bytes: 5000, Start: sim.Microsecond}}},
		Incast{Common: Common{Name: "incast"}, Senders: []int{1, 2, 3}, Receivers: []int{0}, Bytes: 9000, Every: 50 * sim.Microsecond, Spread: sim.Microsecond, Rounds: 4},
		Permutation{Common: Common{Name: "permutation"}, Hosts: upTo(8), Bytes: 4096, QPs: 2, Repeat: Repeat{Rounds: 3}},
		AllToAll{Common: Common{Name: "shuffle"}, Hosts: upTo(6), Bytes: 1000, Window: 2, Repeat: Repeat{Stop: 100 * sim.Microsecond}},
		Poisson{Common: Common{Name: "poisson"}, Sources: upTo(8), Destinations: upTo(8), Sizes: sizes, Load: 0.3, Stop: 200 * sim.Microsecond},
		Saturate{Common: Common{Name: "saturate"}, Pairs: []Pair{{Src: 4, Dst: 5}}, Bytes: 65536, Depth: 4, Stop: 100 * sim.Microsecond},
		Latency{Common: Common{Name: "probe"}, Pairs: []Pair{{Src: 6, Dst: 7}, {Src: 7, Dst: 6}}, Bytes: 64, Every: 20 * sim.Microsecond, Stop: 200 * sim.Microsecond},
		Datagrams{Common: Common{Name: "datagrams"}, Pairs: []Pair{{Src: 2, Dst: 7}}, Rate: 10 * sim.Gbps, Bytes: 4096, Stop: 100 * sim.Microsecond},
	}
}

func TestSameSeedSameTraffic(t *testing.T) {
	run := func(seed uint64, entries []Entry) (*Driver, []fakePost) {
		n := &fakeNet{engine: sim.NewEngine(), latency: sim.Microsecond, perByte: 80}
		d, err := NewDriver(n, seed, testHosts(8, 2), entries)
		require.NoError(t, err)
		n.driver = d
		n.id, err = n.engine.AddClass("net", 1, false, n)
		require.NoError(t, err)
		first, err := n.engine.AddClass("workload", d.Sources(), false, d)
		require.NoError(t, err)
		d.Attach(n.engine, first)
		require.True(t, n.engine.Run(sim.Second, 1_000_000))
		require.True(t, d.Done())
		require.Zero(t, d.Unfinished())
		return d, n.posts
	}
	a, posts := run(7, everyKind())
	b, again := run(7, everyKind())
	assert.Equal(t, posts, again)
	assert.Equal(t, a.Messages(), b.Messages())
	_, other := run(8, everyKind())
	assert.NotEqual(t, posts, other)

	// Another entry changes nothing about what the Poisson entry draws.
	const poisson = 4
	alone, _ := run(7, everyKind()[poisson:poisson+1])
	var within []Message
	for _, m := range a.Messages() {
		if m.Entry == poisson {
			within = append(within, m)
		}
	}
	require.Len(t, within, alone.Len())
	for i, m := range alone.Messages() {
		assert.Equal(t, m.Start, within[i].Start)
		assert.Equal(t, m.Bytes, within[i].Bytes)
		assert.Equal(t, m.Dst, within[i].Dst)
	}
}

func TestProgressAddsUp(t *testing.T) {
	entries := everyKind()
	b := newBench(t, testHosts(8, 1), false, nil, entries...)
	b.run(sim.Second)
	var sum Progress
	for i := range entries {
		p := b.driver.sources[i].progress
		assert.Positive(t, p.Posted, entries[i].Label())
		sum.add(p)
	}
	total := b.driver.Progress()
	assert.Equal(t, sum, total)
	assert.Equal(t, b.driver.Len(), total.Posted)
	assert.Equal(t, total.Posted, total.Completed)
	assert.Equal(t, total.PostedBytes, total.DeliveredBytes)
	for _, m := range b.driver.Messages() {
		assert.Less(t, m.Start, m.Completed)
		assert.NotEqual(t, m.Src, m.Dst)
	}
}

// A completion that is reported ahead of the engine must not make a closed
// loop post in the past, nor before that instant.
func TestClosedLoopsWaitForTheReportedInstant(t *testing.T) {
	forBothOrders(t, func(t *testing.T, first bool) {
		for _, ahead := range []sim.Time{0, 1, 500 * sim.Nanosecond} {
			b := newBench(t, testHosts(2, 1), first, func(n *fakeNet) { n.ahead = ahead },
				Saturate{Common: Common{Name: "s"}, Pairs: []Pair{{Src: 0, Dst: 1}}, Bytes: 1000, Messages: 5})
			b.run(sim.Second)
			messages := b.driver.Messages()
			require.Len(t, messages, 5)
			for i, m := range messages[1:] {
				// With nothing to wait for, a picosecond keeps the classes' order
				// out of it.
				want := max(messages[i].Completed, messages[i].Completed-ahead+1)
				assert.Equal(t, want, m.Start)
			}
		}
	})
}

// promptNet completes a message while it is being posted.
type promptNet struct{ driver *Driver }

func (n *promptNet) Connect(int, int, Class) int { return 0 }

func (n *promptNet) Post(now sim.Time, _ int, _ int64, msg uint32) { n.driver.Completed(now, msg) }

func TestCompletionWhilePosting(t *testing.T) {
	n := &promptNet{}
	d, err := NewDriver(n, 1, testHosts(2, 1), []Entry{
		Incast{Common: Common{Name: "i"}, Senders: []int{0}, Receivers: []int{1}, Bytes: 1},
		Saturate{Common: Common{Name: "s"}, Pairs: []Pair{{Src: 0, Dst: 1}, {Src: 1, Dst: 0}}, Bytes: 1, Depth: 2, Messages: 5},
	})
	require.NoError(t, err)
	n.driver = d
	e := sim.NewEngine()
	first, err := e.AddClass("workload", d.Sources(), false, d)
	require.NoError(t, err)
	d.Attach(e, first)
	require.True(t, e.Run(sim.Second, 1000))
	assert.True(t, d.Done())
	assert.Equal(t, 11, d.Progress().Completed)
	assert.Equal(t, sim.Time(2), d.Message(10).Start, "five messages, two at a time, a picosecond apart")
}

func TestFailedMessageIsNeverCompleted(t *testing.T) {
	b := newBench(t, testHosts(3, 1), false, func(n *fakeNet) { n.fail = map[int]bool{0: true} },
		Saturate{Common: Common{Name: "s"}, Pairs: []Pair{{Src: 0, Dst: 1}, {Src: 1, Dst: 2}}, Bytes: 1000, Messages: 3})
	b.run(sim.Second)
	first := b.driver.Message(0)
	assert.True(t, first.Failed())
	assert.Equal(t, sim.Never, first.Completed)
	assert.Len(t, b.starts(0), 1, "the pair whose queue pair failed stops")
	assert.Len(t, b.starts(1), 3)
	assert.Equal(t, Progress{Posted: 4, Delivered: 3, Completed: 3, Failed: 1, PostedBytes: 4000, DeliveredBytes: 3000}, b.driver.Progress())
	assert.True(t, b.driver.Done())
	assert.PanicsWithValue(t, "workload: message 0 failed, but it had ended before", func() { b.driver.Failed(0, 0) })
	assert.PanicsWithValue(t, "workload: message 0 completed at 1us, but it had ended before",
		func() { b.driver.Completed(sim.Microsecond, 0) })
	assert.PanicsWithValue(t, "workload: message 1 delivered at 1.08us and again at 2us",
		func() { b.driver.Delivered(2*sim.Microsecond, 1) })
}

func TestDoneIsFalseWhileSomethingIsUnderWay(t *testing.T) {
	b := newBench(t, testHosts(2, 1), false, func(n *fakeNet) { n.silent = map[int]bool{0: true} },
		Flows{Common: Common{Name: "f"}, Flows: []Flow{{Pair: Pair{Src: 0, Dst: 1}, Bytes: 1, Start: 5}}})
	assert.False(t, b.driver.Done(), "a flow is still to start")
	b.run(sim.Second)
	assert.False(t, b.driver.Done())
	assert.Equal(t, 1, b.driver.Unfinished())
}

func TestManyMessagesCostLittleMemory(t *testing.T) {
	const n = 100_000
	b := newBench(t, testHosts(2, 1), false, nil,
		Saturate{Common: Common{Name: "s"}, Pairs: []Pair{{Src: 0, Dst: 1}}, Bytes: 64, Depth: 256, Messages: n})
	b.posts = make([]fakePost, 0, n)
	step := 100 * sim.Microsecond // 19,500 messages
	b.run(step)
	warm := b.driver.Len()
	allocs := testing.AllocsPerRun(1, func() { b.run(b.engine.Now() + step) })
	posted := (b.driver.Len() - warm) / 2 // AllocsPerRun runs once more, to warm up
	require.Greater(t, posted, pageSize)
	// One page at a time and the page list; nothing per message.
	assert.LessOrEqual(t, allocs, float64(posted/pageSize+3))
}

// BenchmarkClosedLoop measures one message from post to completion to the
// next post, with the fake network's share.
func BenchmarkClosedLoop(b *testing.B) {
	bench := newBench(b, testHosts(64, 1), false, nil, AllToAll{Common: Common{Name: "a"}, Hosts: upTo(64), Bytes: 4096,
		Repeat: Repeat{Stop: sim.Second}})
	b.ReportAllocs()
	for b.Loop() {
		bench.engine.Run(sim.Second, 1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(bench.driver.Len(), 1)), "ns/message")
}
