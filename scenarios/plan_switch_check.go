package scenarios

import (
	"slices"

	"rocesim/scenarios/strict"
)

// checkSwitch checks what the limits of single values do not.
func (p *planner) checkSwitch(s *Switch, path string) {
	p.checkECN(&s.ECN, path+".ecn")
	p.checkWatchdog(s.Watchdog, path+".watchdog")
	p.checkBump(s, path+".bump")
	if s.Buffer.Shared == 0 && s.Buffer.Total == 0 {
		p.doc.Failf(path+".buffer", "no size is given; allowed: shared, the ingress pool, or total, the whole memory")
	}
	if len(s.PFC.Priorities) > 0 && s.Lossless.Alpha == 0 && s.Lossless.Xoff == 0 {
		p.doc.Failf(path+".lossless", "no XOFF threshold is given; allowed: alpha, such as 1/8, or xoff, such as 100KB")
	}
	for i, a := range s.PFC.Priorities {
		if slices.Contains(s.PFC.Priorities[:i], a) {
			p.doc.Failf(path+".pfc.priorities", "%d is listed twice", a)
		}
	}
	for i, row := range s.Headroom.Table {
		for _, other := range s.Headroom.Table[:i] {
			if other.Rate == row.Rate && other.Cable == row.Cable {
				p.doc.Failf(strict.Indexed(path+".headroom.table", i), "a second row for %v and %v", row.Rate, row.Cable)
			}
		}
	}
}

func (p *planner) checkECN(e *ECN, path string) {
	if !e.Enabled {
		return
	}
	if len(e.Table) == 0 || e.Kmax != 0 {
		p.checkThresholds(e.Kmin, e.Kmax, e.Pmax, path)
	}
	for i, row := range e.Table {
		p.checkThresholds(row.Kmin, row.Kmax, row.Pmax, strict.Indexed(path+".table", i))
		for _, other := range e.Table[:i] {
			if other.Rate == row.Rate {
				p.doc.Failf(strict.Indexed(path+".table", i), "a second row for %v", row.Rate)
			}
		}
	}
}

func (p *planner) checkThresholds(kmin, kmax strict.Bytes, pmax strict.Fraction, path string) {
	switch {
	case kmax == 0:
		p.doc.Failf(path+".kmax", "missing; ECN needs kmin, kmax and pmax, or enabled: false")
	case kmin > kmax:
		p.kminAbove(kmin, kmax, path)
	case pmax == 0:
		p.doc.Failf(path+".pmax", "0 marks nothing between kmin and kmax; allowed: above 0 to 1, or ecn: {enabled: false}")
	}
}

func (p *planner) kminAbove(kmin, kmax strict.Bytes, path string) {
	p.doc.Failf(path+".kmin", "%v is above kmax %v; allowed: kmin up to kmax", kmin, kmax)
}

// checkStated checks what can be told of switches where the values of a preset are
// missing, or others are wrong: what the file itself says.
func (p *planner) checkStated() {
	const ecn = "switch.ecn"
	e := &p.sc.Switch.ECN
	off := p.doc.Has(ecn+".enabled") && !e.Enabled
	if !off && p.doc.Has(ecn+".kmin") && p.doc.Has(ecn+".kmax") && p.ok(ecn+".kmin", ecn+".kmax") && e.Kmin > e.Kmax {
		p.kminAbove(e.Kmin, e.Kmax, ecn)
	}
	if p.plan.Graph == nil || !p.few("switch.overrides", len(p.sc.Switch.Overrides)) {
		return
	}
	for k := range p.sc.Switch.Overrides {
		p.overrideSwitches(p.sc.Switch.Overrides[k].Value(), func(int) {})
	}
}
