package workload

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

func TestDerangementHasNoFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 300).Draw(t, "n")
		p := derangement(sim.NewStream(rapid.Uint64().Draw(t, "seed"), "d"), n)
		seen := make([]bool, n)
		for i, v := range p {
			require.NotEqual(t, i, v)
			require.False(t, seen[v])
			seen[v] = true
		}
	})
}

// Of four items there are nine derangements (A000166); each comes equally
// often.
func TestDerangementsAreEven(t *testing.T) {
	const draws = 9000
	random := sim.NewStream(5, "d")
	count := map[[4]int]int{}
	for range draws {
		count[[4]int(derangement(random, 4))]++
	}
	assert.Len(t, count, 9)
	chi := 0.0
	for _, n := range count {
		d := float64(n) - draws/9
		chi += d * d / (draws / 9)
	}
	assert.Less(t, chi, 26.12, "chi-square, 8 degrees of freedom, 0.1 %")
}

func TestPermutationLoadsEveryHostOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "hosts")
		partners := rapid.IntRange(1, 3).Draw(t, "partners")
		qps := rapid.IntRange(1, 3).Draw(t, "qps")
		rounds := rapid.IntRange(1, 3).Draw(t, "rounds")
		b := newBench(t, testHosts(n, 2), rapid.Bool().Draw(t, "first"), nil, Permutation{
			Common: Common{Name: "p"}, Hosts: upTo(n), Bytes: 1000, Partners: partners, QPs: qps,
			Repeat: Repeat{Rounds: rounds, Barrier: rapid.Bool().Draw(t, "barrier")}})
		b.run(sim.Second)
		require.True(t, b.driver.Done())
		require.Len(t, b.conns, n*partners*qps)
		sent, received := make([]int, n), make([]int, n)
		for _, m := range b.driver.Messages() {
			require.Equal(t, m.Src%2, m.Dst%2, "the same NIC on both ends")
			sent[m.Src/2]++
			received[m.Dst/2]++
		}
		for i := range n {
			require.Equal(t, partners*qps*rounds, sent[i])
			require.Equal(t, partners*qps*rounds, received[i])
		}
	})
}

func TestPermutationDependsOnTheSeed(t *testing.T) {
	partners := func(seed uint64) []int {
		n := &fakeNet{}
		_, err := NewDriver(n, seed, testHosts(64, 1), []Entry{Permutation{Common: Common{Name: "p"}, Hosts: upTo(64), Bytes: 1}})
		require.NoError(t, err)
		var dst []int
		for _, c := range n.conns {
			dst = append(dst, c.dst)
		}
		return dst
	}
	assert.Equal(t, partners(1), partners(1))
	assert.NotEqual(t, partners(1), partners(2))
}

// A round of an all-to-all posts each ordered pair once per queue pair, and no
// sender begins a round before its last one is complete.
func TestAllToAllPostsEachPairOncePerRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "hosts")
		qps := rapid.IntRange(1, 3).Draw(t, "qps")
		rounds := rapid.IntRange(1, 4).Draw(t, "rounds")
		window := rapid.IntRange(0, n).Draw(t, "window")
		barrier := rapid.Bool().Draw(t, "barrier")
		gap := sim.Time(rapid.IntRange(0, 1000).Draw(t, "gap"))
		b := newBench(t, testHosts(n, 1), rapid.Bool().Draw(t, "first"), func(f *fakeNet) { f.ahead = 300 },
			AllToAll{Common: Common{Name: "a"}, Hosts: upTo(n), Bytes: 1000, QPs: qps, Window: window,
				Repeat: Repeat{Rounds: rounds, Barrier: barrier, Gap: gap}})
		b.run(sim.Second)
		require.True(t, b.driver.Done())
		messages := b.driver.Messages()
		require.Len(t, messages, n*(n-1)*qps*rounds)
		type key struct{ conn, group int32 }
		seen := map[key]bool{}
		ends := make([][]sim.Time, rounds) // by round and sender
		for i := range ends {
			ends[i] = make([]sim.Time, n)
		}
		for _, m := range messages {
			require.False(t, seen[key{m.Conn, m.Group}])
			seen[key{m.Conn, m.Group}] = true
			end := &ends[m.Group][m.Src]
			*end = max(*end, m.Completed)
		}
		for _, m := range messages {
			if m.Group == 0 {
				continue
			}
			for sender, end := range ends[m.Group-1] {
				if barrier || sender == int(m.Src) {
					require.GreaterOrEqual(t, m.Start, end+gap)
				}
			}
		}
	})
}

// With a window of one, step s pairs sender i with receiver i+s: at every step
// each receiver has exactly one sender.
func TestAllToAllIsShifted(t *testing.T) {
	const n = 8
	b := newBench(t, testHosts(n, 1), true, nil, AllToAll{Common: Common{Name: "a"}, Hosts: upTo(n), Bytes: 1000, Window: 1})
	b.run(sim.Second)
	messages := b.driver.Messages()
	require.Len(t, messages, n*(n-1))
	for step := range n - 1 {
		to := map[int32]bool{}
		for _, m := range messages[step*n : (step+1)*n] {
			assert.Equal(t, messages[step*n].Start, m.Start)
			assert.EqualValues(t, (int(m.Src)+step+1)%n, m.Dst)
			to[m.Dst] = true
		}
		assert.Len(t, to, n)
	}
}

// No sender has more peers under way than its window, counting a peer until
// its last queue pair is through.
func TestAllToAllWindow(t *testing.T) {
	const n, qps, window = 7, 2, 3
	b := newBench(t, testHosts(n, 1), true, nil, AllToAll{Common: Common{Name: "a"}, Hosts: upTo(n), Bytes: 1000,
		QPs: qps, Window: window, Repeat: Repeat{Rounds: 2}})
	b.run(sim.Second)
	messages := b.driver.Messages()
	most := 0
	for _, at := range messages {
		peers := map[int32]bool{}
		for _, m := range messages {
			if m.Src == at.Src && m.Start <= at.Start && at.Start < m.Completed {
				peers[m.Dst] = true
			}
		}
		most = max(most, len(peers))
	}
	assert.Equal(t, window, most)
}

func TestAllToAllUntilStop(t *testing.T) {
	stop := 50 * sim.Microsecond
	b := newBench(t, testHosts(4, 1), true, nil, AllToAll{Common: Common{Name: "a"}, Hosts: upTo(4), Bytes: 1000,
		Repeat: Repeat{Start: sim.Microsecond, Stop: stop}})
	b.run(sim.Second)
	messages := b.driver.Messages()
	// A round lasts 80 ns + 1 us and the picosecond between completion and the
	// next post: rounds start at 1 us, 2.080001 us, … below 50 us.
	assert.Len(t, messages, 12*46)
	assert.Less(t, messages[len(messages)-1].Start, stop)
	assert.True(t, b.driver.Done())
}

// A stop in the middle of a round keeps what has not been posted back.
func TestAllToAllStopsWithinARound(t *testing.T) {
	stop := 3 * sim.Microsecond
	b := newBench(t, testHosts(8, 1), true, nil, AllToAll{Common: Common{Name: "a"}, Hosts: upTo(8), Bytes: 1000, Window: 1,
		Repeat: Repeat{Stop: stop}})
	b.run(sim.Second)
	// Steps of 1.08 us begin at 0, 1.08 and 2.16 us.
	assert.Len(t, b.posts, 8*3)
	assert.True(t, b.driver.Done())
}

// A failed queue pair stops its sender; behind a barrier everybody waits.
func TestAllToAllStopsOnFailure(t *testing.T) {
	for _, barrier := range []bool{false, true} {
		b := newBench(t, testHosts(3, 1), true, func(n *fakeNet) { n.fail = map[int]bool{0: true} },
			AllToAll{Common: Common{Name: "a"}, Hosts: upTo(3), Bytes: 1000, Repeat: Repeat{Rounds: 4, Barrier: barrier}})
		b.run(sim.Second)
		bySender := make([]int, 3)
		for _, m := range b.driver.Messages() {
			bySender[m.Src]++
		}
		want := []int{2, 8, 8}
		if barrier {
			want = []int{2, 2, 2}
		}
		assert.Equal(t, want, bySender)
		assert.True(t, b.driver.Done())
	}
}

// Depth messages are outstanding all the time, no more.
func TestSaturateDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(0, 8).Draw(t, "depth")
		total := rapid.IntRange(0, 40).Draw(t, "messages")
		qps := rapid.IntRange(0, 3).Draw(t, "qps")
		gap := sim.Time(rapid.IntRange(0, 3).Draw(t, "gap")) * 500 * sim.Nanosecond
		stop := sim.Time(0)
		if total == 0 {
			stop = 20 * sim.Microsecond
		}
		b := newBench(t, testHosts(2, 2), rapid.Bool().Draw(t, "first"), nil, Saturate{Common: Common{Name: "s"},
			Pairs: []Pair{{Src: 0, Dst: 1}}, Bytes: 2000, Depth: depth, QPs: qps, Messages: total, Gap: gap, Stop: stop})
		b.run(sim.Second)
		require.True(t, b.driver.Done())
		for conn := range max(qps, 1) {
			checkDepth(t, b, conn, max(depth, 1), total, gap, stop)
		}
	})
}

func checkDepth(t *rapid.T, b *bench, conn, depth, total int, gap, stop sim.Time) {
	var lane []Message
	for _, m := range b.driver.Messages() {
		if int(m.Conn) == conn {
			lane = append(lane, m)
		}
	}
	if stop == 0 {
		require.Len(t, lane, total)
	} else {
		require.Less(t, lane[len(lane)-1].Start, stop)
	}
	for i, m := range lane {
		if i < depth {
			require.Zero(t, m.Start)
			continue
		}
		// The i-th message follows the completion of the (i-depth)-th.
		require.Equal(t, lane[i-depth].Completed+1+gap, m.Start)
	}
}

// Row 21: a depth-1 sender gets bytes/(host offset + latency +
// serialisation).
func TestSaturateDepthOneLaw(t *testing.T) {
	const bytes = 128 << 10
	for _, gap := range []sim.Time{0, 4400 * sim.Nanosecond, 11 * sim.Microsecond} {
		b := newBench(t, testHosts(2, 1), true, nil, Saturate{Common: Common{Name: "s"},
			Pairs: []Pair{{Src: 0, Dst: 1}}, Bytes: bytes, Gap: gap, Messages: 200})
		b.run(sim.Second)
		end := b.driver.Message(199).Completed
		// The last message has no gap behind it; one picosecond each is ours.
		want := 200*(bytes*80+sim.Microsecond) + 199*(gap+1)
		assert.Equal(t, sim.Time(want), end)
	}
}

// Row 23: bursts and pauses give bytes/(burst + pause).
func TestSaturateBursts(t *testing.T) {
	const messages, bytes, bursts = 128, 8192, 5
	pause := 4 * sim.Microsecond
	for _, depth := range []int{1, 16, 500} {
		b := newBench(t, testHosts(2, 1), true, nil, Saturate{Common: Common{Name: "s"},
			Pairs: []Pair{{Src: 0, Dst: 1}}, Bytes: bytes, Depth: depth, Messages: messages * bursts,
			Burst: Burst{Messages: messages, Pause: pause}})
		b.run(sim.Second)
		require.True(t, b.driver.Done())
		all := b.driver.Messages()
		require.Len(t, all, messages*bursts)
		for i, m := range all {
			require.EqualValues(t, i/messages, m.Group)
			if i > 0 && i%messages == 0 {
				assert.Equal(t, all[i-1].Completed+1+pause, m.Start, "burst %d", i/messages)
			}
		}
		if depth >= messages {
			burst := sim.Time(messages)*bytes*80 + sim.Microsecond
			assert.Equal(t, bursts*burst+(bursts-1)*(pause+1), all[len(all)-1].Completed)
		}
	}
}

// A gap longer than a message leaves nothing outstanding while the rest of a
// burst is still to come; the burst must not end early.
func TestSaturateBurstWithGap(t *testing.T) {
	b := newBench(t, testHosts(2, 1), true, nil, Saturate{Common: Common{Name: "s"}, Pairs: []Pair{{Src: 0, Dst: 1}},
		Bytes: 100, Depth: 2, Gap: 50 * sim.Microsecond, Messages: 10, Burst: Burst{Messages: 4, Pause: sim.Millisecond}})
	b.run(sim.Second)
	var groups []int32
	for _, m := range b.driver.Messages() {
		groups = append(groups, m.Group)
	}
	assert.Equal(t, []int32{0, 0, 0, 0, 1, 1, 1, 1, 2, 2}, groups)
}

func TestLatencyProbes(t *testing.T) {
	every, stop := 20*sim.Microsecond, sim.Millisecond
	pairs := []Pair{{Src: 0, Dst: 1}, {Src: 1, Dst: 2}, {Src: 2, Dst: 0, SrcNIC: 2, DstNIC: 1}}
	b := newBench(t, testHosts(3, 2), true, nil, Latency{Common: Common{Name: "l", NIC: 2}, Pairs: pairs, Bytes: 64, Every: every, Stop: stop})
	assert.Equal(t, []int{1, 3, 5}, []int{b.conns[0].src, b.conns[1].src, b.conns[2].src})
	assert.Equal(t, []int{3, 5, 0}, []int{b.conns[0].dst, b.conns[1].dst, b.conns[2].dst})
	b.run(sim.Second)
	phases := map[sim.Time]bool{}
	for conn := range pairs {
		at := b.starts(conn)
		require.Len(t, at, 50)
		assert.Less(t, at[0], every)
		for i := range at[1:] {
			assert.Equal(t, at[i]+every, at[i+1])
		}
		phases[at[0]] = true
	}
	assert.Len(t, phases, 3, "each pair has a phase of its own")
	assert.Zero(t, b.driver.Progress().Skipped)
}

// A probe lasts 1 us, so of probes due every 300 ns three in four are skipped.
func TestLatencySkipsWhileBusy(t *testing.T) {
	b := newBench(t, testHosts(2, 1), true, func(n *fakeNet) { n.perByte = 0 }, Latency{Common: Common{Name: "l"},
		Pairs: []Pair{{Src: 0, Dst: 1}}, Bytes: 64, Every: 300 * sim.Nanosecond, Stop: 120 * sim.Microsecond})
	b.run(sim.Second)
	assert.Equal(t, 100, b.driver.Progress().Posted)
	assert.Equal(t, 300, b.driver.Progress().Skipped)
	for i, m := range b.driver.Messages()[1:] {
		assert.GreaterOrEqual(t, m.Start, b.driver.Message(uint32(i)).Completed)
	}
}

// Messages are posted ahead, so the NIC is never without: the rate is the one
// asked for, however long the adapter takes to start.
func TestDatagramsKeepTheirRate(t *testing.T) {
	const bytes = 4096
	b := newBench(t, testHosts(3, 1), true, func(n *fakeNet) { n.latency = 0 }, Datagrams{
		Common: Common{Name: "d", Class: Class{DSCP: 10}}, Pairs: []Pair{{Src: 0, Dst: 2}, {Src: 1, Dst: 2}},
		Rate: 50 * sim.Gbps, Bytes: bytes, Start: sim.Microsecond, Stop: sim.Millisecond})
	for _, c := range b.conns {
		assert.Equal(t, Class{DSCP: 10, Unreliable: true, Rate: 50 * sim.Gbps}, c.class)
	}
	b.run(sim.Second)
	count := 0
	for _, m := range b.driver.Messages() {
		assert.Less(t, m.Start, sim.Millisecond)
		if m.Conn == 0 {
			count++
			// 4096 B at 50 Gb/s last 655.36 ns.
			assert.Equal(t, sim.Microsecond+sim.Time(count)*655_360, m.Completed)
		}
	}
	// The last one begins to leave before 1 ms: 1524 x 655.36 ns after the start.
	assert.Equal(t, 1525, count)
}

func TestDatagramSteps(t *testing.T) {
	const bytes = 1250 // 1 us at 10 Gb/s
	ms := sim.Millisecond
	b := newBench(t, testHosts(2, 1), true, func(n *fakeNet) { n.latency = 0 }, Datagrams{Common: Common{Name: "d"},
		Pairs: []Pair{{Src: 0, Dst: 1}}, Rate: 10 * sim.Gbps, Bytes: bytes, Stop: 3 * ms,
		Steps: []RateStep{{ms, 20 * sim.Gbps}, {2 * ms, 5 * sim.Gbps}}})
	b.run(sim.Second)
	require.Len(t, b.conns, 3)
	byConn := make([][]Message, 3)
	for _, m := range b.driver.Messages() {
		byConn[m.Conn] = append(byConn[m.Conn], m)
	}
	wantRate := []sim.Rate{10 * sim.Gbps, 20 * sim.Gbps, 5 * sim.Gbps}
	wantCount := []float64{1000, 2000, 500}
	for i, messages := range byConn {
		assert.Equal(t, wantRate[i], b.conns[i].class.Rate)
		assert.InDelta(t, wantCount[i], len(messages), 3)
		if i == 0 {
			continue
		}
		before := byConn[i-1]
		assert.Greater(t, messages[0].Start, before[len(before)-1].Completed, "rates do not overlap")
		assert.Less(t, messages[0].Start, sim.Time(i)*ms+3*sim.Microsecond)
	}
}

// Where pauses hold messages back, those of the old rate leave before the new one
// begins: the two rates must not add up.
func TestDatagramStepsWaitForWhatIsHeldBack(t *testing.T) {
	ms := sim.Millisecond
	b := newBench(t, testHosts(2, 1), true, func(n *fakeNet) { n.latency = 20 * sim.Microsecond }, Datagrams{Common: Common{Name: "d"},
		Pairs: []Pair{{Src: 0, Dst: 1}}, Rate: 10 * sim.Gbps, Bytes: 1250, Stop: 2 * ms, Steps: []RateStep{{ms, 20 * sim.Gbps}}})
	b.run(sim.Second)
	last, first, held := sim.Time(0), sim.Never, 0
	for _, m := range b.driver.Messages() {
		switch {
		case m.Conn == 1:
			first = min(first, m.Start)
		case m.Completed > ms:
			held++
			fallthrough
		default:
			last = max(last, m.Completed)
		}
	}
	assert.Greater(t, held, 1)
	assert.Greater(t, first, last)
}
