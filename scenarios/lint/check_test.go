package lint_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

// clean has two tiers and nothing to complain of, not even info.
const clean = `
name: clean
stop: {time: 1ms}
fabric:
  topology: leaf-spine
  leaves: 2
  spines: 2
  hosts: 8
  host_link: {rate: 100Gbps, cable: 3m}
  uplink: {rate: 400Gbps, cable: 30m}
switch:
  preset: ideal
  headroom: {bytes: 300KB}
nic: {preset: connectx-6-dx}
cc: {preset: paper}
workload:
  - {name: w, type: saturate, pairs: [[h0, h4], [h1, h4], [h2, h4]], bytes: 1MiB, qps: 16}
`

// resolve makes the plan of a text changed by sets.
func resolve(t testing.TB, text string, sets ...string) *scenarios.Plan {
	t.Helper()
	sc, err := scenarios.Parse("test.yaml", []byte(text), sets)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	return p
}

// of returns the findings of a rule.
func of(found []lint.Finding, rule string) []lint.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f lint.Finding) bool { return f.Rule.Name != rule })
}

// ruleCase is a setting in which a rule fires, and one close to it in which it is
// silent.
type ruleCase struct {
	rule         string
	fires, quiet []string
	// places, text and sum (the arithmetic) are what is said when it fires.
	places    []string
	text, sum string
	severity  rules.Severity
}

func TestCleanScenarioHasNoFinding(t *testing.T) {
	found := lint.Check(resolve(t, clean))
	require.Len(t, found, 1, "but that Alibaba's profile takes bursts")
	assert.Equal(t, "kmax-above-bdp", found[0].Rule.Name)
	assert.Empty(t, lint.Check(resolve(t, clean, "switch.ecn={kmin: 20KB, kmax: 80KB, pmax: 20%}")))
}

// Each rule fires where it should, with the arithmetic that it should, and is
// silent where the mistake is put right.
func TestRules(t *testing.T) {
	all := slices.Concat(classCases(), bufferCases(), ecnCases(), congestionCases(), fabricCases(), timerCases())
	for _, c := range all {
		t.Run(c.rule, func(t *testing.T) {
			found := of(lint.Check(resolve(t, clean, c.fires...)), c.rule)
			require.NotEmpty(t, found, "it does not fire")
			f := &found[0]
			assert.Equal(t, c.places, f.Places())
			assert.Equal(t, c.text, f.Text)
			assert.Contains(t, f.Arithmetic, c.sum)
			assert.Equal(t, c.severity, f.Severity)
			assert.NotEmpty(t, f.Remedy)
			assert.Empty(t, of(lint.Check(resolve(t, clean, c.quiet...)), c.rule), "it is not silent")
		})
	}
	for _, r := range rules.All() {
		tested := slices.ContainsFunc(all, func(c ruleCase) bool { return c.rule == r.Name })
		assert.True(t, tested || r.Name == "unused-ignore", "no case for %v", &r)
	}
}

func classCases() []ruleCase {
	return []ruleCase{
		{
			rule: "data-in-lossy-class", severity: rules.Error,
			fires: []string{"switch.preset=sonic-tomahawk3"}, quiet: []string{"switch.preset=sonic-tomahawk3", "nic.dscp=3", "nic.dscp_to_priority={3: 3}"},
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "data with DSCP 26 lands in a lossy class of 4 of 4 switches (leaf0, ...); lossless are the classes of priorities [3 4]",
			sum:    "DSCP 26 -> class 1 -> group 0, queue 1, lossy; ACKs go the same way (the map: 3->3, 4->4, 5->2, 8->0, 46->5, 48->6, others->1)",
		},
		{
			rule: "pause-priority-differs", severity: rules.Error,
			fires:  []string{"nic.dscp_to_priority={26: 5}"},
			places: []string{"leaf0"},
			text:   "switch leaf0 pauses priority 3 for traffic with DSCP 26, but NICs send it with priority 5 and will not stop",
			sum:    "switch: DSCP 26 -> group 3 -> priority 3; NIC: DSCP 26 -> priority 5",
		},
		{
			rule: "class-differs-on-link", severity: rules.Error,
			fires:  []string{"switch.overrides=[{match: leaf1, dscp_to_tc: {26: 4, 48: 6}, pfc: {priorities: [4]}}]"},
			quiet:  []string{"switch.overrides=[{match: leaf1, dscp_to_tc: {26: 3, 48: 6}, pfc: {priorities: [3, 4]}}]"},
			places: []string{"leaf1"},
			text:   "data with DSCP 26 is treated otherwise than by the neighbours: pauses of priority 3 for it are not obeyed by the sender, which obeys priorities [4]",
			sum: "here DSCP 26 -> class 4 -> queue 4, group 4 -> priority 4, obeys priorities [4]; " +
				"at neighbours (spine0, spine1) DSCP 26 -> class 3 -> queue 3, group 3 -> priority 3, obeys priorities [3]",
		},
		{
			rule: "pfc-off-on-switch", severity: rules.Error,
			fires:  []string{"switch.overrides=[{match: spine1, pfc: {enabled: false}}]"},
			places: []string{"spine1"},
			text:   "PFC is off for priority 3 of data with DSCP 26, which 3 of 4 switches pause",
			sum:    "DSCP 26 -> class 3 -> priority 3, enabled are priorities []",
		},
		{
			rule: "pfc-off-on-nic", severity: rules.Error,
			fires:  []string{"nic.overrides=[{match: \"h[0-1]\", pfc: {priorities: [4]}}]"},
			quiet:  []string{"nic.overrides=[{match: h4, pfc: {enabled: false}}]"}, // it only receives
			places: []string{"h0", "h1"},
			text:   "the switch pauses priority 3 for data with DSCP 26, and the NIC does not obey",
			sum:    "DSCP 26 -> class 3 -> priority 3; the NIC obeys priorities [4]",
		},
		{
			rule: "cnp-in-data-queue", severity: rules.Warning,
			fires: []string{"nic.cnp.dscp=26"},
			quiet: []string{"nic.cnp.dscp=26", "nic.cnp.echo=true"},
			// Kmax is 1.6 MB at 100G, 128 us.
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "CNPs (DSCP 26) wait in queue 3 behind data with DSCP 26",
			sum:    "DSCP 26 -> class 3 -> queue 3, as DSCP 26; a queue at Kmax lasts up to 128 us at each congested hop",
		},
		{
			// 98 bytes of CNP for each 4178 of data are 2.346 Gb/s; 1/101 of 100G is
			// 0.99 Gb/s, 1/11 is enough.
			rule: "cnp-starved", severity: rules.Warning,
			fires:  []string{"cc.cnp_interval=0ps", "switch.strict_queues=[]", "switch.queue_weights={3: 100, 6: 1}"},
			quiet:  []string{"cc.cnp_interval=0ps", "switch.strict_queues=[]", "switch.queue_weights={3: 10, 6: 1}"},
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "queue 6 is guaranteed less than the CNPs in it need",
			sum:    "48 flows into h4 make up to 2.346 Gbps of CNPs; weight 1 of 101 at 100Gbps guarantees 990.1 Mbps",
		},
		{
			rule: "cnp-dropped-by-wred", severity: rules.Warning,
			fires:  []string{"switch.ecn={preset: alibaba, queues: [3, 6], mark_only: false}"},
			quiet:  []string{"switch.ecn={preset: alibaba, queues: [3, 6]}"},
			places: []string{"leaf0", "leaf1"},
			text:   "WRED drops CNPs in queue 6",
			sum:    "DSCP 48 -> queue 6, profile Kmin 400 KB, Kmax 1.6 MB, not mark_only",
		},
		{
			// The data is in class 3, whose pause is that of priority and queue 3.
			rule: "pause-stops-other-queue", severity: rules.Error,
			fires: []string{"switch.tc_to_queue={3: 2}"}, quiet: []string{"switch.tc_to_queue={5: 2}"},
			places: []string{"leaf0", "spine0", "spine1", "leaf1"},
			text:   "pauses for data with DSCP 26 stop queue 3, and the data waits in queue 2",
			sum:    "DSCP 26 -> class 3 -> queue 2; class 3 -> group 3 -> priority 3, which stops queue 3",
		},
		{
			rule: "pcp-without-tag", severity: rules.Warning,
			fires: []string{"switch.trust=pcp"}, quiet: []string{"switch.trust=pcp", "nic.framing=rocev2-vlan"},
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "the switch classifies by the priority of 802.1Q tags, and NICs send none",
			sum:    "trust pcp, nic.framing rocev2: a real port gives such frames its default class",
		},
		{
			// 15 / (15 + 14) and 14 / (15 + 14).
			rule: "queue-share", severity: rules.Info,
			fires:  []string{"switch.queue_weights={0: 14, 3: 15}", "workload=[{name: a, type: saturate, pairs: [[h0, h4]], bytes: 1MiB}, {name: b, type: saturate, pairs: [[h1, h4]], bytes: 1MiB, dscp: 0}]"},
			quiet:  []string{"switch.queue_weights={0: 14, 3: 15}"},
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "queues with weights share the ports when all have packets",
			sum:    "queue 0 (DSCP 0) 14 / 29 = 48.28 %; queue 3 (DSCP 26) 15 / 29 = 51.72 %",
		},
		{
			// A spine that remarks all that passes, though nobody knows the new code point.
			rule: "remarked-lossy", severity: rules.Error,
			fires:  []string{"switch.overrides=[{match: \"spine*\", bump: {dscp: {26: 34}, from: \"leaf*\", to: \"leaf*\"}}]"},
			quiet:  []string{"switch.overrides=[{match: \"spine*\", bump: {dscp: {26: 34}, from: \"leaf*\", to: \"leaf*\"}}]", "switch.dscp_to_tc={26: 3, 34: 4, 48: 6}", "switch.pfc.priorities=[3, 4]"},
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "data with DSCP 26 is given DSCP 34, whose class is lossy",
			sum:    "switch.bump: DSCP 26 -> class 3, lossless, becomes DSCP 34 -> class 0 -> group 0, queue 0, lossy",
		},
		{
			// One way are 2 x 3 m and 2 x 30 m, there and back 660 ns, and the latencies of
			// the NICs.
			rule: "lossy-go-back-n", severity: rules.Info,
			fires: []string{"switch.pfc.enabled=false"}, quiet: []string{"switch.pfc.enabled=false", "nic.recovery=selective-repeat"},
			text: "no switch pauses data with DSCP 26, and a loss repeats all that follows it (go-back-n)",
			sum:  "1 % of loss leaves",
		},
	}
}

// One mistake is one finding, at what is to change: what many links, ports and
// rates show is told once, and where all but a few switches agree with the NICs,
// those few are wrong.
func TestOneFindingForOneCause(t *testing.T) {
	for _, c := range []struct {
		mistake, rule, path, remedy string
		places                      []string
	}{
		{"switch.overrides=[{match: leaf1, dscp_to_tc: {26: 4}}]", "class-differs-on-link", "switch.overrides[0].dscp_to_tc",
			"set switch.overrides[0].dscp_to_tc: {26: 3}", []string{"leaf1"}},
		{"switch.overrides=[{match: \"spine*\", dscp_to_tc: {26: 4}}]", "class-differs-on-link", "switch.overrides[0].dscp_to_tc",
			"set switch.overrides[0].dscp_to_tc: {26: 3}", []string{"spine0", "spine1"}},
		{"switch.overrides=[{match: leaf0, tc_to_queue: {3: 4}}]", "pause-stops-other-queue", "switch.overrides[0].tc_to_queue",
			"set switch.overrides[0].tc_to_queue: {3: 3}", []string{"leaf0"}},
		{"switch.tc_to_group={3: 0}", "data-in-lossy-class", "switch.tc_to_group",
			"set switch.tc_to_group: {3: 3}", []string{"leaf0", "leaf1", "spine0", "spine1"}},
		{"switch.pfc.priorities=[4, 5]", "data-in-lossy-class", "switch.pfc.priorities",
			"set switch.pfc.priorities: [3, 4, 5]", []string{"leaf0", "leaf1", "spine0", "spine1"}},
		{"switch.overrides=[{match: leaf0, dscp_to_tc: {26: 1}}]", "data-in-lossy-class", "switch.overrides[0].dscp_to_tc",
			"set switch.overrides[0].dscp_to_tc: {26: 3}", []string{"leaf0"}},
	} {
		found := lint.Check(resolve(t, clean, "switch.pfc.priorities=[3, 4]", c.mistake))
		found = slices.DeleteFunc(found, func(f lint.Finding) bool { return f.Severity < rules.Warning })
		require.Len(t, found, 1, c.mistake)
		f := &found[0]
		assert.Equal(t, c.rule, f.Rule.Name)
		assert.Equal(t, c.path, f.Path)
		assert.Equal(t, "--set "+c.mistake, f.Pos.String())
		assert.Equal(t, c.remedy, f.Remedy)
		assert.Equal(t, c.places, f.Places())
	}
}

// Data of an entry whose code point NICs send with a lossless priority is meant to be
// lossless: a switch that does not know it is found once, though its neighbours differ.
func TestSecondLosslessClass(t *testing.T) {
	sets := []string{"switch.pfc.priorities=[3, 4]", "nic.dscp_to_priority={26: 3, 34: 4}",
		"workload=[{name: a, type: saturate, pairs: [[h0, h4]], bytes: 1MiB}, {name: b, type: saturate, pairs: [[h1, h5]], bytes: 1MiB, dscp: 34}]"}
	shown := func(more ...string) []lint.Finding {
		found := lint.Check(resolve(t, clean, append(sets[:len(sets):len(sets)], more...)...))
		return slices.DeleteFunc(found, func(f lint.Finding) bool { return f.Severity < rules.Warning })
	}
	found := shown()
	require.Len(t, found, 1)
	assert.Equal(t, "data-in-lossy-class", found[0].Rule.Name)
	assert.Equal(t, rules.Error, found[0].Severity)
	assert.Equal(t, []string{"leaf0", "leaf1", "spine0", "spine1"}, found[0].Places())
	assert.Equal(t, "data with DSCP 34 lands in a lossy class, though NICs send it with priority 4, which switches pause", found[0].Text)
	assert.Equal(t, "NIC: DSCP 34 -> priority 4; switch: DSCP 34 -> class 0 -> group 0, queue 0, lossy; ACKs go the same way", found[0].Arithmetic)
	assert.Empty(t, shown(settings(found[0].Remedy)...))
	assert.Empty(t, shown("switch.dscp_to_tc={26: 3, 34: 4, 48: 6}"))
	assert.Equal(t, rules.Warning, shown("nic.dscp_to_priority={26: 3}")[0].Severity, "34 / 8 is 4")
	assert.Empty(t, shown("nic.dscp_to_priority={26: 3, 34: 0}"), "it is meant to be lossy")

	found = shown("switch.dscp_to_tc={26: 3, 34: 4, 48: 6}", "switch.overrides=[{match: leaf1, dscp_to_tc: {26: 3, 34: 0, 48: 6}}]")
	require.Len(t, found, 1)
	assert.Equal(t, []string{"leaf1"}, found[0].Places())
	assert.Equal(t, []string{"switch.overrides[0].dscp_to_tc={26: 3, 34: 4, 48: 6}"}, settings(found[0].Remedy))
}

// An incast that is let on only when its buffer has drained pauses the spines for
// longer than their watchdogs bear: 1 x 3.9 MB at 10 Gb/s are 3.12 ms.
func TestIncastIsNoStorm(t *testing.T) {
	sets := []string{"fabric.host_link.rate=10Gbps", "fabric.uplink.rate=40Gbps", "fabric.spines=1", "switch.lossless={xoff: 4MB, xon_offset: 3900KB}", "nic.timeout=1s"}
	of := func(more string) []lint.Finding {
		return of(lint.Check(resolve(t, clean, append(sets, more)...)), "watchdog-hasty")
	}
	found := of("switch.watchdog={poll: 1ms, detect: 3ms, restore: 3ms}")
	require.Len(t, found, 1)
	assert.Equal(t, []string{"spine0 port leaf1:spine0"}, found[0].Places())
	assert.Equal(t, "an incast of 1 ingress port(s) pauses them from XOFF to XON: 1 x 3.9 MB / 10Gbps = 3.12 ms > detect 3 ms", found[0].Arithmetic)
	assert.Equal(t, "set switch.watchdog.detect: 8ms and switch.watchdog.restore: 8ms, or more", found[0].Remedy)
	assert.Empty(t, of("switch.watchdog={poll: 1ms, detect: 4ms, restore: 4ms}"))
	assert.Equal(t, rules.Info, of("switch.watchdog={poll: 1ms, detect: 3ms, restore: 3ms, action: alert}")[0].Severity)
}

// A time-out below the round trip is one finding for all NICs that have it, with the
// longest way of their traffic.
func TestTimeoutBelowRoundTrip(t *testing.T) {
	sets := []string{"fabric.uplink={rate: 400Gbps, cable: 2km}", "switch.headroom={standard: true}", "workload[w].pairs=[[h0, h1], [h1, h4], [h2, h4], [h3, h2]]"}
	of := func(more ...string) []lint.Finding {
		return of(lint.Check(resolve(t, clean, append(sets, more...)...)), "timeout-below-round-trip")
	}
	// 4 x 10 us on the long cables, and 2.9 us of NICs, frames and the other cables.
	found := of("nic.timeout=20us")
	require.Len(t, found, 1)
	assert.Equal(t, []string{"h1", "h2"}, found[0].Places(), "h0 and h3 stay below their leaf")
	assert.Equal(t, "nic.timeout", found[0].Path)
	assert.Equal(t, "a NIC sends again after 20 us, before the answer to a packet can be back", found[0].Text)
	assert.Regexp(t, `^a full packet and its ACK take 4\d\.\d+ us on an idle fabric > 20 us of nic\.timeout, so each lone packet is sent again$`, found[0].Arithmetic)
	sets = append(sets, settings(found[0].Remedy)...)
	assert.Empty(t, of())
	found = of("nic.recovery=selective-repeat", "nic.rto_low=25us", "nic.rto_high=50us")
	require.Len(t, found, 1)
	assert.Equal(t, "nic.rto_low", found[0].Path)
	assert.Empty(t, of(append(settings(found[0].Remedy), "nic.recovery=selective-repeat")...))
	assert.Empty(t, of("nic.timeout=0ps"), "it waits for ever")
}

// A mistake of single NICs names them.
func TestSingleNICs(t *testing.T) {
	cnp := of(lint.Check(resolve(t, clean, "nic.overrides=[{match: h4, cnp: {dscp: 26}}]")), "cnp-in-data-queue")
	require.Len(t, cnp, 1)
	assert.Equal(t, "nic.overrides[0].cnp.dscp", cnp[0].Path)
	assert.Equal(t, "set nic.overrides[0].cnp.dscp: 48", cnp[0].Remedy)
	found := of(lint.Check(resolve(t, clean, "nic.overrides=[{match: h2, dscp_to_priority: {26: 5}}]")), "pause-priority-differs")
	require.Len(t, found, 1)
	assert.Equal(t, []string{"h2"}, found[0].Places())
	assert.Equal(t, "switches pause priority 3 for data with DSCP 26, and the NIC sends it with priority 5", found[0].Text)

	found = of(lint.Check(resolve(t, clean, "switch.watchdog={}", "nic.overrides=[{match: \"h[2-3]\", timeout: 16ms}]")), "retries-end-before-watchdog")
	require.Len(t, found, 1)
	assert.Equal(t, []string{"h2", "h3"}, found[0].Places())
	assert.Contains(t, found[0].Arithmetic, "16ms x (7 + 1) = 128ms < 200ms + 200ms = 400ms")
}

func congestionCases() []ruleCase {
	return []ruleCase{
		{
			// L16, and the share of time that PFC alone stops three senders.
			rule: "reaction-without-marks", severity: rules.Warning,
			fires:  []string{"switch.ecn.enabled=false"},
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "DCQCN is on for data with DSCP 26, and queue 3 does not mark it",
			sum:    "queue 3 without ECN profile: 0 marks, 0 CNPs; 3 senders into h4 at line rate are paused 1 - 1/3 = 66.67 % of the time",
		},
		{
			// L17: the fourth flow is no part of the incast, and waits for it.
			rule: "marks-without-reaction", severity: rules.Warning,
			fires: []string{"cc.preset=none", "workload[w].pairs=[[h0, h4], [h1, h4], [h2, h4], [h3, h5]]"}, quiet: []string{"cc.preset=none", "switch.ecn.enabled=false"},
			places: []string{"leaf0", "leaf1", "spine0", "spine1"},
			text:   "switches mark data with DSCP 26, and no sender reacts",
			sum: "marks from Kmin 400 KB on; cc.algorithm none cuts no rate; 3 senders into h4 at line rate are paused 1 - 1/3 = 66.67 % of the time; " +
				"h3 to h5 shares links with an incast and is stopped with it",
		},
		{
			// 100 Gb/s by 5 Mb/s in 300 us are 6 s, by 50 Mb/s 0.6 s.
			rule: "increase-not-scaled", severity: rules.Info,
			fires: []string{"cc.preset=connectx"}, quiet: []string{"cc.preset=connectx", "cc.rate_ai=50Mbps"},
			places: []string{"h0", "h1", "h2"},
			text:   "regaining 100Gbps takes 6 s in steps of rate_ai",
			sum:    "100Gbps / 5Mbps x 300 us = 6 s; by rate_hai 50Mbps 600 ms",
		},
		{
			rule: "mixed-congestion-control", severity: rules.Warning,
			fires: []string{"workload=[{name: a, type: saturate, pairs: [[h0, h4]], bytes: 1MiB}, {name: b, type: saturate, pairs: [[h1, h4]], bytes: 1MiB, no_cc: true}]"},
			quiet: []string{"workload=[{name: a, type: saturate, pairs: [[h0, h4]], bytes: 1MiB}, {name: b, type: saturate, pairs: [[h1, h4]], bytes: 1MiB, no_cc: true, dscp: 0}]"},
			text:  "data with DSCP 26 partly reacts to marks and partly does not",
			sum:   "with DCQCN: [a], without: [b]",
		},
		{
			// L36.
			rule: "one-queue-pair-on-bond", severity: rules.Info,
			fires: []string{"fabric.nics_per_host=2", "workload[w].qps=1"}, quiet: []string{"fabric.nics_per_host=2", "workload[w].qps=2"},
			places: []string{"h0", "h1", "h2"},
			text:   "1 queue pair(s) of w between hosts with 2 NICs use 1 of them",
			sum:    "1 x 100Gbps of 2 x 100Gbps",
		},
		{
			rule: "timeout-below-round-trip", severity: rules.Warning,
			fires:  []string{"nic.recovery=selective-repeat", "fabric.host_link={rate: 100Gbps, delay: 60us}", "switch.headroom.bytes=3MB"},
			quiet:  []string{"nic.recovery=selective-repeat"},
			places: []string{"h0"},
			text:   "nic.rto_low is 100us, less than the 120us that the first link of NIC h0 takes to and fro; packets will be sent twice",
			sum:    "2 x 60us = 120us > 100us",
		},
	}
}

func fabricCases() []ruleCase {
	fatTree := []string{"fabric={topology: fat-tree, k: 4, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 100Gbps, cable: 3m}}"}
	ring := []string{"fabric={topology: ring, switches: 3, hosts_per_switch: 1, host_link: {rate: 100Gbps, cable: 3m}, ring_link: {rate: 100Gbps, cable: 3m}, " +
		"routes: [{at: sw0, to: h2, via: [sw1]}, {at: sw1, to: h0, via: [sw2]}, {at: sw2, to: h1, via: [sw0]}]}"}
	return []ruleCase{
		{
			rule: "same-hash-seed", severity: rules.Warning,
			fires: append(fatTree, "switch.hash_seeds=same"), quiet: fatTree,
			places: []string{"edge0_0 and agg0_0"},
			text:   "tiers 0 and 1 choose paths by the same hash",
			sum:    "2 x 2 ways, one hash: 2 of 4 paths are used",
		},
		{
			// 3 queue pairs on 2 ways: all on one with a chance of 1/4, so the slowest get 1/4 x 1.5/3 + 3/4 x 1.5/2.
			rule: "few-flows", severity: rules.Info,
			fires: []string{"workload[w].qps=1"}, quiet: []string{"workload[w].qps=1", "switch.routing=spray-round"},
			places: []string{"leaf0"},
			text:   "few queue pairs leave a switch by many ways",
			sum:    "leaf0: 3 queue pairs on 2 ways; two meet with a chance of 100 %, the fullest way has 2.2 on average, and the slowest get 68.8 % of an even share",
		},
		{
			rule: "tier-oversubscribed", severity: rules.Info,
			fires: []string{"fabric.uplink.rate=100Gbps"}, quiet: []string{"fabric.uplink.rate=200Gbps"},
			places: []string{"leaf0", "leaf1"},
			text:   "tier 0 is oversubscribed 2 to 1",
			sum:    "400Gbps down / 200Gbps up = 2",
		},
		{
			// All traffic clockwise, two hops; one hop each closes no circle.
			rule: "buffer-cycle", severity: rules.Warning,
			fires: append(slices.Clone(ring), "workload=[{name: w, type: saturate, pairs: [[h0, h2], [h1, h0], [h2, h1]], bytes: 1MiB}]"),
			quiet: append(slices.Clone(ring), "workload=[{name: w, type: saturate, pairs: [[h0, h2]], bytes: 1MiB}]"),
			text:  "buffers can wait for each other in a circle (cyclic buffer dependency), so a deadlock is possible: sw0>sw1 priority 3 -> sw1>sw2 priority 3 -> sw2>sw0 priority 3 -> back to sw0>sw1",
			sum:   "each buffer of the circle can hold packets for the next one",
		},
		{
			rule: "route-loop", severity: rules.Warning,
			fires: []string{"fabric.routes=[{at: spine0, to: h4, via: [leaf0]}, {at: leaf0, to: h4, via: [spine0]}]"},
			text:  "packets to h4 can go in circles until their hop limit is reached: leaf0 > spine0 > leaf0",
			sum:   "the next hops lead back to the first switch",
		},
		{
			// L28: a spine that loses its link sends what is for h4 down to the other leaf,
			// which is told to send it up again.
			rule: "circle-after-failure", severity: rules.Info,
			fires:  []string{"fabric.routes=[{at: leaf0, to: h4, via: [spine0]}]"},
			places: []string{"link leaf1:spine0"},
			text:   "the failure of a link lets buffers wait for each other, or packets go, in a circle",
			sum:    "without link leaf1:spine0 buffers can wait for each other in a circle",
		},
	}
}

func timerCases() []ruleCase {
	return []ruleCase{
		{
			rule: "watchdog-blind", severity: rules.Warning,
			fires: []string{"switch.watchdog={}", "switch.pfc.refresh=0", "nic.timeout=1s"}, quiet: []string{"switch.watchdog={}", "nic.timeout=1s"},
			text: "the watchdog looks for pause frames, but switches do not repeat theirs: it sees storms of NICs only",
			sum:  "the watchdog needs one in each look of 200ms",
		},
		{
			rule: "retries-end-before-watchdog", severity: rules.Warning,
			fires: []string{"switch.watchdog={}", "nic.timeout=16ms"}, quiet: []string{"switch.watchdog={}", "nic.timeout=60ms"},
			text: "queue pairs give up 128ms after their last progress (nic.timeout, nic.retry_count), and a watchdog takes 400ms at least to detect a storm and restore the queue; they will not live through it",
			sum:  "16ms x (7 + 1) = 128ms < 200ms + 200ms = 400ms",
		},
		{
			rule: "nic-watchdog-late", severity: rules.Warning,
			fires: []string{"switch.watchdog={}", "nic.watchdog.after=300ms"}, quiet: []string{"switch.watchdog={}", "nic.watchdog.after=100ms"},
			text: "NICs stop their own storms after 300ms (nic.watchdog), no earlier than switches act, 200ms (switch.watchdog.detect)",
			sum:  "300ms >= 200ms",
		},
		{
			rule: "watchdog-differs", severity: rules.Warning,
			fires:  []string{"switch.watchdog={}", "switch.overrides=[{match: spine0, watchdog: {detect: 400ms}}]"},
			quiet:  []string{"switch.watchdog={ports: hosts}", "switch.overrides=[{match: spine0, watchdog: {detect: 400ms, ports: hosts}}]"},
			places: []string{"leaf0 and spine0 link leaf0:spine0", "leaf1 and spine0 link leaf1:spine0"},
			text:   "the two ends of a link watch for storms differently",
			sum:    "poll 200 ms, detect 200 ms, restore 200 ms; poll 200 ms, detect 400 ms, restore 800 ms",
		},
		{
			// 250 ms of a host that stands still, and 250 KB (from 750 to 500 KB) at 220 Gb/s
			// of PCIe, 9.1 us.
			rule: "watchdog-hasty", severity: rules.Warning,
			fires:  []string{"switch.watchdog={}", "nic.timeout=1s", "nic.overrides=[{match: h4, receive: {buffer: 1MB, hiccup: {every: 1s, for: 250ms}}}]"},
			quiet:  []string{"switch.watchdog={}", "nic.timeout=1s", "nic.overrides=[{match: h4, receive: {buffer: 1MB, hiccup: {every: 1s, for: 150ms}}}]"},
			places: []string{"leaf1 port h4:leaf1"},
			text:   "the watchdog takes a pause of 250 ms for a storm after 200 ms",
			sum:    "a NIC pauses its switch from xoff to xon: 250 ms of hiccup + 250 KB / 220Gbps = 250 ms > detect 200 ms",
		},
	}
}
