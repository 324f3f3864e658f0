package sweep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// mean returns the mean of a metric by the values of the axes, as "kmin=1KB".
func mean(t *testing.T, o *Outcome, metric string) map[string]float64 {
	s, err := results.ParseSubject(metric)
	require.NoError(t, err)
	all := map[string]float64{}
	for i := range o.settings {
		e := o.estimate(i, s)
		require.Positive(t, e.N, "%s of %s", metric, o.words(&o.settings[i]))
		all[o.words(&o.settings[i])] = e.Mean
	}
	return all
}

// Case L09 (aliyun/ns-3-alibabacloud issue 12): at a step from 100G to 25G the
// queue grows by 75 Gb/s for as long as the first notification is late, and at
// 55 us that is more than 516 KB, enough for PFC. With short delays the queue
// peaks later, while the rate is found, so the slope is that of long ones; XOFF
// is out of the way for it.
func TestLateNotificationsOvershoot(t *testing.T) {
	o := run(t, Spec{Files: []string{"../ecn/speed-step.yaml"},
		Sets: []string{"nic.cnp.delay=0us,40us,55us", "switch.lossless.xoff=600KB,100MB", "workload[write].flows[0].bytes=5MB", "expect=[]"}},
		Options{Dir: t.TempDir()})
	queue, pauses := mean(t, o, "queue.peak"), mean(t, o, "pfc.pauses")
	grown := queue["delay=55us, xoff=100MB"] - queue["delay=40us, xoff=100MB"]
	assert.InEpsilon(t, 75e9/8*15e-6, grown, 0.05, "75 Gb/s for 15 us")
	assert.Greater(t, queue["delay=55us, xoff=100MB"], 516e3)
	assert.Zero(t, pauses["delay=0us, xoff=600KB"])
	assert.Positive(t, pauses["delay=55us, xoff=600KB"])
	for setting, cnps := range mean(t, o, "cnp.sent") {
		assert.Positive(t, cnps, setting)
	}
}

// Case L14 (sonic-net/sonic-mgmt issue 7113): with N groups that are full, each
// is paused at B*alpha/(1+N*alpha) bytes of a pool of B. A group is what one of
// N senders has in one queue, so that the queue holds N times that.
func TestThresholdOfManyGroups(t *testing.T) {
	file := write(t, `name: groups
stop: {time: 4ms}
fabric: {topology: star, hosts: 34, host_link: {rate: 100Gbps, cable: 3m}}
switch:
  preset: ideal
  buffer: {shared: 10MB}
  lossless: {alpha: 1, xon_offset: 0B}
nic: {jitter: 0ps}
cc: {preset: none}
workload:
  - {name: fill, type: saturate, pairs: [[h1, h0], [h2, h0]], bytes: 1MB, depth: 64}
`)
	var senders []string
	for _, n := range []int{2, 4, 16, 32} {
		var pairs []string
		for i := range n {
			pairs = append(pairs, fmt.Sprintf("[h%d, h0]", i+1))
		}
		senders = append(senders, "["+strings.Join(pairs, ", ")+"]")
	}
	o := run(t, Spec{Files: []string{file}, Sets: []string{"switch.lossless.alpha=1/8,1", "workload[fill].pairs=" + strings.Join(senders, ",")}},
		Options{Dir: t.TempDir()})
	queue := mean(t, o, "queue.peak")
	for _, alpha := range []struct {
		text  string
		value float64
	}{{"1/8", 0.125}, {"1", 1}} {
		for k, n := range []float64{2, 4, 16, 32} {
			each := 10e6 * alpha.value / (1 + n*alpha.value)
			got := queue["alpha="+alpha.text+", pairs="+senders[k]] / n
			t.Logf("alpha %s, %v groups: %.0f bytes each, expected %.0f", alpha.text, n, got, each)
			// What arrives after XOFF is a few frames and 3 m of cable.
			assert.Greater(t, got, each)
			assert.Less(t, got, each+20e3)
		}
	}
}

// Case L18 (sonic-net/sonic-mgmt pull requests 27207 and 27040): without DCQCN
// there is PFC, with it little or none and notifications; nothing is lost
// either way, and the port stays busy.
func TestDCQCNOrPFC(t *testing.T) {
	o := run(t, Spec{Files: []string{"../ecn/storage-incast.yaml"}, Sets: []string{"cc.preset=connectx,none", "stop.time=4ms", "expect=[]"}, Seeds: "2"},
		Options{Dir: t.TempDir()})
	paused, cnps := mean(t, o, "pfc.paused_time_fraction.max"), mean(t, o, "cnp.handled")
	assert.LessOrEqual(t, paused["preset=connectx"], 0.05)
	assert.Positive(t, cnps["preset=connectx"])
	assert.Equal(t, mean(t, o, "cnp.sent")["preset=connectx"], cnps["preset=connectx"], "every notification arrives")
	assert.Greater(t, paused["preset=none"], 0.5, "three senders share one port: each is stopped for 2/3 of the time")
	assert.Zero(t, cnps["preset=none"])
	for setting, lost := range mean(t, o, "drops.total") {
		assert.Zero(t, lost, setting)
	}
	// 98.04 Gb/s is 100G of wire in payload at 4096-byte packets.
	assert.InEpsilon(t, 98.04e9, mean(t, o, "goodput.total")["preset=none"], 0.01)
}

// Case L36 (NVIDIA/nccl issue 1015): one queue pair uses one of two ports.
func TestQueuePairsOfABond(t *testing.T) {
	o := run(t, Spec{Files: []string{"../basics/bonded-adapter.yaml"}, Sets: []string{"workload[one].qps=1,2,4", "expect=[]"}}, Options{Dir: t.TempDir()})
	goodput := mean(t, o, "goodput{workload=one}")
	assert.InEpsilon(t, 98e9, goodput["qps=1"], 0.01)
	assert.InEpsilon(t, 196e9, goodput["qps=2"], 0.01)
	assert.InEpsilon(t, 196e9, goodput["qps=4"], 0.01)
}
