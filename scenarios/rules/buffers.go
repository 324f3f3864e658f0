package rules

// ieeeBudget is the worst case of the standard.
const ieeeBudget = "IEEE 802.1Qbb Annex O as laid out in Cisco's PFC white paper"

// headroomRules are about the room of a port.
func headroomRules() []Rule {
	return []Rule{
		{
			Code: "RS201", Name: "headroom-zero", Severity: Error,
			Title:      "a lossless group has no headroom",
			Why:        "What is on the wire when the pause is sent has no room: each pause loses packets, though PFC is on.",
			Arithmetic: "headroom = 0 B; need = the frame that crosses XOFF and those that the peer begins until it obeys, in whole cells: a frame that delays the pause + the pause frame + 2 x cable + response + pipelines + a frame stored",
			Remedy:     "set switch.headroom to the need shown, or standard: true",
			Source:     "sonic-net/SONiC issue 480; " + ieeeBudget,
		},
		{
			Code: "RS202", Name: "headroom-too-small", Severity: Error,
			Title:      "headroom is less than what can arrive after the pause",
			Why:        "Each pause can lose packets of the lossless class: the cable is longer, the rate higher, or the sender slower to obey than the profile assumes.",
			Arithmetic: "headroom < need, which is that of RS201 with the delays of the scenario; the simulator loses nothing with it, and something with a frame less",
			Remedy:     "set switch.headroom to the need shown, or standard: true; on SONiC give the port's real cable length",
			Source:     ieeeBudget + "; sonic-net/sonic-buildimage pull requests 25208, 24903, 25606",
		},
		{
			Code: "RS203", Name: "headroom-below-standard", Severity: Info,
			Title:      "headroom is enough for this model, and less than the standard's worst case",
			Why:        "A peer that takes as long to obey as the standard allows would overrun it. Ports that react in well under a microsecond do not.",
			Arithmetic: "headroom < 2 frames + pause frame + 2 x cable x rate + the response bound of the rate (25,216 B at 100G, 57,920 B at 400G), in cells",
			Remedy:     "set switch.headroom to the bound shown if the peers' response is not known",
			Source:     "IEEE 802.3 Annex 31B.3.7 (394 quanta at 100G, 905 at 400G); " + ieeeBudget,
		},
		{
			Code: "RS204", Name: "headroom-for-smaller-mtu", Severity: Error,
			Title:      "headroom was sized for smaller frames",
			Why:        "The frame that delays the pause, the one just begun and the one that crosses the threshold are larger than the profile assumes.",
			Arithmetic: "headroom is enough with packets of 1024 B (Ethernet MTU 1500), and not with nic.mtu",
			Remedy:     "size headroom for the largest MTU of any class, or lower nic.mtu",
			Source:     ieeeBudget + ": the largest frame of the port counts",
		},
	}
}

// poolRules are about the memory of headroom.
func poolRules() []Rule {
	return []Rule{
		{
			Code: "RS205", Name: "headroom-exceeds-buffer", Severity: Warning,
			Title:      "the headroom of all groups is more than the buffer that it protects",
			Why:        "No chip has that memory; what is left for bursts would be nothing.",
			Arithmetic: "sum over ports of headroom x lossless groups > switch.buffer.shared",
			Remedy:     "give a headroom pool (switch.buffer.headroom_pool), fewer lossless priorities, or the real size by buffer.total",
			Source:     "SONiC buffer_pool: headroom comes out of the same memory",
		},
		{
			Code: "RS206", Name: "headroom-pool-oversubscribed", Severity: Warning,
			Title:      "the headroom pool is shared by more than it can serve",
			Why:        "If more than pool / sum of the ports overrun at once, packets of the lossless class are lost. A ratio of 2 is usual; up to 4 it is info.",
			Arithmetic: "sum over ports of headroom x lossless groups / switch.buffer.headroom_pool > 4",
			Remedy:     "raise switch.buffer.headroom_pool, or use fewer lossless priorities",
			Source:     "SONiC buffer_pool_mellanox.lua (over_subscribe_ratio); sonic-buildimage pull request 29565 discusses 1:4",
		},
		{
			Code: "RS207", Name: "headroom-row-too-long", Severity: Info,
			Title:      "the headroom table rounds the cable far up",
			Why:        "Memory is kept that cannot be needed, and is missing in the shared pool.",
			Arithmetic: "the row's cable is more than twice the cable's length, and there is a shorter row",
			Remedy:     "add a row for the length to switch.headroom.table",
			Source:     "SONiC pg_profile_lookup.ini: rows for 5, 40 and 300 m",
		},
	}
}

// thresholdRules are about XOFF, pauses and receive buffers.
func thresholdRules() []Rule {
	return []Rule{
		{
			Code: "RS208", Name: "xoff-differs-in-tier", Severity: Warning,
			Title:      "switches of one tier pause at different thresholds",
			Why:        "The one with the lower threshold pauses for bursts that the others absorb, and its senders are the victims.",
			Arithmetic: "alpha or xoff differs from that of most switches of the tier; XOFF of n groups = alpha x pool / (1 + n x alpha)",
			Remedy:     "give all switches of a tier the same switch.lossless",
			Source:     "Guo et al., SIGCOMM 2016, section 6.2: alpha 1/64 on new switches, 1/16 on the others; Choudhury and Hahne, ToN 1998",
		},
		{
			Code: "RS209", Name: "pause-not-refreshed", Severity: Warning,
			Title:      "pauses run out before they are repeated",
			Why:        "The peer goes on sending while the buffer is still above XON, into headroom that is already used.",
			Arithmetic: "refresh is 0, or the refresh period + one frame > pause time of a port, where pause time = quanta x 512 bits / rate of the port",
			Remedy:     "set switch.pfc.refresh: 50% and quanta: 65535",
			Source:     "IEEE 802.3 Annex 31D: one quantum is 512 bit times of the paused port",
		},
		{
			Code: "RS210", Name: "receive-buffer-too-small", Severity: Warning,
			Title:      "a NIC's receive buffer does not hold what arrives after its pause",
			Why:        "A slow host loses packets though it pauses its switch.",
			Arithmetic: "buffer - xoff < rate x (2 x cable + the switch's response and pipeline) + 3 frames + the pause frame",
			Remedy:     "lower nic.receive.xoff, or raise nic.receive.buffer",
			Source:     "the budget of headroom, with the NIC as the receiver",
		},
	}
}

// mixRules are about frames that are not full.
func mixRules() []Rule {
	return []Rule{
		{
			Code: "RS211", Name: "headroom-full-frames-only", Severity: Info,
			Title:      "headroom is enough for full frames, and not for any mix of frames",
			Why:        "Small frames, such as ACKs in the class of the data and short messages, take whole cells of the buffer and come more often: many of them after a pause can overrun it.",
			Arithmetic: "need of RS201 <= headroom < 2 full frames + (a frame that delays the pause + the pause frame + what the rate carries in 2 x cable, response and pipelines) x the buffer for each byte of wire of the frame that fills cells worst",
			Remedy:     "set switch.headroom to the bound shown, or standard: true",
			Source:     ieeeBudget + "; docs/explain.md",
		},
	}
}
