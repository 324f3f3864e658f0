package scenarios

import (
	"fmt"
	"slices"

	"rocesim/fabric"
	"rocesim/fabric/topo"
	"rocesim/results"
	"rocesim/scenarios/model"
	"rocesim/scenarios/strict"
)

// maxFaults bounds the list of faults and what their patterns match.
const maxFaults = 10_000

// faults resolves the faults. It comes after the end of the run is known.
func (p *planner) faults() {
	if n := len(p.sc.Faults); n > maxFaults {
		p.doc.Failf("faults", "%d faults are too many; allowed are %d", n, maxFaults)
		return
	}
	if p.plan.Graph == nil {
		return
	}
	for _, text := range p.faultTexts() {
		p.note(text)
	}
	placed := placedFaults{}
	for i := range p.sc.Faults {
		path := strict.Indexed("faults", i)
		if p.doc.Failed(path) {
			continue
		}
		r := faultResolver{planner: p, spec: &p.sc.Faults[i], path: path, number: i}
		r.checkKeys()
		r.checkTimes()
		for _, one := range r.place() {
			if r.overlaps(placed, one) || !p.ok(path) {
				break
			}
			at := faultPlace{one.Kind, one.Target}
			placed[at] = append(placed[at], one)
			p.plan.Faults = append(p.plan.Faults, one.Fault)
		}
		if len(p.plan.Faults) > maxFaults {
			p.doc.Failf("faults", "patterns make more than the %d faults that are allowed", maxFaults)
			return
		}
	}
}

// placedFaults are the faults found so far by what they are and where.
type placedFaults map[faultPlace][]placedFault

type faultPlace struct {
	kind   model.FaultKind
	target int
}

// placedFault is one fault of the plan and the entry that it comes from.
type placedFault struct {
	model.Fault
	entry int
}

// faultResolver resolves one entry of the list.
type faultResolver struct {
	*planner
	spec   *Fault
	path   string
	number int
}

// checkKeys refuses keys that do not belong to what goes wrong.
func (r *faultResolver) checkKeys() {
	f := r.spec
	place, what := "link", f.what()
	switch {
	case f.Reboot:
		place = "switch"
	case f.PauseStorm:
		place = "nic"
	case what == "":
		r.doc.Failf(r.path, "the fault says nothing that goes wrong; allowed: down: true, a rate, loss, drop_every or ber above 0, reboot: true, pause_storm: true")
		return
	}
	for _, given := range []struct{ place, name string }{{"link", f.Link}, {"switch", f.Switch}, {"nic", f.NIC}} {
		if given.name != "" && given.place != place {
			r.doc.Failf(r.path+"."+what, "happens to a %s, and the fault names the %s %q", place, given.place, given.name)
		}
	}
	if f.Kind != "" && !f.losesKinds() {
		r.doc.Failf(r.path+".kind", "%s concerns all frames; allowed: kind with loss or drop_every", what)
	}
	if f.Direction != "" && !f.loses() {
		r.doc.Failf(r.path+".direction", "%s concerns both directions; allowed: direction with loss, drop_every or ber", what)
	}
}

// checkTimes refuses faults that never happen.
func (r *faultResolver) checkTimes() {
	if stop := r.plan.StopTime; r.ok("stop") && r.spec.At >= stop {
		r.doc.Failf(r.path+".at", "%v is not before the end of the run at %v", r.spec.At, stop)
	}
}

// place finds what the fault happens to.
func (r *faultResolver) place() []placedFault {
	if r.doc.Failed(r.path) {
		return nil
	}
	f := r.spec
	switch {
	case f.Switch != "":
		return r.nodes("switch", f.Switch, model.Reboot, len(r.plan.Graph.Endpoints), r.plan.Graph.NumNodes())
	case f.NIC != "":
		return r.nodes("nic", f.NIC, model.PauseStorm, 0, len(r.plan.Graph.Endpoints))
	default:
		return r.links()
	}
}

// nodes finds switches or endpoints: nodes from first up to end.
func (r *faultResolver) nodes(key, name string, kind model.FaultKind, first, end int) []placedFault {
	g := r.plan.Graph
	pattern, err := topo.ParsePattern(name)
	if err != nil {
		r.doc.Failf(r.path+"."+key, "%v", err)
		return nil
	}
	var out []placedFault
	for n := first; n < end; n++ {
		if !pattern.Match(g.NodeName(n)) {
			continue
		}
		if kind == model.PauseStorm && r.plan.NICs != nil && r.ok("switch") && r.plan.NICs[n].PFC == 0 {
			r.doc.Failf(r.path+".pause_storm", "NIC %s has no lossless priority to pause: PFC is off there", g.NodeName(n))
			return nil
		}
		out = append(out, r.fault(kind, n-first))
	}
	if out == nil {
		r.doc.Failf(r.path+"."+key, "%q matches no %s; there are %d, %s to %s", name, key, end-first, g.NodeName(first), g.NodeName(end-1))
	}
	return out
}

func (r *faultResolver) fault(kind model.FaultKind, target int) placedFault {
	f := r.spec
	return placedFault{model.Fault{Kind: kind, At: f.At, For: f.For, Target: target, Rate: f.Rate}, r.number}
}

// links finds the links that the fault happens to.
func (r *faultResolver) links() []placedFault {
	g, f := r.plan.Graph, r.spec
	pattern, err := topo.ParsePattern(f.Link)
	if err != nil {
		r.doc.Failf(r.path+".link", "%v", err)
		return nil
	}
	found := g.MatchLinks(pattern)
	if len(found) == 0 {
		r.doc.Failf(r.path+".link", "%q matches no link; links are called like %q", f.Link, g.Links[len(g.Links)-1].Name)
	}
	var out []placedFault
	for _, l := range found {
		one := r.fault(model.LinkDown, l)
		switch {
		case f.Rate > 0:
			one.Kind = model.LinkRate
			if nominal := g.Links[l].Rate; f.Rate > nominal {
				r.doc.Failf(r.path+".rate", "%v is above the %v of link %s; allowed: up to that", f.Rate, nominal, g.Links[l].Name)
				return nil
			}
		case f.loses():
			one.Kind = model.LinkLoss
			one.Directions = directions(f.Direction, pattern.Match(g.Links[l].Name))
			one.Loss = fabric.Loss{
				Frames: framesOf(f.Kind), Probability: float64(f.Loss), Every: f.DropEvery, BitErrors: float64(f.BER),
			}
		}
		out = append(out, one)
	}
	return out
}

// directions translates the word. A link's name may have been written from
// either end.
func directions(word string, asNamed bool) model.Direction {
	switch {
	case word == "both":
		return model.Forward | model.Backward
	case (word == "forward") == asNamed:
		return model.Forward
	default:
		return model.Backward
	}
}

func framesOf(kind string) fabric.Frames {
	switch kind {
	case "data":
		return fabric.DataFrames
	case "ack":
		return fabric.AckFrames
	case "cnp":
		return fabric.CNPFrames
	case "pause":
		return fabric.PauseFrames
	default: // bit errors do not choose
		return fabric.AllFrames
	}
}

// overlaps refuses a fault while another one of its kind lasts at the same
// place: whose end is meant would be unclear.
func (r *faultResolver) overlaps(placed placedFaults, one placedFault) bool {
	there := placed[faultPlace{one.Kind, one.Target}]
	i := slices.IndexFunc(there, func(other placedFault) bool {
		return sameLoss(&other.Fault, &one.Fault) && sameTime(&other.Fault, &one.Fault)
	})
	if i < 0 {
		return false
	}
	r.doc.Failf(r.path, "overlaps with faults[%d], which says %s of %s at %v too; allowed: one after the other",
		there[i].entry, r.spec.what(), r.target(&one.Fault), max(there[i].At, one.At))
	return true
}

func (r *faultResolver) target(f *model.Fault) string {
	g := r.plan.Graph
	switch f.Kind {
	case model.Reboot:
		return "switch " + g.Switches[f.Target].Name
	case model.PauseStorm:
		return "NIC " + g.Endpoints[f.Target].Name
	default:
		return fmt.Sprintf("link %s", g.Links[f.Target].Name)
	}
}

// sameLoss reports whether two faults are no losses, or losses of one kind that
// may concern the same frames.
func sameLoss(a, b *model.Fault) bool {
	if a.Kind != model.LinkLoss {
		return true
	}
	sameKind := a.Loss.Every > 0 == (b.Loss.Every > 0) && a.Loss.BitErrors > 0 == (b.Loss.BitErrors > 0)
	return sameKind && a.Directions&b.Directions != 0 && a.Loss.Frames&b.Loss.Frames != 0
}

func sameTime(a, b *model.Fault) bool {
	return (a.For == 0 || b.At < a.At+a.For) && (b.For == 0 || a.At < b.At+b.For)
}

// faultTexts say each fault in words, for the notes of a run.
func (p *planner) faultTexts() []string {
	var out []string
	shown := formatOf()
	for i := range p.sc.Faults {
		f := &p.sc.Faults[i]
		when := "from " + shown.Time(f.At) + " to " + shown.Time(f.At+f.For)
		switch {
		case f.For == 0 && f.At == 0:
			when = "all the time"
		case f.For == 0:
			when = "from " + shown.Time(f.At)
		}
		out = append(out, "fault "+when+": "+f.words())
	}
	return out
}

// words say what goes wrong where.
func (f *Fault) words() string {
	frames := map[string]string{"data": "data packets", "ack": "ACKs and NAKs", "cnp": "CNPs", "pause": "pause frames", "all": "frames"}[f.Kind]
	var text string
	switch {
	case f.Down:
		text = "is down"
	case f.Rate > 0:
		text = "runs at " + results.DataRate.Format(float64(f.Rate))
	case f.Loss > 0:
		text = fmt.Sprintf("loses %s with probability %v", frames, f.Loss)
	case f.DropEvery > 0:
		text = fmt.Sprintf("loses every %d. of its %s", f.DropEvery, frames)
	case f.BER > 0:
		text = fmt.Sprintf("has a bit error rate of %v", f.BER)
	case f.Reboot:
		return "switch " + f.Switch + " restarts"
	default:
		return "NIC " + f.NIC + " pauses its switch without end"
	}
	if f.loses() && f.Direction != "both" {
		text += " (" + f.Direction + ")"
	}
	return "link " + f.Link + " " + text
}
