package explain

// The texts of the page: what each section shows, what its numbers mean, and what
// to do about bad ones. Verdicts are made where the numbers are.

func aboutPaths() Section {
	return Section{
		ID: "paths", Title: "Paths of an idle fabric",
		Meaning: "How long one full packet takes when nothing else moves: one way is from posting a WRITE to its last byte in memory, " +
			"RTT from posting it to its completion. BDP, the bandwidth-delay product, is what fills the slowest link for one RTT: a queue pair needs as much under way to reach line rate. " +
			"Oversubscription is what can enter a switch from below over what leads on; more than 1 : 1 is too much if all send at once.",
		Advice: "shorten cables or use faster forwarding if RTT is too long for your messages; give queue pairs a BDP of outstanding data; add uplinks if oversubscription is above 1 and all hosts send through the fabric.",
		table: table{columns: []column{
			{"src", ""}, {"dst", ""}, {"pairs", "pairs"}, {"hops", "links"}, {"rates_gbps", "rates"}, {"cables_m", "cables"},
			{"one_way_us", "one way"}, {"rtt_us", "RTT"}, {"bottleneck_gbps", ""}, {"bdp_bytes", "BDP"}, {"oversubscription_ratio", "oversubscribed"},
		}},
	}
}

func aboutHeadroom() Section {
	return Section{
		ID: "headroom", Title: "Headroom of lossless groups",
		Meaning: "What still arrives after a port has sent XOFF has to fit in headroom, or it is lost. Needed is what full frames take at worst, " +
			"with the delays of this scenario and in whole cells of the buffer. Any mix is enough for any mix of frames, since small ones, such as ACKs in the class of the data, fill cells worst; " +
			"switch.headroom.standard: true gives as much or more; a port that has less can take full frames only. IEEE is the worst case of 802.1Qbb with the longest response that 802.3 allows, without cells.",
		Advice: "set switch.headroom.bytes, standard: true or a table row for the cable to what is needed; take the IEEE figure for hardware whose response you have not measured; let the peer obey (nic.pfc, switch.pfc.priorities).",
		table: table{columns: []column{
			{"port", "port"}, {"ports", ""}, {"groups", "groups"}, {"rate_gbps", "rate"}, {"cable_m", ""}, {"delay_ns", "cable"},
			{"needed_bytes", "needed"}, {"any_mix_bytes", "any mix"}, {"ieee_bytes", "IEEE"}, {"configured_bytes", "has"}, {"margin_bytes", ""}, {"verdict", "verdict"},
		}},
	}
}

func aboutThresholds() Section {
	return Section{
		ID: "thresholds", Title: "XOFF and ECN thresholds",
		Meaning: "XOFF is how many bytes of the shared pool a group (what a port holds of one priority) has when the port pauses its sender. It is shown for N groups that fill at the same pace, of one memory where a switch has several. " +
			"ECN should mark before that: a queue that one of the N groups feeds alone reaches Kmin, or Kmax, before XOFF only up to the N shown behind it (to N; 0 is never); queues that more groups feed are longer by then.",
		Advice: "raise switch.lossless.alpha or lower switch.ecn.kmin where PFC comes before ECN; lower alpha if few groups take the whole pool.",
		table: table{columns: []column{
			{"port", "port"}, {"ports", ""}, {"groups", ""}, {"rate_gbps", "rate"}, {"alpha", ""}, {"static_bytes", ""}, {"pool_bytes", ""},
			{"xoff_1_bytes", "N=1"}, {"xoff_4_bytes", "N=4"}, {"xoff_16_bytes", "N=16"}, {"xoff_32_bytes", "N=32"},
			{"kmin_bytes", "Kmin"}, {"kmin_first_until_groups", "to N"}, {"kmax_bytes", "Kmax"}, {"kmax_first_until_groups", "to N"}, {"pmax_ratio", ""},
		}},
	}
}

func aboutControl() Section {
	return Section{
		ID: "dcqcn", Title: "Where DCQCN settles",
		Meaning: "N equal flows into one NIC, by the fluid model: the part p* of their packets that must be marked to hold them at their share, " +
			"the queue at which ECN marks as many and how long packets wait in it, CNPs per flow, and whether the loop settles there. " +
			"The queue lies on the line between Kmin and Kmax, at Kmax, or grows without bound. A margin (of phase) below 0 degrees means that it oscillates, below 8 that swings die out slowly. A packet simulation has up to a third more queue where it is far from Kmax.",
		Advice: "raise kmax or pmax if the queue rides at Kmax or without bound; raise kmin, or the increase timer, if the loop is unstable; expect PFC where the queue is above XOFF.",
		table: table{columns: []column{
			{"port", ""}, {"rate_gbps", "rate"}, {"flows", "flows"}, {"mark_ratio", "p*"}, {"queue_bytes", "queue"}, {"wait_us", "wait"}, {"alpha", "alpha"},
			{"cnps_per_second", "CNP/s"}, {"regime", "regime"}, {"phase_margin_degrees", "margin"}, {"verdict", "verdict"},
		}},
	}
}

func aboutSpread() Section {
	return Section{
		ID: "ecmp", Title: "Flows on equal-cost ways",
		Meaning: "How the queue pairs of the workload fall on equal ways if the hash is even. The fullest way decides when the slowest flow ends: " +
			"it gets the part of an even share that is shown as slowest (if all are equally large and busy).",
		Advice: "use more queue pairs (qps), spraying (switch.routing: spray-random) where the NIC takes packets in any order, or another hash seed per tier (switch.hash_seeds: per-switch).",
		table: table{columns: []column{
			{"tier", "tier"}, {"switches", "switches"}, {"ways", "ways"}, {"busiest", "busiest"}, {"flows", "flows"}, {"even_flows", "even"},
			{"fullest_flows", "fullest"}, {"busy_ways", "ways used"}, {"collision_ratio", "collide"}, {"slowest_ratio", "slowest"},
			{"spray", ""}, {"same_seed", ""},
		}},
	}
}

func aboutDeadlocks() Section {
	return Section{
		ID: "deadlock", Title: "Circles of buffers",
		Meaning: "A deadlock needs buffers that wait for each other in a circle. The routes of the workload's traffic are followed, also after each fault of the scenario.",
		Verdict: "none: this fabric cannot deadlock",
		Advice:  "route up-down only, or let packets that turn change their class (switch.bump); a watchdog breaks a deadlock that forms.",
	}
}

func aboutEffort() Section {
	return Section{
		ID: "work", Title: "What a run costs",
		Meaning: "What the workload sends until the run stops. Entries that send as much as they are let are given at most: as if nothing were paused, lost or slowed down, " +
			"but shared fairly. CNPs are at most one for each packet into a receiver whose senders are faster than its link, and one in each CNP interval of a queue pair; " +
			"once DCQCN has settled there are far fewer. Those of flows that meet by chance are not counted. Retransmissions and pause frames come on top.",
		Advice: "shorten stop.time, use fewer hosts or a larger MTU; sweeps use all processors.",
		table: table{columns: []column{
			{"workload", "workload"}, {"type", "type"}, {"at_most", ""}, {"queue_pairs", "QPs"}, {"messages", "messages"}, {"payload_bytes", "payload"},
			{"packets", "packets"}, {"acks", "ACKs"}, {"cnps", "CNPs"}, {"mean_links", ""}, {"packet_hops", "hops"}, {"cnp_hops", ""},
		}},
	}
}
