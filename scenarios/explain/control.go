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
	s := Section{
		ID: "dcqcn", Title: "Where DCQCN settles",
		Meaning: "N equal flows into one NIC, by the fluid model: the part p* of their packets that must be marked to hold them at their share, " +
			"the queue at which ECN marks as many and how long packets wait in it, CNPs per flow, and whether the loop settles there. " +
			"The queue lies on the line between Kmin and Kmax, at Kmax, or grows without bound. A margin (of phase) below 0 degrees means that it oscillates, below 8 that swings die out slowly. A packet simulation has up to a third more queue where it is far from Kmax.",
		Advice: "raise kmax or pmax if the queue rides at Kmax or without bound; raise kmin, or the increase timer, if the loop is unstable; expect PFC where the queue is above XOFF.",
		table: table{columns: []column{
			{"port", ""}, {"rate_gbps", "rate"}, {"flows", "flows"}, {"mark_ratio", "p*"}, {"queue_bytes", "queue"}, {"wait_us", "wait"}, {"alpha", "alpha"},
			{"cnps_per_second", "CNP/s"}, {"regime", "regime"}, {"phase_margin_degrees", "margin"}, {"verdict", "verdict"},
		}},
	}
	if !controlled(p) {
		s.Verdict = "queue pairs have no congestion control: they send at line rate until PFC stops them"
		if p.CC.DCQCN {
			s.Verdict = "the workload is datagrams, which no congestion control slows down"
		}
		return s
	}
	all := derive.Controls(p, settling(fanIn)...)
	var loose, swinging []string
	exact := true // the model has terms for all settings
	for i := range all {
		c := &all[i]
		if c.Problem != "" {
			s.show(portName(p, c.Port), "no fixed point: "+c.Problem)
			continue
		}
		s.settles(p, c)
		one := fmt.Sprintf("%s at %s", many(c.Loop.Flows, "flow"), rate(c.Loop.Rate))
		switch {
		case c.Loop.Flows > fanIn: // of no concern to this workload
		case c.Point.Regime != fluid.OnLine:
			loose = append(loose, one)
		case c.Stability.Verdict == fluid.Unstable:
			swinging = append(swinging, one)
			exact = exact && len(c.Loop.Approximations()) == 0
		}
		if c.Loop.Flows == settling(fanIn)[0] {
			s.loop(portName(p, c.Port), c)
		}
	}
	s.Bad = len(all) == 0 || len(loose) > 0 || len(swinging) > 0 && exact
	switch {
	case len(all) == 0:
		s.Verdict = "no port towards hosts marks: DCQCN hears of no congestion, and PFC holds the senders"
	case len(s.table.rows) == 0:
		s.Verdict = "the model has no fixed point for these settings"
	case len(loose) > 0:
		s.Verdict = "the queue does not settle between Kmin and Kmax for " + andMore(loose)
	case len(swinging) > 0 && exact:
		s.Verdict = "the queue oscillates for " + andMore(swinging)
	case len(swinging) > 0:
		s.Verdict = "the queue lies between Kmin and Kmax; the model oscillates for " + andMore(swinging) + ", but it has no term for some of these settings: simulate"
	default:
		s.Verdict = "the queue settles between Kmin and Kmax"
	}
	if len(s.table.rows) > 0 {
		s.Verdict += fmt.Sprintf("; the workload brings up to %s to one NIC", many(fanIn, "flow"))
	}
	return s
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
