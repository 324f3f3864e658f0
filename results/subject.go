package results

import "strings"

// Subject is a metric, perhaps of a part of the run: the left-hand side of an
// expect clause.
type Subject struct {
	Metric string
	Labels []Label
}

// ParseSubject reads "metric" or "metric{key=value,...}". The error is always a
// *SyntaxError.
func ParseSubject(text string) (Subject, error) {
	p := &expectParser{text: text}
	e := Expectation{}
	info := p.metric(&e)
	p.labels(&e, info)
	if rest, start := p.take(func(byte) bool { return true }); p.err == nil && strings.TrimSpace(rest) != "" {
		p.fail(start, "the metric should end here, found %q", rest)
	}
	if p.err != nil {
		return Subject{}, p.err
	}
	return Subject{e.Metric, e.Labels}, nil
}

// Subject is the left-hand side of the expectation.
func (e *Expectation) Subject() Subject { return Subject{e.Metric, e.Labels} }

// String returns the subject as ParseSubject reads it.
func (s Subject) String() string {
	e := Expectation{Metric: s.Metric, Labels: s.Labels}
	return e.subject()
}

// Info describes the metric.
func (s Subject) Info() MetricInfo {
	info, _ := DescribeMetric(s.Metric)
	return info
}

// Of computes the subject from a run; see Metrics.Value.
func (s Subject) Of(m *Metrics) (float64, error) { return m.Value(s.Metric, s.Labels...) }

// AllSubjects returns every metric of the whole run, in the order of Catalogue,
// and then the times and rates of each workload if there are several.
func AllSubjects(workloads []string) []Subject {
	return subjects(MetricNames(), workloads)
}

// MainSubjects returns the metrics that a person looks at first, over the whole
// run and of each workload if there are several: few enough that a test of all
// of them can still find a difference.
func MainSubjects(workloads []string) []Subject {
	return subjects([]string{
		"drops.lossless", "drops.lossy", "deadlocks", "flows.unfinished",
		"fct.mean", "fct.p50", "fct.p99", "fct.max", "latency.p50", "latency.p99", "slowdown.p50", "slowdown.p99",
		"makespan", "goodput.total", "goodput.flow.min", "jain",
		"pfc.pauses", "pfc.paused_time", "pfc.paused_time_fraction.max", "ecn.marks", "cnp.sent",
		"queue.peak", "queue.mean", "headroom.peak", "retransmits", "ack_timeouts",
	}, workloads)
}

func subjects(names, workloads []string) []Subject {
	var all []Subject
	for _, name := range names {
		all = append(all, Subject{Metric: name})
	}
	if len(workloads) < 2 {
		return all // a single workload is the whole run
	}
	for _, w := range workloads {
		for _, name := range []string{"fct.p50", "fct.p99", "slowdown.p99", "goodput", "flows.unfinished"} {
			all = append(all, Subject{name, []Label{{"workload", w}}})
		}
	}
	return all
}
