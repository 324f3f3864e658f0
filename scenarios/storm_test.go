package scenarios

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/nic"
	"rocesim/results"
	"rocesim/sim"
	switching "rocesim/switch"
)

const ms = sim.Millisecond

// SONiC multiplies the watchdog's times by the begun groups of 32 ports, poll up
// to 1 s; restoration is twice a given detection (sonic-buildimage issue
// 3964: L32; sonic-utilities, pfcwd/main.py).
func TestWatchdogTimes(t *testing.T) {
	for _, c := range []struct {
		ports                 int
		keys                  string
		poll, detect, restore sim.Time
	}{
		{32, "scale_ports: true", 200 * ms, 200 * ms, 200 * ms},
		{33, "scale_ports: true", 400 * ms, 400 * ms, 400 * ms},
		{64, "scale_ports: true", 400 * ms, 400 * ms, 400 * ms},
		{128, "scale_ports: true", 800 * ms, 800 * ms, 800 * ms},
		{256, "scale_ports: true", 1000 * ms, 1600 * ms, 1600 * ms},
		{256, "", 200 * ms, 200 * ms, 200 * ms},
		{4, "detect: 400ms", 200 * ms, 400 * ms, 800 * ms},
		{4, "detect: 200ms, restore: 2s, poll: 100ms", 100 * ms, 200 * ms, 2000 * ms},
		{64, "poll: 2s, detect: 2s, scale_ports: true", 2000 * ms, 4000 * ms, 8000 * ms},
	} {
		t.Run(fmt.Sprintf("%d ports, %s", c.ports, c.keys), func(t *testing.T) {
			p := planOf(t, fmt.Sprintf("fabric.hosts=%d", c.ports), "switch.watchdog={"+c.keys+"}")
			w := p.Switches[0].Watchdog
			require.NotNil(t, w)
			assert.Equal(t, c.poll, w.Poll)
			assert.Equal(t, c.detect, w.Detect)
			assert.Equal(t, c.restore, w.Restore)
			assert.True(t, w.First > 0 && w.First <= w.Poll, "first look at %v", w.First)
			assert.Equal(t, switching.WatchdogDrop, w.Action)
			assert.Equal(t, switching.BroadcomStorm, w.Condition)
			assert.Nil(t, w.Ports)
		})
	}
}

func TestWatchdogChoices(t *testing.T) {
	assert.Nil(t, planOf(t).Switches[0].Watchdog)
	assert.Nil(t, planOf(t, "switch.watchdog={ports: none}").Switches[0].Watchdog)
	assert.Nil(t, planOf(t, "switch.watchdog={}", "switch.pfc.enabled=false").Switches[0].Watchdog)
	w := planOf(t, "switch.watchdog={action: forward, condition: mellanox, ports: hosts}").Switches[0].Watchdog
	assert.Equal(t, switching.WatchdogForward, w.Action)
	assert.Equal(t, switching.MellanoxStorm, w.Condition)
	assert.Equal(t, []int{0, 1}, w.Ports)
	w = planOf(t, "switch.watchdog={action: alert}").Switches[0].Watchdog
	assert.Equal(t, switching.WatchdogAlert, w.Action)
}

func TestReceiveBuffers(t *testing.T) {
	assert.Nil(t, planOf(t).NICs[0].Receive)
	assert.Zero(t, planOf(t).NICs[0].StuckAfter)
	p := planOf(t, "nic.receive={buffer: 256KB, drain: 40Gbps}", "nic.watchdog={}")
	assert.Equal(t, &nic.ReceiveConfig{Buffer: 256_000, Xoff: 192_000, Xon: 128_000, Drain: 40 * sim.Gbps}, p.NICs[0].Receive)
	assert.Equal(t, 100*ms, p.NICs[0].StuckAfter, "Guo et al., SIGCOMM 2016, section 4.3")
	assert.Empty(t, p.Warnings)

	p = planOf(t, "nic.receive={buffer: 1MB, drain: 0bps, xoff: 100KB, xon: 1B, hiccup: {every: 1ms, for: 50us}, miss: {probability: 25%, delay: 500ns}}")
	assert.Equal(t, &nic.ReceiveConfig{
		Buffer: 1_000_000, Xoff: 100_000, Xon: 1, HiccupEvery: ms, HiccupFor: 50 * sim.Microsecond,
		MissProbability: 1 << 30, MissDelay: 500 * sim.Nanosecond,
	}, p.NICs[0].Receive)

	p = planOf(t, "nic.pcie=63Gbps", "nic.receive={buffer: 1MB}")
	assert.Equal(t, 63*sim.Gbps, p.NICs[0].Receive.Drain)
	p = planOf(t, "nic.pcie=63Gbps", "nic.receive={buffer: 1MB, drain: 80Gbps}")
	assert.Equal(t, 63*sim.Gbps, p.NICs[0].Receive.Drain, "the slower of the two")
}

// Mistakes that a run survives.
func TestStormWarnings(t *testing.T) {
	for _, c := range []struct {
		sets []string
		want string
	}{
		{[]string{"nic.receive={buffer: 256KB, drain: 40Gbps, xoff: 250KB}"},
			"the receive buffer of h0 has 6KB above xoff; up to "},
		{[]string{"switch.watchdog={}", "switch.pfc={infinite: true}"},
			"the watchdog looks for pause frames, but switches do not repeat theirs: it sees storms of NICs only"},
		{[]string{"switch.watchdog={}", "nic={timeout: 16ms, retry_count: 7}"},
			"queue pairs give up 128ms after their last progress (nic.timeout, nic.retry_count), and a watchdog takes 400ms at least to detect a storm"},
		{[]string{"switch.watchdog={}", "nic.watchdog={after: 300ms}"},
			"NICs stop their own storms after 300ms (nic.watchdog), no earlier than switches act, 200ms (switch.watchdog.detect)"},
	} {
		t.Run(c.want, func(t *testing.T) {
			warnings := planOf(t, c.sets...).Warnings
			require.Len(t, warnings, 1)
			assert.Contains(t, warnings[0], c.want)
		})
	}
}

// Two seconds of a storm and SONiC's watchdog on 64 hosts, the other traffic at
// 4 % of line rate, stay under 20 s: a paused fabric costs next to nothing.
func BenchmarkStorm(b *testing.B) {
	const file = "testdata/bench/storm-64-hosts.yaml"
	text, err := os.ReadFile(file)
	require.NoError(b, err)
	for b.Loop() {
		sc, err := Parse(file, text, nil)
		require.NoError(b, err)
		p, err := sc.Plan()
		require.NoError(b, err)
		run, err := Run(context.Background(), sc, RunOptions{})
		require.NoError(b, err)
		for _, o := range results.Evaluate(p.Expect, results.NewMetrics(run)) {
			require.True(b, o.OK, o.Text)
		}
		b.ReportMetric(float64(run.Manifest.Events), "events")
	}
}
