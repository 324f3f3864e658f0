package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"rocesim/scenarios"
	"rocesim/sim"
)

// runMeter drives a meter with a progress every step of wall-clock time.
func runMeter(width int, step time.Duration, n int) string {
	var out strings.Builder
	now := time.Unix(1000, 0)
	m := newMeter(&out, width, func() time.Time { return now })
	for i := 1; i <= n; i++ {
		now = now.Add(step)
		m.update(scenarios.Progress{
			Now: sim.Time(i) * 100 * sim.Microsecond, Stop: 20 * sim.Millisecond,
			Events: uint64(i) * 1e6, Packets: uint64(i) * 400_000,
			Ended: 10 * i, Posted: 20 * i,
		})
	}
	m.done()
	return out.String()
}

func TestMeterOnTerminal(t *testing.T) {
	got := runMeter(120, 100*time.Millisecond, 5)
	assert.Equal(t, "\r200.0 us simulated, 1 % of 20ms, 10.0 M events/s, 800.0 k packets, 20 of 40 flows done, ETA 20s\x1b[K"+
		"\r400.0 us simulated, 2 % of 20ms, 10.0 M events/s, 1.6 M packets, 40 of 80 flows done, ETA 20s\x1b[K"+
		"\r\x1b[K", got)
}

func TestMeterKeepsToTheTerminal(t *testing.T) {
	for line := range strings.SplitSeq(runMeter(40, time.Second, 3), "\r") {
		assert.Less(t, len(strings.TrimSuffix(line, eraseRest)), 40)
	}
}

func TestMeterInLog(t *testing.T) {
	got := runMeter(0, time.Second, 11)
	assert.Equal(t, "500.0 us simulated, 2 % of 20ms, 1.0 M events/s, 2.0 M packets, 50 of 100 flows done, ETA 3m15s\n"+
		"1.00 ms simulated, 5 % of 20ms, 1.0 M events/s, 4.0 M packets, 100 of 200 flows done, ETA 3m10s\n", got)
}

// TestMeterWithoutEnd is a run that ends when all flows are done: nobody knows
// when that will be.
func TestMeterWithoutEnd(t *testing.T) {
	line := progressLine(scenarios.Progress{Now: 1500 * sim.Nanosecond, Posted: 3}, 999, time.Second)
	assert.Equal(t, "1.5 us simulated, 999 events/s, 0 packets, 0 of 3 flows done", line)
}
