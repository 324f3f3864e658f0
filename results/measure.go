package results

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rocesim/sim"
)

// Metrics computes the numbers of Catalogue from a run. It is for one goroutine
// at a time.
type Metrics struct {
	run   *Run
	table []metric
	// distributions keeps what was sorted: seven metrics each have the same.
	distributions map[distributionKey]distributionResult
	// goodputs keeps those of the selected flows, in their order.
	goodputs map[selection][]float64
}

// distributionKey names a family of metrics, such as fct, and what it is of.
type distributionKey struct {
	family string
	of     selection
}

type distributionResult struct {
	Distribution
	err error
}

// NewMetrics returns the metrics of run, which must not change while they are
// in use.
func NewMetrics(run *Run) *Metrics {
	return &Metrics{run, metrics(), map[distributionKey]distributionResult{}, map[selection][]float64{}}
}

// Value computes one metric in the base unit of its Unit. The error says that
// the name or a label is unknown, or that the run has no data for it, such as
// a completion time when no flow finished.
func (m *Metrics) Value(name string, labels ...Label) (float64, error) {
	found, ok := findMetric(m.table, name)
	if !ok {
		return 0, fmt.Errorf("unknown metric %q%s", name, didYouMean(name, MetricNames()))
	}
	sel, err := m.selection(found.MetricInfo, labels)
	if err != nil {
		return 0, err
	}
	return found.value(m, sel)
}

// selection is the part of a run that labels leave; an empty field leaves all.
type selection struct {
	workload, src, dst, node, tier, cause, bucket string
	priority                                      int // -1: all
}

func (m *Metrics) selection(info MetricInfo, labels []Label) (selection, error) {
	sel := selection{priority: -1}
	for _, l := range labels {
		if !slices.Contains(info.Labels, l.Key) {
			return sel, fmt.Errorf("%s cannot be narrowed by %q, %s", info.Name, l.Key, allowedLabels(info))
		}
		if err := m.set(&sel, l); err != nil {
			return sel, err
		}
	}
	return sel, nil
}

// set notes one label after checking that the run has its value.
func (m *Metrics) set(sel *selection, l Label) error {
	switch l.Key {
	case "workload":
		sel.workload = l.Value
		return known(l, m.run.WorkloadNames())
	case "src":
		sel.src = l.Value
		return known(l, m.run.Nodes)
	case "dst":
		sel.dst = l.Value
		return known(l, m.run.Nodes)
	case "node":
		sel.node = l.Value
		return known(l, m.run.Nodes)
	case "tier":
		sel.tier = l.Value
		return known(l, m.run.tiers())
	case "bucket":
		sel.bucket = l.Value
		return known(l, bucketNames())
	case "cause":
		sel.cause = l.Value
		return nil // a cause that never occurred is a count of 0
	}
	priority, err := strconv.Atoi(l.Value)
	if err != nil || priority < 0 || priority >= Priorities {
		return fmt.Errorf("priority %q: want a number from 0 to %d", l.Value, Priorities-1)
	}
	sel.priority = priority
	return nil
}

func known(l Label, names []string) error {
	if slices.Contains(names, l.Value) {
		return nil
	}
	if len(names) == 0 {
		return fmt.Errorf("there is no %s %q: the run has none", l.Key, l.Value)
	}
	near := nearest(l.Value, names)
	if len(near) == 0 {
		near = names[:min(3, len(names))]
	}
	return fmt.Errorf("there is no %s %q, but %s", l.Key, l.Value, strings.Join(near, ", "))
}

func bucketNames() []string {
	var names []string
	for _, b := range Buckets() {
		names = append(names, b.Name())
	}
	return names
}

// tiers lists the tiers of links in the order in which they first occur.
func (r *Run) tiers() []string {
	var tiers []string
	for i := range r.Ports {
		if t := r.Ports[i].Tier; !slices.Contains(tiers, t) {
			tiers = append(tiers, t)
		}
	}
	return tiers
}

// flows calls visit for every selected flow.
func (m *Metrics) flows(sel selection, visit func(*FlowRow)) {
	buckets := Buckets()
	for i := range m.run.Flows {
		f := &m.run.Flows[i]
		if sel.workload != "" && m.run.Workloads[f.Workload].Name != sel.workload ||
			sel.src != "" && m.run.Nodes[f.Src] != sel.src ||
			sel.dst != "" && m.run.Nodes[f.Dst] != sel.dst ||
			sel.bucket != "" && buckets[bucketIndex(buckets, f.Bytes)].Name() != sel.bucket {
			continue
		}
		visit(f)
	}
}

func (m *Metrics) port(sel selection, index int32) bool {
	p := &m.run.Ports[index]
	return (sel.node == "" || m.run.Nodes[p.Node] == sel.node) && (sel.tier == "" || p.Tier == sel.tier)
}

func (sel *selection) hasPriority(p uint8) bool { return sel.priority < 0 || sel.priority == int(p) }

// distributionMetrics makes the metrics name.mean, name.p50 and so on.
func distributionMetrics(name string, unit Unit, doc, labels string,
	collect func(*Metrics, selection) ([]float64, error)) []metric {
	stats := []struct {
		name, doc string
		of        func(Distribution) float64
	}{
		{"mean", "mean", func(d Distribution) float64 { return d.Mean }},
		{"p50", "median", func(d Distribution) float64 { return d.P50 }},
		{"p95", "95th percentile", func(d Distribution) float64 { return d.P95 }},
		{"p99", "99th percentile", func(d Distribution) float64 { return d.P99 }},
		{"p99.9", "99.9th percentile", func(d Distribution) float64 { return d.P999 }},
		{"max", "maximum", func(d Distribution) float64 { return d.Max }},
		{"min", "minimum", func(d Distribution) float64 { return d.Min }},
	}
	all, keys := make([]metric, 0, len(stats)), strings.Fields(labels)
	for _, s := range stats {
		info := MetricInfo{name + "." + s.name, unit, keys, s.doc + " of the " + doc}
		all = append(all, metric{info, func(m *Metrics, sel selection) (float64, error) {
			key := distributionKey{name, sel}
			d, there := m.distributions[key]
			if !there {
				d = distribute(collect(m, sel))
				m.distributions[key] = d
			}
			if d.err != nil {
				return 0, d.err
			}
			return s.of(d.Distribution), nil
		}})
	}
	return all
}

func distribute(values []float64, err error) distributionResult {
	if err != nil {
		return distributionResult{err: err}
	}
	return distributionResult{Distribution: Distribute(values)}
}

// flowTimes collects a number of every finished flow; 0 means unknown.
func flowTimes(of func(*FlowRow) float64) func(*Metrics, selection) ([]float64, error) {
	return func(m *Metrics, sel selection) ([]float64, error) {
		var values []float64
		m.flows(sel, func(f *FlowRow) {
			if v := of(f); v > 0 {
				values = append(values, v)
			}
		})
		if len(values) == 0 {
			return nil, errors.New("no such flow finished")
		}
		return values, nil
	}
}

// probeTimes collects one-way latencies: of latency probes, or of whatever the
// selected workload sends.
func probeTimes(m *Metrics, sel selection) ([]float64, error) {
	var values []float64
	m.flows(sel, func(f *FlowRow) {
		if f.Delivered != 0 && m.isProbe(sel, f) {
			values = append(values, float64(f.OneWay()))
		}
	})
	if len(values) == 0 {
		return nil, errors.New("no such probe was delivered")
	}
	return values, nil
}

// isProbe reports whether the one-way latency of a selected flow is wanted.
func (m *Metrics) isProbe(sel selection, f *FlowRow) bool {
	return sel.workload != "" || m.run.Workloads[f.Workload].Probe
}

// window is the time during which a flow's measured bytes were delivered.
func (m *Manifest) window(f *FlowRow) (from, to sim.Time) {
	to = m.SimulatedTime
	if f.Delivered != 0 {
		to = f.Delivered
	}
	return max(f.Start, m.MeasureFrom), to
}

func goodput(m *Metrics, sel selection) (float64, error) {
	first, last := sim.Never, sim.Time(0)
	var bytes int64
	m.flows(sel, func(f *FlowRow) {
		from, to := m.run.Manifest.window(f)
		if to > from {
			first, last = min(first, from), max(last, to)
			bytes += f.Measured
		}
	})
	return perTime(bytes, last-first)
}

func goodputTotal(m *Metrics, _ selection) (float64, error) {
	var bytes int64
	for i := range m.run.Flows {
		bytes += m.run.Flows[i].Measured
	}
	return perTime(bytes, m.run.Manifest.SimulatedTime-m.run.Manifest.MeasureFrom)
}

// perTime returns a rate in bit/s.
func perTime(bytes int64, span sim.Time) (float64, error) {
	if span <= 0 {
		return 0, errors.New("no such flow ran in the time measured")
	}
	return float64(bytes) * 8 / span.Seconds(), nil
}

func flowGoodput(of func([]float64) float64) func(*Metrics, selection) (float64, error) {
	return func(m *Metrics, sel selection) (float64, error) {
		rates, there := m.goodputs[sel]
		if !there {
			rates = m.flowGoodputs(sel)
			m.goodputs[sel] = rates
		}
		if len(rates) == 0 {
			return 0, errors.New("no such flow ran in the time measured")
		}
		return of(rates), nil
	}
}

func (m *Metrics) flowGoodputs(sel selection) []float64 {
	var rates []float64
	m.flows(sel, func(f *FlowRow) {
		from, to := m.run.Manifest.window(f)
		if rate, err := perTime(f.Measured, to-from); err == nil {
			rates = append(rates, rate)
		}
	})
	return rates
}

func makespan(m *Metrics, sel selection) (float64, error) {
	first, last := sim.Never, sim.Time(0)
	flows, unfinished := 0, 0
	m.flows(sel, func(f *FlowRow) {
		flows++
		if !f.Finished() {
			unfinished++
		}
		first, last = min(first, f.Start), max(last, f.Completed, f.Delivered)
	})
	if flows == 0 {
		return 0, errors.New("there is no such flow")
	}
	if unfinished > 0 {
		return 0, fmt.Errorf("%d of %d flows did not finish", unfinished, flows)
	}
	return float64(last - first), nil
}

func countFlows(want func(*FlowRow) bool) func(*Metrics, selection) (float64, error) {
	return func(m *Metrics, sel selection) (float64, error) {
		n := 0
		m.flows(sel, func(f *FlowRow) {
			if want(f) {
				n++
			}
		})
		return float64(n), nil
	}
}
