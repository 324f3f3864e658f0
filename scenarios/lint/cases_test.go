package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

// leafSpine is LS(2,2,8,100G): two leaves of four hosts, two spines.
const leafSpine = `
name: case
stop: {time: 1ms}
fabric: {topology: leaf-spine, leaves: 2, spines: 2, hosts: 8, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 100Gbps, cable: 30m}}
`

// one switch with three hosts at 100G.
const star = `
name: case
stop: {time: 1ms}
fabric: {topology: star, hosts: 3, host_link: {rate: 100Gbps, cable: 5m}}
`

// publicCase is a public report as a scenario, with what plain lint says of it.
type publicCase struct {
	name, scenario string
	code           string
	severity       rules.Severity
	sums           []string
	// cure are flags that put it right, as the report does.
	cure []string
}

// publicCases are public reports that lint has to flag (docs/accuracy.md, by their
// numbers). What is expected is computed in the comments from the reports, not from the code.
func publicCases() []publicCase {
	return []publicCase{
		{
			// L05: SONiC's default map has 3->3 and 4->4, all but a few others go to class
			// 1, which is in group 0 and queue 1 and lossy; NVIDIA NICs mark 26.
			name: "L05", code: "RS101", severity: rules.Error,
			scenario: leafSpine + `
switch: {preset: sonic-tomahawk}
nic: {preset: connectx-6-dx, dscp: 26}
cc: {preset: connectx}
workload: [{name: w, type: incast, senders: "h[0-6]", receivers: h7, bytes: 4MiB}]
`,
			sums: []string{"DSCP 26 -> class 1 -> group 0, queue 1, lossy", "3->3, 4->4, 5->2, 8->0, 46->5, 48->6, others->1"},
			cure: []string{"nic.dscp=3", "nic.dscp_to_priority={3: 3}"},
		},
		{
			// L09: 400 and 1625 cells of 256 B are 102.4 KB and 416 KB. In 55 us 75 Gb/s
			// more come than go: 75e9 / 8 x 55e-6 = 515.6 KB, and 563 B for each 60 ns of
			// the way (2 links of 15 ns, there and back). 102.4 + 516.2 = 618.6 KB are
			// above 416 KB and above an XOFF of 0.6 MB.
			name: "L09", code: "RS305", severity: rules.Warning,
			scenario: `
name: case
stop: {time: 20ms}
fabric: {topology: explicit, hosts: [fast, slow], switches: [sw0], links: [{a: fast, b: sw0, rate: 100Gbps, cable: 3m}, {a: slow, b: sw0, rate: 25Gbps, cable: 3m}]}
switch: {preset: ideal, lossless: {xoff: 600KB}, headroom: {standard: true}, ecn: {kmin: 102400B, kmax: 416000B, pmax: 20%}}
nic: {preset: connectx-6-dx, cnp: {delay: 55us}}
cc: {preset: connectx}
workload: [{name: w, type: flows, flows: [{from: fast, to: slow, bytes: 50MB}]}]
`,
			sums: []string{"(100Gbps - 25Gbps) x (55 us of nic.cnp.delay + 60 ns of round trip) = 516.2 KB",
				"Kmin 102.4 KB + 516.2 KB = 618.6 KB; Kmax 416 KB, XOFF 600 KB"},
			cure: []string{"nic.cnp.delay=0ps"},
		},
		{
			// L10: the report's own budget at 5 m and MTU 9216 is 44.4 KB, with the response
			// that IEEE 802.3 allows at 100G: 2 x 9234 + 84 + 2 x 312.5 + 25,216 = 44.4 KB.
			// Here packets of 9000 B are frames of 9098 B on the wire, less the gap of 20 B
			// twice 9.078 KB x 2 + 84 + 625 + 25,216 = 44.1 KB.
			name: "L10", code: "RS201", severity: rules.Error,
			scenario: star + `
switch: {preset: ideal, headroom: {bytes: 0B}, ecn: {enabled: false}}
nic: {preset: connectx-6-dx, mtu: 9000}
cc: {preset: none}
workload: [{name: w, type: saturate, pairs: [[h0, h2], [h1, h2]], bytes: 1MiB}]
`,
			sums: []string{"> 0 B", "the formula of IEEE 802.1Qbb gives 44.1"},
			cure: []string{"switch.headroom={bytes: 44400B}"},
		},
		{
			// L11: at 100G 12.5 B/ns, 2 x 300 m x 5 ns/m are 3000 ns = 37.5 KB on the cable
			// alone, more than the 30,720 B of the 5 m row.
			name: "L11", code: "RS202", severity: rules.Error,
			scenario: `
name: case
stop: {time: 1ms}
switch: {preset: sonic-spectrum1, dscp_to_tc: {26: 3, 48: 6}, headroom: {bytes: 30720B}, ecn: {enabled: false}}
nic: {preset: connectx-6-dx}
cc: {preset: none}
fabric: {topology: star, hosts: 3, host_link: {rate: 100Gbps, cable: 300m}}
workload: [{name: w, type: saturate, pairs: [[h0, h2], [h1, h2]], bytes: 1MiB}]
`,
			sums: []string{"the cable there and back 37.5 KB", "> 30.72 KB"},
			cure: []string{"switch.headroom={bytes: 104448B}"},
		},
		{
			// L14: four groups (2 ports, priorities 3 and 4) at alpha 1 have 1 x B / (1 + 4)
			// = 0.20 B each, 0.4 MB of 2 MB; the first alone has 0.50 B = 1 MB. A queue that
			// two of them feed stops at 0.8 MB: a Kmin of 1 MiB, SONiC's, is never reached,
			// though two groups alone would let it (2 x B / 3 = 1.333 MB).
			name: "L14", code: "RS301", severity: rules.Warning,
			scenario: star + `
switch: {preset: ideal, dscp_to_tc: {3: 3, 4: 4}, pfc: {priorities: [3, 4]}, buffer: {shared: 2MB}, lossless: {alpha: 1}, headroom: {bytes: 100KB}, ecn: {kmin: 1MiB, kmax: 2MiB, pmax: 5%}}
nic: {preset: connectx-6-dx, dscp: 3, dscp_to_priority: {3: 3, 4: 4}, pfc: {priorities: [3, 4]}}
cc: {preset: connectx}
workload:
  - {name: three, type: saturate, pairs: [[h0, h2], [h1, h2]], bytes: 1MiB}
  - {name: four, type: saturate, pairs: [[h0, h2], [h1, h2]], bytes: 1MiB, dscp: 4}
`,
			sums: []string{"2 ingress port(s) feed the queue while 4 groups fill: 2 x (1 x 2 MB / (1 + 4 x 1)) = 800 KB <= Kmin 1.049 MB",
				"XOFF of 1, 4, 16, 32 groups: 1 MB (0.5 of the pool), 400 KB (0.2 of the pool)"},
			cure: []string{"switch.buffer.shared=4MB"},
		},
		{
			// L18: three senders at line rate into one port each get a third of it, so that
			// PFC stops each for two thirds of the time; marks reach nobody.
			name: "L18", code: "RS402", severity: rules.Warning,
			scenario: `
name: case
stop: {time: 1ms}
fabric: {topology: star, hosts: 4, host_link: {rate: 100Gbps, cable: 3m}}
switch: {preset: ideal, headroom: {standard: true}}
nic: {preset: connectx-6-dx}
cc: {preset: none}
workload: [{name: w, type: saturate, pairs: [[h0, h3], [h1, h3], [h2, h3]], bytes: 1MiB}]
`,
			sums: []string{"cc.algorithm none cuts no rate", "3 senders into h3 at line rate are paused 1 - 1/3 = 66.67 % of the time"},
			cure: []string{"cc.preset=connectx"},
		},
	}
}

// Plain lint says exactly the mistake of each report, and nothing once it is cured.
func TestPublicCases(t *testing.T) {
	for _, c := range publicCases() {
		t.Run(c.name, func(t *testing.T) {
			shown := lint.NewReport("test.yaml", lint.Check(resolve(t, c.scenario)), rules.Warning).Findings
			require.Len(t, shown, 1)
			assert.Equal(t, c.code, shown[0].Code)
			assert.Equal(t, c.severity, shown[0].Severity)
			for _, sum := range c.sums {
				assert.Contains(t, shown[0].Arithmetic, sum)
			}
			assert.Positive(t, shown[0].Line)
			assert.Empty(t, lint.NewReport("test.yaml", lint.Check(resolve(t, c.scenario, c.cure...)), rules.Warning).Findings)
		})
	}
}

// PFC alone is no mistake where the scenario says so, or no receiver is overloaded.
func TestPFCAloneIsAChoice(t *testing.T) {
	l18 := publicCases()[5].scenario
	assert.Empty(t, of(lint.Check(resolve(t, l18, "switch.ecn.enabled=false")), "marks-without-reaction"))
	found := of(lint.Check(resolve(t, l18, "workload[w].pairs=[[h0, h1], [h2, h3]]")), "marks-without-reaction")
	require.Len(t, found, 1)
	assert.Equal(t, rules.Info, found[0].Severity)
}

// A slow host pauses its switch for as long as it takes to empty its buffer from
// XOFF to XON: 250 KB last 250 ms at 8 Mb/s and 167 ms at 12.
func TestSlowHostIsNoStorm(t *testing.T) {
	slow := func(drain string) []lint.Finding {
		return of(lint.Check(resolve(t, star, "switch.watchdog={}", "nic.timeout=1s", "cc.preset=none", "workload=[{name: w, type: saturate, pairs: [[h0, h1]], bytes: 1MB}]",
			"nic.overrides=[{match: h1, receive: {buffer: 1MB, xoff: 750KB, xon: 500KB, drain: "+drain+"}}]")), "watchdog-hasty")
	}
	found := slow("8Mbps")
	require.Len(t, found, 1)
	assert.Equal(t, "a NIC pauses its switch from xoff to xon: 250 KB / 8Mbps = 250 ms > detect 200 ms", found[0].Arithmetic)
	assert.Empty(t, slow("12Mbps"))
}
