package lint_test

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

// crowded pauses hosts and switches all the time: three senders, two of them at
// another leaf, and thresholds that fill within microseconds. Nothing is lost.
const crowded = `
name: crowded
stop: {time: 500us}
fabric: {topology: leaf-spine, leaves: 2, spines: 2, hosts: 8, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 400Gbps, cable: 30m}}
switch:
  preset: ideal
  buffer: {shared: 2MB}
  lossless: {xoff: 200KB, xon_offset: 3KB}
  headroom: {standard: true}
  ecn: {enabled: false}
nic: {preset: connectx-6-dx}
cc: {preset: none}
workload:
  - {name: w, type: saturate, pairs: [[h0, h4], [h1, h4], [h5, h4]], bytes: 1MiB, qps: 2, depth: 2}
`

// claim is what a rule says will happen: in a run of the mistake, and not in one of
// the same scenario put right.
type claim struct {
	rule, scenario string
	// always are flags of both runs, mistake and cure those of one.
	always, mistake, cure []string
	// wrong and right are conditions on the results.
	wrong, right []string
}

// usual are the claims about classes, pauses and headroom: PFC is meant to be at
// work and to lose nothing.
func usualClaims() []claim {
	lost := []string{"drops.lossless > 0", "pfc.pauses > 0"}
	works := []string{"drops.total == 0", "pfc.pauses > 0"}
	return []claim{
		{rule: "data-in-lossy-class", mistake: []string{"switch.dscp_to_tc={26: 1}"}, wrong: []string{"drops.lossless > 0", "pfc.pauses == 0"}, right: works},
		{rule: "pause-priority-differs", mistake: []string{"nic.dscp_to_priority={26: 5}"}, wrong: lost, right: works},
		{rule: "class-differs-on-link", mistake: []string{"switch.overrides=[{match: leaf1, dscp_to_tc: {26: 4, 48: 6}, pfc: {priorities: [4]}}]"}, wrong: lost, right: works},
		{rule: "pfc-off-on-switch", mistake: []string{"switch.overrides=[{match: leaf1, pfc: {enabled: false}}]"}, wrong: []string{"drops.lossless{node=leaf1} > 0"}, right: works},
		{rule: "pfc-off-on-nic", mistake: []string{"nic.overrides=[{match: h5, pfc: {enabled: false}}]"}, wrong: lost, right: works},
		{rule: "pause-stops-other-queue", mistake: []string{"switch.tc_to_queue={3: 2}"}, wrong: lost, right: works},
		{
			rule:    "remarked-lossy",
			always:  []string{"switch.overrides=[{match: \"spine*\", bump: {dscp: {26: 34}, from: \"leaf*\", to: \"leaf*\"}}]"},
			mistake: []string{"switch.pfc.priorities=[3]"}, cure: []string{"switch.dscp_to_tc={26: 3, 34: 4, 48: 6}", "switch.pfc.priorities=[3, 4]"},
			wrong: []string{"drops.lossless > 0", "drops.lossy == 0"}, right: works,
		},
		{rule: "headroom-zero", mistake: []string{"switch.headroom={bytes: 0B}"}, wrong: lost, right: works},
		{
			// Six ports of 20 KB in a pool of 20 KB; three of them overrun at once.
			rule: "headroom-pool-oversubscribed", always: []string{"switch.headroom={bytes: 20KB}", "workload[w].pairs=[[h5, h4], [h6, h4], [h7, h4]]"},
			mistake: []string{"switch.buffer.headroom_pool=20KB"}, wrong: lost, right: works,
		},
		{rule: "pause-not-refreshed", mistake: []string{"switch.pfc={quanta: 100, refresh: 0}"}, wrong: lost, right: works},
		{
			rule:    "receive-buffer-too-small",
			mistake: []string{"nic.overrides=[{match: h4, receive: {buffer: 100KB, xoff: 95KB, drain: 20Gbps}}]"},
			cure:    []string{"nic.overrides=[{match: h4, receive: {buffer: 100KB, xoff: 60KB, drain: 20Gbps}}]"},
			wrong:   []string{"out_of_buffer > 0"}, right: []string{"out_of_buffer == 0", "drops.total == 0"},
		},
		{
			rule: "buffer-cycle", scenario: ringOfThree, wrong: []string{"deadlocks > 0"},
			cure: []string{"workload[w].pairs=[[h0, h2]]"}, right: []string{"deadlocks == 0"},
		},
	}
}

// ringOfThree has flows of two hops each, clockwise.
const ringOfThree = `
name: ring
stop: {time: 5ms}
fabric:
  topology: ring
  switches: 3
  hosts_per_switch: 1
  host_link: {rate: 100Gbps, cable: 3m}
  ring_link: {rate: 100Gbps, cable: 3m}
  routes: [{at: sw0, to: h2, via: [sw1]}, {at: sw1, to: h0, via: [sw2]}, {at: sw2, to: h1, via: [sw0]}]
switch: {preset: ideal, lossless: {xoff: 100KB, xon_offset: 3KB}, headroom: {standard: true}, ecn: {enabled: false}}
nic: {preset: connectx-6-dx}
cc: {preset: none}
workload: [{name: w, type: saturate, pairs: [[h0, h2], [h1, h0], [h2, h1]], bytes: 1MiB}]
`

// controlClaims are those about marks, DCQCN, paths and timers.
func controlClaims() []claim {
	dcqcn := []string{"cc.preset=paper", "switch.ecn={preset: alibaba, enabled: true, kmin: 50KB, kmax: 150KB, pmax: 20%}"}
	l09 := publicCases()[1].scenario
	return []claim{
		{
			// Two ports feed 400 KB, three 600 KB before PFC.
			rule: "ecn-after-pfc", always: dcqcn, mistake: []string{"switch.ecn.kmin=700KB", "switch.ecn.kmax=900KB"},
			wrong: []string{"ecn.marks == 0", "cnp.sent == 0", "pfc.pauses > 0"}, right: []string{"ecn.marks > 0", "cnp.handled > 0"},
		},
		{rule: "speed-step-overshoot", scenario: l09, wrong: []string{"pfc.pauses > 0"}, cure: []string{"nic.cnp.delay=0ps"}, right: []string{"pfc.pauses == 0", "cnp.handled > 0"}},
		{
			rule: "wred-drops-lossless", always: append(dcqcn, "workload[w].pairs=[[h0, h4], [h1, h4], [h5, h4], [h4, h0]]"), mistake: []string{"switch.ecn.mark_only=false"},
			wrong: []string{"drops.lossless > 0"}, right: []string{"drops.lossless == 0"},
		},
		{
			rule: "reaction-without-marks", always: dcqcn, mistake: []string{"switch.ecn.enabled=false"},
			wrong: []string{"ecn.marks == 0", "cnp.sent == 0", "pfc.pauses > 0"}, right: []string{"ecn.marks > 0", "cnp.handled > 0"},
		},
		{
			// Three equal senders are stopped for two thirds of the time.
			rule: "marks-without-reaction", always: append(dcqcn, "workload[w].pairs=[[h5, h4], [h6, h4], [h7, h4]]", "stop.time=2ms"), mistake: []string{"cc.preset=none"},
			wrong: []string{"ecn.marks > 0", "cnp.handled == 0", "pfc.paused_time_fraction.max ~= 0.667 +- 5%"}, right: []string{"cnp.handled > 0", "pfc.paused_time_fraction.max < 0.3"},
		},
		{
			rule: "one-queue-pair-on-bond", always: []string{"fabric.nics_per_host=2", "workload[w].pairs=[[h0, h4]]"}, mistake: []string{"workload[w].qps=1"},
			wrong: []string{"goodput < 100Gbps"}, right: []string{"goodput > 190Gbps"},
		},
		{
			// 2 x 1 us there and back and more, so that each lone packet is sent again.
			rule: "timeout-below-round-trip", mistake: []string{"nic.timeout=1us"},
			always: []string{"workload=[{name: w, type: latency, pairs: [[h0, h4]], bytes: 64B, every: 50us}]"},
			wrong:  []string{"retransmits > 0"}, right: []string{"retransmits == 0"},
		},
		{
			rule: "same-hash-seed", mistake: []string{"switch.hash_seeds=same"},
			always: []string{
				"fabric={topology: fat-tree, k: 4, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 100Gbps, cable: 3m}}",
				"workload=[{name: w, type: permutation, bytes: 64KiB, qps: 16}]",
			},
			wrong: []string{"utilisation.min{tier=agg>core} == 0"}, right: []string{"utilisation.min{tier=agg>core} > 0"},
		},
		{
			rule: "watchdog-hasty", mistake: []string{"switch.watchdog.detect=2ms"},
			always: []string{"switch.watchdog={poll: 1ms, detect: 20ms, restore: 20ms}", "stop.time=30ms", "nic.timeout=1s", "workload[w].pairs=[[h0, h4]]",
				"nic.overrides=[{match: h4, receive: {buffer: 1MB, hiccup: {every: 20ms, for: 8ms}}}]"},
			wrong: []string{"pfcwd.storms > 0", "drops.lossless > 0"}, right: []string{"pfcwd.storms == 0", "drops.total == 0"},
		},
		{
			// 8 x 16 ms and 8 x 200 ms, against a storm of 300 ms.
			rule: "retries-end-before-watchdog", mistake: []string{"nic.timeout=16ms"},
			always: []string{"switch.watchdog={}", "nic.timeout=200ms", "stop={when: flows-done, max: 3s}", "faults=[{nic: h4, pause_storm: true, for: 300ms}]",
				"workload=[{name: w, type: flows, flows: [{from: h0, to: h4, bytes: 1MB, start: 1ms}]}]"},
			wrong: []string{"flows.failed == 1"}, right: []string{"flows.finished == 1"},
		},
	}
}

// What a rule says of a mistake is what the simulator shows, and neither says
// anything once it is put right.
func TestClaimsHoldInSimulation(t *testing.T) {
	for _, c := range append(usualClaims(), controlClaims()...) {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			text := c.scenario
			if text == "" {
				text = crowded
			}
			wrong := resolve(t, text, append(c.always[:len(c.always):len(c.always)], c.mistake...)...)
			require.NotEmpty(t, of(lint.Check(wrong), c.rule), "lint does not find it")
			meets(t, wrong, c.wrong)
			right := resolve(t, text, append(c.always[:len(c.always):len(c.always)], c.cure...)...)
			assert.Empty(t, of(lint.Check(right), c.rule))
			meets(t, right, c.right)
		})
	}
}

// meets simulates a plan and holds the results against conditions.
func meets(t *testing.T, p *scenarios.Plan, conditions []string) {
	t.Helper()
	run, err := p.Run(context.Background(), scenarios.RunOptions{})
	require.NoError(t, err)
	m := results.NewMetrics(run)
	for _, text := range conditions {
		e, err := results.ParseExpectation(text)
		require.NoError(t, err)
		outcome := results.Evaluate([]results.Expectation{e}, m)[0]
		assert.True(t, outcome.OK, outcome.Text)
	}
}

// The headroom that a remedy names is what the simulator needs, to the frame: with
// it nothing is lost, with one frame less something is.
func TestHeadroomClaimsHoldToTheFrame(t *testing.T) {
	bytes := regexp.MustCompile(`bytes: (\d+)B\}`)
	for _, c := range []struct {
		rule  string
		frame int64 // in whole cells
		set   []string
	}{
		{"headroom-too-small", 4158, []string{"fabric.host_link.cable=500m", "fabric.uplink={rate: 100Gbps, cable: 2km}", "switch.headroom={bytes: 30KB}"}},
		{"headroom-for-smaller-mtu", 9062, []string{"nic.mtu=9000", "fabric.uplink={rate: 100Gbps, cable: 3m}", "switch.headroom={bytes: 15KB}"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			// Full frames both ways, and few ACKs: they fill cells worse.
			set := append([]string{"nic.ack_every=0", "nic.packet_interval=0ps", "nic.pcie=0bps", "nic.message_interval=0ps", "nic.qp_message_interval=0ps",
				"switch.buffer={shared: 100MB, cell: 1B}", "switch.lossless={xoff: 400KB, xon_offset: 3KB}",
				"workload[w].pairs=[[h0, h4], [h1, h4], [h5, h4], [h4, h0], [h4, h1], [h5, h0]]", "stop.time=2ms"}, c.set...)
			found := of(lint.Check(resolve(t, crowded, set...)), c.rule)
			require.NotEmpty(t, found)
			enough := int64(0)
			for _, f := range found {
				n, err := strconv.ParseInt(bytes.FindStringSubmatch(f.Remedy)[1], 10, 64)
				require.NoError(t, err)
				enough = max(enough, n)
			}
			with := func(headroom int64) *scenarios.Plan {
				return resolve(t, crowded, append(set[:len(set):len(set)], "switch.headroom={bytes: "+strconv.FormatInt(headroom, 10)+"B}")...)
			}
			meets(t, with(enough), []string{"drops.total == 0", "pfc.pauses > 0"})
			meets(t, with(enough-c.frame), []string{"drops.lossless > 0"})
		})
	}
}

// Kmin is the largest with which marks come before PFC: just below the queue of the
// rule packets are marked; above it, and above what comes in after the pauses, none
// is. Two groups of alpha 1/4 have 1/4 x 2 MB / 1.5 each, 667 KB together; in L14 two
// of four at alpha 1 have 800 KB.
func TestMarkingClaimsHoldToAFewPerCent(t *testing.T) {
	two := []string{"workload[w].pairs=[[h5, h4], [h6, h4]]", "cc.preset=paper", "switch.lossless.alpha=1/4", "stop.time=1ms",
		"switch.ecn={preset: alibaba, enabled: true, kmax: 1200KB, pmax: 20%, kmin: 660KB}"}
	for _, c := range []struct {
		name, scenario string
		set            []string
		below, above   string
	}{
		{"two groups", strings.Replace(crowded, "xoff: 200KB, ", "", 1), two, "660KB", "674KB"},
		{"L14", publicCases()[4].scenario, []string{"switch.ecn.kmax=900KB", "switch.ecn.pmax=100%"}, "784KB", "835KB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := resolve(t, c.scenario, append(c.set, "switch.ecn.kmin="+c.below)...)
			assert.Empty(t, of(lint.Check(p), "ecn-after-pfc"))
			meets(t, p, []string{"ecn.marks > 0", "pfc.pauses > 0"})
			p = resolve(t, c.scenario, append(c.set, "switch.ecn.kmin="+c.above)...)
			assert.Len(t, of(lint.Check(p), "ecn-after-pfc"), 1)
			meets(t, p, []string{"ecn.marks == 0", "pfc.pauses > 0"})
		})
	}
}

// The crowded scenario itself is no mistake.
func TestCrowdedIsNoMistake(t *testing.T) {
	for _, f := range lint.Check(resolve(t, crowded)) {
		assert.Less(t, f.Severity, rules.Warning, f.Sentence())
	}
}
