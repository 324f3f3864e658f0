package explain

import (
	"fmt"

	"rocesim/scenarios"
	"rocesim/scenarios/derive"
)

func spread(p *scenarios.Plan, all []derive.Spread) Section {
	s := aboutSpread()
	if len(all) == 0 {
		s.Verdict = "no switch has a choice of ways for this workload"
		return s
	}
	worst, same := 1.0, false
	for i := range all {
		o := &all[i]
		even := float64(o.Flows) / float64(o.Ways)
		s.table.add(
			cell{o.Tier, fmt.Sprint(o.Tier)}, cell{o.Switches, fmt.Sprint(o.Switches)}, cell{o.Ways, fmt.Sprint(o.Ways)},
			cell{p.Switches[o.Busiest].Name, p.Switches[o.Busiest].Name}, cell{o.Flows, count(int64(o.Flows))}, cell{even, number(even)},
			cell{o.MeanMax, number(o.MeanMax)}, cell{o.Busy, number(o.Busy)}, percentCell(o.Collision), percentCell(o.Slowest),
			cell{o.Spray, ""}, cell{o.SameSeed, ""},
		)
		s.show(fmt.Sprintf("tier %d", o.Tier), fmt.Sprintf("%s on %s: even %s, fullest %s on average, so the slowest gets the mean of %s / fullest = %s", many(o.Flows, "flow"), many(o.Ways, "way"), number(even), number(o.MeanMax), number(max(1, even)), percent(o.Slowest)))
		if o.Spray {
			s.Arithmetic = append(s.Arithmetic, fmt.Sprintf("tier %d sprays packets over all ways: flows do not collide there", o.Tier))
			continue
		}
		if o.SameSeed {
			same = true
		}
		worst = min(worst, o.Slowest)
	}
	s.Bad = worst < 0.5 || same
	s.Verdict = fmt.Sprintf("the slowest flow of a switch can expect %s of an even share", percent(worst))
	if same {
		s.Verdict = "switches of two tiers hash with the same seed: what comes together by one hash is not taken apart by the next, and few ways are used"
	}
	return s
}
