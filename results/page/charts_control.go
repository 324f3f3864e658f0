package page

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/results"
)

// stepText is the length of the steps of a series.
func stepText(s *results.Series) string { return results.Duration.Format(float64(s.Step)) }

// markChart draws the packets marked in each step, nil if none was.
func markChart(run *results.Run) *Chart {
	chosen, all := seriesOf(run, results.MarkSeries, maxLines, results.Sum)
	if len(chosen) == 0 {
		return nil
	}
	c := base(run, "marks", "ECN marks", fmt.Sprintf("Packets marked in each %s, by %s; series/marks.csv.",
		stepText(chosen[0]), picked(len(chosen), all, "sampled queue", "sampled queues", "that marked most")), Axis{Label: "Marked", Unit: Packets})
	c.addSeries(chosen, queueName)
	return c
}

// noticeChart draws the notifications of all adapters, and of the senders that
// these do not flatten; nil if there were none.
func noticeChart(run *results.Run) *Chart {
	sent, _ := seriesOf(run, results.CNPSentSeries, len(run.Series), results.Sum)
	handled, _ := seriesOf(run, results.CNPHandledSeries, len(run.Series), results.Sum)
	var sums, senders []*results.Series
	top := 0.0
	for _, s := range append(sent, handled...) {
		if s.Name == results.AllNICs {
			sums = append(sums, s)
			top = max(top, slices.Max(s.Values))
		}
	}
	if len(sums) == 0 {
		return nil
	}
	for _, s := range handled {
		if s.Name != results.AllNICs && slices.Max(s.Values) >= top/5 {
			senders = append(senders, s)
		}
	}
	chosen := append(sums, results.DistinctSeries(senders)...)
	chosen = chosen[:min(maxLines, len(chosen))]
	c := base(run, "cnps", "Congestion notifications (CNP)", fmt.Sprintf(
		"CNPs in each %s: sent by receivers of marked packets, and handled by senders, which slow down; series/cnps.csv.", stepText(chosen[0])),
		Axis{Label: "Notifications", Unit: Packets})
	c.addSeries(chosen, noticeName)
	return c
}

func noticeName(s *results.Series) string {
	if s.Kind == results.CNPSentSeries {
		return "sent, " + s.Name
	}
	return "handled, " + s.Name
}

// controlCharts draw the rates that DCQCN allows: of each workload the mean
// between the lowest and the highest, then of single flows.
func controlCharts(run *results.Run) []*Chart {
	rates := results.ControlRatesOf(run)
	slowed, flows := rates.Slowed, rates.Flows
	var free []string
	for _, s := range rates.Free {
		free = append(free, s.Name)
	}
	var charts []*Chart
	for i, s := range slowed[:min(maxPanels, len(slowed))] {
		c := controlChart(run, s)
		c.ID = fmt.Sprintf("dcqcn-%d", i+1)
		if i == 0 && len(free) > 0 {
			c.Caption += " Not slowed down, as far as sampled: " + strings.Join(free, ", ") + "."
		}
		charts = append(charts, c)
	}
	if len(flows) > 1 && len(slowed) > 0 {
		shown := flows[:min(maxLines, len(flows))]
		c := base(run, "dcqcn-flows", "DCQCN rate of single flows", fmt.Sprintf(
			"What the queue pairs may send, at each instant at which they have data to send: the %d slowest of %d; series/dcqcn.csv.", len(shown), len(flows)),
			Axis{Label: "Current rate", Unit: Gigabits})
		c.addSeries(shown, func(s *results.Series) string { return s.Name })
		charts = append(charts, c)
	}
	return charts
}

// controlChart draws mean, lowest and highest rate of one workload.
func controlChart(run *results.Run, s *results.Series) *Chart {
	c := base(run, "dcqcn", "DCQCN rate: "+s.Name,
		"What the queue pairs with data to send may send: their mean, the slowest and the fastest, at each instant at which there are any; series/dcqcn.csv.",
		Axis{Label: "Current rate", Unit: Gigabits})
	lines := []Line{{Name: "mean", Colour: 1}, {Name: "slowest", Colour: 2, Dashed: true}, {Name: "fastest", Colour: 3, Dashed: true}}
	for i := range s.Values {
		for k, text := range []string{s.ValueText(i), s.LowText(i), s.HighText(i)} {
			lines[k].Values = append(lines[k].Values, Number(text))
		}
	}
	c.Places, c.Lines = placesOf(s), lines
	return c
}

// maxUse is how many links are drawn.
const maxUse = 12

// useChart draws how busy the busiest links were, in the order of the file,
// which begins with the busiest of every layer. Traffic comes in bursts, so lines
// would be a tangle: a link is a strip of shades.
func useChart(run *results.Run) *Chart {
	chosen, all := seriesOf(run, results.UtilisationSeries, maxUse, func([]float64) float64 { return 0 })
	if len(chosen) == 0 {
		return nil
	}
	c := base(run, "use", "Utilisation of links", fmt.Sprintf(
		"The share of each %s for which a link was sending, from idle (blank) to all of it (darkest): %s; series/utilisation.csv.",
		stepText(chosen[0]), picked(len(chosen), all, "sampled link", "sampled links", "that come first, the busiest of every layer")),
		Axis{Label: "Link in use", Unit: Share})
	c.Places = placesOf(chosen[0])
	for _, s := range chosen {
		if len(s.Values) != len(c.Places) {
			continue // of a file that was changed: no time is known for its values
		}
		note := fmt.Sprintf("%s in use on average, at most %s", Share.format(results.Mean(s.Values)), Share.format(slices.Max(s.Values)))
		c.Rows = append(c.Rows, Row{Name: s.Name, Note: note, Values: valuesOf(s)})
	}
	return c
}
