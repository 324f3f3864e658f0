package why_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/why"
)

// What answers meet on their way back, from simulations whose cause is known by
// construction: the ACK of a message that h0 sends while seven others send to
// h0, whose queue it shares; the same with little buffer, so that a pause stops
// it before it gets there; and the same message from a host that nobody sends to.
func TestAcksOfSimulations(t *testing.T) {
	const incast = "{name: towards, type: incast, senders: [h2, h3, h4, h5, h6, h7, h8], receivers: [h0], bytes: 2MB}"
	victim := func(from string) string {
		return incast + ", {name: victim, type: flows, flows: [{from: " + from + ", to: h1, bytes: 64KiB, start: 200us}]}"
	}
	plain := []string{"cc.algorithm=none", "switch.ecn.enabled=false"}
	const waits = ": its last byte had arrived after 7.203 us, and the ACK needed "
	for _, c := range []struct {
		name, workloads string
		sets            []string
		want            string // empty: nothing to tell of the victim
	}{
		{"a queue", victim("h0"), plain, waits + "937.1 us for the way back: the narrowest hop on it is sw0:0>h0 (queue up to 12.18 MB,"},
		{"a pause", victim("h0") + ", {name: besides, type: flows, flows: [{from: h1, to: h0, bytes: 2MB}]}",
			append(plain, "switch.lossless.xoff=100KB"),
			" for the way back: h1:0>sw0 was paused 89.9 % of that time; what it waited for is sw0:0>h0 (queue up to "},
		{"nothing", victim("h9"), plain, ""},
	} {
		findings := why.Explain(simulated(t, c.workloads, c.sets...))
		at := slices.IndexFunc(findings, func(f results.Finding) bool { return strings.HasPrefix(f.What, "The slowest message of victim") })
		if c.want == "" {
			require.Negative(t, at, "%s: %+v", c.name, findings)
			continue
		}
		require.GreaterOrEqual(t, at, 0, c.name)
		require.Contains(t, findings[at].What, c.want, c.name)
	}
}

// CNPs that share the class of data towards their sender come late; in a class
// that is served first, as presets have them, they do not.
func TestCNPsOfSimulations(t *testing.T) {
	const (
		towards = "{name: towards, type: incast, senders: [h2, h3, h4, h5, h6, h7, h8], receivers: [h0], bytes: 4MB, no_cc: true}"
		cut     = "{name: cut, type: incast, senders: [h0, h9, h10, h11], receivers: [h15], bytes: 4MB}"
	)
	for _, c := range []struct{ dscp, want string }{
		{"26", "Bad news comes late: on their way back to h0, CNPs wait "},
		{"48", ""},
	} {
		findings := why.Explain(simulated(t, towards+", "+cut, "nic.cnp.dscp="+c.dscp))
		at := slices.IndexFunc(findings, func(f results.Finding) bool { return strings.HasPrefix(f.What, "Bad news") })
		if c.want == "" {
			require.Negative(t, at, "%+v", findings)
			continue
		}
		require.GreaterOrEqual(t, at, 0, "%+v", findings)
		require.Contains(t, findings[at].What, c.want)
		require.Contains(t, findings[at].What, " on average at sw0:0>h0 priority 3 (queue up to ")
		t.Log(findings[at].What)
	}
}
