package explain

import (
	"fmt"

	"rocesim/cc/dcqcn/fluid"
	"rocesim/scenarios"
	"rocesim/scenarios/derive"
)

// settling are the numbers of flows for which the fixed point is shown.
func settling() []int { return []int{2, 8, 32, 128} }

func control(p *scenarios.Plan) Section {
	s := Section{
		ID: "dcqcn", Title: "Where DCQCN settles",
		Meaning: "N equal flows into one NIC, by the fluid model: the part p* of their packets that must be marked to hold them at their share, " +
			"the queue at which ECN marks as many, and whether the loop settles there. A packet simulation has up to a third more queue where it is far from Kmax.",
		Advice: "raise kmax or pmax if the queue rides at Kmax or without bound; raise kmin, or the increase timer, if the loop is unstable; expect PFC where the queue is above XOFF.",
		table: table{columns: []column{
			{"port", ""}, {"rate_gbps", "rate"}, {"flows", "flows"}, {"mark_ratio", "p*"}, {"queue_bytes", "queue"}, {"wait_us", "wait"}, {"alpha", "alpha"},
			{"cnps_per_second", "CNP/s"}, {"regime", "regime"}, {"phase_margin_degrees", "margin"}, {"verdict", "verdict"},
		}},
	}
	if !p.CC.DCQCN {
		s.Verdict = "queue pairs have no congestion control: they send at line rate until PFC stops them"
		return s
	}
	all := derive.Controls(p, settling()...)
	var loose, swinging []string
	exact := true // the model has terms for all settings
	for i := range all {
		c := &all[i]
		if c.Problem != "" {
			s.Arithmetic = append(s.Arithmetic, fmt.Sprintf("%s, %s: no fixed point: %s", portName(p, c.Port), many(c.Loop.Flows, "flow"), c.Problem))
			continue
		}
		s.settles(p, c)
		one := fmt.Sprintf("%s at %s", many(c.Loop.Flows, "flow"), rate(c.Loop.Rate))
		switch {
		case c.Point.Regime != fluid.OnLine:
			loose = append(loose, one)
		case c.Stability.Verdict == fluid.Unstable:
			swinging = append(swinging, one)
			exact = exact && len(c.Loop.Approximations()) == 0
		}
		if i%len(settling()) == 0 {
			s.Arithmetic = append(s.Arithmetic, loopArithmetic(p, c)...)
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
		s.Verdict = "the queue lies between Kmin and Kmax; the model oscillates for " + andMore(swinging) + ", but it is not that of these settings: simulate"
	default:
		s.Verdict = "the queue settles between Kmin and Kmax for all of these"
	}
	return s
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

// loopArithmetic shows what the loop is made of, and what the model leaves out.
func loopArithmetic(p *scenarios.Plan, c *derive.Control) []string {
	l := &c.Loop
	lines := []string{fmt.Sprintf("%s: loop of %s (RTT without posting and completion, CNP after its delay), packets of %s, RED %s to %s, Pmax %s",
		portName(p, c.Port), span(l.Delay), exactly(int64(l.Packet)), size(float64(l.RED.Kmin)), size(float64(l.RED.Kmax)), percent(l.RED.Pmax))}
	if c.Point.Regime == fluid.OnLine {
		lines = append(lines, fmt.Sprintf("%s, %s: queue = Kmin + (Kmax - Kmin) x p*/Pmax = %s + %s x %s / %s = %s", portName(p, c.Port), many(l.Flows, "flow"),
			size(float64(l.RED.Kmin)), size(float64(l.RED.Kmax-l.RED.Kmin)), percent(c.Point.Mark), percent(l.RED.Pmax), exactly(int64(c.Point.Queue))))
	}
	for _, left := range l.Approximations() {
		lines = append(lines, "not in the model: "+left)
	}
	return lines
}
