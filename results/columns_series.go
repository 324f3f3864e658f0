package results

import (
	"errors"
	"slices"

	"rocesim/sim"
)

// seriesTables returns the files of sampled quantities, one per kind and in
// long form: one row per series and sample.
func (l *layout) seriesTables() []table {
	queues, rates, links := l.samples(QueueSeries), l.samples(RateSeries), l.samples(UtilisationSeries)
	marks, cnps, control := l.samples(MarkSeries), l.samples(CNPSentSeries, CNPHandledSeries), l.samples(ControlSeries)
	return []table{
		queues.table("series/queues.csv", "Depth of the sampled egress queues.", append(queues.portColumns(),
			queues.priorityColumn(), queues.timeColumn("instant of the sample"),
			queues.valueColumn("depth_bytes", "bytes in the queue"))),
		rates.table("series/rates.csv", "Payload delivered, by workload or flow.", []column{
			rates.nameColumn("workload or flow"),
			rates.timeColumn("end of the step over which the rate is the mean"),
			rates.valueColumn("goodput_gbps", "payload delivered in Gb/s"),
		}),
		links.table("series/utilisation.csv", "Part of the link rate in use on the busiest links.", append(links.portColumns(),
			links.timeColumn("end of the step over which the utilisation is the mean"),
			links.valueColumn("utilisation_ratio", "part of the link rate in use; frames count when they begin, so a short step may have a little over 1"))),
		marks.table("series/marks.csv", "Packets marked by the queues that marked most.", append(marks.portColumns(),
			marks.priorityColumn(), marks.timeColumn("end of the step"),
			marks.valueColumn("ecn_marked_packets", "packets that the queue marked in the step"))),
		cnps.table("series/cnps.csv", "Congestion notification packets, of all NICs and of those with the most.", []column{
			cnps.nameColumn("NIC, or \"" + AllNICs + "\" for their sum"),
			cnps.counterColumn(),
			cnps.timeColumn("end of the step"),
			cnps.valueColumn("cnp_packets", "CNPs counted in the step"),
		}),
		control.table("series/dcqcn.csv", "DCQCN's current rate of queue pairs that have data to send.", []column{
			control.nameColumn("workload or flow"),
			control.timeColumn("instant of the sample"),
			control.valueColumn("rate_mean_gbps", "mean over the workload's queue pairs, in Gb/s; empty if none had data to send. Of a workload with more than 256, up to 256 spread evenly over its queue pairs are looked at"),
			control.boundColumn("rate_min_gbps", "the lowest of these rates", func(s *Series) *[]float64 { return &s.Low }),
			control.boundColumn("rate_max_gbps", "the highest of these rates", func(s *Series) *[]float64 { return &s.High }),
		}),
	}
}

// sampleRows numbers the samples of all series of a file.
type sampleRows struct {
	*layout
	kinds  []SeriesKind
	chosen []*Series
	// ends[k] is the number of the first row behind series k.
	ends []int
	// key and at are of the row being read.
	key Series
	at  sim.Time
}

// samples returns the samples of the series of some kinds, which have the same
// unit.
func (l *layout) samples(kinds ...SeriesKind) *sampleRows {
	s := &sampleRows{layout: l, kinds: kinds}
	total := 0
	for i := range l.Series {
		if slices.Contains(kinds, l.Series[i].Kind) {
			total += len(l.Series[i].Values)
			s.chosen = append(s.chosen, &l.Series[i])
			s.ends = append(s.ends, total)
		}
	}
	return s
}

func (s *sampleRows) table(file, doc string, columns []column) table {
	rows := 0
	if len(s.ends) > 0 {
		rows = s.ends[len(s.ends)-1]
	}
	return table{file, doc, rows, columns, func() {}}
}

// row returns the series of row i and the place in it.
func (s *sampleRows) row(i int) (*Series, int) {
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
	series, _ := s.row(i)
	return series
}

// portColumns begin a row of a port's series.
func (s *sampleRows) portColumns() []column {
	columns := s.layout.portColumns(func(i int) *int32 {
		if i < 0 {
			return &s.key.Port
		}
		return &s.series(i).Port
	})
	set := columns[1].set
	columns[1].set = func(_ int, text string) error {
		s.key = Series{Kind: s.kinds[0]}
		return set(-1, text)
	}
	columns[2].set = ignored
	return columns
}

func (s *sampleRows) priorityColumn() column {
	c := intColumn("priority", "priority of the queue", func(i int) *uint8 {
		if i < 0 {
			return &s.key.Priority
		}
		return &s.series(i).Priority
	})
	set := c.set
	c.set = func(_ int, text string) error { return set(-1, text) }
	return c
}

// nameColumn begins a row of a series that belongs to no port.
func (s *sampleRows) nameColumn(doc string) column {
	return column{"name", doc, func(b []byte, i int) []byte { return appendText(b, s.series(i).Name) },
		func(_ int, text string) error {
			s.key = Series{Kind: s.kinds[0], Name: text, Port: -1}
			return nil
		}}
}

// counterColumn tells the kinds of CNP series apart.
func (s *sampleRows) counterColumn() column {
	names := map[SeriesKind]string{CNPSentSeries: "np_cnp_sent", CNPHandledSeries: "rp_cnp_handled"}
	return column{"counter", "np_cnp_sent (by receivers of data) or rp_cnp_handled (acted upon by senders)",
		func(b []byte, i int) []byte { return append(b, names[s.series(i).Kind]...) },
		func(_ int, text string) error {
			for _, k := range s.kinds {
				if names[k] == text {
					s.key.Kind = k
					return nil
				}
			}
			return notA("np_cnp_sent or rp_cnp_handled", text)
		}}
}

func (s *sampleRows) timeColumn(doc string) column {
	return column{"time_us", doc, func(b []byte, i int) []byte {
		series, k := s.row(i)
		return appendMicros(b, series.At(k))
	}, func(_ int, text string) error {
		v, err := parseDecimal(text, 6)
		s.at = sim.Time(v)
		return err
	}}
}

// valueColumn holds the sample.
func (s *sampleRows) valueColumn(name, doc string) column {
	return column{name, doc, func(b []byte, i int) []byte {
		series, k := s.row(i)
		return series.Kind.append(b, series.Values[k])
	}, func(_ int, text string) error {
		v, err := s.key.Kind.parse(text)
		if err != nil {
			return err
		}
		return s.append(v)
	}}
}

// boundColumn holds a bound of the sample before it in the row.
func (s *sampleRows) boundColumn(name, doc string, bound func(*Series) *[]float64) column {
	return column{name, doc, func(b []byte, i int) []byte {
		series, k := s.row(i)
		return series.Kind.append(b, (*bound(series))[k])
	}, func(_ int, text string) error {
		v, err := s.key.Kind.parse(text)
		list := bound(&s.Series[len(s.Series)-1])
		*list = append(*list, v)
		return err
	}}
}

// append adds the sample of the row being read to its series, or begins one.
func (s *sampleRows) append(value float64) error {
	n := len(s.Series)
	if n == 0 || !s.Series[n-1].same(&s.key) || s.at <= s.Series[n-1].Start {
		s.key.Start, s.key.Values = s.at, []float64{value}
		s.complete(&s.key)
		s.Series = append(s.Series, s.key)
		return nil
	}
	series := &s.Series[n-1]
	if len(series.Values) == 1 {
		series.Step = s.at - series.Start
	}
	if s.at != series.At(len(series.Values)) {
		return errors.New("the sample does not follow at the step of those before it")
	}
	series.Values = append(series.Values, value)
	return nil
}

func (s *Series) same(other *Series) bool {
	return s.Kind == other.Kind && s.Port == other.Port && s.Priority == other.Priority && (s.Kind.ofPort() || s.Name == other.Name)
}

// complete names a new series and gives a queue its marks.
func (s *sampleRows) complete(series *Series) {
	if !series.Kind.ofPort() {
		return
	}
	series.Name = s.PortName(series.Port)
	if series.Kind == QueueSeries {
		for i := range s.Queues {
			if q := &s.Queues[i]; q.Port == series.Port && q.Priority == series.Priority {
				series.Marks = q.Marks()
			}
		}
	}
}
