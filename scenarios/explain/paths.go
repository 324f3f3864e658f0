package explain

import (
	"fmt"
	"strings"

	"rocesim/scenarios"
	"rocesim/scenarios/derive"
	"rocesim/scenarios/headroom"
)

func paths(p *scenarios.Plan) Section {
	s := aboutPaths()
	worst := 0.0
	all := derive.Paths(p)
	for i := range all {
		c := &all[i]
		over := cell{c.Oversubscription, number(c.Oversubscription) + " : 1"}
		if c.Oversubscription == 0 {
			over = cell{nil, "-"}
		}
		s.table.add(
			cell{p.Graph.NodeName(c.Src), ""}, cell{p.Graph.NodeName(c.Dst), ""}, cell{c.Pairs, count(c.Pairs)},
			cell{len(c.Hops), fmt.Sprint(len(c.Hops))}, cell{rates(c.Hops), runs(c.Hops, hopRate)}, cell{cables(c.Hops), runs(c.Hops, hopCable)},
			microsCell(c.OneWay), microsCell(c.RTT), cell{c.Bottleneck.Gbit(), ""},
			sizeCell(c.BDP), over,
		)
		s.Arithmetic = append(s.Arithmetic, pathArithmetic(p, c)...)
		worst = max(worst, c.Oversubscription)
	}
	s.Bad = worst > 1
	s.Verdict = fmt.Sprintf("%s of paths; the fabric is not oversubscribed", many(len(all), "class"))
	if s.Bad {
		s.Verdict = fmt.Sprintf("the fabric is oversubscribed %s : 1: senders below one switch can be slowed down to %s of their rate",
			number(worst), percent(1/worst))
	}
	return s
}

// pathArithmetic shows the sums of one class.
func pathArithmetic(p *scenarios.Plan, c *derive.Path) []string {
	head := fmt.Sprintf("%s, %s to %s: ", many(len(c.Hops), "link"), p.Graph.NodeName(c.Src), p.Graph.NodeName(c.Dst))
	answered := c.OneWay - c.Parts[len(c.Parts)-1].Time
	return []string{
		head + "one way " + span(c.OneWay) + " = " + terms(c.Parts),
		head + "RTT " + span(c.RTT) + " = " + span(answered) + " to the receiver + " + terms(c.Answer),
		head + fmt.Sprintf("BDP %s = %s x %s / 8", exactly(c.BDP), rate(c.Bottleneck), span(c.RTT)),
	}
}

func terms(all []headroom.Term) string {
	var parts []string
	for _, t := range all {
		if t.Time > 0 {
			parts = append(parts, t.Name+" "+span(t.Time))
		}
	}
	return strings.Join(parts, " + ")
}

func hopRate(h derive.Hop) string { return tight(rate(h.Rate)) }

func hopCable(h derive.Hop) string {
	if h.Cable == 0 {
		return tight(span(h.Delay))
	}
	return number(h.Cable) + "m"
}

// runs joins what hops have, equal neighbours once: "100Gbps 2x400Gbps 100Gbps".
func runs(hops []derive.Hop, text func(derive.Hop) string) string {
	var parts []string
	for i := 0; i < len(hops); {
		from := i
		for i < len(hops) && text(hops[i]) == text(hops[from]) {
			i++
		}
		one := text(hops[from])
		if n := i - from; n > 1 {
			one = fmt.Sprintf("%dx%s", n, one)
		}
		parts = append(parts, one)
	}
	return strings.Join(parts, " ")
}

func rates(hops []derive.Hop) (out []float64) {
	for _, h := range hops {
		out = append(out, h.Rate.Gbit())
	}
	return out
}

func cables(hops []derive.Hop) (out []float64) {
	for _, h := range hops {
		out = append(out, h.Cable)
	}
	return out
}
