package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"rocesim/results"
	"rocesim/sim"
)

// flowSection shows the distribution of completion times, and the probes.
func flowSection(run *results.Run) (Part, error) {
	var charts []*Chart
	for _, c := range []*Chart{fctChart(run), probeChart(run)} {
		if c != nil {
			charts = append(charts, c)
		}
	}
	body, part, err := Charts(charts...)
	if err != nil {
		return Part{}, err
	}
	if len(charts) == 0 {
		body = template.HTML(`<p>No flow finished, so there is no completion time to draw.</p>`)
	}
	part.Sections = []Section{{ID: "completion", Title: "Completion times", Body: body}}
	return part, nil
}

// byWorkload collects a time of every flow for each workload, sorted; times
// that are 0 are left out.
func byWorkload(run *results.Run, time func(*results.FlowRow) sim.Time) [][]sim.Time {
	all := make([][]sim.Time, len(run.Workloads))
	for i := range run.Flows {
		f := &run.Flows[i]
		if t := time(f); t > 0 {
			all[f.Workload] = append(all[f.Workload], t)
		}
	}
	for _, times := range all {
		slices.Sort(times)
	}
	return all
}

// fctChart draws the share of flows that completed within a time, a curve per
// workload.
func fctChart(run *results.Run) *Chart {
	times := byWorkload(run, (*results.FlowRow).FCT)
	shown := largest(times)
	if len(shown) == 0 {
		return nil
	}
	finished := 0
	for _, t := range times {
		finished += len(t)
	}
	c := &Chart{ID: "fct", Title: "Flow completion time",
		Caption: fmt.Sprintf("From posting to completion at the sender: %s of %s flows finished; %d of %d workloads; fct_us of flows.csv.",
			results.Count.Format(float64(finished)), results.Count.Format(float64(len(run.Flows))), len(shown), len(run.Workloads)),
		X: Axis{Label: "Flow completion time", Unit: Microseconds, Log: true},
		Y: Axis{Label: "Flows completed", Unit: Percent, From: "0", To: "100"}}
	for _, w := range shown {
		line := stepsOf(times[w])
		line.Name = fmt.Sprintf("%s (%s flows)", run.Workloads[w].Name, results.Count.Format(float64(len(times[w]))))
		c.Lines = append(c.Lines, line)
		if len(line.Places)-1 < len(times[w]) && len(c.Lines) == 1 {
			c.Caption += " Of many flows every so many are drawn, more of the slowest hundredth."
		}
	}
	return c
}

// largest returns the workloads that have times, those with the most, in
// their order.
func largest(times [][]sim.Time) []int {
	var places []int
	for i, t := range times {
		if len(t) > 0 {
			places = append(places, i)
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(len(times[b]), len(times[a])) })
	places = places[:min(maxLines, len(places))]
	slices.Sort(places)
	return places
}

// stepsOf returns the steps of the distribution of sorted times, in
// percent. Of many, every so many are kept, but more of the last hundredth,
// where the tail is.
func stepsOf(sorted []sim.Time) Line {
	n := len(sorted)
	line := Line{Step: true, Places: Numbers{micros(sorted[0])}, Values: Numbers{"0"}}
	stride, tail := max(1, n/400), max(1, n/100/200)
	for i, t := range sorted {
		if i%stride == 0 || n-i <= n/100 && (n-i)%tail == 0 || i == n-1 {
			line.Places = append(line.Places, micros(t))
			line.Values = append(line.Values, Number(results.FloatText(100*float64(i+1)/float64(n))))
		}
	}
	return line
}

// maxProbes is how many messages of one probe are drawn.
const maxProbes = 1000

// probeChart draws the one-way latency of every probe message.
func probeChart(run *results.Run) *Chart {
	c := base(run, "probes", "Latency of probes", "One way, from posting to delivery: delivered_us - start_us of flows.csv.", Axis{Label: "One-way latency", Unit: Microseconds})
	c.Linked = false
	for w := range run.Workloads {
		if !run.Workloads[w].Probe || len(c.Lines) == maxLines {
			continue
		}
		var flows []*results.FlowRow
		for i := range run.Flows {
			if f := &run.Flows[i]; f.Workload == int32(w) && f.OneWay() > 0 {
				flows = append(flows, f)
			}
		}
		slices.SortStableFunc(flows, func(a, b *results.FlowRow) int { return cmp.Compare(a.Start, b.Start) })
		c.addProbe(run.Workloads[w].Name, flows)
	}
	if len(c.Lines) == 0 {
		return nil
	}
	return c
}

// addProbe adds the messages of one probe at their start.
func (c *Chart) addProbe(name string, flows []*results.FlowRow) {
	var starts, latencies Numbers
	for _, f := range flows {
		starts = append(starts, micros(f.Start))
		latencies = append(latencies, micros(f.OneWay()))
	}
	kept := thin(latencies, maxProbes)
	if len(kept) == 0 {
		return
	}
	c.Lines = append(c.Lines, Line{Name: fmt.Sprintf("%s (%s messages)", name, results.Count.Format(float64(len(flows)))),
		Dots: true, Places: pick(starts, kept), Values: pick(latencies, kept)})
	if len(kept) < len(flows) {
		c.Caption += fmt.Sprintf(" Drawn are %s of %s messages, the fastest and slowest of each stretch; the file has all.", count(len(kept)), count(len(flows)))
	}
}
