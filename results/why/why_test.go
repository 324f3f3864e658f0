package why

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/results"
	"rocesim/sim"
)

// Every sentence, from a run made for it. The numbers follow from those of
// quiet and of the change.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(r *results.Run)
		severity results.Severity
		want     string
		remedy   string
	}{
		{"PFC never fired", func(*results.Run) {}, results.SeverityInfo,
			"PFC never fired because the deepest priority group reached 22 % of its lowest XOFF threshold (297 KB of 1.35 MB) at leaf0:1>h1 priority 3.", ""},
		{"nothing shared", func(r *results.Run) { r.Queues[leaf1].PeakShared = 0 }, results.SeverityInfo,
			"PFC never fired because no priority group used any of the shared buffer.", ""},
		{"PFC off everywhere", func(r *results.Run) { r.Queues[leaf0].PFC, r.Queues[leaf1].PFC = false, false }, results.SeverityWarning,
			"PFC never fired because it is off on every port that carried lossless traffic, such as leaf0:1>h1 priority 3.", "switch.pfc.enabled"},
		{"no lossless traffic", func(r *results.Run) { r.Queues[leaf0].Lossless, r.Queues[leaf1].Lossless = false, false }, results.SeverityWarning,
			"PFC never fired because no packet came in a class that it protects: most data (4.158 MB at leaf0:1>h1) is in priority 3, which is lossy there.", "switch.dscp_to_tc"},
		{"PFC fired", func(r *results.Run) {
			q := &r.Queues[leaf1]
			q.TxXoff, q.FirstXoff, q.FirstXoffUse, q.FirstXoffThreshold, q.PeakShared, q.PeakHeadroom = 5, 40*us, 1_354_000, 1_350_000, 1_349_900, 9_000
		}, results.SeverityInfo,
			"PFC fired (5 XOFF frames, the first at 40 us) because the priority group leaf0:1>h1 priority 3 reached its XOFF threshold " +
				"(it held 1.354 MB then, and the XOFF threshold was 1.35 MB; of its headroom at most 9 KB of 40 KB was used): its packets waited for leaf0:0>h0, whose queue grew to 300 KB.", "switch.ecn.kmin"},
		{"PFC fired without headroom", func(r *results.Run) {
			q := &r.Queues[leaf1]
			q.TxXoff, q.FirstXoff, q.FirstXoffUse, q.FirstXoffThreshold, q.Headroom = 5, 40*us, 1_349_000, 1_350_000, 0
		}, results.SeverityInfo,
			"reached its XOFF threshold (it held 1.349 MB then, and the next frame did not fit below the XOFF threshold of 1.35 MB; it has no headroom): its packets waited for leaf0:0>h0", "switch.ecn.kmin"},
		{"PFC before ECN", func(r *results.Run) {
			r.Flows = []results.FlowRow{{Completed: us}}
			r.Queues[leaf1].TxXoff, r.Queues[leaf1].XoffMin = 5, 100_000
		}, results.SeverityWarning,
			"PFC acts before ECN: a priority group pauses its sender at 100 KB, while leaf0:0>h0 marks nothing below Kmin 400 KB; with one sender marking never begins.", "switch.ecn.kmin"},
		{"a host pauses", func(r *results.Run) {
			r.Flows = []results.FlowRow{{Src: 1, Dst: 0, Priority: 3, Completed: 800 * us}, {Src: 1, Dst: 2, Priority: 3, Completed: 800 * us}}
			r.Queues[host0].TxXoff = 12
			r.Pauses = []results.Pause{{From: 100 * us, To: 700 * us, Port: leaf0, Priority: 3}, {From: 150 * us, To: 700 * us, Port: host1, Priority: 3}}
		}, results.SeverityWarning, "h0 pauses the fabric: leaf0:0>h0 priority 3 was not allowed to send 60 % of the run, and its pauses spread to 1 other port, up to 1 hop away. " +
			"The congestion begins in that host, not in a switch; innocent victims are bulk (1 flow to other hosts).", "watchdog"},
		{"only a host pauses", func(r *results.Run) { r.Queues[host0].TxXoff = 12 }, results.SeverityInfo,
			"No switch sent XOFF because the deepest priority group reached 22 % of its lowest XOFF threshold", ""},
		{"receive buffer", func(r *results.Run) { r.NICs[0].OutOfBuffer = 3 }, results.SeverityError,
			"h0 dropped 3 packets because its receive buffer was full (out_of_buffer): the host takes data more slowly than it arrives, and pauses came too late or not at all.", "nic.receive.xoff"},
		{"watchdog", func(r *results.Run) {
			r.Storms = []results.StormRow{{Port: leaf0, Priority: 3, Action: "drop", Detected: 200 * us, TxDropped: 5, RxDropped: 2}, {Port: leaf1, Priority: 3, Detected: 300 * us, Restored: 400 * us}}
		}, results.SeverityWarning, "PFC watchdogs acted on 2 storms, first at 200 us at leaf0:0>h0 priority 3 (action drop), and dropped 7 packets; 1 of them had not ended when the run did.", "storms.csv"},

		{"headroom overrun", func(r *results.Run) {
			q := &r.Queues[leaf1]
			q.Headroom, q.PeakHeadroom, q.TxXoff, q.TxPause, r.Queues[host1].RxPause = 10_000, 9_980, 3, 6, 6
			dropped(r, true, "headroom overrun", "data")
		}, results.SeverityError,
			"7 packets dropped in a lossless class because headroom overran: 20,790 B needed, 10,000 B configured (cable there and back 100 ns + response of the peer 500 ns + pipelines 250 ns + " +
				"the frames at both ends and the pause 673.3 ns = 1.523 us at 100Gbps, in which 4 frames begin; with the one that crosses XOFF 5 x 4,158 B). " +
				"The first at 55 us; 7 of them at leaf0:1>h1 priority 3.", "give 20,790 B or more"},
		{"headroom without PFC", func(r *results.Run) { r.Queues[leaf1].PFC = false; dropped(r, true, "headroom overrun", "data") }, results.SeverityError,
			"because PFC is off for priority 3 at leaf0:1>h1 although the class is lossless there, so nothing stopped the peer.", "switch.pfc.enabled"},
		{"a peer that does not obey", func(r *results.Run) {
			r.Queues[host1].PFC, r.Queues[leaf1].TxXoff = false, 4
			dropped(r, true, "headroom overrun", "data")
		}, results.SeverityError,
			"because h1 does not obey pauses of priority 3: leaf0 had sent 4 XOFF frames.", "let h1 obey"},
		{"lost pauses", func(r *results.Run) {
			r.Queues[leaf1].TxPause, r.Queues[host1].RxPause = 10, 7
			dropped(r, true, "headroom overrun", "data")
		}, results.SeverityError,
			"because pause frames got lost: leaf0 sent 10, h1 received 7.", "bit errors"},
		{"headroom pool", func(r *results.Run) {
			r.Queues[leaf1].PeakHeadroom = 12_000
			dropped(r, true, "headroom overrun", "data")
		}, results.SeverityError,
			"because the pool that headroom comes from ran out: the port used 12,000 B of its 40,000 B, all ports together wanted more than there is.", "switch.buffer.headroom_pool"},
		{"cells", func(r *results.Run) {
			r.Queues[leaf1].PeakHeadroom = 39_900
			dropped(r, true, "headroom overrun", "data")
		}, results.SeverityError,
			"headroom overran although full frames fit: 20,790 B needed, 40,000 B configured", "switch.buffer.cell"},
		{"short headroom without a drop", func(r *results.Run) { r.Queues[leaf1].Headroom, r.Queues[leaf1].PeakHeadroom = 12_000, 500 }, results.SeverityWarning,
			"Headroom is smaller than the worst case: 12,000 B configured, 20,790 B could be needed (cable there and back 100 ns + response of the peer 500 ns + pipelines 250 ns + " +
				"the frames at both ends and the pause 673.3 ns = 1.523 us at 100Gbps, in which 4 frames begin; with the one that crosses XOFF 5 x 4,158 B). This run used 500 B of it and dropped nothing.", "standard: true"},
		{"lossy mapping", func(r *results.Run) { dropped(r, true, "lossy mapping, egress limit", "data") }, results.SeverityError,
			"7 packets dropped in a lossless class because their sender takes DSCP 26 for lossless, but leaf0 puts it into priority group 3, which is lossy there (egress limit).", "map DSCP 26"},
		{"remarked on the way", func(r *results.Run) {
			dropped(r, true, "lossy mapping, egress limit", "data")
			r.Drops[0].DSCP = 34
		}, results.SeverityError,
			"7 packets dropped in a lossless class because their sender takes DSCP 26 for lossless, but a switch on the way made it DSCP 34, which leaf0 puts into priority group 3, lossy there (egress limit).", "map DSCP 34"},
		{"lossy mapping without a drop", func(r *results.Run) { r.Queues[leaf1].Lossless = false }, results.SeverityWarning,
			"h1 sends 1,000 packets in priority 3, which it takes for lossless, and leaf0 receives all of it in lossy classes: nothing was dropped this time.", "switch.dscp_to_tc"},
		{"lossy mapping of both", func(r *results.Run) {
			r.Queues[leaf0].Lossless, r.Queues[leaf1].Lossless, r.Queues[host0].TxPackets = false, false, 500
		}, results.SeverityWarning,
			"h0 sends 500 packets in priority 3, which it takes for lossless, and leaf0 receives all of it in lossy classes; so it is with 1 other NIC port: nothing was dropped this time.", "switch.dscp_to_tc"},
		{"lossless egress limit", func(r *results.Run) { dropped(r, true, "egress limit", "data") }, results.SeverityError,
			"because the egress queue that leaf0 puts priority group 3 into is lossy, and was at its limit.", "switch.tc_to_queue"},
		{"lossless WRED", func(r *results.Run) { dropped(r, true, "WRED", "ack") }, results.SeverityError,
			"because WRED drops packets that cannot be marked (ack), between Kmin and Kmax as it marks the others.", "mark_only"},
		{"TTL", func(r *results.Run) { dropped(r, true, "TTL expired", "data") }, results.SeverityError, "because they met more switches than their TTL allows", "fabric.routes"},
		{"no route", func(r *results.Run) { dropped(r, true, "no route", "data") }, results.SeverityError, "because leaf0 knows no next hop to their destination.", "convergence"},
		{"bit errors", func(r *results.Run) { dropped(r, true, "bit error", "data") }, results.SeverityError,
			"because frames on the link leaf0 to h1 had bit errors (a fault of the scenario).", "optics"},
		{"loss", func(r *results.Run) { dropped(r, true, "loss", "data") }, results.SeverityError, "because the link leaf0 to h1 loses frames (a fault of the scenario).", "nic.recovery"},
		{"link down", func(r *results.Run) { dropped(r, true, "link down", "data") }, results.SeverityError,
			"because the link leaf0 to h1 was down (a fault of the scenario) and routing had not turned away yet.", "fabric.convergence"},
		{"reboot", func(r *results.Run) { dropped(r, true, "switch reboot", "data") }, results.SeverityError,
			"because the switch at an end of leaf0 to h1 was restarting (a fault of the scenario).", "fabric.convergence"},
		{"watchdog drops", func(r *results.Run) { dropped(r, true, "PFC watchdog", "data") }, results.SeverityError,
			"because the PFC watchdog drops the class at a port that was paused for too long, to free what waited behind it.", "the node that paused it"},
		{"another cause", func(r *results.Run) { dropped(r, true, "cosmic rays", "data") }, results.SeverityError, `because of "cosmic rays".`, ""},
		{"lossy egress limit", func(r *results.Run) {
			r.Queues[leaf0].EgressDrops = 7
			dropped(r, false, "egress limit", "data")
		}, results.SeverityInfo, "7 packets dropped in a lossy class because the lossy queue leaf0:0>h0 priority 3 was at its limit (300 KB).", "meant to drop"},
		{"lossy ingress limit", func(r *results.Run) { dropped(r, false, "ingress limit", "data") }, results.SeverityInfo,
			"7 packets dropped in a lossy class because the priority group was at its limit in the shared buffer (peak 297 KB).", "meant to drop"},
		{"CNPs dropped", func(r *results.Run) { dropped(r, false, "egress limit", "cnp") }, results.SeverityWarning,
			"7 packets of congestion notification dropped, so senders go on at their rate because a lossy queue was at its limit.", ""},

		{"never marked", func(*results.Run) {}, results.SeverityInfo,
			"ECN never marked because no queue exceeded Kmin: the deepest held 300 KB of 400 KB (75 %) at leaf0:0>h0 priority 3.", ""},
		{"no profile", func(r *results.Run) { r.Queues[leaf0].Kmin, r.Queues[leaf0].Kmax = 0, 0 }, results.SeverityWarning,
			"ECN never marked because no queue that carried anything has a profile: dcqcn runs on the NICs and never hears of congestion.", "switch.ecn.enabled"},
		{"no profile, no control", func(r *results.Run) {
			r.Queues[leaf0].Kmax, r.NICs[0].CongestionControl, r.NICs[1].CongestionControl = 0, "", ""
		}, results.SeverityInfo, "ECN never marked because no queue that carried anything has a profile; no congestion control waits for marks either.", ""},
		{"above Kmin without marks", func(r *results.Run) { r.Queues[leaf0].PeakQueue = 500_000 }, results.SeverityInfo,
			"ECN never marked although a queue held 500 KB, above Kmin 400 KB, at leaf0:0>h0 priority 3", ""},
		{"above Kmin in a paused queue", func(r *results.Run) { r.Queues[leaf0].PeakQueue, r.Queues[leaf0].RxPaused = 500_000, 900*us }, results.SeverityInfo,
			"at leaf0:0>h0 priority 3: packets are marked as they leave, and the queue was paused 90 % of the run.", ""},
		{"control off", func(r *results.Run) {
			r.Queues[leaf0].ECNMarked, r.NICs[0].ECNMarked, r.NICs[0].CNPSent, r.NICs[1].CNPIgnored = 90, 90, 40, 40
		}, results.SeverityWarning,
			"ECN marked 90 packets but the sender did not slow down because no congestion control listens: of 40 CNPs, 40 arrived and were ignored (rp_cnp_ignored).", "cc.algorithm"},
		{"no CNP", func(r *results.Run) { r.Queues[leaf0].ECNMarked, r.NICs[0].ECNMarked = 90, 80 }, results.SeverityWarning,
			"ECN marked 90 packets but the sender did not slow down because no CNP was sent: the 80 marked packets that arrived belong to unreliable datagrams, or notification is off.", "nic.cnp"},
		{"marks lost", func(r *results.Run) { r.Queues[leaf0].ECNMarked = 90 }, results.SeverityWarning,
			"ECN marked 90 packets but the sender did not slow down because none of them reached a NIC.", "behind the marking queue"},
		{"all CNPs lost", func(r *results.Run) {
			r.Queues[leaf0].ECNMarked, r.NICs[0].ECNMarked, r.NICs[0].CNPSent = 90, 90, 40
			dropped(r, false, "egress limit", "cnp")
		}, results.SeverityWarning, "ECN marked 90 packets but the sender did not slow down because all of 40 CNPs got lost (7 were dropped in switches).", "nic.cnp.dscp"},
		{"some CNPs lost", func(r *results.Run) {
			r.Queues[leaf0].ECNMarked, r.NICs[0].ECNMarked, r.NICs[0].CNPSent, r.NICs[1].CNPHandled = 90, 90, 40, 30
		}, results.SeverityWarning,
			"ECN marked 90 packets but senders slowed down less than they should because 10 of 40 CNPs got lost.", "nic.cnp.dscp"},
		{"some do not listen", func(r *results.Run) {
			r.Queues[leaf0].ECNMarked, r.NICs[0].ECNMarked, r.NICs[0].CNPSent, r.NICs[1].CNPHandled, r.NICs[1].CNPIgnored = 90, 90, 40, 30, 10
		}, results.SeverityWarning, "ECN marked 90 packets; some senders slow down (30 CNPs handled), others do not listen (10 ignored).", "without congestion control"},
		{"all well", func(r *results.Run) {
			r.Queues[leaf0].ECNMarked, r.Queues[leaf0].PeakQueue, r.NICs[0].ECNMarked, r.NICs[0].CNPSent, r.NICs[1].CNPHandled = 90, 500_000, 90, 40, 40
		}, results.SeverityInfo, "ECN marked 90 packets, most deeply at leaf0:0>h0 priority 3 (queue up to 500 KB, Kmin 400 KB, Kmax 1.6 MB); 40 CNPs sent, 40 handled.", ""},

		{"stall", func(r *results.Run) {
			r.Manifest.Stop, r.Manifest.Stall = results.Stalled, "at 3us nothing can move: h1 is paused by leaf0:1"
		}, results.SeverityError,
			"The run stalled: at 3us nothing can move: h1 is paused by leaf0:1", "nic.timeout"},
		{"deadlock", func(r *results.Run) {
			r.Manifest.Stop, r.Manifest.Deadlocks = results.Deadlocked, []string{"deadlock at 3 us: s0>s1 -> back to s0>s1"}
		}, results.SeverityError,
			"Buffers wait for each other in a circle: deadlock at 3 us: s0>s1 -> back to s0>s1.", "switch.watchdog"},
		{"unfinished", func(r *results.Run) {
			r.Manifest.Stop = results.StoppedTime
			r.Flows = []results.FlowRow{{Completed: us}, {ID: 1, Unfinished: results.RunEnded}, {ID: 2, Unfinished: results.RunEnded}}
		}, results.SeverityInfo, "Messages were under way when the run ended (stopped at 1 ms): 2 of 3 of bulk.", ""},
		{"unfinished at a stall", func(r *results.Run) {
			r.Manifest.Stop, r.Flows = results.Stalled, []results.FlowRow{{Unfinished: results.RunEnded}}
		}, results.SeverityWarning,
			"Messages were under way when the run ended (stalled at 1 ms): 1 of 1 of bulk.", ""},
		{"stuck", func(r *results.Run) {
			r.Flows = []results.FlowRow{{Unfinished: results.HeldByPause}, {Unfinished: results.AwaitsTimeout}, {Unfinished: results.WindowFull}, {Unfinished: results.AwaitsAck}}
		}, results.SeverityWarning, "4 of 4 messages of bulk unfinished: 1 held up by a pause of their NIC's port, " +
			"1 waiting for a retransmission time-out (nic.timeout; nic.rto_low and nic.rto_high with selective repeat), 1 held up by a full window (nic.window) that no acknowledgement opens and " +
			"1 waiting for an acknowledgement that does not come, without a retransmission timer (nic.timeout 0).", "nic.timeout"},
		{"failed", func(r *results.Run) {
			r.Flows = []results.FlowRow{{Unfinished: results.RetriesSpent}, {Unfinished: results.NeverStarted}, {Unfinished: results.NotAcknowledged}, {Unfinished: results.NotAcknowledged, Delivered: us}}
		}, results.SeverityError, "3 of 4 messages of bulk unfinished: 1 failed because the queue pair's retries were spent, 1 datagrams not delivered: dropped, or on their way when the run ended and " +
			"1 not started because a message before them never ended.", "nic.retry_count"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := quiet()
			c.change(run)
			f := finding(t, run, c.want)
			assert.Equal(t, c.severity, f.Severity)
			assert.Contains(t, f.Remedy, c.remedy)
		})
	}
}

// The slowest flow: a paused hop is a victim, the first behind it to blame.
func TestSlowFlow(t *testing.T) {
	slow := func(change func(r *results.Run)) string {
		run := quiet()
		run.Flows = []results.FlowRow{{Bytes: 1_000_000, Src: 1, Dst: 0, Priority: 3, Start: 100 * us, Completed: 500 * us, Delivered: 499 * us, Ideal: 80 * us}}
		run.Paths = []results.PathHop{{Port: host1, Kind: "data", Priority: 3}, {Port: leaf0, Kind: "data", Priority: 3}}
		run.Ports[leaf0].WireBytes = 12_250_000 // of 12.5 MB in 1 ms
		run.Ports[host1].WireBytes = 6_250_000
		change(run)
		return finding(t, run, "The slowest message").What
	}
	const own = "most of the time passed in h1, but neither other messages nor congestion control account for it (h1:0>leaf0 50 % used, taken over the run); on its way the narrowest hop is "
	const head = "The slowest message of bulk (flow 0, h1 to h0, 1 MB) took 400 us instead of 80 us alone, 5 times as long: "
	assert.Equal(t, head+own+"leaf0:0>h0 (queue up to 300 KB, 24 us of waiting; link 98 % used).", slow(func(*results.Run) {}))
	assert.NotContains(t, slow(func(r *results.Run) { r.Queues[leaf0].PeakQueue = 2_500_000 }), "most of the time", "200 of 320 us are the queue's")
	assert.Contains(t, slow(func(r *results.Run) { r.NICs[1].CNPHandled = 7 }),
		": most of the time passed in h1: congestion control may have cut its rate, which was not sampled; h1 handled 7 CNPs in the run; on its way the narrowest hop is leaf0:0>h0")
	assert.Equal(t, head+"packets were lost on its way, first at leaf0:1>h1 (bit error); h1 sent 40 packets again in all and ran into 1 time-out.",
		slow(func(r *results.Run) {
			r.NICs[1].Retransmitted, r.NICs[1].AckTimeouts = 40, 1
			dropped(r, true, "bit error", "data")
		}))
	assert.Equal(t, head+"h1:0>leaf0 was paused 50 % of that time because of leaf0:1>h1 (queue up to 2 MB, 160 us of waiting; link 0 % used, paused 30 % of the run by h1), "+
		"which is not even on its way to h0: it is a victim of head-of-line blocking.",
		slow(func(r *results.Run) {
			r.Pauses = []results.Pause{{From: 200 * us, To: 400 * us, Port: host1, Priority: 3}}
			r.Queues[leaf1].PeakQueue, r.Queues[leaf1].RxPaused = 2_000_000, 300*us
		}))
	assert.Equal(t, head+"h1:0>leaf0 was paused 50 % of that time; what it waited for is leaf0:0>h0 (queue up to 300 KB, 24 us of waiting; link 98 % used).",
		slow(func(r *results.Run) {
			r.Pauses = []results.Pause{{From: 0, To: 200 * us, Port: host1, Priority: 3}, {From: 250 * us, To: 300 * us, Port: host1, Priority: 3},
				{From: 250 * us, To: 300 * us, Port: host1, Priority: 4}, {From: 450 * us, To: 900 * us, Port: host1, Priority: 3}}
		}))
	assert.Equal(t, head+"leaf0:0>h0 was paused 25 % of that time by h0, the receiver.",
		slow(func(r *results.Run) {
			r.Pauses = []results.Pause{{From: 400 * us, To: 600 * us, Port: leaf0, Priority: 3}}
		}))
	assert.Equal(t, head+own+"h1:0>leaf0 (link 50 % used).", slow(func(r *results.Run) { r.Queues[leaf0].PeakQueue = 0 }))
	assert.Contains(t, slow(func(r *results.Run) { r.Flows[0].Completed, r.Flows[0].Unfinished = 0, results.RunEnded }), "has taken 900 us instead of 80 us alone")

	held := func(t sim.Time) string {
		return slow(func(r *results.Run) {
			r.Pauses = []results.Pause{{From: 200 * us, To: 200*us + t, Port: host1, Priority: 3}}
		})
	}
	assert.Contains(t, held(21*us), "h1:0>leaf0 was paused 5.3 % of that time", "more than a twentieth of 400 us")
	assert.NotContains(t, held(20*us), "paused")

	run := quiet()
	run.Flows = []results.FlowRow{{Start: 100 * us, Completed: 200 * us, Ideal: 80 * us, Priority: 3}}
	run.Paths = []results.PathHop{{Port: host1, Kind: "data", Priority: 3}}
	for _, f := range Explain(run) {
		assert.NotContains(t, f.What, "slowest", "1.25 times the ideal needs no explanation")
	}
}

func TestOrderAndTop(t *testing.T) {
	run := quiet()
	run.Queues[leaf1].Headroom = 12_000 // a warning
	dropped(run, true, "TTL expired", "data")
	all := Explain(run)
	require.Greater(t, len(all), 3)
	assert.Equal(t, results.SeverityError, all[0].Severity)
	assert.Equal(t, results.SeverityWarning, all[1].Severity)
	assert.Len(t, Top(all), 2, "errors and warnings")
	assert.Len(t, Top(Explain(quiet())), 1, "or why it was quiet")
	assert.Empty(t, Top(nil))
}

// Explain survives results without anything in them.
func TestEmptyRun(t *testing.T) {
	findings := Explain(&results.Run{})
	require.Len(t, findings, 1)
	assert.Contains(t, findings[0].What, "ECN never marked")
	assert.Empty(t, Levels(&results.Run{}))
}

// Every packet dropped in a lossless class is in an error that says because.
func TestEveryLosslessDropHasACause(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := quiet()
		var want int64
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			d := results.DropRow{
				Port:     rapid.SampledFrom([]int32{leaf0, leaf1, host0, host1}).Draw(t, "port"),
				Priority: rapid.SampledFrom([]uint8{0, 3, 7}).Draw(t, "priority"),
				Lossless: rapid.Bool().Draw(t, "lossless"),
				Cause: rapid.SampledFrom([]string{"headroom overrun", "ingress limit", "egress limit", "WRED", "TTL expired", "no route",
					"lossy mapping, egress limit", "link down", "watchdog", ""}).Draw(t, "cause"),
				Kind:    rapid.SampledFrom([]string{"data", "ack", "cnp"}).Draw(t, "kind"),
				Packets: rapid.Int64Range(1, 1e6).Draw(t, "packets"),
				First:   sim.Time(rapid.Int64Range(0, 1e9).Draw(t, "first")),
			}
			run.Drops = append(run.Drops, d)
			if d.Lossless {
				want += d.Packets
			}
		}
		var got int64
		for _, f := range Explain(run) {
			if f.Severity == results.SeverityError {
				require.Contains(t, f.What, "dropped in a lossless class because ")
				require.Equal(t, "packets", f.Numbers[0].Name)
				got += int64(f.Numbers[0].Value)
			}
		}
		require.Equal(t, want, got)
	})
}
