package page

import (
	"fmt"

	"rocesim/results"
	"rocesim/sim"
)

// keyFigure is one key figure: what, how much, and where or of how many.
type keyFigure struct{ Name, Value, Detail string }

func (p *runPage) figures() []keyFigure {
	s := p.summary
	figures := []keyFigure{
		{"Simulated", results.Duration.Format(float64(p.Manifest.SimulatedTime)), "seed " + fmt.Sprint(s.Seed)},
		{"Flows finished", count(s.FinishedFlows), "of " + count(s.Flows)},
		{"Goodput", results.DataRate.Format(s.GoodputGbps * 1e9), "payload of all flows"},
		{"Dropped, lossless", results.Plural(int(s.Verdict.LosslessDrops), "packet"), ""},
		{"Dropped, lossy", results.Plural(int(s.Verdict.LossyDrops), "packet"), ""},
		p.xoffFigure(),
		p.pausedFigure(),
		{"Marked by ECN", results.Plural(int(s.ECN.MarkedPackets), "packet"), fmt.Sprintf("%s sent, %s handled", results.Plural(int(s.ECN.CNPSent), "CNP"), count(s.ECN.CNPHandled))},
		{"Deepest queue", results.Size.Format(float64(s.Fabric.PeakQueueBytes)), s.Fabric.PeakQueueAt},
		{"Busiest link", percent(s.Fabric.MaxUtilisation), s.Fabric.MaxUtilisationAt},
	}
	if r := s.Recovery; r.Retransmitted+r.AckTimeouts+r.RetriesExceeded > 0 {
		figures = append(figures, keyFigure{"Sent again", results.Plural(int(r.Retransmitted), "packet"),
			fmt.Sprintf("%s, %s gave up", results.Plural(int(r.AckTimeouts), "time-out"), results.Plural(int(r.RetriesExceeded), "queue pair"))})
	}
	return append(figures, p.slowdownFigure())
}

func (p *runPage) xoffFigure() keyFigure {
	pfc := &p.summary.PFC
	f := keyFigure{"PFC XOFF frames", count(pfc.XoffFrames), "none sent"}
	switch {
	case pfc.XoffFrames > 0:
		f.Detail = fmt.Sprintf("first at %s, %s", results.Duration.Format(float64(sim.Time(pfc.FirstUs*1e6))), pfc.FirstAt)
	case pfc.MaxXoffApproach > 0:
		f.Detail = fmt.Sprintf("nearest: %s of the threshold, %s", percent(pfc.MaxXoffApproach), pfc.MaxXoffApproachAt)
	}
	return f
}

func (p *runPage) pausedFigure() keyFigure {
	pfc := &p.summary.PFC
	f := keyFigure{"Most paused", percent(pfc.MaxPausedFraction), "no port was"}
	if pfc.MaxPausedAt != "" {
		f.Detail = fmt.Sprintf("of the run: %s; %s paused", pfc.MaxPausedAt, results.Plural(pfc.PausedPorts, "port"))
	}
	return f
}

func (p *runPage) slowdownFigure() keyFigure {
	all := &p.summary.Slowdown[0].Slowdown
	if all.N == 0 {
		return keyFigure{"Slowdown p99", "none", "no finished flow has an ideal time"}
	}
	return keyFigure{"Slowdown p99", results.Ratio.Format(all.P99), fmt.Sprintf("of finished flows; median %s, worst %s", results.Ratio.Format(all.P50), results.Ratio.Format(all.Max))}
}
