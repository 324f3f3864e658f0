package scenarios

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

const twoHosts = `
name: classes
stop: {when: flows-done, max: 10ms}
fabric: {topology: star, hosts: 3, host_link: {rate: 100Gbps, cable: 3m}}
switch: {ecn: {enabled: false}}
nic: {preset: ideal, framing: rocev2-vlan}
cc: {preset: none}
workload:
  - {name: a, type: incast, senders: [h0, h1], receivers: h2, bytes: 1MiB}
`

func runText(t *testing.T, text string, sets ...string) *results.Run {
	t.Helper()
	sc, err := Parse("test.yaml", []byte(text), sets)
	require.NoError(t, err)
	run, err := Run(context.Background(), sc, RunOptions{})
	require.NoError(t, err)
	return run
}

// A switch that trusts the tag classifies by its priority, whatever the DSCP.
func TestTrustPCP(t *testing.T) {
	priorities := func(run *results.Run) map[uint8]bool {
		used := map[uint8]bool{}
		for _, q := range run.Queues {
			if run.Nodes[run.Ports[q.Port].Node] == "sw0" && q.TxPackets > 0 {
				used[q.Priority] = true
			}
		}
		return used
	}
	assert.Equal(t, map[uint8]bool{3: true}, priorities(runText(t, twoHosts)), "DSCP 26 is class 3")
	assert.Equal(t, map[uint8]bool{5: true}, priorities(runText(t, twoHosts, "switch.dscp_to_tc={26: 5}")))
	assert.Equal(t, map[uint8]bool{3: true}, priorities(runText(t, twoHosts, "switch.dscp_to_tc={26: 5}", "switch.trust=pcp")), "the tag says 3")
	assert.Equal(t, map[uint8]bool{4: true}, priorities(runText(t, twoHosts, "switch.trust=pcp", "switch.pcp_to_tc={3: 4}")))
}

// The first packet of a WRITE carries a RETH of 16 bytes, that of a SEND does
// not; both have 4 bytes of tag in 16 packets a MiB at MTU 65536/16.
func TestSendHasNoRETH(t *testing.T) {
	bytes := func(run *results.Run) (sum int64) {
		for _, q := range run.Queues {
			if run.Nodes[run.Ports[q.Port].Node] == "h0" {
				sum += q.TxBytes
			}
		}
		return sum
	}
	write := runText(t, twoHosts, "nic.mtu=4096")
	send := runText(t, twoHosts, "nic.mtu=4096", "workload[0].op=send")
	assert.Equal(t, int64(1<<20+256*(62+4)+16), bytes(write))
	assert.Equal(t, int64(1<<20+256*(62+4)), bytes(send))
}
