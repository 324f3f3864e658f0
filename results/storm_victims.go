package results

import "rocesim/sim"

// Victim is a workload that a pause tree hit: NICs that send for it were
// paused.
type Victim struct {
	Workload int32
	// ToRoot counts its flows to the host whose NIC paused, Others those to
	// elsewhere: innocent ones. Both leave a paused NIC.
	ToRoot, Others int
	// OthersUnfinished are those of Others that did not end.
	OthersUnfinished int
	// Before, During and After are the workload's goodput in bit/s before the
	// root was first paused, while it was, and after; negative if the run has
	// no samples of that time.
	Before, During, After float64
}

// victims lists the workloads whose flows leave paused NICs of a tree, in the
// order of the scenario.
func victims(run *Run, t *PauseTree) []Victim {
	paused := make([]bool, run.hosts())
	for i := range t.Ports {
		if node := run.Ports[t.Ports[i].Port].Node; int(node) < len(paused) {
			paused[node] = true
		}
	}
	root, last := &t.Ports[0], sim.Time(0)
	for i := range t.Ports {
		last = max(last, t.Ports[i].Last)
	}
	found := make([]Victim, len(run.Workloads))
	for i := range run.Flows {
		f := &run.Flows[i]
		over := f.Completed > 0 && f.Completed <= root.First || f.Start >= last
		if f.Priority == t.Priority && paused[f.Src] && !over {
			found[f.Workload].count(f, run.Ports[root.Port].Peer)
		}
	}
	var out []Victim
	for i := range found {
		if v := found[i]; v.ToRoot+v.Others > 0 {
			v.Workload = int32(i)
			v.Before, v.During, v.After = run.rates(run.Workloads[i].Name, root.First, root.Last)
			out = append(out, v)
		}
	}
	return out
}

func (v *Victim) count(f *FlowRow, root int32) {
	if f.Dst == root {
		v.ToRoot++
		return
	}
	v.Others++
	if !f.Finished() {
		v.OthersUnfinished++
	}
}

// rates returns the mean goodput of a workload before, during and after a time,
// from its samples; negative where there are none. Before counts from its first
// delivery, after to its last.
func (r *Run) rates(workload string, from, to sim.Time) (before, during, after float64) {
	var phases [3]phase
	for i := range r.Series {
		s := &r.Series[i]
		if s.Kind != RateSeries || s.Name != workload {
			continue
		}
		for k, v := range s.Values {
			switch end := s.At(k); {
			case end <= from:
				phases[0].add(v, true)
			case end-s.Step < to:
				phases[1].add(v, false)
			default:
				phases[2].add(v, false)
			}
		}
	}
	return phases[0].mean(), phases[1].mean(), phases[2].untilLast()
}

// phase is a sum of samples.
type phase struct {
	sum    float64
	n, end int // samples, and those until the last that is not zero
}

// add adds a sample. Zeros before the first other one do not count if trim is
// set.
func (p *phase) add(v float64, trim bool) {
	if v == 0 && p.n == 0 && trim {
		return
	}
	p.sum += v
	p.n++
	if v != 0 {
		p.end = p.n
	}
}

func (p *phase) mean() float64 { return p.over(p.n) }

// untilLast is the mean without the zeros at the end, unless there is nothing
// else.
func (p *phase) untilLast() float64 {
	if p.end == 0 {
		return p.over(p.n)
	}
	return p.over(p.end)
}

func (p *phase) over(n int) float64 {
	if n == 0 {
		return -1
	}
	return p.sum / float64(n)
}
