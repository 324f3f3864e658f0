package scenarios

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/results"
	"rocesim/scenarios/model"
	"rocesim/sim"
)

// Whatever small fabric, switches, adapters, traffic and faults are put
// together: a run ends after a bounded number of events, every message ends or
// has a reason, none is delivered twice or with missing bytes, no packet and no
// byte of a buffer is lost track of, and a second run writes the same files.
func TestRandomScenarios(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		text := randomScenario(rt)
		sc, err := Parse("random.yaml", []byte(text), nil)
		require.NoError(rt, err, text)
		plan, err := sc.Plan()
		require.NoError(rt, err, text)

		fingerprint := checkModel(rt, plan)
		first, second := bounded(rt, sc), bounded(rt, sc)
		require.Equal(rt, fingerprint, first.Manifest.Fingerprint)
		checkFlows(rt, first)
		require.Equal(rt, filesOf(rt, dir, first), filesOf(rt, dir, second))
	})
}

// fewEvents is far above what any of the random runs needs.
const fewEvents = 20_000_000

// checkModel runs the model, looks at its books on the way, and returns
// its fingerprint.
func checkModel(t *rapid.T, p *Plan) uint64 {
	collector := p.collector(false)
	m, err := Build(p, collector.Observer())
	require.NoError(t, err)
	require.NoError(t, collector.Attach(m))
	stop := model.Stop{Time: p.StopTime, WhenDone: p.StopWhenDone, Max: p.StopTime}
	m.Run(context.Background(), stop, func(model.Progress) { require.NoError(t, m.CheckConservation()) })
	require.NoError(t, m.CheckConservation())
	posted, delivered := map[int32]int64{}, map[int32]int64{}
	for i := range m.Driver.Len() {
		msg := m.Driver.Message(uint32(i))
		posted[msg.Conn] += msg.Bytes
		if msg.Delivered < sim.Never {
			delivered[msg.Conn] += msg.Bytes
		}
	}
	for conn := range int32(m.NICs.Connections()) {
		if got := m.NICs.ReceivedBytes(int(conn)); !m.NICs.Unreliable(int(conn)) {
			require.GreaterOrEqual(t, got, delivered[conn], "connection %d: delivered messages are whole", conn)
			require.LessOrEqual(t, got, posted[conn], "connection %d: nothing counts twice", conn)
		}
	}
	return m.Engine.Fingerprint()
}

// bounded runs a scenario and gives up on one that does not end.
func bounded(t *rapid.T, sc *Scenario) *results.Run {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run, err := Run(ctx, sc, RunOptions{Progress: func(p Progress) {
		if p.Events > fewEvents {
			cancel()
		}
	}})
	require.NoError(t, err)
	require.NotEqual(t, results.Interrupted, run.Manifest.Stop, "more than %d events", fewEvents)
	return run
}

// checkFlows checks what holds for the flow table of every run.
func checkFlows(t *rapid.T, run *results.Run) {
	for _, f := range run.Flows {
		switch f.Unfinished {
		case results.NotUnfinished:
			require.Positive(t, f.Completed)
			require.Positive(t, f.Delivered)
			require.LessOrEqual(t, f.Delivered, f.Completed, "acknowledged before it was there")
		default:
			require.Zero(t, f.Completed)
			require.NotEmpty(t, f.Unfinished.String())
		}
		if f.Delivered > 0 && f.Unfinished != results.NotAcknowledged {
			require.Equal(t, f.Bytes, f.Measured, "delivered with missing bytes")
			require.GreaterOrEqual(t, f.Delivered, f.Start)
		}
	}
	if run.Manifest.Stop == results.Stalled {
		require.NotEmpty(t, run.Manifest.Stall)
	}
}

// filesOf writes the directory of a run and returns its files by name.
func filesOf(t *rapid.T, dir string, run *results.Run) map[string]string {
	dir = filepath.Join(dir, "run")
	summary := results.Summarise(run)
	require.NoError(t, results.Write(dir, run, &summary))
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	}))
	assert.NotEmpty(t, files)
	return files
}

// randomScenario writes a small scenario.
func randomScenario(t *rapid.T) string {
	shape := rapid.SampledFrom(shapes()).Draw(t, "shape")
	rate := rapid.SampledFrom([]string{"10Gbps", "25Gbps", "100Gbps", "400Gbps"})
	text := fmt.Sprintf("name: random\nseed: %d\nstop: {when: flows-done, max: %dms}\n",
		rapid.IntRange(1, 1000).Draw(t, "seed"), rapid.IntRange(1, 20).Draw(t, "max"))
	link := func(name string) string {
		return fmt.Sprintf("%s: {rate: %s, cable: %dm}", name, rate.Draw(t, name), rapid.IntRange(1, 300).Draw(t, "metres"))
	}
	text += "fabric:\n  " + shape.fabric + "\n"
	for _, name := range shape.links {
		text += "  " + link(name) + "\n"
	}
	text += fmt.Sprintf("  convergence: %dus\n", rapid.IntRange(0, 500).Draw(t, "convergence"))
	preset := rapid.SampledFrom([]string{"ideal", "hpcc-ns3", "sonic-tomahawk", "sonic-tomahawk3", "sonic-spectrum1", "sonic-spectrum4", "bench-100g"}).Draw(t, "switch")
	return text + randomSwitch(t, preset) + randomNIC(t) +
		"cc: {preset: " + rapid.SampledFrom([]string{"none", "paper", "connectx", "hpcc"}).Draw(t, "cc") + "}\n" +
		randomWorkload(t, shape) + randomFaults(t, shape, preset != "bench-100g") + "output: {sample: 100us}\n"
}

// shape is a topology with the names of some of what it has.
type shape struct {
	fabric           string
	links            []string
	hosts            int
	cables, switches []string
}

func shapes() []shape {
	host := []string{"host_link"}
	return []shape{
		{"topology: star\n  hosts: 4", host, 4, []string{"h0:sw0", "h1:sw0", "h2:sw0"}, []string{"sw0"}},
		{"topology: dumbbell\n  left: 2\n  right: 2", []string{"host_link", "middle"}, 4, []string{"sw0:sw1", "h0:sw0"}, []string{"sw0", "sw1"}},
		{"topology: leaf-spine\n  leaves: 2\n  spines: 2\n  hosts: 6", []string{"host_link", "uplink"}, 6,
			[]string{"leaf0:spine0", "leaf1:spine1", "leaf0:spine*", "h1:leaf0"}, []string{"leaf0", "spine1", "spine*"}},
		{"topology: leaf-spine\n  leaves: 4\n  spines: 1\n  hosts: 3\n  nics_per_host: 2", []string{"host_link", "uplink"}, 3,
			[]string{"leaf0:spine0", "leaf2:spine0"}, []string{"leaf1", "spine0"}},
		{"topology: ring\n  switches: 4\n  hosts_per_switch: 1", []string{"host_link", "ring_link"}, 4, []string{"sw0:sw1", "sw2:sw3"}, []string{"sw0"}},
	}
}

func randomSwitch(t *rapid.T, preset string) string {
	text := "switch:\n  preset: " + preset + "\n  headroom: {standard: true}\n" +
		"  forwarding: " + rapid.SampledFrom([]string{"store-and-forward", "cut-through"}).Draw(t, "forwarding") + "\n" +
		"  routing: " + rapid.SampledFrom([]string{"ecmp", "murmur3", "spray-random", "spray-round"}).Draw(t, "routing") + "\n" +
		"  arbitration: " + rapid.SampledFrom([]string{"fifo", "per-ingress"}).Draw(t, "arbitration") + "\n"
	if rapid.Bool().Draw(t, "lossless") {
		text += "  dscp_to_tc: {26: 3, 24: 3, 48: 6}\n"
	}
	if rapid.Bool().Draw(t, "tight") {
		text += fmt.Sprintf("  lossless: {xoff: %dKB}\n", rapid.IntRange(1, 200).Draw(t, "xoff"))
	}
	if rapid.Bool().Draw(t, "red") {
		text += "  ecn: {kmin: 5KB, kmax: 100KB, pmax: 10%, mark_only: false}\n"
	}
	if rapid.Bool().Draw(t, "watched") {
		text += "  watchdog: {poll: 1ms, detect: 2ms, restore: 2ms, action: " + rapid.SampledFrom([]string{"drop", "forward", "alert"}).Draw(t, "action") + "}\n"
	}
	return text
}

func randomNIC(t *rapid.T) string {
	preset := rapid.SampledFrom([]string{"ideal", "connectx-5", "connectx-6-dx", "connectx-7", "thor2", "hpcc-ns3"}).Draw(t, "nic")
	text := fmt.Sprintf("nic:\n  preset: %s\n  mtu: %d\n  retry_count: %d\n  timeout: %dus\n  ack_every: %d\n  recovery: %s\n", preset,
		rapid.SampledFrom([]int{256, 1000, 1024, 4096, 9000}).Draw(t, "mtu"), rapid.IntRange(0, 7).Draw(t, "retries"),
		rapid.SampledFrom([]int{0, 200, 1000, 67_000}).Draw(t, "timeout"), rapid.IntRange(0, 20).Draw(t, "ack every"),
		rapid.SampledFrom([]string{"go-back-n", "go-back-n", "go-back-0", "selective-repeat"}).Draw(t, "recovery"))
	if rapid.Bool().Draw(t, "few hops") {
		text += fmt.Sprintf("  ttl: %d\n", rapid.IntRange(1, 4).Draw(t, "ttl"))
	}
	if rapid.Bool().Draw(t, "slow") {
		text += fmt.Sprintf("  receive: {buffer: %dKB, drain: %dGbps}\n", rapid.IntRange(20, 500).Draw(t, "buffer"), rapid.IntRange(1, 200).Draw(t, "drain"))
	}
	return text
}

func randomWorkload(t *rapid.T, s shape) string {
	bytes := func() int { return rapid.IntRange(1, 300_000).Draw(t, "bytes") }
	last := s.hosts - 1
	makers := []func() string{
		func() string {
			return fmt.Sprintf(`type: incast, senders: "h[0-%d]", receivers: h%d, bytes: %dB, every: 50us, rounds: %d`, last-1, last, bytes(), rapid.IntRange(1, 4).Draw(t, "rounds"))
		},
		func() string { return fmt.Sprintf("type: permutation, bytes: %dB, qps: 2", bytes()) },
		func() string {
			return fmt.Sprintf("type: all-to-all, bytes: %dB, window: 2, barrier: true, rounds: 2", bytes())
		},
		func() string {
			return fmt.Sprintf("type: poisson, bytes: %dB, load: 40%%, flows: 40, op: send", bytes())
		},
		func() string {
			return fmt.Sprintf("type: saturate, pairs: [[h0, h%d], [h1, h0]], bytes: %dB, depth: 3, messages: 8", last, bytes())
		},
		func() string {
			return fmt.Sprintf("type: datagrams, pairs: [[h1, h%d]], bytes: %dB, rate: 9Gbps, dscp: 0, stop: 200us", last, rapid.IntRange(1, 20_000).Draw(t, "datagram"))
		},
	}
	text := "workload:\n"
	for i := range rapid.IntRange(1, 3).Draw(t, "entries") {
		text += fmt.Sprintf("  - {name: w%d, %s}\n", i, rapid.SampledFrom(makers).Draw(t, "workload")())
	}
	return text
}

// randomFaults draws at most one fault of each kind, so that none overlap. NICs
// can only storm where switches pause.
func randomFaults(t *rapid.T, s shape, storms bool) string {
	cable := func() string { return rapid.SampledFrom(s.cables).Draw(t, "cable") }
	kind := func() string {
		return rapid.SampledFrom([]string{"data", "ack", "cnp", "pause", "all"}).Draw(t, "frames")
	}
	makers := []func() string{
		func() string { return fmt.Sprintf(`link: "%s", down: true`, cable()) },
		func() string { return fmt.Sprintf(`link: "%s", rate: 5Gbps`, cable()) },
		func() string {
			return fmt.Sprintf(`link: "%s", loss: %d%%, kind: %s`, cable(), rapid.IntRange(1, 100).Draw(t, "loss"), kind())
		},
		func() string {
			return fmt.Sprintf(`link: "%s", drop_every: %d, kind: %s, direction: back`, cable(), rapid.IntRange(1, 300).Draw(t, "every"), kind())
		},
		func() string { return fmt.Sprintf(`link: "%s", ber: 1e-7`, cable()) },
		func() string {
			return fmt.Sprintf(`switch: "%s", reboot: true`, rapid.SampledFrom(s.switches).Draw(t, "reboot"))
		},
	}
	if storms {
		makers = append(makers, func() string { return `nic: "h1*", pause_storm: true` })
	}
	text := ""
	for _, one := range makers {
		if rapid.IntRange(0, 4).Draw(t, "fault") == 0 {
			text += fmt.Sprintf("  - {at: %dus, for: %dus, %s}\n", rapid.IntRange(0, 300).Draw(t, "at"), rapid.IntRange(1, 2000).Draw(t, "for"), one())
		}
	}
	if text == "" {
		return ""
	}
	return "faults:\n" + text
}
