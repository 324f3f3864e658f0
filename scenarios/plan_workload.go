package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rocesim/scenarios/strict"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// maxMessages bounds what an entry may post in a run: at some 64 bytes a
// message, more would not fit a laptop.
const maxMessages = 50_000_000

// maxEntries bounds the workload list: each entry is an event source.
const maxEntries = 1000

// workload resolves the entries.
func (p *planner) workload() {
	if len(p.sc.Workload) == 0 && p.ok("workload") {
		p.doc.Failf("workload", "the list is empty; at least one entry is needed")
	}
	if n := len(p.sc.Workload); n > maxEntries {
		p.doc.Failf("workload", "%d entries are too many; allowed are %d (an entry can have any number of hosts and flows)", n, maxEntries)
		return
	}
	for i := range p.sc.Workload {
		w := &p.sc.Workload[i]
		path := strict.Indexed("workload", i)
		p.checkEntryName(i, path)
		if w.Traffic == nil || p.doc.Failed(path) || p.plan.Graph == nil {
			continue
		}
		r := entryResolver{planner: p, path: path, taken: map[string][]int{}}
		entry := r.entry(w.Traffic)
		if p.doc.Failed(path) {
			continue
		}
		r.validate(entry)
		p.plan.Workload = append(p.plan.Workload, entry)
		p.plan.Names = append(p.plan.Names, entry.Label())
		p.plan.Types = append(p.plan.Types, w.common().Type)
	}
}

func (p *planner) checkEntryName(i int, path string) {
	name := p.sc.Workload[i].nameOf()
	if name == "" {
		return
	}
	if !isName(name) {
		p.doc.Failf(path+".name", "%q is not allowed; allowed: up to 100 letters, digits, dots, dashes and underscores", name)
	}
	for k := range i {
		if p.sc.Workload[k].nameOf() == name {
			p.doc.Failf(path+".name", "%q is the name of an earlier entry; each needs its own", name)
		}
	}
}

// isName reports whether text is 1 to 100 letters, digits, dots, dashes and
// underscores of ASCII.
func isName(text string) bool {
	for i := range len(text) {
		b := text[i]
		if (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && (b < '0' || b > '9') && strings.IndexByte("._-", b) < 0 {
			return false
		}
	}
	return 0 < len(text) && len(text) <= 100
}

func (w *Workload) nameOf() string {
	if w.Traffic == nil {
		return ""
	}
	return w.common().Name
}

// named reports whether an entry has this name, valid or not.
func (p *planner) named(name string) bool {
	return slices.Contains(p.entryNames(), name)
}

func (p *planner) entryNames() []string {
	var names []string
	for i := range p.sc.Workload {
		if name := p.sc.Workload[i].nameOf(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// entryResolver resolves one entry; errors go to its place in the file.
type entryResolver struct {
	*planner
	path  string
	name  string
	taken map[string][]int
}

func (r *entryResolver) fail(key string, err error) {
	if err != nil {
		r.doc.Failf(r.path+"."+key, "%v", err)
	}
}

// entry turns what was written into what the driver takes.
func (r *entryResolver) entry(t Traffic) workload.Entry {
	r.name = t.common().Name
	switch t := t.(type) {
	case *Flows:
		return workload.Flows{Common: r.common(t), Flows: r.flows(t)}
	case *Incast:
		return r.incast(t)
	case *Permutation:
		return workload.Permutation{
			Common: r.common(t), Repeat: t.repeat(), Hosts: r.hostList("hosts", &t.Hosts, nil),
			Bytes: int64(t.Bytes), Partners: t.Partners, QPs: t.QPs,
		}
	case *AllToAll:
		return workload.AllToAll{
			Common: r.common(t), Repeat: t.repeat(), Hosts: r.hostList("hosts", &t.Hosts, nil),
			Bytes: int64(t.Bytes), QPs: t.QPs, Window: t.Window,
		}
	case *Poisson:
		return r.poisson(t)
	case *Saturate:
		return workload.Saturate{
			Common: r.common(t), Pairs: r.pairs(&t.Pairs), Bytes: int64(t.Bytes), Depth: t.Depth, QPs: t.QPs, Gap: t.Gap,
			Burst:    workload.Burst{Messages: t.Burst.Messages, Pause: t.Burst.Pause},
			Messages: t.Messages, Start: t.Start, Stop: t.Stop,
		}
	case *Latency:
		return workload.Latency{
			Common: r.common(t), Pairs: r.pairs(&t.Pairs), Bytes: int64(t.Bytes), Every: t.Every, Start: t.Start, Stop: t.Stop,
		}
	default:
		return r.datagrams(t.(*Datagrams))
	}
}

func (r *entryResolver) common(t Traffic) workload.Common {
	c := t.common()
	dscp := r.sc.NIC.DSCP
	if c.DSCP != nil {
		dscp = *c.DSCP
	}
	return workload.Common{
		Name: c.Name, NIC: workload.NIC(c.NIC),
		Class: workload.Class{DSCP: uint8(dscp), NoCC: c.NoCC, Send: c.Op == "send"},
	}
}

func (r Rounds) repeat() workload.Repeat {
	return workload.Repeat{Start: r.Start, Rounds: r.Rounds, Stop: r.Stop, Gap: r.Gap, Barrier: r.Barrier}
}

func (r *entryResolver) flows(t *Flows) []workload.Flow {
	out := make([]workload.Flow, 0, len(t.Flows))
	for i, f := range t.Flows {
		key := strict.Indexed("flows", i)
		src, errFrom := r.hosts.one(f.From)
		dst, errTo := r.hosts.one(f.To)
		r.fail(key+".from", errFrom)
		r.fail(key+".to", errTo)
		if errFrom == nil && errTo == nil && src == dst {
			r.fail(key+".to", fmt.Errorf("host %s sends to itself; sender and receiver must differ", f.To))
		}
		out = append(out, workload.Flow{
			Pair: workload.Pair{Src: src, Dst: dst}, Bytes: int64(f.Bytes), Start: f.Start,
			SrcPort: uint16(f.SrcPort), DstPort: uint16(f.DstPort),
		})
	}
	return out
}

func (r *entryResolver) incast(t *Incast) workload.Entry {
	// Names first, so that drawn hosts keep clear of them.
	var senders, receivers []int
	if t.Receivers.Count > 0 {
		senders = r.hostList("senders", &t.Senders, nil)
		receivers = r.hostList("receivers", &t.Receivers, senders)
	} else {
		receivers = r.hostList("receivers", &t.Receivers, nil)
		senders = r.hostList("senders", &t.Senders, receivers)
	}
	if t.Every > 0 {
		r.bound("every", float64(r.lasts(t.Span))/float64(t.Every)*float64(max(1, t.QPs)*len(senders)*len(receivers)))
	}
	return workload.Incast{
		Common: r.common(t), Senders: senders, Receivers: receivers, Bytes: int64(t.Bytes), QPs: t.QPs,
		Start: t.Start, Every: t.Every, Rounds: t.Rounds, Stop: t.Stop, Spread: t.Spread,
	}
}

func (r *entryResolver) poisson(t *Poisson) workload.Entry {
	sizes, err := r.sizes(t)
	if err != nil {
		return nil
	}
	sources := r.hostList("sources", &t.Sources, nil)
	e := workload.Poisson{
		Common: r.common(t), Sources: sources, Destinations: r.hostList("destinations", &t.Destinations, nil),
		Sizes: sizes, Load: float64(t.Load), Start: t.Start, Stop: t.Stop, Flows: t.Flows, Reuse: t.Reuse,
	}
	if t.Flows == 0 {
		rate := 0.0
		for _, h := range sources {
			rate += float64(r.plan.Hosts[h].Rate)
		}
		r.bound("load", rate*e.Load/8/sizes.Mean()*r.lasts(t.Span).Seconds())
	}
	return e
}

// sizes resolves the distribution of a Poisson entry.
func (r *entryResolver) sizes(t *Poisson) (cdf *workload.CDF, err error) {
	switch {
	case t.CDF != "":
		cdf, err = workload.BuiltinCDF(t.CDF)
		r.fail("cdf", err)
	case t.Bytes > 0:
		cdf, err = workload.FixedSize(int64(t.Bytes))
		r.fail("bytes", err)
	default:
		points := make([]workload.Point, len(t.Sizes))
		for i, s := range t.Sizes {
			points[i] = workload.Point{Bytes: int64(s.Bytes), Percent: 100 * float64(s.Below)}
		}
		cdf, err = workload.NewCDF(points)
		r.fail("sizes", err)
	}
	return cdf, err
}

func (r *entryResolver) datagrams(t *Datagrams) workload.Entry {
	d := workload.Datagrams{
		Common: r.common(t), Pairs: r.pairs(&t.Pairs), Rate: t.Rate, Bytes: int64(t.Bytes), Start: t.Start, Stop: t.Stop,
	}
	for _, s := range t.Steps {
		d.Steps = append(d.Steps, workload.RateStep{At: s.At, Rate: s.Rate})
	}
	return d
}

// lasts returns how long an entry may post.
func (r *entryResolver) lasts(s Span) sim.Time {
	end := r.sc.Stop.latest()
	if s.Stop > 0 {
		end = min(end, s.Stop)
	}
	return max(0, end-s.Start)
}

// bound refuses entries that would post more messages than a run can hold.
func (r *entryResolver) bound(key string, messages float64) {
	if messages > maxMessages {
		r.fail(key, fmt.Errorf("makes some %.2g messages in the time of the run; allowed are %d", messages, maxMessages))
	}
}

// hostList resolves a choice of hosts. Drawn ones keep clear of taken.
func (r *entryResolver) hostList(key string, s *HostSet, taken []int) []int {
	var out []int
	var err error
	switch {
	case s.all():
		for i := range r.hosts.names {
			out = append(out, i)
		}
	case s.Count > 0:
		out, err = r.hosts.draw(s.Count, taken, r.stream(key))
	default:
		out, err = r.hosts.match(s.Patterns)
	}
	r.fail(key, err)
	return out
}

func (r *entryResolver) stream(key string) *sim.Stream {
	return r.planner.stream("scenario/" + r.name + "/" + key)
}

// pairs resolves senders and receivers. Drawn pairs share no host while there
// are enough of them.
func (r *entryResolver) pairs(s *PairSet) []workload.Pair {
	if s.Count > 0 {
		return r.drawPairs(s.Count)
	}
	var out []workload.Pair
	for i, ends := range s.List {
		key := strict.Indexed("pairs", i)
		src, err := r.hosts.one(ends[0])
		r.fail(key, err)
		dst, err := r.hosts.one(ends[1])
		r.fail(key, err)
		out = append(out, workload.Pair{Src: src, Dst: dst})
	}
	return out
}

func (r *entryResolver) drawPairs(count int) []workload.Pair {
	n := len(r.hosts.names)
	if n < 2 {
		r.fail("pairs", errors.New("a fabric of one host has no pairs"))
		return nil
	}
	random := r.stream("pairs")
	out := make([]workload.Pair, 0, count)
	for len(out) < count {
		order := random.Perm(n)
		for i := 0; i+1 < n && len(out) < count; i += 2 {
			out = append(out, workload.Pair{Src: order[i], Dst: order[i+1]})
		}
	}
	return out
}

// validate lets the entry check itself.
func (r *entryResolver) validate(e workload.Entry) {
	err := e.Validate(r.plan.Hosts)
	var problems workload.Problems
	if !errors.As(err, &problems) {
		if err != nil {
			r.doc.Failf(r.path, "%v", err)
		}
		return
	}
	const shown = 3 // of one kind: thousands of hosts can have the same problem
	count := map[string]int{}
	for _, one := range problems {
		if count[one.Field]++; count[one.Field] <= shown {
			r.doc.Failf(r.path+"."+one.Field, "%s", one.Text)
		}
	}
	for _, one := range problems {
		if n := count[one.Field]; n > shown {
			r.doc.Failf(r.path+"."+one.Field, "and %d more of the kind", n-shown)
		}
		count[one.Field] = 0
	}
}

// stop decides when the run ends.
func (p *planner) stop() {
	p.plan.StopTime = p.sc.Stop.latest()
	if p.sc.Stop.Time > 0 {
		return
	}
	p.plan.StopWhenDone = true
	for i, e := range p.plan.Workload {
		if e != nil && !e.Bounded() && p.ok("workload", "stop") {
			p.doc.Failf("stop", "the run would wait for %q, which never ends; allowed: stop: {time: 10ms}, or an end for the entry", p.plan.Names[i])
		}
	}
}
