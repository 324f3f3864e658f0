package rules

// fabricRules are about paths.
func fabricRules() []Rule {
	return []Rule{
		{
			Code: "RS501", Name: "same-hash-seed", Severity: Warning,
			Title:      "two tiers choose paths by the same hash",
			Why:        "What the first tier sent to one uplink makes the same choice at the second: part of the paths is never used (polarisation).",
			Arithmetic: "with m and n ways in the two tiers and one seed, m x n / gcd(m, n) of m x n paths are used",
			Remedy:     "set switch.hash_seeds: per-switch",
			Source:     "operators' reports; arithmetic of h mod m and h mod n",
		},
		{
			Code: "RS502", Name: "few-flows", Severity: Info,
			Title:      "few flows on many uplinks",
			Why:        "ECMP puts whole queue pairs on uplinks at random: with few of them some uplinks carry several and others none.",
			Arithmetic: "flows of a leaf < 8 x its uplinks; chance that two meet = 1 - u! / ((u - f)! x u^f), and 1 for f > u; the fullest way and the slowest flow are means of a seeded draw",
			Remedy:     "use more queue pairs (qps), or switch.routing: spray-round with nic.out_of_order: true",
			Source:     "NVIDIA/nccl issue 1453; balls into bins",
		},
		{
			Code: "RS503", Name: "tier-oversubscribed", Severity: Info,
			Title:      "a tier has more capacity down than up",
			Why:        "Full load from below is more than the uplinks carry: PFC then stops the hosts.",
			Arithmetic: "sum of rates to hosts or lower tiers / sum of rates to higher tiers > 1",
			Remedy:     "add uplinks, or keep the traffic local; nothing if this is meant",
			Source:     "Clos fabrics; Juniper and Meta build AI fabrics at 1:1 or better",
		},
		{
			Code: "RS504", Name: "buffer-cycle", Severity: Warning,
			Title:      "buffers can wait for each other in a circle",
			Why:        "A cyclic buffer dependency is necessary for a PFC deadlock, and under enough load sufficient: all links of the circle pause each other for ever.",
			Arithmetic: "the routes of the traffic, now or after the scenario's faults, close a circle of (link, priority)",
			Remedy:     "route up and down only, give packets that turn around another lossless class (switch.bump), or use a watchdog",
			Source:     "Hu et al., HotNets 2016 and CoNEXT 2017 (Tagger)",
		},
		{
			Code: "RS505", Name: "route-loop", Severity: Warning,
			Title:      "packets can go in circles",
			Why:        "They live until their hop limit, fill the loop's links, and deadlock them above a rate of n x bandwidth / hop limit.",
			Arithmetic: "the next hops of a destination lead back to the same switch",
			Remedy:     "correct fabric.routes",
			Source:     "Hu et al., HotNets 2016, routing loop",
		},
		{
			Code: "RS506", Name: "circle-after-failure", Severity: Info,
			Title:      "a single failure of a link makes a deadlock possible",
			Why:        "Routes that are safe while all links are up lead packets down and up again after a failure, or static routes send them back.",
			Arithmetic: "the routes after the failure of each single link between switches, up to 64 links, close a circle or a loop; five failures are described at most",
			Remedy:     "route around failures up and down only, give packets that turn around another lossless class (switch.bump), or use a watchdog",
			Source:     "Hu et al., CoNEXT 2017 (Tagger); rocesim validate --failures describes all",
		},
	}
}
