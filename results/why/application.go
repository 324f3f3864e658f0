package why

import (
	"fmt"
	"math"
	"slices"

	"rocesim/results"
	"rocesim/sim"
)

const (
	// asAlone is the mean slowdown up to which the fabric held no messages up to
	// speak of.
	asAlone = 1.1
	// wellBelow is the part of its links below which a host leaves much of them
	// idle.
	wellBelow = 0.75
	// fewest is how many messages of a sender show how it goes on after one.
	fewest = 4
	// muchFaster is from when a sender is faster than another one by more than how
	// their last messages happened to end.
	muchFaster = 1.01
	// nearlyFull is the part of its links that a host with larger messages is to
	// use.
	nearlyFull = 0.9
	// notTheFabric begins what is said of such a host.
	notTheFabric = "Not the fabric: "
)

// application explains workloads whose senders wait for completions, and which
// use little of their links although the fabric holds nothing up: too few bytes
// are outstanding, or the next message comes late.
func (e *explainer) application() {
	fastest := make([]*sender, len(e.Workloads))
	count := make([]int, len(e.Workloads))
	for _, s := range e.closedLoops() {
		count[s.workload]++
		if f := fastest[s.workload]; f == nil || s.goodput() > muchFaster*f.goodput() {
			fastest[s.workload] = s
		}
	}
	for w, s := range fastest {
		if s != nil && e.waitsForItself(s) {
			e.explainLoop(s, count[w])
		}
	}
}

// sender is what one host posted for one workload: sums over its messages.
type sender struct {
	workload, src int32
	priority      uint8
	// finished messages and their bytes; timed are those and overdue ones, with
	// how long they took and take alone.
	finished, timed      int
	bytes, taken, ideals float64
	// depth is how many were outstanding at once, and gap for how long one of
	// these was missing before each of the next ones.
	depth, next int
	gap         float64
	from, to    sim.Time
	// unclear are messages that failed, wait for something, or have no ideal time.
	unclear int
}

// lane is a queue pair of a workload.
type lane struct {
	workload, src, dst int32
	sourcePort         uint16
}

// closedLoops returns the senders of workloads that post after completions, in
// the order of their first messages.
func (e *explainer) closedLoops() []*sender {
	places := map[lane]int{}
	var lanes [][]*results.FlowRow
	for i := range e.Flows {
		f := &e.Flows[i]
		if f.Unfinished == results.NeverStarted || !followsCompletions(e.Workloads[f.Workload].Type) {
			continue
		}
		l := lane{f.Workload, f.Src, f.Dst, f.SourcePort}
		place, known := places[l]
		if !known {
			place = len(lanes)
			places[l] = place
			lanes = append(lanes, nil)
		}
		lanes[place] = append(lanes[place], f)
	}
	known := map[[2]int32]*sender{}
	var all []*sender
	for _, flows := range lanes {
		f := flows[0]
		s := known[[2]int32{f.Workload, f.Src}]
		if s == nil {
			s = &sender{workload: f.Workload, src: f.Src, priority: f.Priority, from: f.Start}
			known[[2]int32{f.Workload, f.Src}] = s
			all = append(all, s)
		}
		s.add(flows, e.Manifest.SimulatedTime)
	}
	return all
}

// followsCompletions reports whether a message of a type of workload is posted
// when another one is complete. Others offer what they are told to offer.
func followsCompletions(kind string) bool {
	return slices.Contains([]string{"saturate", "permutation", "all-to-all"}, kind)
}

// add takes the messages of one queue pair into account.
func (s *sender) add(flows []*results.FlowRow, end sim.Time) {
	var starts, ends []sim.Time
	for _, f := range flows {
		starts = append(starts, f.Start)
		s.from = min(s.from, f.Start)
		took := f.FCT()
		switch {
		case f.Ideal <= 0 || f.Completed == 0 && f.Unfinished != results.RunEnded:
			s.unclear++
		case f.Completed > 0:
			ends = append(ends, f.Completed)
			s.to = max(s.to, f.Completed)
			s.finished++
			s.bytes += float64(f.Bytes)
		default:
			if took = end - f.Start; took < f.Ideal {
				continue // it may still be as fast as alone
			}
		}
		s.timed++
		s.taken += float64(took)
		s.ideals += float64(f.Ideal)
	}
	slices.Sort(starts)
	slices.Sort(ends)
	depth := outstanding(starts, ends)
	s.depth += depth
	for i := depth; i < len(starts); i++ {
		s.gap += float64(starts[i] - ends[i-depth])
		s.next++
	}
}

// outstanding is the greatest number of messages that had begun and not ended,
// from sorted times.
func outstanding(starts, ends []sim.Time) int {
	most, ended := 0, 0
	for i, at := range starts {
		for ended < len(ends) && ends[ended] <= at {
			ended++
		}
		most = max(most, i+1-ended)
	}
	return most
}

// goodput is the payload rate of the messages that are complete, in bit/s.
func (s *sender) goodput() float64 { return s.bytes * 8e12 / float64(max(s.to-s.from, 1)) }

// size, alone and wait are the means of a message: its bytes, how long it takes
// on an idle fabric, and what passes between a completion and the next message.
func (s *sender) size() float64  { return s.bytes / float64(s.finished) }
func (s *sender) alone() float64 { return s.ideals / float64(s.timed) }
func (s *sender) wait() float64  { return s.gap / float64(max(s.next, 1)) }

// bound is the payload rate that a sender can sustain, by Little's law: what is
// outstanding over how long a message takes on an idle fabric and the next one
// lets wait.
func (s *sender) bound() float64 {
	return float64(s.depth) * s.size() * 8e12 / (s.alone() + s.wait())
}

// waitsForItself reports whether nothing but a sender's own waiting keeps it from
// using its links.
func (e *explainer) waitsForItself(s *sender) bool {
	port, links := e.linksOf(s.src)
	if s.finished < fewest || s.next == 0 || s.unclear > 0 || links == 0 {
		return false
	}
	return s.taken <= asAlone*s.ideals &&
		s.bound() < wellBelow*float64(e.Ports[port].Rate)*float64(links) &&
		e.mostUsed(s) < wellBelow &&
		e.pausedPart(e.queue(port, s.priority)) < notable
}

// mostUsed is the greatest part of a link of a sender and of its receivers that
// was used, in either direction.
func (e *explainer) mostUsed(s *sender) float64 {
	hosts := make([]bool, len(e.Nodes))
	for i := range e.Flows {
		if f := &e.Flows[i]; f.Workload == s.workload && f.Src == s.src {
			hosts[f.Src], hosts[f.Dst] = true, true
		}
	}
	most := 0.0
	for i := range e.Ports {
		if p := &e.Ports[i]; hosts[p.Node] || hosts[p.Peer] {
			most = max(most, p.Utilisation(e.Manifest.SimulatedTime))
		}
	}
	return most
}

// explainLoop says why a sender uses little of its links, and what would use
// them.
func (e *explainer) explainLoop(s *sender, senders int) {
	port, links := e.linksOf(s.src)
	one := float64(e.Ports[port].Rate)
	name := e.Workloads[s.workload].Name
	e.add(results.Finding{
		Severity: results.SeverityInfo, Where: name,
		What: notTheFabric + fmt.Sprintf("messages of %s are as fast as alone (slowdown %.2f), and the links of %s and its receivers at most %s used. %s",
			name, s.taken/s.ideals, e.Nodes[s.src], percent(e.mostUsed(s)), e.loopText(s, one*float64(links), senders)),
		Numbers: []results.Number{
			results.NewNumber("slowdown", s.taken/s.ideals, results.Ratio), numberOf("outstanding", int64(s.depth)),
			results.NewNumber("message", s.size(), results.Size), results.NewNumber("alone", s.alone(), results.Duration),
			results.NewNumber("wait", s.wait(), results.Duration), results.NewNumber("rate", s.bound(), results.DataRate),
			results.NewNumber("links", one*float64(links), results.DataRate),
		},
		Remedy: e.loopRemedy(s, one, links),
	})
}

// loopText says what a sender has outstanding, for how long, and which part of
// its links that makes.
func (e *explainer) loopText(s *sender, line float64, senders int) string {
	who := e.Nodes[s.src]
	if senders > 1 {
		who += fmt.Sprintf(", the fastest of %s senders,", count(int64(senders)))
	}
	text := fmt.Sprintf("%s has %s of %s outstanding; one takes %s", who, results.Plural(s.depth, "message"), size(int64(s.size())), span(sim.Time(s.alone())))
	if s.waits() {
		text += fmt.Sprintf(", and the next is posted %s after a completion", span(sim.Time(s.wait())))
	}
	return text + fmt.Sprintf(". %s every %s are %s of %s.", size(int64(float64(s.depth)*s.size())), span(sim.Time(s.alone()+s.wait())), rate(s.bound()), rate(line))
}

// waits reports whether the time from a completion to the next message matters.
func (s *sender) waits() bool { return s.wait()*20 >= s.alone() }

// loopRemedy says how many messages, or how large ones, would use the links.
func (e *explainer) loopRemedy(s *sender, one float64, links int) string {
	line := one * float64(links) / 8e12 // bytes/ps
	cycle := s.alone() + s.wait()
	fields := "qps"
	if e.Workloads[s.workload].Type == "saturate" {
		fields = "depth or qps"
	}
	text := fmt.Sprintf("have %s messages of %s outstanding to fill the line (%s of %s)",
		count(int64(math.Ceil(line*cycle/s.size()))), size(int64(s.size())), fields, e.Workloads[s.workload].Name)
	if spare := float64(s.depth) - nearlyFull*float64(links); spare > 0 {
		overhead := cycle - s.size()*8e12/one
		text += fmt.Sprintf(", or larger ones: %s for %s of it (bytes)", size(roundUp(nearlyFull*line*overhead/spare)), percent(nearlyFull))
	}
	if s.waits() {
		text += ", or post sooner after a completion (gap)"
	}
	return text
}

// roundUp rounds bytes up to two digits.
func roundUp(bytes float64) int64 {
	step := math.Pow(10, math.Floor(math.Log10(max(bytes, 1)))-1)
	return int64(math.Ceil(bytes/max(step, 1)) * max(step, 1))
}
