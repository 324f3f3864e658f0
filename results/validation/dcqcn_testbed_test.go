package validation_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
	"rocesim/scenarios/model"
	"rocesim/sim"
	switching "rocesim/switch"
)

// testbed is a scenario on the model itself, for what the results of a run do
// not tell: queues sampled at an instant, counters over a part of the run.
type testbed struct {
	t *testing.T
	m *model.Model
}

// dataQueue is the queue and priority of RDMA traffic in all scenarios here.
const dataQueue = 3

// build loads a scenario of testdata, changed as with --set.
func build(t *testing.T, file string, sets ...string) *testbed {
	t.Helper()
	path := filepath.Join("testdata", file)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	sc, err := scenarios.Parse(path, data, sets)
	require.NoError(t, err)
	plan, err := sc.Plan()
	require.NoError(t, err)
	require.Empty(t, plan.Warnings)
	m, err := scenarios.Build(plan, switching.Observer{})
	require.NoError(t, err)
	return &testbed{t, m}
}

// run goes on to the instant until.
func (b *testbed) run(until sim.Time) {
	b.t.Helper()
	end := b.m.Run(context.Background(), model.Stop{Time: until}, nil)
	require.Equal(b.t, model.TimeUp, end)
}

// egress is the switch port that leads to a node, on any switch.
func (b *testbed) egress(node string) (*switching.Switch, int) {
	g := b.m.Spec.Graph
	for i, sw := range b.m.Switches {
		for p, ref := range g.Ports(len(g.Endpoints) + i) {
			if g.NodeName(ref.Peer.Node) == node {
				return sw, p
			}
		}
	}
	require.Fail(b.t, "no port leads to "+node)
	return nil, 0
}

// reading is a snapshot of counters.
type reading struct {
	at       sim.Time
	flows    []int64 // payload delivered by connection
	sent     uint64  // frames of data through the watched egress
	bytes    uint64  // their sizes
	marked   uint64
	notified uint64 // CNPs sent by all NICs
}

func (b *testbed) read(sw *switching.Switch, port int) reading {
	q := sw.Queue(port, dataQueue)
	r := reading{at: b.m.Now(), sent: q.Packets, bytes: q.Bytes, marked: q.Marked}
	for i := range b.m.NICs.Connections() {
		r.flows = append(r.flows, b.m.NICs.ReceivedBytes(i))
	}
	for i := range b.m.NICs.Len() {
		r.notified += b.m.NICs.NIC(i).Stats().CNPSent
	}
	return r
}

// figures are what a bottleneck did between two readings.
type figures struct {
	meanKB, lowKB, highKB float64 // waiting frames
	utilisation           float64
	jain                  float64
	rates                 []float64 // payload, bit/s
	cnpRate               float64   // per flow and second
	marked                float64   // part of the packets
}

func (f figures) String() string {
	return fmt.Sprintf("queue %.1f KB (%.0f to %.0f), utilisation %.4f, Jain %.4f, CNPs %.0f/s, marked %.3f %%",
		f.meanKB, f.lowKB, f.highKB, f.utilisation, f.jain, f.cnpRate, 100*f.marked)
}

// queueSample is the time between two looks at a queue. It is no multiple of a
// packet's time, so that looks fall on all phases of transmission.
const queueSample = 997 * sim.Nanosecond

// measure runs until end and returns what happened at the egress towards node
// from an instant on.
func (b *testbed) measure(node string, from, end sim.Time) figures {
	b.t.Helper()
	sw, port := b.egress(node)
	var f figures
	samples := 0
	f.lowKB = 1e18
	require.NoError(b.t, b.m.Sample(queueSample, func(now sim.Time) {
		if now < from {
			return
		}
		q := float64(sw.QueueBytes(port, dataQueue)) / 1000
		samples++
		f.meanKB += q
		f.lowKB = min(f.lowKB, q)
		f.highKB = max(f.highKB, q)
	}))
	b.run(from)
	before := b.read(sw, port)
	b.run(end)
	after := b.read(sw, port)
	f.meanKB /= float64(samples)
	b.compare(&f, before, after, sw.Port(port).Rate())
	require.NoError(b.t, b.m.CheckConservation())
	return f
}

// compare fills in what follows from two readings. A port sends whole frames
// with what surrounds them on the wire.
func (b *testbed) compare(f *figures, before, after reading, line sim.Rate) {
	span := (after.at - before.at).Seconds()
	packets := float64(after.sent - before.sent)
	framing := b.m.Spec.Framing
	wire := float64(after.bytes-before.bytes) + packets*float64(framing.Preamble+framing.Gap)
	f.utilisation = wire * 8 / span / float64(line)
	f.marked = float64(after.marked-before.marked) / packets
	f.cnpRate = float64(after.notified-before.notified) / span / float64(len(after.flows))
	for i := range after.flows {
		f.rates = append(f.rates, float64(after.flows[i]-before.flows[i])*8/span)
	}
	f.jain = jain(f.rates)
}

// jain is Jain's fairness index (Jain, Chiu and Hawe 1984).
func jain(rates []float64) float64 {
	var sum, squares float64
	for _, r := range rates {
		sum += r
		squares += r * r
	}
	return sum * sum / (float64(len(rates)) * squares)
}

// incastSets describe n flows from hosts h1, h2, ... to h0 that start one after
// the other, without an end.
func incastSets(n int, stagger sim.Time) []string {
	var flows []string
	for i := range n {
		flows = append(flows, fmt.Sprintf("{from: h%d, to: h0, bytes: 1TB, start: %dps}", i+1, sim.Time(i)*stagger))
	}
	return []string{
		fmt.Sprintf("fabric.hosts=%d", n+1),
		"workload[load].flows=[" + strings.Join(flows, ", ") + "]",
	}
}

// linkSets give all links of a star a rate and the delay that makes the control
// loop last loop: from a marked packet's first bit at the switch to the first
// packet that was sent at the new rate, stored there. It has the packet's time
// twice, the CNP's twice and four propagations.
func linkSets(rate sim.Rate, loop sim.Time, packetBytes int64) []string {
	const cnp = 60 // of the framing hpcc-ns3
	delay := (loop - 2*rate.TxTimeCeil(packetBytes) - 2*rate.TxTimeCeil(cnp)) / 4
	return []string{
		fmt.Sprintf("fabric.host_link={rate: %dbps, delay: %dps}", int64(rate), int64(delay)),
	}
}
