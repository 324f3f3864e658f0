package rules

// congestionRules are about DCQCN and the transport.
func congestionRules() []Rule {
	return []Rule{
		{
			Code: "RS401", Name: "reaction-without-marks", Severity: Warning,
			Title:      "DCQCN is on, and nothing marks its packets",
			Why:        "No sender ever slows down; PFC carries all congestion. ECN often is configured by name while its profile is not enabled.",
			Arithmetic: "cc.algorithm is dcqcn, and the data's queue has no ECN profile on the switch (info for a lossy class that an entry chose by its dscp)",
			Remedy:     "set switch.ecn.enabled: true and let switch.ecn.queues have the data's queue, or cc.algorithm: none",
			Source:     "sonic-buildimage issues 4545 and 21891; SONiC issue 788",
		},
		{
			Code: "RS402", Name: "marks-without-reaction", Severity: Warning,
			Title: "switches mark, and no sender reacts",
			Why: "Without a reaction PFC alone holds the senders of an incast, and flows that only share a link with them are stopped too. " +
				"PFC without DCQCN is a choice that some make: then marking is off too. It is info where the workload overloads no receiver. That only part of the traffic reacts is RS404.",
			Arithmetic: "switch.ecn.enabled and cc.algorithm none; n senders into one port are paused 1 - 1/n of the time; a victim is a flow to elsewhere from a NIC of the incast, or between the same two leaves; a warning if senders of one receiver are together faster than it",
			Remedy:     "set cc: {algorithm: dcqcn, preset: connectx} to let senders react, or switch.ecn.enabled: false to say that PFC alone is meant",
			Source:     "provandal/protoviz issue 30; sonic-mgmt pull requests 27207 and 27040",
		},
		{
			Code: "RS403", Name: "increase-not-scaled", Severity: Info,
			Title:      "the rate steps of DCQCN are not scaled with the line rate",
			Why:        "After congestion a flow regains its rate in steps; the defaults were made for 25G, and at 400G take 24 s.",
			Arithmetic: "seconds to regain the line rate = rate / rate_ai x increase_period > 1.5 s, what the defaults take at 25G (rate_hai is ten times as fast by default)",
			Remedy:     "set cc.per to the rate that the steps were made for (25Gbps), or raise cc.rate_ai and rate_hai",
			Source:     "NVIDIA DOCA, DCQCN parameters: AI 5 Mb/s, HAI 50 Mb/s, 300 us",
		},
		{
			Code: "RS404", Name: "mixed-congestion-control", Severity: Warning,
			Title:      "traffic with and without congestion control shares a class",
			Why:        "The flows that react give way, the others take what they leave, and PFC stops both.",
			Arithmetic: "entries with no_cc and entries without it have the same DSCP",
			Remedy:     "give the traffic without congestion control a DSCP and a queue of its own",
			Source:     "Zhu et al., SIGCOMM 2015, section 2.2 (unfairness and victims)",
		},
		{
			Code: "RS405", Name: "one-queue-pair-on-bond", Severity: Info,
			Title:      "one queue pair between servers with several NICs",
			Why:        "A queue pair stays on one NIC: the transfer has the rate of one port, not of the server.",
			Arithmetic: "queue pairs between the two hosts < NICs per host",
			Remedy:     "set qps of the entry to the number of NICs or more",
			Source:     "NVIDIA/nccl issue 1015",
		},
		{
			Code: "RS406", Name: "timeout-below-round-trip", Severity: Warning,
			Title:      "the retransmission time-out is shorter than the round trip",
			Why:        "Packets are sent again that were not lost, and the queue pair fails when its retries are spent before an answer comes.",
			Arithmetic: "nic.timeout (with selective repeat nic.rto_low) < time from the first bit of a full packet to its ACK on an idle fabric, over the longest way of the NIC's traffic; with selective repeat also < 2 x delay of its own link",
			Remedy:     "set nic.timeout (nic.rto_low and nic.rto_high) well above the round trip: queues and pauses add to it; code 14, 67.1 ms, is usual",
			Source:     "InfiniBand Architecture Specification 9.7.6 (4.096 us x 2^T); Mittal et al., SIGCOMM 2018, section 4.1",
		},
	}
}
