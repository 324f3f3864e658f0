package lint

import (
	"fmt"
	"math"

	"rocesim/results"
	"rocesim/scenarios/derive"
	"rocesim/sim"
	switching "rocesim/switch"
)

// hashSeeds looks for two tiers that choose among equal-cost ways alike.
func (c *context) hashSeeds() {
	type chooser struct{ sw, ways int }
	first := map[uint32]map[int]chooser{} // the first of a tier with a seed
	for sw := range c.Switches {
		s := &c.Switches[sw]
		ways := c.ways(sw)
		if ways < 2 || s.Routing != switching.ECMP && s.Routing != switching.Murmur3 {
			continue
		}
		tier := c.Graph.Switches[sw].Tier
		tiers := first[s.HashSeed]
		if tiers == nil {
			tiers = map[int]chooser{}
			first[s.HashSeed] = tiers
		}
		if _, known := tiers[tier]; known {
			continue
		}
		tiers[tier] = chooser{sw, ways}
		for other := range tier {
			below, known := tiers[other]
			if !known {
				continue
			}
			used := below.ways * ways / gcd(below.ways, ways)
			c.add("same-hash-seed", c.SwitchPath(sw, "hash_seeds"), c.Switches[below.sw].Name+" and "+s.Name,
				fmt.Sprintf("tiers %d and %d choose paths by the same hash", other, tier),
				fmt.Sprintf("%d x %d ways, one hash: %d of %d paths are used", below.ways, ways, used, below.ways*ways), fmt.Sprintf("set %s: per-switch", c.SwitchPath(sw, "hash_seeds")))
		}
	}
}

// ways is the largest number of equal-cost next hops of a switch.
func (c *context) ways(sw int) int {
	most := 0
	_, sets := c.Routes.Groups(sw)
	for _, set := range sets {
		most = max(most, len(set))
	}
	return most
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// fewFlows estimates collisions where few queue pairs share many uplinks: one
// finding for all switches, with the figures of the one that has fewest.
func (c *context) fewFlows() {
	const many = 8 // flows a way, from which on the spread is below a third
	var few []int
	least := 0
	for sw := range c.Switches {
		r := c.Switches[sw].Routing
		flows, ways := c.traffic.leaving[sw], c.ways(sw)
		if flows < 2 || ways < 2 || flows >= many*ways || r != switching.ECMP && r != switching.Murmur3 {
			continue
		}
		few = append(few, sw)
		if c.traffic.leaving[least] == 0 || flows*c.ways(least) < c.traffic.leaving[least]*ways {
			least = sw
		}
	}
	if few == nil {
		return
	}
	odds := c.collisions(least)
	for _, sw := range few {
		c.add("few-flows", "workload", c.Switches[sw].Name, "few queue pairs leave a switch by many ways", odds,
			"set switch.routing: spray-round and nic.out_of_order: true, or use more queue pairs (qps)")
	}
}

// collisions says how queue pairs spread over the uplinks of a switch.
func (c *context) collisions(sw int) string {
	o := derive.ECMPOdds(c.traffic.leaving[sw], c.ways(sw))
	return fmt.Sprintf("%s: %d queue pairs on %d ways; two meet with a chance of %s %%, the fullest way has %s on average, and the slowest get %s %% of an even share",
		c.Switches[sw].Name, o.Flows, o.Ways, rounded(100*o.Collision), rounded(o.MeanMax), rounded(100*o.Slowest))
}

// rounded prints an estimate with one decimal.
func rounded(v float64) string { return results.Count.Format(math.Round(10*v) / 10) }

// tiers compares what each switch has down and up.
func (c *context) tiers() {
	for sw := range c.Switches {
		var down, up sim.Rate
		own := c.Graph.Switches[sw].Tier
		for _, ref := range c.ports(sw) {
			rate := c.Graph.Links[ref.Link].Rate
			switch peer := c.switchAt(ref.Peer.Node); {
			case peer < 0 || c.Graph.Switches[peer].Tier < own:
				down += rate
			case c.Graph.Switches[peer].Tier > own:
				up += rate
			}
		}
		if up == 0 || down <= up {
			continue
		}
		c.add("tier-oversubscribed", "fabric", c.Switches[sw].Name, fmt.Sprintf("tier %d is oversubscribed %s to 1", own, results.Ratio.Format(float64(down)/float64(up))),
			fmt.Sprintf("%v down / %v up = %s", down, up, results.Ratio.Format(float64(down)/float64(up))), "add uplinks if all hosts shall send across at once")
	}
}

// mostFailures bounds the links whose failures are looked at: each is a check of
// the whole fabric.
const mostFailures = 64

// circles looks for cyclic buffer dependencies and routing loops. A loop closes a
// circle of buffers too, which is then no finding of its own.
func (c *context) circles() {
	loops, told := map[string]bool{}, map[string]bool{} // by the link that is down
	risks := c.Risks(false)
	for _, r := range risks {
		loops[r.Without] = loops[r.Without] || r.Loop
		told[r.Without] = true
	}
	for _, r := range risks {
		switch {
		case r.Loop:
			c.add("route-loop", "fabric.routes", "", r.Text, "the next hops lead back to the first switch", "correct fabric.routes")
		case !loops[r.Without]:
			c.add("buffer-cycle", "fabric.routes", "", r.Text, "each buffer of the circle can hold packets for the next one",
				"route up and down only, set switch.bump for packets that turn around, or switch.watchdog")
		}
	}
	links := 0
	for l := range c.Graph.Links {
		if c.Graph.BetweenSwitches(l) {
			links++
		}
	}
	if links <= mostFailures {
		c.circlesAfterFailures(told)
	}
}

// circlesAfterFailures makes one finding of all failures that close a circle, but
// for those that were told.
func (c *context) circlesAfterFailures(told map[string]bool) {
	described := ""
	var links []string
	for _, r := range c.Risks(true) {
		if r.Without == "" || told[r.Without] || len(links) > 0 && links[len(links)-1] == "link "+r.Without {
			continue
		}
		if described == "" {
			described = r.Text
		}
		links = append(links, "link "+r.Without)
	}
	for _, link := range links {
		c.add("circle-after-failure", "fabric.routes", link, "the failure of a link lets buffers wait for each other, or packets go, in a circle", described,
			"route around failures up and down only, set switch.bump, or switch.watchdog")
	}
}
