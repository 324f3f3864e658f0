package rules

// sonicQoS is where SONiC's maps come from.
const sonicQoS = "SONiC, files/build_templates/qos_config.j2"

// classRules are about code points, classes, queues and priorities.
func classRules() []Rule {
	return []Rule{
		{
			Code: "RS101", Name: "data-in-lossy-class", Severity: Error,
			Title: "RoCE data lands in a lossy class of a switch",
			Why: "No pause is sent for it, so an incast overruns the queue; lossless queues are usually the only ones that mark, so no sender slows down either. " +
				"ACKs and NAKs travel with the code point of their data and share its fate.",
			Arithmetic: "the switch's map sends the NIC's DSCP (or 802.1Q priority) to a class whose priority group is not lossless; of an entry's own dscp, if NICs send it with a priority that the switches pause (an error if nic.dscp_to_priority says so, else a warning)",
			Remedy:     "map the DSCP to a lossless class on the switch, or mark the data with a DSCP that the switch's map knows",
			Source:     sonicQoS + ": DSCP 3 and 4 are lossless, 26 is not; NVIDIA's convention is DSCP 26",
		},
		{
			Code: "RS102", Name: "pause-priority-differs", Severity: Error,
			Title:      "a switch pauses another priority than the one the NIC sends with",
			Why:        "The NIC does not stop: what arrives after the pause overruns the headroom.",
			Arithmetic: "the PFC priority of the data's group differs from the NIC's priority for the DSCP (DSCP / 8 without a map)",
			Remedy:     "make nic.dscp_to_priority name the priority that the switches pause",
			Source:     "IEEE 802.1Qbb: a pause frame names the priority",
		},
		{
			Code: "RS103", Name: "class-differs-on-link", Severity: Error,
			Title:      "two neighbouring switches disagree about the class of the same data",
			Why:        "One pauses a priority that the other does not obey, or that stops another queue; in the other direction it may well work, which makes the mistake hard to see.",
			Arithmetic: "for each direction of each link: the priority that the receiver pauses must be enabled at the sender, and must stop the queue in which the sender holds that data",
			Remedy:     "give both switches the same dscp_to_tc, tc_to_group, tc_to_queue and pfc.priorities",
			Source:     "IEEE 802.1Qbb; " + sonicQoS + " (MAP_PFC_PRIORITY_TO_QUEUE)",
		},
	}
}

// pauseRules are about PFC on switches and NICs.
func pauseRules() []Rule {
	return []Rule{
		{
			Code: "RS104", Name: "pfc-off-on-switch", Severity: Error,
			Title:      "PFC is off on one switch, and on elsewhere",
			Why:        "That hop neither pauses nor obeys: its buffers overflow while all others are lossless.",
			Arithmetic: "the data's priority is enabled on other switches and not on this one",
			Remedy:     "set switch.pfc.enabled: true and the same pfc.priorities everywhere",
			Source:     "operators' reports; IEEE 802.1Qbb is hop by hop",
		},
		{
			Code: "RS105", Name: "pfc-off-on-nic", Severity: Error,
			Title:      "a NIC does not obey the pauses of its switch",
			Why:        "The switch pauses it, it goes on sending, and its own packets overrun the headroom.",
			Arithmetic: "the switch pauses the priority of the NIC's data, and the NIC's mask does not have it",
			Remedy:     "enable PFC on the NIC for that priority (mlnx_qos --pfc 0,0,0,1,0,0,0,0 on ConnectX)",
			Source:     "operators' reports; IEEE 802.1Qbb is hop by hop",
		},
	}
}

// notificationRules are about CNPs, and about going without PFC.
func notificationRules() []Rule {
	return []Rule{
		{
			Code: "RS106", Name: "cnp-in-data-queue", Severity: Warning,
			Title:      "congestion notifications wait behind the data that they are about",
			Why:        "The news of congestion is late by what the queue holds, and is paused with it; the loop of DCQCN gets slower just when it matters.",
			Arithmetic: "the CNP's DSCP leads to the queue of the data; the delay is Kmax over the port's rate for each congested hop",
			Remedy:     "map the CNP's DSCP (48 by convention) to a queue of its own, served strictly first",
			Source:     "NVIDIA Cumulus nv set qos roce: CNP in a strict queue; Zhu et al., SIGCOMM 2015, section 3.3",
		},
		{
			Code: "RS107", Name: "cnp-starved", Severity: Warning,
			Title:      "the queue of congestion notifications is guaranteed less than they need",
			Why:        "Under load, notifications queue up or are dropped in a lossy class, and senders are slowed late or not at all.",
			Arithmetic: "flows into one port x CNP bytes on the wire / cc.cnp_interval > port rate x weight / sum of the weights in use",
			Remedy:     "make the queue strict (switch.strict_queues), or raise its weight",
			Source:     "NVIDIA Cumulus and Cisco serve CNPs in a strict queue",
		},
		{
			Code: "RS108", Name: "cnp-dropped-by-wred", Severity: Warning,
			Title:      "WRED drops congestion notifications",
			Why:        "CNPs are not ECN-capable: where data would be marked they are dropped, and their senders are not slowed.",
			Arithmetic: "the queue of CNPs has an ECN profile that is not mark_only",
			Remedy:     "take the CNP's queue out of switch.ecn.queues, or set switch.ecn.mark_only: true",
			Source:     "RFC 3168 section 6.1; RoCEv2 Annex A17.9.3",
		},
		{
			Code: "RS109", Name: "lossy-go-back-n", Severity: Info,
			Title:      "go-back-N without PFC",
			Why:        "Each lost packet is sent again with all that follow it; at loss rates of a per cent most of the link carries repetitions.",
			Arithmetic: "no switch pauses the data's priority; share of useful packets = (1 - p) / (1 - p + p x W) for loss p and W packets under way",
			Remedy:     "enable PFC for the priority, or use nic.recovery: selective-repeat",
			Source:     "Mittal et al., SIGCOMM 2018 (IRN); Guo et al., SIGCOMM 2016, section 4.1",
		},
		{
			Code: "RS110", Name: "pause-stops-other-queue", Severity: Error,
			Title:      "a pause stops another queue than that of the data",
			Why:        "The port obeys the pause by stopping an empty queue; the data goes on and overruns the headroom of the peer.",
			Arithmetic: "the data's traffic class leads to one queue, and the PFC priority of its group stops another",
			Remedy:     "give the class in tc_to_queue the queue that the priority stops",
			Source:     sonicQoS + " (MAP_PFC_PRIORITY_TO_QUEUE); IEEE 802.1Qbb",
		},
		{
			Code: "RS111", Name: "queue-share", Severity: Info,
			Title:      "what queues with weights are guaranteed when all of them have packets",
			Why:        "Under contention each queue gets its weight's part of the port, whatever its class; strict queues take theirs before.",
			Arithmetic: "weight of the queue / sum of the weights of the queues in use, for switches where the workload uses two or more of them",
			Remedy:     "change switch.queue_weights if another split is wanted",
			Source:     "deficit round robin: Shreedhar and Varghese, SIGCOMM 1995; " + sonicQoS + " has 14 and 15",
		},
		{
			Code: "RS112", Name: "pcp-without-tag", Severity: Warning,
			Title:      "a switch trusts the priority of tags that frames do not have",
			Why:        "Untagged frames get the default class of the port, which is lossy on usual switches; the data loses its pauses though DSCP and maps are right.",
			Arithmetic: "switch.trust: pcp, and nic.framing has no 802.1Q tag",
			Remedy:     "trust the DSCP, or send tagged frames",
			Source:     "IEEE 802.1Q, default priority of a port; NVIDIA's convention is trust dscp",
		},
		{
			Code: "RS113", Name: "remarked-lossy", Severity: Error,
			Title:      "a switch gives lossless data the code point of a lossy class",
			Why:        "From there on no pause is sent for it, and the queue is cut at its limit. The drops count as those of a lossy class, so that lossless ones stay at 0.",
			Arithmetic: "switch.bump.dscp leads from a code point of a lossless class to one that this or another switch has in a lossy class",
			Remedy:     "map the new code point to a second lossless class on all switches (dscp_to_tc, pfc.priorities)",
			Source:     "Hu et al., CoNEXT 2017 (Tagger): each tag is a lossless priority",
		},
	}
}
