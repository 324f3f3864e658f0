package results

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/sim"
)

// Verdict says whether the fabric was lossless where it promised to be.
type Verdict struct {
	// Lossless is true if no packet of a lossless class was dropped, and there
	// is such a class.
	Lossless bool `json:"lossless"`
	// LosslessDrops and LossyDrops count packets.
	LosslessDrops int64 `json:"lossless_drops_packets"`
	LossyDrops    int64 `json:"lossy_drops_packets"`
	// Expected is true if the scenario expects drops in lossless classes, and got
	// them as it expects.
	Expected bool `json:"lossless_drops_expected,omitempty"`
	// Text is the verdict as a sentence that begins with LOSSLESS, NOT
	// LOSSLESS or NO LOSSLESS CLASS.
	Text string `json:"text"`
	// LossyText names the worst place of drops in lossy classes; empty if
	// there were none.
	LossyText string `json:"lossy_text,omitempty"`
}

// notLossless begins the verdict on drops in lossless classes.
const notLossless = "NOT LOSSLESS"

// Judge says whether a run stayed lossless where it promised to.
func Judge(run *Run) Verdict {
	var v Verdict
	var lossless, lossy []DropRow
	for _, d := range run.Drops {
		if d.Lossless {
			lossless = append(lossless, d)
			v.LosslessDrops += d.Packets
		} else {
			lossy = append(lossy, d)
			v.LossyDrops += d.Packets
		}
	}
	protected := run.protects()
	v.Lossless = v.LosslessDrops == 0 && protected
	switch {
	case v.LosslessDrops > 0:
		v.Text = fmt.Sprintf("%s: %s dropped in lossless classes: %s",
			notLossless, Plural(v.LosslessDrops, "packet"), describeDrops(run, lossless))
	case protected:
		v.Text = "LOSSLESS: no packet of a lossless class was dropped"
	default:
		v.Text = "NO LOSSLESS CLASS: PFC protects no priority that carried traffic"
	}
	if v.LossyDrops > 0 {
		v.LossyText = fmt.Sprintf("%s dropped in lossy classes: %s", Plural(v.LossyDrops, "packet"), describeDrops(run, lossy))
	}
	if run.Manifest.Partial() {
		v.Text += fmt.Sprintf(" (run %s at %s)", run.Manifest.Stop, formatTime(run.Manifest.SimulatedTime))
	}
	return v
}

// Expect evaluates the expectations of the scenario. The verdict stays; if drops in
// lossless classes are what the scenario is about, it says so.
func (s *Summary) Expect(expectations []Expectation, m *Metrics) {
	s.Expectations = Evaluate(expectations, m)
	v := &s.Verdict
	if v.LosslessDrops > 0 && !v.Expected && v.expectedBy(expectations, s.Expectations) {
		v.Expected = true
		v.Text = notLossless + ", as this scenario expects" + strings.TrimPrefix(v.Text, notLossless)
	}
}

// expectedBy reports whether an expectation is not met without drops in lossless
// classes, and all about them are met. All drops are those if no others are.
func (v *Verdict) expectedBy(expectations []Expectation, outcomes []Outcome) bool {
	expected := false
	for i := range expectations {
		if e := &expectations[i]; e.Metric == "drops.lossless" || e.Metric == "drops.total" && v.LossyDrops == 0 {
			if !outcomes[i].OK {
				return false
			}
			expected = expected || !e.holds(0)
		}
	}
	return expected
}

// protects reports whether a priority that carried traffic is lossless at a
// switch. What a host takes for lossless counts in a network without switches
// alone: if all switches map it to lossy classes, nothing protects it.
func (r *Run) protects() bool {
	first := r.hosts()
	if int(first) == len(r.Nodes) {
		first = 0
	}
	return slices.ContainsFunc(r.Queues, func(q QueueRow) bool {
		return q.Lossless && r.Ports[q.Port].Node >= first
	})
}

// describeDrops names the worst place and cause, and how many others there
// are.
func describeDrops(run *Run, drops []DropRow) string {
	worst := slices.MaxFunc(drops, func(a, b DropRow) int { return int(a.Packets - b.Packets) })
	text := fmt.Sprintf("%s at %s (%s, first at %s)", worst.Cause, run.queueName(worst.Port, worst.Priority),
		thousands(worst.Packets), formatTime(worst.First))
	if others := len(drops) - 1; others > 0 {
		text += fmt.Sprintf(" and %s", Plural(others, "other cause or place", "other causes or places"))
	}
	return text
}

// PFC says what priority flow control did.
type PFC struct {
	// XoffFrames counts pause frames sent that stop a priority, refreshes
	// included.
	XoffFrames int64 `json:"xoff_frames"`
	// FirstUs and FirstAt are of the first XOFF, if there was any.
	FirstUs float64 `json:"first_xoff_us,omitempty"`
	FirstAt string  `json:"first_xoff_at,omitempty"`
	// MaxPausedFraction is the largest part of the run for which a port was
	// not allowed to send a priority.
	MaxPausedFraction float64 `json:"max_paused_fraction"`
	MaxPausedAt       string  `json:"max_paused_at,omitempty"`
	// PausedPorts counts ports and priorities that were ever paused.
	PausedPorts int `json:"paused_ports"`
	// MaxXoffApproach is the nearest that a priority group came to XOFF: its
	// peak use over the lowest threshold.
	MaxXoffApproach   float64 `json:"max_xoff_approach"`
	MaxXoffApproachAt string  `json:"max_xoff_approach_at,omitempty"`
}

// SummarisePFC sums up what priority flow control did.
func SummarisePFC(run *Run) PFC {
	var p PFC
	first := sim.Never
	for i := range run.Queues {
		q := &run.Queues[i]
		p.XoffFrames += q.TxXoff
		if q.TxXoff > 0 && q.FirstXoff < first {
			first = q.FirstXoff
			p.FirstUs, p.FirstAt = first.Micros(), run.queueName(q.Port, q.Priority)
		}
		if q.RxPaused > 0 {
			p.PausedPorts++
		}
		if paused := share(q.RxPaused, run.Manifest.SimulatedTime); paused > p.MaxPausedFraction {
			p.MaxPausedFraction, p.MaxPausedAt = paused, run.queueName(q.Port, q.Priority)
		}
		if a := round(q.XoffApproach(), 1e-6); q.Lossless && a > p.MaxXoffApproach {
			p.MaxXoffApproach, p.MaxXoffApproachAt = a, run.queueName(q.Port, q.Priority)
		}
	}
	return p
}

// sentence says it for a person.
func (p *PFC) sentence() string {
	if p.XoffFrames == 0 {
		text := "quiet: no XOFF was sent"
		if p.MaxXoffApproach > 0 {
			text += fmt.Sprintf("; nearest: %s of the threshold at %s", percent(p.MaxXoffApproach), p.MaxXoffApproachAt)
		}
		return text
	}
	text := fmt.Sprintf("%s, the first at %s from %s", Plural(p.XoffFrames, "XOFF frame"),
		formatTime(sim.Time(p.FirstUs*1e6)), p.FirstAt)
	if p.MaxPausedFraction > 0 {
		text += fmt.Sprintf("; most paused: %s of the time, %s", percent(p.MaxPausedFraction), p.MaxPausedAt)
	}
	return text
}

func percent(ratio float64) string { return formatSignificant(round(ratio*100, 1e-3)) + " %" }
