package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

// CNPs are as many as the interval between them lets through, and no more than one
// for each packet: 48 flows x 98 B in a millisecond are 38 Mb/s, less than weight 1
// of 101 guarantees at 100G; without interval they are 2.3 Gb/s.
func TestNotificationsNeedWhatTheirIntervalAllows(t *testing.T) {
	sets := []string{"switch.strict_queues=[]", "switch.queue_weights={3: 100, 6: 1}"}
	assert.NotEmpty(t, of(lint.Check(resolve(t, clean, append(sets, "cc.cnp_interval=0ps")...)), "cnp-starved"))
	assert.NotEmpty(t, of(lint.Check(resolve(t, clean, append(sets, "cc.cnp_interval=1ns")...)), "cnp-starved"))
	assert.Empty(t, of(lint.Check(resolve(t, clean, append(sets, "cc.cnp_interval=1ms")...)), "cnp-starved"))
}

// One sender alone overloads a receiver that is slower than it.
func TestOneFasterSenderOverloads(t *testing.T) {
	severity := func(sets ...string) rules.Severity {
		found := of(lint.Check(resolve(t, star, append(sets, "cc.preset=none", "switch.ecn={enabled: true, kmin: 100KB, kmax: 400KB, pmax: 20%}",
			"workload=[{name: w, type: saturate, pairs: [[h0, h1]], bytes: 1MB}]")...)), "marks-without-reaction")
		require.Len(t, found, 1)
		return found[0].Severity
	}
	assert.Equal(t, rules.Info, severity())
	assert.Equal(t, rules.Info, severity(`fabric.overrides=[{match: "h1:sw0", rate: 400Gbps}]`))
	assert.Equal(t, rules.Warning, severity(`fabric.overrides=[{match: "h0:sw0", rate: 400Gbps}]`))
}
