package scenarios

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// What the expectations of the library say about the same scenario with another
// setting is true. The numbers are those of the scenario's own text and source.
func TestLibraryCures(t *testing.T) {
	t.Parallel()
	cases := []struct {
		scenario string
		sets     []string
		expect   []string
	}{
		{"permutation", []string{"switch.routing=spray-round", "nic.out_of_order=true"},
			[]string{"slowdown.max{workload=permutation} <= 1.15"}},
		{"parking-lot", []string{"cc.preset=paper", "switch.ecn.enabled=true", "nic.mtu=1000", "stop.time=200ms"},
			[]string{"goodput{workload=local} ~= 9.24Gbps +- 10%", "goodput{workload=remote} ~= 27.7Gbps +- 10%"}}, // 10 and 30 on the wire

		{"victim-flow", []string{"cc.preset=paper", "switch.ecn.enabled=true"}, []string{"goodput{workload=victim} >= 9Gbps"}},
		{"incast-8-1", []string{"cc.algorithm=dcqcn"}, []string{"pfc.paused_time_fraction.max <= 0.5", "makespan{workload=incast} >= 2738us"}},
		{"marks-without-dcqcn", []string{"cc.preset=connectx"}, []string{"pfc.paused_time_fraction.max{tier=host>leaf} <= 0.09"}},
		{"speed-step", []string{"nic.cnp.delay=0ps"}, []string{"pfc.pauses == 0", "cnp.sent > 0"}},
		{"storage-incast", []string{"cc.preset=none"}, []string{"pfc.pauses > 0", "drops.total == 0"}},
		{"dscp-not-mapped", []string{"nic.dscp=3", "nic.dscp_to_priority={3: 3}"}, []string{"drops.total == 0", "ecn.marks > 0"}},
		{"long-cable", []string{"switch.headroom.bytes=104448B"}, []string{"drops.total == 0", "pfc.pauses > 0"}},
		{"no-headroom", []string{"switch.headroom.bytes=44400B"}, []string{"drops.total == 0", "pfc.pauses > 0"}},
		{"one-spine-without-pfc", []string{"switch.overrides=[]"}, []string{"drops.total == 0", "pfc.pauses > 0"}},
		{"one-leaf-wrong-map", []string{"switch.overrides=[]"}, []string{"drops.total == 0", "flows.unfinished == 0"}},
		{"same-hash-seed", []string{"switch.hash_seeds=per-switch"}, []string{"utilisation.min{node=agg0_0,tier=agg>core} >= 0.5"}},
		{"slow-pause-response", []string{"nic.pfc.response=2us"}, []string{"drops.total == 0", "pfc.pauses > 0"}},
		{"lost-pauses", []string{"faults=[]"}, []string{"drops.total == 0", "pfc.pauses > 0"}},
		{"lost-notifications", []string{"faults=[]"}, []string{"cnp.handled{node=h1} > 0", "goodput{workload=deaf} <= 65Gbps"}},
		{"degraded-lane", []string{"faults=[]"}, []string{"goodput{workload=victim} ~= 196Gbps +- 2%"}},
		{"deadlock-ring-3", []string{"switch.arbitration=per-ingress"},
			[]string{"deadlocks == 0", "drops.total == 0", "goodput{workload=clockwise} ~= 59Gbps +- 1%"}}, // 3 x 20 on the wire
		{"deadlock-ring-4", []string{"switch.arbitration=per-ingress"}, []string{"deadlocks == 1"}},
		{"translation-misses", []string{"nic.overrides[0].receive.miss.probability=30%"}, []string{"goodput{workload=stream} >= 97Gbps"}},
	}
	for _, c := range cases {
		t.Run(c.scenario, func(t *testing.T) {
			t.Parallel()
			e, err := FindScenario(c.scenario)
			require.NoError(t, err)
			sets := append([]string{"expect=['" + strings.Join(c.expect, "', '") + "']"}, c.sets...)
			sc, err := Parse(e.Name, e.Text, sets)
			require.NoError(t, err)
			p, err := sc.Plan()
			require.NoError(t, err)
			run, err := Run(context.Background(), sc, RunOptions{})
			require.NoError(t, err)
			for _, o := range results.Evaluate(p.Expect, results.NewMetrics(run)) {
				assert.True(t, o.OK, o.Text)
			}
		})
	}
}
