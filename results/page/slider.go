package page

import (
	"cmp"
	"slices"

	"rocesim/results"
	"rocesim/sim"
)

// Limits of what the slider knows.
const (
	maxMoments    = 1000   // samples of a queue
	maxSliderWork = 300000 // samples of all queues
	maxPauses     = 15000
)

// timeline is what slider.js reads: sampled queues and pauses. Times are in
// us.
type timeline struct {
	End Number `json:"end"`
	// Every queue has a value at Start, and one each Step behind it.
	Start  Number       `json:"start"`
	Step   Number       `json:"step"`
	Queues []queueTrack `json:"queues"`
	Pauses []pauseTrack `json:"pauses"`
	// First is when the first pause began, at FirstAt.
	First   Number `json:"first"`
	FirstAt string `json:"firstAt"`
	// Left says how many pauses are left out, the shortest ones.
	Left int `json:"left"`
	// Merged is how many samples each value is the highest of.
	Merged int `json:"merged"`
}

// queueTrack is one sampled queue, in bytes.
type queueTrack struct {
	Port     int32   `json:"port"`
	Priority uint8   `json:"priority"`
	Values   Numbers `json:"values"`
}

// pauseTrack has the pauses of one port and priority: from, to, from, to.
type pauseTrack struct {
	Port     int32   `json:"port"`
	Priority uint8   `json:"priority"`
	Times    Numbers `json:"times"`
}

// newTimeline collects queues and pauses; nil if there are none.
func newTimeline(run *results.Run) *timeline {
	t := &timeline{End: micros(run.Manifest.SimulatedTime), Start: "0", Step: "1", Merged: 1}
	t.addQueues(run)
	t.addPauses(run)
	if len(t.Queues) == 0 && len(t.Pauses) == 0 {
		return nil
	}
	return t
}

// addQueues adds the deepest queues. Of long series each value is the highest
// of several samples, at the time of the last.
func (t *timeline) addQueues(run *results.Run) {
	chosen, _ := seriesOf(run, results.QueueSeries, len(run.Series), slices.Max[[]float64])
	if len(chosen) == 0 {
		return
	}
	first := chosen[0]
	t.Merged = (len(first.Values) + maxMoments - 1) / maxMoments
	most := max(1, maxSliderWork/(len(first.Values)/t.Merged+1))
	t.Step = micros(first.Step * sim.Time(t.Merged))
	t.Start = micros(first.Start + first.Step*sim.Time(t.Merged-1))
	for _, s := range chosen[:min(most, len(chosen))] {
		if s.Start != first.Start || s.Step != first.Step {
			continue // a run samples all queues at the same times
		}
		track := queueTrack{Port: s.Port, Priority: s.Priority}
		values := valuesOf(s)
		for from := 0; from < len(values); from += t.Merged {
			_, high := extremes(values, from, min(len(values), from+t.Merged))
			track.Values = append(track.Values, values[high])
		}
		t.Queues = append(t.Queues, track)
	}
}

// addPauses adds all pauses, or the longest of very many.
func (t *timeline) addPauses(run *results.Run) {
	if len(run.Pauses) == 0 {
		return
	}
	first := slices.MinFunc(run.Pauses, func(a, b results.Pause) int { return cmp.Compare(a.From, b.From) })
	t.First, t.FirstAt = micros(first.From), run.PortName(first.Port)
	least := sim.Time(0)
	if len(run.Pauses) > maxPauses {
		lengths := make([]sim.Time, len(run.Pauses))
		for i, p := range run.Pauses {
			lengths[i] = p.To - p.From
		}
		slices.Sort(lengths)
		least = lengths[len(lengths)-maxPauses]
	}
	kept := 0
	for _, h := range results.PausesByPort(run) {
		track := pauseTrack{Port: h.Port, Priority: h.Priority}
		for _, p := range h.Pauses {
			if p.To-p.From >= least && kept < maxPauses {
				track.Times = append(track.Times, micros(p.From), micros(p.To))
				kept++
			}
		}
		if len(track.Times) > 0 {
			t.Pauses = append(t.Pauses, track)
		}
	}
	t.Left = len(run.Pauses) - kept
}
