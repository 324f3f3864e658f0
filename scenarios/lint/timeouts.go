package lint

import (
	"fmt"
	"slices"

	"rocesim/scenarios/derive"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// usualTimeout is code 14 of an InfiniBand time-out, 4.096 us x 2^14, which
// adapters have.
const usualTimeout = 67_108_864 * sim.Nanosecond

// timeouts looks for NICs that send again before the acknowledgement of a lone
// packet can be back, and tells the longest such way of each.
func (c *context) timeouts() {
	if slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Rule.Name == "timeout-below-round-trip" }) {
		return // the plan's, of the first link alone
	}
	longest := sim.Time(0)
	for _, p := range derive.Paths(c.Plan) {
		longest = max(longest, p.RTT)
	}
	hasty := map[int]bool{} // those worth a second look
	for e := range c.NICs {
		if t, _ := derive.Patience(c.Plan, e); t > 0 && t < longest {
			hasty[e] = true
		}
	}
	if len(hasty) == 0 {
		return
	}
	for e, answer := range c.answers(hasty) {
		if patience, selective := derive.Patience(c.Plan, e); patience < answer {
			c.hasty(e, answer, patience, selective)
		}
	}
}

// answers is the longest time to an acknowledgement for each of some endpoints, by
// number, of all that they send to; 0 for the others.
func (c *context) answers(of map[int]bool) []sim.Time {
	type way struct {
		src, leaf int
		rate      sim.Rate
	}
	seen, worst, answer := map[way]bool{}, make([]sim.Time, len(c.NICs)), derive.Answers(c.Plan)
	c.Connections(func(src, dst int, class workload.Class) {
		w := way{src, leafOf(c.Plan, dst), c.NICs[dst].Rate}
		if !class.Unreliable && of[src] && !(w.leaf >= 0 && seen[w]) {
			seen[w] = true
			worst[src] = max(worst[src], answer(src, dst))
		}
	})
	return worst
}

// hasty is the finding for one NIC.
func (c *context) hasty(endpoint int, answer, patience sim.Time, selective bool) {
	field := "timeout"
	if selective {
		field = "rto_low"
	}
	path := c.NICPath(endpoint, field)
	remedy := fmt.Sprintf("set %s: %v, as adapters have it, or more than queues and pauses add to the round trip", path, usualTimeout)
	if selective {
		above := (answer/sim.Microsecond + 1) * 2 * sim.Microsecond
		remedy = fmt.Sprintf("set %s: %v and %s: %v, or more", path, above, c.NICPath(endpoint, "rto_high"), 2*above)
	}
	c.add("timeout-below-round-trip", path, c.Graph.Endpoints[endpoint].Name,
		fmt.Sprintf("a NIC sends again after %s, before the answer to a packet can be back", lasts(patience)),
		fmt.Sprintf("a full packet and its ACK take %s on an idle fabric > %s of nic.%s, so each lone packet is sent again", lasts(answer), lasts(patience), field),
		remedy)
}
