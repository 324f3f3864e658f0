package why

import (
	"fmt"

	"rocesim/results"
)

// Answer replies to one of the questions that everybody asks of a run first.
type Answer struct {
	// Question as a person asks it.
	Question string
	// Short is the answer in a few words, Text what is behind it: sentences
	// with numbers.
	Short string
	Text  []string
	// Severity is SeverityError or SeverityWarning where the answer is bad
	// news.
	Severity results.Severity
	// Node and Peer are where to look: a port of Node, towards Peer; empty if it
	// is nowhere in particular.
	Node, Peer string
	// Workload is whose flows to look at; empty if it is nobody's.
	Workload string
}

// Answers replies to: did the fabric stay lossless, where did PFC fire first
// and why, which flows suffered.
func Answers(run *results.Run) []Answer {
	e := newExplainer(run)
	return []Answer{e.losslessAnswer(), e.firstPauseAnswer(), e.sufferedAnswer()}
}

// look says that the answer is about a port.
func (a *Answer) look(e *explainer, port int32) {
	a.Node, a.Peer = e.Nodes[e.Ports[port].Node], e.Nodes[e.Ports[port].Peer]
}

// found runs one part of the explanation and returns what it says.
func (e *explainer) found(ask func()) []results.Finding {
	before := len(e.findings)
	ask()
	return e.findings[before:]
}

func (e *explainer) losslessAnswer() Answer {
	a := Answer{Question: "Did it stay lossless?", Severity: results.SeverityInfo}
	verdict := results.Judge(e.Run)
	switch {
	case verdict.LosslessDrops > 0:
		a.Short, a.Severity = fmt.Sprintf("No: %s of lossless classes dropped.", results.Plural(verdict.LosslessDrops, "packet")), results.SeverityError
		for _, f := range e.found(e.drops) {
			if f.Severity == results.SeverityError {
				a.Text = append(a.Text, f.What)
			}
		}
		a.look(e, e.worstDrop().Port)
	case !verdict.Lossless:
		a.Short, a.Severity = "There was nothing to keep lossless.", results.SeverityWarning
		a.Text = append(a.Text, "PFC protects no priority that carried traffic.")
	default:
		a.Short = "Yes: no packet of a lossless class was dropped."
		if e.Manifest.Partial() {
			a.Short, a.Severity = "So far: no packet of a lossless class was dropped.", results.SeverityWarning
		}
		e.headroomLeft(&a)
	}
	if verdict.LossyDrops > 0 {
		a.Text = append(a.Text, fmt.Sprintf("Lossy classes, which may drop, dropped %s.", results.Plural(verdict.LossyDrops, "packet")))
	}
	return a
}

// worstDrop returns the drop of lossless classes with the most packets.
func (e *explainer) worstDrop() *results.DropRow {
	var worst *results.DropRow
	for i := range e.Drops {
		if d := &e.Drops[i]; d.Lossless && (worst == nil || d.Packets > worst.Packets) {
			worst = d
		}
	}
	return worst
}

// headroomLeft says how near the fabric came to a drop.
func (e *explainer) headroomLeft(a *Answer) {
	var fullest *results.QueueRow
	for i := range e.Queues {
		q := &e.Queues[i]
		if q.Headroom > 0 && e.isSwitch(q.Port) && (fullest == nil || headroomUse(q) > headroomUse(fullest)) {
			fullest = q
		}
	}
	switch {
	case fullest == nil:
	case fullest.PeakHeadroom == 0:
		a.Text = append(a.Text, "No headroom was used at all.")
	default:
		a.look(e, fullest.Port)
		a.Text = append(a.Text, fmt.Sprintf("The fullest headroom was that of %s: %s of its %s, %s.", e.at(fullest.Port, fullest.Priority),
			size(fullest.PeakHeadroom), size(fullest.Headroom), percent(headroomUse(fullest))))
	}
}

func headroomUse(q *results.QueueRow) float64 { return float64(q.PeakHeadroom) / float64(q.Headroom) }

func (e *explainer) firstPauseAnswer() Answer {
	a := Answer{Question: "Where did PFC fire first, and why?", Severity: results.SeverityInfo}
	first := e.firstXoff()
	if first == nil {
		a.Short = "Nowhere: no XOFF was sent."
		for _, f := range e.found(e.pfc) {
			a.Text = append(a.Text, f.What)
			a.Severity = f.Severity
		}
		return a
	}
	p := &e.Ports[first.Port]
	a.look(e, first.Port)
	a.Short = fmt.Sprintf("At %s, %s into the run: it paused %s.", e.at(first.Port, first.Priority), span(first.FirstXoff), e.Nodes[p.Peer])
	if !e.isSwitch(first.Port) {
		a.Severity = results.SeverityWarning
		for _, f := range e.found(e.storms) {
			a.Text = append(a.Text, f.What)
		}
		if len(a.Text) == 0 {
			a.Text = append(a.Text, fmt.Sprintf("%s is a host: the congestion begins in its receive side, not in the fabric.", a.Node))
		}
		return a
	}
	a.Text = append(a.Text, fmt.Sprintf("Its priority group %s%s.", heldAtXoff(first), e.waitedFor(p.Node, first.Priority)))
	e.pauseExtent(&a)
	for _, f := range e.found(e.pausesBeforeMarks) {
		a.Text = append(a.Text, f.What)
		a.Severity = f.Severity
	}
	return a
}

// firstXoff returns the port and priority that sent the first XOFF of all,
// hosts included; nil if none did.
func (e *explainer) firstXoff() *results.QueueRow {
	var first *results.QueueRow
	for i := range e.Queues {
		if q := &e.Queues[i]; q.TxXoff > 0 && (first == nil || q.FirstXoff < first.FirstXoff) {
			first = q
		}
	}
	return first
}

// pauseExtent says how much was paused in all.
func (e *explainer) pauseExtent(a *Answer) {
	pfc := results.SummarisePFC(e.Run)
	text := fmt.Sprintf("In all, %s paused %s", results.Plural(pfc.XoffFrames, "XOFF frame"), results.Plural(pfc.PausedPorts, "sending port"))
	if pfc.MaxPausedFraction > 0 {
		text += fmt.Sprintf("; paused longest: %s, %s of the run", pfc.MaxPausedAt, percent(pfc.MaxPausedFraction))
	}
	a.Text = append(a.Text, text+".")
}

// suffered counts flows by how they fared.
type suffered struct {
	finished, slow, unfinished, failed int64
	// beyond are those of the slow flows for which a fair share of their hosts'
	// links does not account; crowd is how many messages shared these links at a
	// time, on average over the slow flows.
	beyond int64
	// overdue are unfinished ones that have taken twice such a share already.
	overdue int64
	crowd   float64
	slowest *results.FlowRow
}

func (e *explainer) countSuffered() suffered {
	var s suffered
	fair, crowd := e.fairShares()
	for i := range e.Flows {
		f := &e.Flows[i]
		switch {
		case f.Unfinished == results.RetriesSpent:
			s.failed++
		case !f.Finished():
			s.unfinished++
			if f.Ideal > 0 && e.Manifest.SimulatedTime-f.Start > slowFrom*fair[i] {
				s.overdue++
			}
		default:
			s.finished++
		}
		if f.Slowdown() >= slowFrom {
			s.slow++
			s.crowd += crowd[i]
			if f.FCT() > slowFrom*fair[i] {
				s.beyond++
			}
		}
		if f.Slowdown() > 0 && (s.slowest == nil || f.Slowdown() > s.slowest.Slowdown()) {
			s.slowest = f
		}
	}
	s.crowd /= float64(max(s.slow, 1))
	return s
}

func (e *explainer) sufferedAnswer() Answer {
	a := Answer{Question: "Which flows suffered?", Severity: results.SeverityInfo}
	s := e.countSuffered()
	switch {
	case len(e.Flows) == 0:
		a.Short = "The run has no flows."
		return a
	case s.failed > 0:
		a.Short, a.Severity = fmt.Sprintf("%s failed: queue pairs gave up.", results.Plural(s.failed, "flow")), results.SeverityError
	case s.slowest != nil && s.overdue > 0:
		a.Short, a.Severity = e.underWayText(&s), results.SeverityWarning
		if s.beyond > 0 {
			a.Text = append(a.Text, fmt.Sprintf("So did %s that finished.", count(s.beyond)))
		}
	case s.slowest == nil && s.unfinished > 0:
		a.Short, a.Severity = e.underWayText(&s), results.SeverityWarning
		if s.finished > 0 {
			a.Text = append(a.Text, "The others have no completion that could be compared with an ideal time, as datagrams have none.")
		}
	case s.slowest == nil:
		a.Short = "No flow has a completion that could be compared with an ideal time; datagrams have none."
	case s.slow == 0:
		a.Short = fmt.Sprintf("None: the slowest took %s times as long as alone on an idle fabric.", times(s.slowest.Slowdown()))
		for _, f := range e.found(e.application) {
			a.Text = append(a.Text, f.What)
		}
	default:
		e.sharedText(&a, &s)
	}
	e.slowestText(&a, &s)
	if text := e.underWayText(&s); s.unfinished > 0 && a.Short != text {
		a.Text = append(a.Text, text)
	}
	return a
}

func (e *explainer) underWayText(s *suffered) string {
	text := fmt.Sprintf("%s of %s had not finished when the run ended", count(s.unfinished), results.Plural(len(e.Flows), "flow"))
	if s.overdue > 0 {
		text += fmt.Sprintf("; %s had taken more than twice the time that a fair share of the links gives", count(s.overdue))
	}
	return text + "."
}

// sharedText tells flows that merely shared links from those that were held up
// by something else. To compare with an idle fabric sounds worse than it is
// where many messages share a link.
func (e *explainer) sharedText(a *Answer, s *suffered) {
	alone := fmt.Sprintf("%s of %s took more than twice as long as alone on an idle fabric", count(s.slow), results.Plural(s.finished, "finished flow"))
	switch s.beyond {
	case s.slow:
		a.Short = alone + "."
		return
	case 0:
		a.Short = "None: all finished flows had their fair share of the links."
	default:
		a.Short = fmt.Sprintf("%s of %s took more than twice as long as a fair share of the links gives.", count(s.beyond), results.Plural(s.finished, "finished flow"))
	}
	a.Text = append(a.Text, fmt.Sprintf("%s: on average %s messages at a time shared the links of their hosts.", alone, atATime(s.crowd)))
}

// slowestText says what made the slowest flow slow whose path is known: one
// that has not finished may have taken longest. Where no flow suffered it is
// named only.
func (e *explainer) slowestText(a *Answer, s *suffered) {
	if s.slowest != nil {
		a.Workload = e.Workloads[s.slowest.Workload].Name
	}
	e.brief = true
	causes := e.found(e.slowFlows)
	worst := -1
	for i := range causes {
		if worst < 0 || slowness(&causes[i]) > slowness(&causes[worst]) {
			worst = i
		}
	}
	someSuffered := s.beyond > 0 || s.overdue > 0 || s.failed > 0
	switch {
	case worst >= 0 && someSuffered:
		a.Text = append(a.Text, causes[worst].What)
		a.Workload = e.Workloads[e.slow[worst].Workload].Name
	case s.slow > 0:
		f := s.slowest
		a.Text = append(a.Text, fmt.Sprintf("The slowest is flow %d of %s, %s to %s: %s times as long.", f.ID, a.Workload,
			e.Nodes[f.Src], e.Nodes[f.Dst], times(f.Slowdown())))
	}
}

// slowness is time over ideal of a finding of slowFlow.
func slowness(f *results.Finding) float64 { return f.Numbers[0].Value / f.Numbers[1].Value }

// atATime prints a mean number of messages.
func atATime(n float64) string {
	if n >= 10 {
		return count(int64(n + 0.5))
	}
	return times(n)
}

// times prints how many times as long something took.
func times(factor float64) string { return results.Ratio.Format(float64(int64(factor*10+0.5)) / 10) }
