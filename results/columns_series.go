package results

import (
	"errors"

	"rocesim/sim"
)

// seriesTables returns the files of sampled quantities, one per kind and in
// long form: one row per series and sample.
func (l *layout) seriesTables() []table {
	queues, rates, links := l.samples(QueueSeries), l.samples(RateSeries), l.samples(UtilisationSeries)
	return []table{
		queues.table("series/queues.csv", "Depth of the sampled egress queues.", append(queues.portColumns(),
			queues.priorityColumn(), queues.timeColumn("instant of the sample"),
			queues.valueColumn("depth_bytes", "bytes in the queue"))),
		rates.table("series/rates.csv", "Payload delivered, by workload or flow.", []column{
			{"name", "workload or flow", func(b []byte, i int) []byte { return appendText(b, rates.series(i).Name) },
				func(_ int, text string) error { rates.key = Series{Kind: RateSeries, Name: text, Port: -1}; return nil }},
			rates.timeColumn("end of the step over which the rate is the mean"),
			rates.valueColumn("goodput_gbps", "payload delivered in Gb/s"),
		}),
		links.table("series/utilisation.csv", "Part of the link rate in use on the sampled links.", append(links.portColumns(),
			links.timeColumn("end of the step over which the utilisation is the mean"),
			links.valueColumn("utilisation_ratio", "part of the link rate in use"))),
	}
}

// sampleRows numbers the samples of all series of one kind.
type sampleRows struct {
	*layout
	kind   SeriesKind
	chosen []*Series
	// ends[k] is the number of the first row behind series k.
	ends []int
	// key and at are of the row being read.
	key Series
	at  sim.Time
}

func (l *layout) samples(kind SeriesKind) *sampleRows {
	s := &sampleRows{layout: l, kind: kind}
	total := 0
	for i := range l.Series {
		if l.Series[i].Kind == kind {
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
		s.key = Series{Kind: s.kind}
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
		return appendFloat(b, series.Values[k]/s.kind.fileUnit())
	}, func(_ int, text string) error {
		v, err := parseFloat(text)
		if err != nil {
			return err
		}
		return s.append(v * s.kind.fileUnit())
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
	return s.Kind == other.Kind && s.Port == other.Port && s.Priority == other.Priority && (s.Kind != RateSeries || s.Name == other.Name)
}

// complete names a new series and gives a queue its marks.
func (s *sampleRows) complete(series *Series) {
	if series.Kind == RateSeries {
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
