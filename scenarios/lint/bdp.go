package lint

import (
	"fmt"

	"rocesim/scenarios/derive"
	"rocesim/sim"
)

// kmaxAgainstBDP compares Kmax at ports to receivers with what their link carries
// in the round trip of the longest path.
func (c *context) kmaxAgainstBDP() {
	const most = 3 // bandwidth-delay products
	if !c.CC.DCQCN {
		return
	}
	trips := map[sim.Rate]sim.Time{}
	for _, p := range derive.Paths(c.Plan) {
		rate := p.Hops[len(p.Hops)-1].Rate
		trips[rate] = max(trips[rate], p.RTT)
	}
	for _, t := range derive.Thresholds(c.Plan) {
		bdp := int64(float64(t.Rate) / 8 * trips[t.Rate].Seconds())
		if !t.Marks || bdp == 0 || t.Kmax <= most*bdp {
			continue
		}
		for _, id := range t.Ports {
			if c.Graph.IsSwitch(c.ports(id.Switch)[id.Port].Peer.Node) || !overlap(t.Groups, c.reacting(id.Switch)) {
				continue
			}
			c.add("kmax-above-bdp", c.SwitchPath(id.Switch, "ecn"), c.Switches[id.Switch].Name,
				fmt.Sprintf("Kmax of %v ports is %.3g times what they carry in a round trip", t.Rate, float64(t.Kmax)/float64(bdp)),
				fmt.Sprintf("%v x %s of idle round trip = %s; Kmax %s > %d x that; a queue at Kmax lasts %s", t.Rate, lasts(trips[t.Rate]), size(bdp), size(t.Kmax), most,
					lasts(t.Rate.TxTimeCeil(t.Kmax))),
				kmaxOf(c.SwitchPath(id.Switch, "ecn"), &t, most*bdp))
		}
	}
}

// kmaxOf is a profile that ends at kmax, with Kmin in proportion.
func kmaxOf(path string, t *derive.Threshold, kmax int64) string {
	kmin := int64(float64(t.Kmin) * float64(kmax) / float64(t.Kmax))
	return fmt.Sprintf("set %s: {kmin: %dB, kmax: %dB, pmax: %s} if latency counts more than a burst's throughput", path, kmin, kmax, percent(t.Pmax))
}
