package why

import (
	"fmt"

	"rocesim/results"
	"rocesim/sim"
)

// ownHost says why a flow spent most of its time before the first hop: other
// messages of its host had their turn, congestion control had cut its rate, or
// both.
func (e *explainer) ownHost(f *results.FlowRow, port int32, end sim.Time) string {
	host := e.Nodes[f.Src]
	turns := e.turnsOf(f, port, end)
	shared := e.accountFor(turns, f, port, end-f.Start)
	cut, sampled := e.rateCut(f, port, end)
	text := fmt.Sprintf("most of the time passed in %s", host)
	behind := fmt.Sprintf(", behind other messages of its own: %s%s", turns, e.usedText(port, f.Start, end))
	switch {
	case shared && sampled:
		return text + besides(behind, cut)
	case shared: // which is reason enough
		return text + behind
	case cut != "":
		return text + ": " + cut
	}
	return text + ", but neither other messages nor congestion control account for it" + e.usedText(port, f.Start, end)
}

// turns are the other messages that a host had under way beside one.
type turns struct {
	// atATime is their mean number.
	atATime float64
	// busy is for how long they kept the flow's link busy.
	busy  sim.Time
	links int
}

// turnsOf counts the messages of a flow's host that overlapped with it. Results
// do not say which of the host's links a message took: they are taken to have
// spread over all.
func (e *explainer) turnsOf(f *results.FlowRow, port int32, end sim.Time) turns {
	_, links := e.linksOf(f.Src)
	t := turns{links: max(links, 1)}
	var together sim.Time
	bytes := 0.0
	for i := range e.Flows {
		o := &e.Flows[i]
		if o.Src != f.Src || o.ID == f.ID {
			continue
		}
		from, to, sent := e.underWay(o)
		if overlap := min(to, end) - max(from, f.Start); overlap > 0 {
			together += overlap
			bytes += float64(sent) * float64(overlap) / float64(to-from)
		}
	}
	t.atATime = float64(together) / float64(end-f.Start)
	t.busy = e.Ports[port].Rate.TxTimeCeil(int64(bytes / float64(t.links)))
	if used, sampled := e.usedWithin(port, f.Start, end); sampled && together > 0 {
		_, _, own := e.underWay(f)
		t.busy = sim.Time(used*float64(end-f.Start)) - e.Ports[port].Rate.TxTimeCeil(own) // with what was sent again
	}
	return t
}

// underWay returns from when to when a message was under way, and how much of
// it was sent.
func (e *explainer) underWay(f *results.FlowRow) (from, to sim.Time, sent int64) {
	if to = max(f.Completed, f.Delivered); to > 0 {
		return f.Start, to, f.Bytes
	}
	return f.Start, e.Manifest.SimulatedTime, f.Measured
}

// accountFor reports whether other messages account for most of the time that a
// flow took: they kept the link busy, and at a fair share of it the flow would
// have taken about as long.
func (e *explainer) accountFor(t turns, f *results.FlowRow, port int32, took sim.Time) bool {
	return t.busy*2 >= took-f.Ideal && (f.Ideal+e.turnTime(t, f, port))*2 >= took
}

func (t turns) String() string {
	text := atATime(t.atATime)
	if t.links > 1 {
		text += fmt.Sprintf(" on its %d links", t.links)
	}
	return text + " at a time"
}

// usedWithin returns the part of a link that was in use in an interval, if that
// was sampled.
func (e *explainer) usedWithin(port int32, from, to sim.Time) (used float64, sampled bool) {
	for i := range e.Series {
		if s := &e.Series[i]; s.Kind == results.UtilisationSeries && s.Port == port {
			used, _, sampled = within(s, s.Values, from, to)
			return min(used, 1), sampled
		}
	}
	return 0, false
}

// usedText says how much of a link was in use in an interval, or else in the
// whole run.
func (e *explainer) usedText(port int32, from, to sim.Time) string {
	if used, sampled := e.usedWithin(port, from, to); sampled {
		return fmt.Sprintf(" (%s %s used in that time)", e.PortName(port), percent(used))
	}
	return fmt.Sprintf(" (%s %s used, taken over the run)", e.PortName(port), percent(e.Ports[port].Utilisation(e.Manifest.SimulatedTime)))
}

// cutFrom is the part of its link's rate below which a queue pair counts as
// slowed down.
const cutFrom = 0.95

// rateCut says how congestion control slowed the queue pairs of a flow's
// workload down, as sampled; empty if it did not. Not sampled, it is a guess.
func (e *explainer) rateCut(f *results.FlowRow, port int32, end sim.Time) (text string, sampled bool) {
	handled, listens := e.cnpsHandled(f.Src)
	if handled == 0 && listens {
		return "", false
	}
	notices := ""
	if handled > 0 {
		notices = fmt.Sprintf("; %s handled %s in the run", e.Nodes[f.Src], results.Plural(handled, "CNP"))
	}
	name := e.Workloads[f.Workload].Name
	for i := range e.Series {
		s := &e.Series[i]
		if s.Kind != results.ControlSeries || s.Name != name {
			continue
		}
		mean, _, known := within(s, s.Values, f.Start, end)
		_, lowest, _ := within(s, s.Low, f.Start, end)
		switch {
		case !known:
		case lowest >= cutFrom*float64(e.Ports[port].Rate):
			return "", true
		default:
			return fmt.Sprintf("congestion control had cut rates of %s: queue pairs with data to send had %s on average, the slowest %s%s",
				name, rate(mean), rate(lowest), notices), true
		}
	}
	if handled == 0 {
		return "", false
	}
	return fmt.Sprintf("congestion control may have cut its rate, which was not sampled%s", notices), false
}

// cnpsHandled is how many CNPs the adapters of a host acted upon, and whether
// these are what they listen to.
func (e *explainer) cnpsHandled(host int32) (handled int64, listens bool) {
	for i := range e.NICs {
		if n := &e.NICs[i]; n.Node == host {
			handled += n.CNPHandled
			listens = listens || n.CongestionControl != "hpcc"
		}
	}
	return handled, listens
}

// within returns the mean and the least of a series' values in an interval, and
// whether it has any there. A rate of 0 is that of no queue pair.
func within(s *results.Series, values []float64, from, to sim.Time) (mean, least float64, known bool) {
	rates := s.Kind == results.ControlSeries // of an instant, not of a step
	n := 0
	for i, v := range values {
		began, ended := s.At(i)-s.Step, s.At(i)
		if rates {
			began = ended
		}
		if ended < from || began > to || rates && v == 0 {
			continue
		}
		if n == 0 || v < least {
			least = v
		}
		mean += v
		n++
	}
	return mean / float64(max(n, 1)), least, n > 0
}

func rate(bitsPerSecond float64) string {
	return results.DataRate.Format(float64(int64(bitsPerSecond/1e6+0.5)) * 1e6)
}
