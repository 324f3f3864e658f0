package workload

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

func TestFlowsStartWhenTheySay(t *testing.T) {
	forBothOrders(t, func(t *testing.T, first bool) {
		flows := []Flow{
			{Pair: Pair{Src: 0, Dst: 1}, Bytes: 300, Start: 2 * sim.Microsecond},
			{Pair: Pair{Src: 1, Dst: 2, SrcNIC: 2}, Bytes: 100, Start: 0, DstPort: 200},
			{Pair: Pair{Src: 2, Dst: 0, DstNIC: 2}, Bytes: 200, Start: 2 * sim.Microsecond, SrcPort: 50000},
		}
		b := newBench(t, testHosts(3, 2), first, nil, Flows{
			Common: Common{Name: "f", Class: Class{DSCP: 26, DstPort: 100}}, Flows: flows})
		assert.Empty(t, b.conns, "connections open when flows start")
		b.run(sim.Second)
		assert.Equal(t, []fakePost{
			{0, 0, 100, 0}, {2 * sim.Microsecond, 1, 300, 1}, {2 * sim.Microsecond, 2, 200, 2},
		}, b.posts)
		want := []fakeConn{
			{src: 3, dst: 4, class: Class{DSCP: 26, DstPort: 200}},
			{src: 0, dst: 2, class: Class{DSCP: 26, DstPort: 100}},
			{src: 4, dst: 1, class: Class{DSCP: 26, DstPort: 100, SrcPort: 50000}},
		}
		for i := range want {
			want[i].free = b.conns[i].free
		}
		assert.Equal(t, want, b.conns)
		assert.Equal(t, 2*sim.Microsecond, flows[0].Start, "the caller's list keeps its order")
		m := b.driver.Message(0)
		assert.EqualValues(t, []int32{3, 4, -1}, []int32{m.Src, m.Dst, m.Group})
	})
}

// Every round of an incast posts each (sender, receiver, queue pair) once, at
// exactly Start + round x Every, whatever became of the round before.
func TestIncastRoundsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		senders := rapid.IntRange(1, 12).Draw(t, "senders")
		receivers := rapid.IntRange(1, 3).Draw(t, "receivers")
		qps := rapid.IntRange(0, 3).Draw(t, "qps")
		rounds := rapid.IntRange(1, 6).Draw(t, "rounds")
		start := sim.Time(rapid.IntRange(0, 1_000_000).Draw(t, "start"))
		every := sim.Time(rapid.IntRange(1, 20_000_000).Draw(t, "every"))
		hosts := upTo(senders + receivers)
		b := newBench(t, testHosts(senders+receivers, 2), rapid.Bool().Draw(t, "first"), nil, Incast{
			Common: Common{Name: "i"}, Senders: hosts[:senders], Receivers: hosts[senders:],
			Bytes: 4096, QPs: qps, Start: start, Every: every, Rounds: rounds})
		b.run(sim.Second)
		perRound := senders * receivers * max(qps, 1)
		require.Len(t, b.posts, perRound*rounds)
		for i, p := range b.posts {
			round := i / perRound
			require.Equal(t, start+sim.Time(round)*every, p.at)
			require.Equal(t, i%perRound, p.conn)
			require.EqualValues(t, round, b.driver.Message(p.msg).Group)
		}
	})
}

func TestIncastEnds(t *testing.T) {
	base := Incast{Common: Common{Name: "i"}, Senders: []int{1, 2}, Receivers: []int{0}, Bytes: 1}
	tests := []struct {
		name          string
		change        func(*Incast)
		rounds        int
		boundedItself bool
	}{
		{"once", func(*Incast) {}, 1, true},
		{"rounds", func(c *Incast) { c.Every, c.Rounds = sim.Microsecond, 7 }, 7, true},
		// Rounds at 0, 3, 6 and 9 us; nothing at 12 us, when it has stopped.
		{"stop", func(c *Incast) { c.Every, c.Stop = 3*sim.Microsecond, 12*sim.Microsecond }, 4, true},
		// Until the run ends at 100 us, that instant included.
		{"run", func(c *Incast) { c.Every = 10 * sim.Microsecond }, 11, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := base
			test.change(&c)
			b := newBench(t, testHosts(3, 1), true, nil, c)
			b.run(100 * sim.Microsecond)
			assert.Len(t, b.posts, 2*test.rounds)
			assert.Equal(t, test.boundedItself, c.Bounded())
		})
	}
}

func TestIncastSpread(t *testing.T) {
	const every, spread = 10 * sim.Microsecond, 4 * sim.Microsecond
	b := newBench(t, testHosts(9, 1), true, nil, Incast{Common: Common{Name: "i"}, Senders: upTo(9)[1:],
		Receivers: []int{0}, Bytes: 1, Every: every, Spread: spread, Rounds: 50})
	b.run(sim.Second)
	require.Len(t, b.posts, 400)
	var sum float64
	for _, p := range b.posts {
		offset := p.at - sim.Time(b.driver.Message(p.msg).Group)*every
		require.GreaterOrEqual(t, offset, sim.Time(0))
		require.Less(t, offset, spread)
		sum += offset.Micros()
	}
	// Mean of an even spread, within four standard errors: 4 us/sqrt(12)/20.
	assert.InDelta(t, 2, sum/400, 4*4/math.Sqrt(12)/20)
}

// The storage entry of cluster-200: 32 x 256 KiB every 1 ms are 67.1 Gb/s of
// payload, two thirds of a 100G NIC.
func TestIncastLoad(t *testing.T) {
	b := newBench(t, testHosts(33, 1), true, nil, Incast{Common: Common{Name: "storage"}, Senders: upTo(33)[1:],
		Receivers: []int{0}, Bytes: 256 << 10, Every: sim.Millisecond, Rounds: 20})
	b.run(sim.Second)
	rate := float64(b.driver.Progress().PostedBytes) * 8 / 0.020
	assert.InDelta(t, 67.11e9, rate, 0.01e9)
}

// Arrivals bring the payload load that was asked for: the number of flows and
// the bytes lie within four standard deviations of what Poisson arrivals of
// this size distribution have.
func TestPoissonLoad(t *testing.T) {
	tests := []struct {
		cdf  string
		load float64
		nics int
	}{{AliStorage, 0.3, 1}, {AliStorage, 0.8, 2}, {WebSearch, 0.5, 1}}
	for _, test := range tests {
		sizes, err := BuiltinCDF(test.cdf)
		require.NoError(t, err)
		const hosts, stop = 32, 50 * sim.Millisecond
		b := newBench(t, testHosts(hosts, test.nics), true, nil, Poisson{Common: Common{Name: "p"},
			Sources: upTo(hosts), Destinations: upTo(hosts), Sizes: sizes, Load: test.load, Stop: stop})
		b.run(sim.Second)
		bytes := test.load * float64(hosts*test.nics) * 100e9 / 8 * stop.Seconds()
		flows := bytes / sizes.Mean()
		assert.InDelta(t, flows, float64(len(b.posts)), 4*math.Sqrt(flows), "flows of %v", test)
		// Compound Poisson: variance of the sum is flows x mean square.
		deviation := math.Sqrt(flows * meanSquare(sizes))
		assert.InDelta(t, bytes, float64(b.driver.Progress().PostedBytes), 4*deviation, "bytes of %v", test)
	}
}

func meanSquare(c *CDF) float64 {
	const n = 100_000
	sum := 0.0
	for i := range n {
		size := float64(c.Quantile((float64(i) + 0.5) / n))
		sum += size * size
	}
	return sum / n
}

// Exponential gaps: mean and standard deviation agree, and the share of gaps
// above the mean is 1/e.
func TestPoissonGaps(t *testing.T) {
	sizes, err := FixedSize(12_500) // 1 us at 100 Gb/s, so 2 us apart at 50 %
	require.NoError(t, err)
	b := newBench(t, testHosts(2, 1), true, nil, Poisson{Common: Common{Name: "p"},
		Sources: []int{0}, Destinations: []int{1}, Sizes: sizes, Load: 0.5, Flows: 20_000, Reuse: true})
	b.run(sim.Second)
	require.Len(t, b.posts, 20_000)
	require.Len(t, b.conns, 1)
	var sum, square float64
	above := 0
	for i, p := range b.posts[1:] {
		gap := (p.at - b.posts[i].at).Micros()
		sum += gap
		square += gap * gap
		if gap > 2 {
			above++
		}
	}
	n := float64(len(b.posts) - 1)
	mean := sum / n
	assert.InDelta(t, 2, mean, 4*2/math.Sqrt(n))
	// The standard deviation of an exponential sample has a relative error of
	// 1/sqrt(n/2) to first order.
	assert.InDelta(t, 2, math.Sqrt(square/n-mean*mean), 4*2*math.Sqrt(2/n))
	assert.InDelta(t, 1/math.E, float64(above)/n, 4*math.Sqrt(1/math.E*(1-1/math.E)/n))
}

func TestPoissonDestinations(t *testing.T) {
	sizes, err := FixedSize(1000)
	require.NoError(t, err)
	const hosts, flows = 9, 16_000
	b := newBench(t, testHosts(hosts, 2), true, nil, Poisson{Common: Common{Name: "p"},
		Sources: []int{4}, Destinations: upTo(hosts), Sizes: sizes, Load: 0.5, Flows: flows})
	b.run(sim.Second)
	require.Len(t, b.conns, flows, "a connection for each flow")
	byHost, byNIC := make([]int, hosts), make([]int, 2)
	for i, c := range b.conns {
		require.Equal(t, 8+i%2, c.src, "NICs in turn")
		byHost[c.dst/2]++
		byNIC[c.dst%2]++
	}
	assert.Equal(t, []int{flows / 2, flows / 2}, byNIC)
	for host, n := range byHost {
		if host == 4 {
			assert.Zero(t, n, "a host never sends to itself")
			continue
		}
		const share = 1.0 / (hosts - 1)
		assert.InDelta(t, flows*share, n, 4*math.Sqrt(flows*share*(1-share)))
	}
}

func TestPoissonReusesConnections(t *testing.T) {
	sizes, err := FixedSize(1000)
	require.NoError(t, err)
	b := newBench(t, testHosts(3, 2), true, nil, Poisson{Common: Common{Name: "p"},
		Sources: upTo(3), Destinations: upTo(3), Sizes: sizes, Load: 0.5, Flows: 2000, Reuse: true})
	b.run(sim.Second)
	seen := map[[2]int]bool{}
	for _, c := range b.conns {
		require.False(t, seen[[2]int{c.src, c.dst}])
		seen[[2]int{c.src, c.dst}] = true
	}
	assert.Len(t, b.conns, 3*2*2) // pairs of hosts, on NIC 0 and on NIC 1
	for _, p := range b.posts {
		m := b.driver.Message(p.msg)
		assert.EqualValues(t, b.conns[p.conn].src, m.Src)
		assert.EqualValues(t, b.conns[p.conn].dst, m.Dst)
	}
}

func TestPoissonStops(t *testing.T) {
	sizes, err := FixedSize(1000)
	require.NoError(t, err)
	p := Poisson{Common: Common{Name: "p"}, Sources: upTo(3), Destinations: upTo(3), Sizes: sizes, Load: 1,
		Start: 5 * sim.Microsecond, Stop: 9 * sim.Microsecond}
	assert.True(t, p.Bounded())
	b := newBench(t, testHosts(3, 1), true, nil, p)
	b.run(sim.Second)
	require.NotEmpty(t, b.posts)
	assert.Greater(t, b.posts[0].at, p.Start)
	assert.Less(t, b.posts[len(b.posts)-1].at, p.Stop)
	assert.True(t, b.driver.Done())
	p.Stop = 0
	assert.False(t, p.Bounded())
}
