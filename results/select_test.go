package results

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

func TestPausesByPort(t *testing.T) {
	us := sim.Microsecond
	pause := func(from, to sim.Time, port int32, priority uint8) Pause {
		return Pause{From: from * us, To: to * us, Port: port, Priority: priority}
	}
	run := &Run{Pauses: []Pause{pause(0, 2, 4, 3), pause(1, 9, 1, 3), pause(2, 4, 4, 4), pause(5, 6, 4, 3), pause(7, 9, 0, 3)}}
	require.Equal(t, []PortPauses{
		{Port: 1, Priority: 3, Total: 8 * us, Pauses: []Pause{pause(1, 9, 1, 3)}},
		{Port: 4, Priority: 3, Total: 3 * us, Pauses: []Pause{pause(0, 2, 4, 3), pause(5, 6, 4, 3)}},
		{Port: 4, Priority: 4, Total: 2 * us, Pauses: []Pause{pause(2, 4, 4, 4)}},
		{Port: 0, Priority: 3, Total: 2 * us, Pauses: []Pause{pause(7, 9, 0, 3)}},
	}, PausesByPort(run))
	require.Empty(t, PausesByPort(&Run{}))
}

func TestRankedSeries(t *testing.T) {
	run := &Run{Series: []Series{
		{Kind: QueueSeries, Name: "low", Values: []float64{1, 2}},
		{Kind: RateSeries, Name: "other kind", Values: []float64{9}},
		{Kind: QueueSeries, Name: "empty"},
		{Kind: QueueSeries, Name: "high", Values: []float64{5, 0}},
		{Kind: QueueSeries, Name: "equal", Values: []float64{0, 5}},
	}}
	var names []string
	for _, s := range RankedSeries(run, QueueSeries, slices.Max[[]float64]) {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"high", "equal", "low"}, names)
	require.Empty(t, RankedSeries(run, MarkSeries, Mean))
}

func TestDistinctSeries(t *testing.T) {
	bulk, flow, other := &Series{Name: "bulk", Values: []float64{1, 2}}, &Series{Name: "flow 0", Values: []float64{1, 2}}, &Series{Name: "flow 1", Values: []float64{1, 3}}
	require.Equal(t, []*Series{bulk, other}, DistinctSeries([]*Series{bulk, flow, other}))
}

func TestByMagnitude(t *testing.T) {
	series := func(peaks ...float64) (all []*Series) {
		for _, peak := range peaks {
			all = append(all, &Series{Values: []float64{0, peak}})
		}
		return all
	}
	for _, c := range []struct {
		name  string
		peaks []float64
		sizes []int
	}{
		{"none", nil, nil},
		{"within a factor of 20", []float64{100, 60, 5}, []int{3}},
		{"beyond it", []float64{100, 60, 4.99, 4}, []int{2, 2}},
		{"counted from the largest of the panel", []float64{100, 4, 0.3, 0.1}, []int{1, 2, 1}},
		{"the last panel takes the rest", []float64{100, 4, 0.1, 0.001}, []int{1, 1, 2}},
		{"all zero", []float64{0, 0}, []int{2}},
	} {
		var sizes []int
		for _, panel := range ByMagnitude(series(c.peaks...), 3) {
			sizes = append(sizes, len(panel))
		}
		require.Equal(t, c.sizes, sizes, c.name)
	}
}

func TestControlRates(t *testing.T) {
	run := &Run{
		Workloads: []Workload{{Name: "held"}, {Name: "free"}, {Name: "slowest"}},
		Series: []Series{
			{Kind: ControlSeries, Name: "held", Values: []float64{50, 0}, Low: []float64{40, 0}, High: []float64{100, 0}},
			{Kind: ControlSeries, Name: "free", Values: []float64{100, 0}, Low: []float64{100, 0}, High: []float64{100, 0}},
			{Kind: ControlSeries, Name: "slowest", Values: []float64{40, 20}, Low: []float64{1, 1}, High: []float64{100, 40}},
			{Kind: ControlSeries, Name: "flow 3", Values: []float64{7, 7}},
			{Kind: RateSeries, Name: "held", Values: []float64{7, 7}},
		},
	}
	names := func(series []*Series) (all []string) {
		for _, s := range series {
			all = append(all, s.Name)
		}
		return all
	}
	rates := ControlRatesOf(run)
	require.Equal(t, []string{"slowest", "held"}, names(rates.Slowed), "instants without data do not make a workload slow")
	require.Equal(t, []string{"free"}, names(rates.Free))
	require.Equal(t, []string{"flow 3"}, names(rates.Flows))
}

func TestLowestXoff(t *testing.T) {
	run := &Run{
		Ports: []PortRow{{Node: 0}, {Node: 1}, {Node: 1}},
		Queues: []QueueRow{{Port: 0, Priority: 3, XoffMin: 1}, {Port: 1, Priority: 3, XoffMin: 300}, {Port: 2, Priority: 3, XoffMin: 200},
			{Port: 2, Priority: 4, XoffMin: 100}, {Port: 1, Priority: 3}},
	}
	require.EqualValues(t, 200, LowestXoff(run, &Series{Port: 1, Priority: 3}))
	require.Zero(t, LowestXoff(run, &Series{Port: 1, Priority: 5}))
}
