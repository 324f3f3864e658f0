package explain

import (
	"fmt"

	"rocesim/scenarios"
	"rocesim/scenarios/derive"
)

// filling are the numbers of groups for which XOFF is shown: from
// one sender to as many as a switch has ports.
func filling() [4]int { return [4]int{1, 4, 16, 32} }

func thresholds(p *scenarios.Plan) Section {
	s := aboutThresholds()
	all := derive.Thresholds(p)
	if len(all) == 0 {
		s.Verdict = "no switch has a lossless group: there is no XOFF"
		return s
	}
	unmarked, late := 0, 0
	for i := range all {
		t := &all[i]
		s.threshold(p, t)
		switch {
		case !t.Marks:
			unmarked += len(t.Ports)
		case t.MarksUntil(t.Kmin) == 0:
			late += len(t.Ports)
		}
	}
	s.Bad = late > 0 && controlled(p)
	switch {
	case s.Bad:
		s.Verdict = many(late, "port") + " pause a lone sender before its queue is marked: DCQCN never gets to act there first"
	case late > 0:
		s.Verdict = many(late, "port") + " pause a lone sender before its queue is marked; nobody waits for marks"
	case unmarked > 0:
		s.Verdict = many(unmarked, "port") + " do not mark: PFC alone holds the senders"
	default:
		s.Verdict = "a lone sender is marked before it is paused on every port"
	}
	return s
}

// threshold adds a row and its arithmetic.
func (s *Section) threshold(p *scenarios.Plan, t *derive.Threshold) {
	alpha, static := cell{t.Alpha, ""}, cell{nil, ""}
	if !t.Dynamic {
		alpha, static = cell{nil, ""}, cell{t.Static, ""}
	}
	cells := []cell{
		{portName(p, t.Ports[0]), places(p, t.Ports)}, {len(t.Ports), ""}, {t.Groups, ""}, rateCell(t.Rate),
		alpha, static, {t.Pool, ""},
	}
	for _, n := range filling() {
		cells = append(cells, sizeCell(t.Xoff(n)))
	}
	if t.Marks {
		cells = append(cells, sizeCell(t.Kmin), until(t, t.Kmin), sizeCell(t.Kmax), until(t, t.Kmax), cell{t.Pmax, ""})
	} else {
		cells = append(cells, cell{nil, "none"}, cell{nil, "-"}, cell{nil, "none"}, cell{nil, "-"}, cell{nil, ""})
	}
	s.table.add(cells...)
	name := portName(p, t.Ports[0])
	const shown = 4
	if t.Dynamic {
		s.show(name, fmt.Sprintf("XOFF for N = %d is %s x %s / (1 + %s x %d) = %s", shown,
			fraction(t.Alpha), exactly(t.Pool), fraction(t.Alpha), shown, exactly(t.Xoff(shown))))
	} else {
		s.show(name, fmt.Sprintf("XOFF for N = %d is the lesser of %s and %s / %d = %s", shown,
			exactly(t.Static), exactly(t.Pool), shown, exactly(t.Xoff(shown))))
	}
	if t.Marks {
		s.show(name, fmt.Sprintf("a queue holds %s when the one group that feeds it, of N = %d, pauses (reserve %s, cells taken off); Kmin is %s", exactly(t.QueueAt(1, shown)), shown, exactly(t.Reserved), exactly(t.Kmin)))
	}
}

func until(t *derive.Threshold, level int64) cell {
	n := t.MarksUntil(level)
	if derive.Always(n) {
		return cell{nil, "always"}
	}
	return cell{n, fmt.Sprint(n)}
}

// fraction prints alpha as switches have it: 1/8.
func fraction(alpha float64) string {
	if alpha > 0 && alpha < 1 && 1/alpha == float64(int64(1/alpha)) {
		return "1/" + number(1/alpha)
	}
	return number(alpha)
}
