package explain

import (
	"fmt"
	"slices"

	"rocesim/cc/dcqcn/fluid"
	"rocesim/scenarios"
	"rocesim/scenarios/derive"
)

// settling are the numbers of flows for which the fixed point is shown: some, and
// those that the workload brings to one NIC.
func settling(fanIn int) []int {
	flows := append([]int{2, 8, 32, 128}, max(1, fanIn))
	slices.Sort(flows)
	return slices.Compact(flows)
}

func control(p *scenarios.Plan, fanIn int) Section {
	s := aboutControl()
	if !controlled(p) {
		s.Verdict = "queue pairs have no congestion control: they send at line rate until PFC stops them"
		if p.CC.DCQCN {
			s.Verdict = "the workload is datagrams, which no congestion control slows down"
		}
		return s
	}
	all := derive.Controls(p, settling(fanIn)...)
	trouble := unsettled{exact: true}
	for i := range all {
		c := &all[i]
		if c.Problem != "" {
			s.show(portName(p, c.Port), "no fixed point: "+c.Problem)
			continue
		}
		s.settles(p, c)
		if c.Loop.Flows <= fanIn { // more are of no concern to this workload
			trouble.add(c)
		}
		if c.Loop.Flows == settling(fanIn)[0] {
			s.loop(portName(p, c.Port), c)
		}
	}
	s.Bad = len(all) == 0 || len(trouble.loose) > 0 || len(trouble.swinging) > 0 && trouble.exact
	switch {
	case len(all) == 0:
		s.Verdict = "no port towards hosts marks: DCQCN hears of no congestion, and PFC holds the senders"
	case len(s.table.rows) == 0:
		s.Verdict = "the model has no fixed point for these settings"
	default:
		s.Verdict = trouble.verdict() + fmt.Sprintf("; the workload brings up to %s to one NIC", many(fanIn, "flow"))
	}
	return s
}

// unsettled are the loops whose queue does not settle between Kmin and Kmax, and
// those that swing there.
type unsettled struct {
	loose, swinging []string
	exact           bool // the model has terms for all settings of those that swing
}

func (u *unsettled) add(c *derive.Control) {
	one := fmt.Sprintf("%s at %s", many(c.Loop.Flows, "flow"), rate(c.Loop.Rate))
	switch {
	case c.Point.Regime != fluid.OnLine:
		u.loose = append(u.loose, one)
	case c.Stability.Verdict == fluid.Unstable:
		u.swinging = append(u.swinging, one)
		u.exact = u.exact && len(c.Loop.Approximations()) == 0
	}
}

func (u *unsettled) verdict() string {
	switch {
	case len(u.loose) > 0:
		return "the queue does not settle between Kmin and Kmax for " + andMore(u.loose)
	case len(u.swinging) > 0 && u.exact:
		return "the queue oscillates for " + andMore(u.swinging)
	case len(u.swinging) > 0:
		return "the queue lies between Kmin and Kmax; the model oscillates for " + andMore(u.swinging) + ", but it has no term for some of these settings: simulate"
	default:
		return "the queue settles between Kmin and Kmax"
	}
}

// controlled reports whether DCQCN slows any sender of the workload down.
func controlled(p *scenarios.Plan) bool {
	return p.CC.DCQCN && slices.ContainsFunc(p.Types, func(kind string) bool { return kind != "datagrams" })
}

// andMore names the first of some cases.
func andMore(cases []string) string {
	if len(cases) == 1 {
		return cases[0]
	}
	return cases[0] + " and " + many(len(cases)-1, "other case")
}

// settles adds a row.
func (s *Section) settles(p *scenarios.Plan, c *derive.Control) {
	queue, wait := cell{nil, "unbounded"}, cell{nil, "-"}
	if c.Point.Regime != fluid.Unbounded {
		queue, wait = cell{c.Point.Queue, tight(size(c.Point.Queue))}, microsCell(c.Point.Wait)
	}
	margin := cell{nil, "-"}
	if c.Stability.Verdict != fluid.Switching {
		margin = cell{c.Stability.PhaseMargin, fmt.Sprintf("%.1fdeg", c.Stability.PhaseMargin)}
	}
	s.table.add(
		cell{portName(p, c.Port), ""}, rateCell(c.Loop.Rate), cell{c.Loop.Flows, fmt.Sprint(c.Loop.Flows)},
		percentCell(c.Point.Mark), queue, wait, cell{c.Point.Alpha, number(c.Point.Alpha)},
		cell{c.Point.Notifications, number(c.Point.Notifications)}, cell{c.Point.Regime.String(), c.Point.Regime.String()}, margin,
		cell{c.Stability.Verdict.String(), c.Stability.Verdict.String()},
	)
}

// loop shows what the loop is made of, and what the model leaves out.
func (s *Section) loop(where string, c *derive.Control) {
	l := &c.Loop
	s.show(where, fmt.Sprintf("loop of %s (RTT without posting and completion, CNP after its delay), packets of %s, RED %s to %s, Pmax %s",
		span(l.Delay), exactly(int64(l.Packet)), size(float64(l.RED.Kmin)), size(float64(l.RED.Kmax)), percent(l.RED.Pmax)))
	if c.Point.Regime == fluid.OnLine {
		s.show(where, fmt.Sprintf("queue of %s = Kmin + (Kmax - Kmin) x p*/Pmax = %s + %s x %s / %s = %s", many(l.Flows, "flow"),
			size(float64(l.RED.Kmin)), size(float64(l.RED.Kmax-l.RED.Kmin)), percent(c.Point.Mark), percent(l.RED.Pmax), exactly(int64(c.Point.Queue))))
	}
	for _, left := range l.Approximations() {
		s.show("not in the model", left)
	}
}
