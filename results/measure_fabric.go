package results

import "errors"

func drops(lossless, lossy bool) func(*Metrics, selection) (float64, error) {
	return func(m *Metrics, sel selection) (float64, error) {
		var packets int64
		for i := range m.run.Drops {
			d := &m.run.Drops[i]
			wanted := d.Lossless && lossless || !d.Lossless && lossy
			if wanted && m.port(sel, d.Port) && sel.hasPriority(d.Priority) && (sel.cause == "" || sel.cause == d.Cause) {
				packets += d.Packets
			}
		}
		return float64(packets), nil
	}
}

// queues calls visit for every selected port and priority.
func (m *Metrics) queues(sel selection, visit func(*QueueRow)) {
	for i := range m.run.Queues {
		q := &m.run.Queues[i]
		if m.port(sel, q.Port) && sel.hasPriority(q.Priority) {
			visit(q)
		}
	}
}

func sumQueues(of func(*QueueRow) float64) func(*Metrics, selection) (float64, error) {
	return func(m *Metrics, sel selection) (float64, error) {
		sum := 0.0
		m.queues(sel, func(q *QueueRow) { sum += of(q) })
		return sum, nil
	}
}

// maxQueues returns 0 if nothing is selected: a queue that carried nothing has
// no row.
func maxQueues(of func(*QueueRow) float64) func(*Metrics, selection) (float64, error) {
	return func(m *Metrics, sel selection) (float64, error) {
		most := 0.0
		m.queues(sel, func(q *QueueRow) { most = max(most, of(q)) })
		return most, nil
	}
}

func pausedFraction(m *Metrics, sel selection) (float64, error) {
	span := m.run.Manifest.SimulatedTime
	if span <= 0 {
		return 0, errors.New("no time was simulated")
	}
	return maxQueues(func(q *QueueRow) float64 { return float64(q.RxPaused) / float64(span) })(m, sel)
}

func utilisation(of func([]float64) float64) func(*Metrics, selection) (float64, error) {
	return func(m *Metrics, sel selection) (float64, error) {
		var values []float64
		for i := range m.run.Ports {
			if m.port(sel, int32(i)) {
				values = append(values, m.run.Ports[i].Utilisation(m.run.Manifest.SimulatedTime))
			}
		}
		if len(values) == 0 {
			return 0, errors.New("there is no such link")
		}
		return of(values), nil
	}
}

func sumNICs(of func(*NICRow) int64) func(*Metrics, selection) (float64, error) {
	return func(m *Metrics, sel selection) (float64, error) {
		var sum int64
		for i := range m.run.NICs {
			if n := &m.run.NICs[i]; sel.node == "" || m.run.Nodes[n.Node] == sel.node {
				sum += of(n)
			}
		}
		return float64(sum), nil
	}
}

// sumStorms adds up something of the storms at the selected ports.
func sumStorms(of func(*StormRow) int64) func(*Metrics, selection) (float64, error) {
	return func(m *Metrics, sel selection) (float64, error) {
		var sum int64
		for i := range m.run.Storms {
			if r := &m.run.Storms[i]; m.port(sel, r.Port) && sel.hasPriority(r.Priority) {
				sum += of(r)
			}
		}
		return float64(sum), nil
	}
}
