package results

import "rocesim/sim"

// seriesTables returns the files of sampled quantities, one per kind and in
// long form: one row per series and sample.
func (r *Run) seriesTables() []table {
	queues, rates, links := r.samples(QueueSeries), r.samples(RateSeries), r.samples(UtilisationSeries)
	return []table{
		{"series/queues.csv", "Depth of the sampled egress queues.", queues.rows(), append(queues.portColumns(),
			intColumn("priority", "priority of the queue", func(i int) int64 { return int64(queues.series(i).Priority) }),
			queues.timeColumn("instant of the sample"),
			floatColumn("depth_bytes", "bytes in the queue", queues.value),
		)},
		{"series/rates.csv", "Payload delivered, by workload or flow.", rates.rows(), []column{
			textColumn("name", "workload or flow", func(i int) string { return rates.series(i).Name }),
			rates.timeColumn("end of the step over which the rate is the mean"),
			floatColumn("goodput_gbps", "payload delivered in Gb/s", func(i int) float64 { return rates.value(i) / 1e9 }),
		}},
		{"series/utilisation.csv", "Part of the link rate in use on the sampled links.", links.rows(), append(links.portColumns(),
			links.timeColumn("end of the step over which the utilisation is the mean"),
			floatColumn("utilisation_ratio", "part of the link rate in use", links.value),
		)},
	}
}

// sampleRows numbers the samples of all series of one kind.
type sampleRows struct {
	run    *Run
	chosen []*Series
	// ends[k] is the number of the first row behind series k.
	ends []int
}

func (r *Run) samples(kind SeriesKind) *sampleRows {
	s := &sampleRows{run: r}
	total := 0
	for i := range r.Series {
		if r.Series[i].Kind == kind {
			total += len(r.Series[i].Values)
			s.chosen = append(s.chosen, &r.Series[i])
			s.ends = append(s.ends, total)
		}
	}
	return s
}

func (s *sampleRows) rows() int {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// at returns the series of row i and the place in it.
func (s *sampleRows) at(i int) (*Series, int) {
	first := 0
	for k, end := range s.ends {
		if i < end {
			return s.chosen[k], i - first
		}
		first = end
	}
	panic("results: row of a series out of range")
}

func (s *sampleRows) series(i int) *Series {
	series, _ := s.at(i)
	return series
}

func (s *sampleRows) value(i int) float64 {
	series, k := s.at(i)
	return series.Values[k]
}

func (s *sampleRows) portColumns() []column {
	return s.run.portColumns(func(i int) int32 { return s.series(i).Port })
}

func (s *sampleRows) timeColumn(doc string) column {
	return timeColumn("time_us", doc, false, func(i int) sim.Time {
		series, k := s.at(i)
		return series.At(k)
	})
}
