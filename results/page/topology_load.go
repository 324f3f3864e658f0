package page

import (
	"fmt"
	"math"
	"strings"

	"rocesim/results"
	"rocesim/sim"
)

// load is what one port sent: the numbers by which lines are coloured. They
// are those of links.csv and counters.csv.
type load struct {
	utilisation float64
	// paused is the longest time that a priority was paused.
	paused sim.Time
	// marked and sent are packets.
	marked, sent int64
	// dropped are packets that the port's queues dropped, and those that its
	// peer dropped on arrival.
	dropped int64
	// peak is the deepest queue in bytes.
	peak int64
}

// loads adds up the counters of every port.
func (n *network) loads() []load {
	all := make([]load, len(n.run.Ports))
	peer := make([]int32, len(n.run.Ports))
	for i := range peer {
		peer[i] = -1
		all[i].utilisation = n.run.Ports[i].Utilisation(n.run.Manifest.SimulatedTime)
	}
	for _, c := range n.cables {
		peer[c.a], peer[c.b] = c.b, c.a
	}
	for i := range n.run.Queues {
		q := &n.run.Queues[i]
		l := &all[q.Port]
		l.paused = max(l.paused, q.RxPaused)
		l.marked += q.ECNMarked
		l.sent += q.TxPackets
		l.dropped += q.EgressDrops
		l.peak = max(l.peak, q.PeakQueue)
		if p := peer[q.Port]; p >= 0 {
			all[p].dropped += q.IngressDrops
		}
	}
	return all
}

// MarshalJSON writes a row for topology.js, with the digits of CSV files.
func (l load) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%s,%s,%d,%d,%d,%d]", results.FloatText(l.utilisation), results.MicrosText(l.paused), l.marked, l.sent, l.dropped, l.peak), nil
}

// steps is how many colours the scale has.
const steps = 7

// step returns the colour of a value on a scale that ends at top; 0 is none.
func step(value, top float64) int {
	if value <= 0 || top <= 0 {
		return 0
	}
	return min(steps, max(1, int(math.Ceil(value/top*steps))))
}

// lane is one direction of a line: the ports at its beginning.
type lane struct {
	name  string
	ports []int32
}

// busiest is the highest utilisation of the lane's ports.
func (l *lane) busiest(loads []load) float64 {
	most := 0.0
	for _, p := range l.ports {
		most = max(most, loads[p].utilisation)
	}
	return most
}

// title says what the lane's ports did, for a tooltip.
func (l *lane) title(run *results.Run, loads []load) string {
	var sum load
	mean := 0.0
	for _, p := range l.ports {
		sum.paused = max(sum.paused, loads[p].paused)
		sum.marked += loads[p].marked
		sum.sent += loads[p].sent
		sum.dropped += loads[p].dropped
		sum.peak = max(sum.peak, loads[p].peak)
		mean += loads[p].utilisation / float64(len(l.ports))
	}
	rate := results.DataRate.Format(float64(run.Ports[l.ports[0]].Rate))
	lines := []string{l.name + ", " + rate, "utilisation " + percent(mean)}
	if len(l.ports) > 1 {
		lines = []string{fmt.Sprintf("%s, %d links of %s", l.name, len(l.ports), rate),
			fmt.Sprintf("utilisation: mean %s, most %s", percent(mean), percent(l.busiest(loads)))}
	}
	lines = append(lines, "longest paused "+results.Duration.Format(float64(sum.paused)),
		fmt.Sprintf("marked %s of %s packets", results.Count.Format(float64(sum.marked)), results.Count.Format(float64(sum.sent))),
		fmt.Sprintf("dropped %s packets", results.Count.Format(float64(sum.dropped))))
	if sum.peak > 0 {
		lines = append(lines, "deepest queue "+results.Size.Format(float64(sum.peak)))
	}
	return strings.Join(lines, "\n")
}
