package lint_test

import "rocesim/scenarios/rules"

func bufferCases() []ruleCase {
	hostPorts := []string{"leaf0 port h0:leaf0", "leaf0 port h1:leaf0", "leaf0 port h2:leaf0", "leaf0 port h3:leaf0",
		"leaf1 port h4:leaf1", "leaf1 port h5:leaf1", "leaf1 port h6:leaf1", "leaf1 port h7:leaf1"}
	table := "{rate: 100Gbps, cable: 5m, bytes: 60KB}, {rate: 100Gbps, cable: 300m, bytes: 119KB}, {rate: 400Gbps, cable: 40m, bytes: 200KB}"
	return []ruleCase{
		{
			// L10. 100G, 3 m, response 500 ns: a frame 4194 B, the pause 72 B without its
			// gap, 2 x 15 ns 375 B, 6250 B, and the frame stored; no pipelines.
			rule: "headroom-zero", severity: rules.Error,
			fires: []string{"switch.headroom={bytes: 0B}"}, quiet: []string{"switch.headroom={standard: true}"},
			places: hostPorts,
			text:   "lossless groups have no headroom at 100Gbps and 15 ns of cable delay",
			sum: "the peer's response 6.25 KB + a frame is admitted with its last bit 4.182 KB = 1.206 us in flight; " +
				"4 frames of 4.174 KB in cells of 1 B = 16.7 KB > 0 B; the formula of IEEE 802.1Qbb gives 34.06 KB",
		},
		{
			// L11: 2 x 300 m x 5 ns are 37.5 KB at 100G.
			rule: "headroom-too-small", severity: rules.Error,
			fires:  []string{"fabric.host_link.cable=300m", "switch.headroom={bytes: 30720B}"},
			quiet:  []string{"fabric.host_link.cable=300m", "switch.headroom={bytes: 104448B}"},
			places: hostPorts,
			text:   "headroom of 30.72 KB at 100Gbps and 1.5 us of cable delay is 23.54 KB less than can arrive after a pause",
			sum:    "the cable there and back 37.5 KB",
		},
		{
			// A frame of 4174 B takes 17 cells, 4318 B. (4194 B + 84 B + 2 x 150 ns of 400G, 15 kB)
			// x 254 B for an ACK of 86 B on the wire are 56.94 KB, with two frames 65.57 KB.
			rule: "headroom-full-frames-only", severity: rules.Info,
			fires: []string{"switch.buffer.cell=254B", "switch.headroom={bytes: 50KB}"}, quiet: []string{"switch.buffer.cell=254B", "switch.headroom={bytes: 66KB}"},
			places: []string{"leaf0 port leaf0:spine0", "leaf0 port leaf0:spine1", "leaf1 port leaf1:spine0", "leaf1 port leaf1:spine1",
				"spine0 port leaf0:spine0", "spine0 port leaf1:spine0", "spine1 port leaf0:spine1", "spine1 port leaf1:spine1"},
			text: "headroom of 50 KB at 400Gbps and 150 ns of cable delay is enough for full frames, and not for any mix of frames",
			sum: "any mix 2 frames 8.636 KB + (a frame 4.194 KB + pause 84 B + 2 x cable, response and pipelines 15 KB) " +
				"x 254 B of buffer for 86 B of wire (frames of 66 B) = 65.57 KB > 50 KB",
		},
		{
			rule: "headroom-below-standard", severity: rules.Info,
			fires: []string{"switch.headroom={bytes: 60KB}"}, quiet: []string{"switch.headroom={bytes: 84KB}"},
			places: []string{"leaf0 port leaf0:spine0", "leaf0 port leaf0:spine1", "leaf1 port leaf1:spine0", "leaf1 port leaf1:spine1",
				"spine0 port leaf0:spine0", "spine0 port leaf1:spine0", "spine1 port leaf0:spine1", "spine1 port leaf1:spine1"},
			text: "headroom of 60 KB at 400Gbps and 150 ns of cable delay is less than the worst case of IEEE 802.1Qbb",
			sum:  "2 frames 8.388 KB + pause 84 B + 2 x cable 15 KB + response 57.92 KB = 81.39 KB > 60 KB",
		},
		{
			rule: "headroom-for-smaller-mtu", severity: rules.Error,
			fires:  []string{"nic.mtu=9000", "fabric.uplink.rate=100Gbps", "switch.headroom={bytes: 20KB}"},
			quiet:  []string{"nic.mtu=1024", "fabric.uplink.rate=100Gbps", "switch.headroom={bytes: 20KB}"},
			places: hostPorts,
			text:   "headroom of 20 KB at 100Gbps and 15 ns of cable delay is enough for packets of 1024 B, and not for nic.mtu: 9000",
			sum:    "with packets of 1024 B ",
		},
		{
			rule: "headroom-exceeds-buffer", severity: rules.Warning,
			fires: []string{"switch.buffer.shared=1MB"}, quiet: []string{"switch.buffer={shared: 1MB, headroom_pool: 2MB}"},
			places: []string{"leaf0", "leaf1"},
			text:   "headroom takes more memory than the shared pool has",
			sum:    "6 groups have 1.8 MB, the shared pool 1 MB",
		},
		{
			rule: "headroom-pool-oversubscribed", severity: rules.Warning,
			fires: []string{"switch.buffer={shared: 8MB, headroom_pool: 400KB}"}, quiet: []string{"switch.buffer={shared: 8MB, headroom_pool: 2MB}"},
			places: []string{"leaf0", "leaf1"},
			text:   "the headroom pool is promised 4.5 times",
			sum:    "6 groups have 1.8 MB, the pool 400 KB: ratio 4.5",
		},
		{
			// A third of the way from 5 m to 300 m: 60 + 59 x 95/295 = 79 KB.
			rule: "headroom-row-too-long", severity: rules.Info,
			fires: []string{"fabric.host_link.cable=100m", "switch.headroom={table: [" + table + "]}"}, quiet: []string{"switch.headroom={table: [" + table + "]}"},
			places: []string{"leaf0 link h0:leaf0", "leaf0 link h1:leaf0", "leaf0 link h2:leaf0", "leaf0 link h3:leaf0",
				"leaf1 link h4:leaf1", "leaf1 link h5:leaf1", "leaf1 link h6:leaf1", "leaf1 link h7:leaf1"},
			text: "a cable of 100m at 100Gbps has the headroom of 300m",
			sum:  "rows 5m: 60 KB and 300m: 119 KB; in proportion 100m need 79 KB",
		},
		{
			rule: "xoff-differs-in-tier", severity: rules.Warning,
			fires:  []string{"switch.buffer.shared=16MB", "switch.lossless.alpha=1/16", "switch.overrides=[{match: leaf1, lossless: {alpha: 1/64}}]"},
			quiet:  []string{"switch.lossless.alpha=1/16", "switch.overrides=[{match: \"leaf*\", lossless: {alpha: 1/64}}]"},
			places: []string{"leaf1"},
			text:   "the switch pauses at alpha 1/64, and 1 of 2 switches of its tier at alpha 1/16",
			sum:    "XOFF of 1, 4, 16 groups: here 246.2 KB, 235.3 KB, 200 KB; there 941.2 KB, 800 KB, 500 KB",
		},
		{
			// 65535 quanta are 83.9 us at 400G.
			rule: "pause-not-refreshed", severity: rules.Warning,
			fires: []string{"switch.pfc.refresh=0"}, quiet: []string{"switch.pfc.refresh=0", "switch.pfc.infinite=true"},
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "pauses of 400Gbps ports run out before they are repeated",
			sum:    "65535 quanta x 512 bits / 400Gbps = 83.88 us; never repeated",
		},
		{
			// A frame of 4 KiB that the repetition waits for takes 84 ns.
			rule: "pause-not-refreshed", severity: rules.Warning,
			fires: []string{"switch.pfc.refresh=99.95%"}, quiet: []string{"switch.pfc.refresh=99.8%"},
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "pauses of 400Gbps ports run out before they are repeated",
			sum:    "65535 quanta x 512 bits / 400Gbps = 83.88 us; repeated after 83.84 us, up to 83.88 ns later behind a frame",
		},
		{
			rule: "receive-buffer-too-small", severity: rules.Warning,
			fires: []string{"nic.receive={buffer: 256KB, drain: 40Gbps, xoff: 250KB}"}, quiet: []string{"nic.receive={buffer: 256KB, drain: 40Gbps}"},
			places: []string{"h0"},
			text:   "the receive buffer of h0 has 6KB above xoff; up to 13041B may arrive after a pause was sent, and what does not fit is dropped",
			sum:    "100Gbps x 30ns + 3 x 4194 B + 84 B = 13041 B > 256000 B - 250000 B",
		},
	}
}

func ecnCases() []ruleCase {
	return []ruleCase{
		{
			// L14: alpha 1/8 leaves .111, .083, .042 and .025 of the pool to each of 1, 4, 16
			// and 32 groups, and 0.1 to each of 2.
			rule: "ecn-after-pfc", severity: rules.Warning,
			fires:  []string{"switch.buffer.shared=2MB", "switch.lossless.alpha=1/8", "switch.ecn={kmin: 400KB, kmax: 1600KB, pmax: 20%}"},
			quiet:  []string{"switch.buffer.shared=2MB", "switch.lossless.alpha=1/8", "switch.ecn={kmin: 390KB, kmax: 1600KB, pmax: 20%}"},
			places: []string{"leaf0 ports at 100Gbps", "leaf1 ports at 100Gbps", "leaf0 ports at 400Gbps", "leaf1 ports at 400Gbps"},
			text:   "PFC stops the smallest incast before the queue reaches Kmin, 400 KB",
			sum: "2 ingress ports x (0.125 x 2 MB / (1 + 2 x 0.125)) = 400 KB <= Kmin 400 KB; " +
				"XOFF of 1, 4, 16, 32 groups: 222.2 KB (0.11 of the pool), 166.7 KB (0.083 of the pool), 83.33 KB (0.042 of the pool), 50 KB (0.025 of the pool)",
		},
		{
			rule: "kmax-above-xoff", severity: rules.Info,
			fires:  []string{"switch.lossless={xoff: 300KB}", "switch.ecn={kmin: 400KB, kmax: 1600KB, pmax: 20%}"},
			quiet:  []string{"switch.lossless={xoff: 900KB}", "switch.ecn={kmin: 400KB, kmax: 1600KB, pmax: 20%}"},
			places: []string{"leaf0 ports at 100Gbps", "leaf1 ports at 100Gbps", "leaf0 ports at 400Gbps", "leaf1 ports at 400Gbps"},
			text:   "PFC stops the smallest incast before the queue reaches Kmax, 1.6 MB",
			sum:    "2 ingress ports x (300 KB) = 600 KB <= Kmax 1.6 MB; XOFF is static",
		},
		{
			// 2 x (2 x 15 + 2 x 150) ns of cable, a frame and an ACK on two links of each
			// rate, and the NICs: a round trip of 2.55 us, 31.9 KB at 100G.
			rule: "kmax-above-bdp", severity: rules.Info,
			fires: []string{}, quiet: []string{"switch.ecn={kmin: 20KB, kmax: 80KB, pmax: 20%}"},
			places: []string{"leaf0", "leaf1"},
			text:   "Kmax of 100Gbps ports is 50.2 times what they carry in a round trip",
			sum:    "Kmax 1.6 MB > 3 x that; a queue at Kmax lasts 128 us",
		},
		{
			rule: "wred-drops-lossless", severity: rules.Warning,
			fires:  []string{"switch.ecn.mark_only=false"},
			places: []string{"leaf0", "leaf1"}, // the profile of spines is another one
			text:   "WRED drops packets without ECN support in lossless queue 3",
			sum:    "ACKs of 66 B are dropped above Kmin 400 KB, all above Kmax 1.6 MB",
		},
		{
			// SimAI's table falls from 100G to 200G.
			rule: "ecn-not-monotone", severity: rules.Warning,
			fires: []string{"fabric.uplink.rate=200Gbps", "switch.ecn={preset: simai}"}, quiet: []string{"switch.ecn={preset: alibaba}"},
			places: []string{"leaf0", "leaf1"},
			text:   "ports at 200Gbps mark earlier than ports at 100Gbps",
			sum:    "Kmin/Kmax 400 KB/1.6 MB at 100Gbps (32 us of queue), 300 KB/1.2 MB at 200Gbps (12 us)",
		},
		{
			// L09: 75 Gb/s x 55 us are 515.6 KB.
			rule: "speed-step-overshoot", severity: rules.Warning,
			fires:  speedStep("55us"),
			quiet:  speedStep("0ps"),
			places: []string{"sw0 port slow:sw0"},
			text:   "a sender at 100Gbps takes the queue to a receiver at 25Gbps beyond XOFF of one group, 600 KB",
			sum:    "(100Gbps - 25Gbps) x (55 us of nic.cnp.delay + 60 ns of round trip) = 516.2 KB; Kmin 102 KB + 516.2 KB = 618.2 KB; Kmax 416 KB, XOFF 600 KB",
		},
	}
}

// speedStep is L09's fabric with a delay of notifications.
func speedStep(delay string) []string {
	return []string{
		"fabric={topology: explicit, hosts: [fast, slow], switches: [sw0], links: [{a: fast, b: sw0, rate: 100Gbps, cable: 3m}, {a: slow, b: sw0, rate: 25Gbps, cable: 3m}]}",
		"workload=[{name: w, type: flows, flows: [{from: fast, to: slow, bytes: 50MB}]}]",
		"switch.lossless={xoff: 600KB}", "switch.ecn={kmin: 102KB, kmax: 416KB, pmax: 20%}", "nic.cnp.delay=" + delay,
	}
}
