package validation_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// lossy stands at the end of a link before its receiver and loses data packets
// at random.
type lossy struct {
	fabric.Receiver
	pool        *packet.Pool
	random      *sim.Stream
	probability float64
	lost        int
}

func (l *lossy) Receive(now sim.Time, port int, p *packet.Packet) {
	if p.Kind == packet.Data && l.random.Float64() < l.probability {
		l.lost++
		l.pool.Put(p)
		return
	}
	l.Receiver.Receive(now, port, p)
}

// loseTowards puts loss on the link of a star's switch to host number i.
func (b *testbed) loseTowards(i int, probability float64) *lossy {
	const firstLink = sim.ID(0) // links are the engine's first class
	cable := b.m.Spec.Graph.Links[i]
	direction := 2*i + 1
	if cable.B.Node == i {
		direction = 2 * i
	}
	l := &lossy{
		Receiver: b.m.NICs.NIC(i), pool: b.m.Packets,
		random: sim.NewStream(1, fmt.Sprint("loss/", b.t.Name())), probability: probability,
	}
	b.m.Links.Init(direction, b.m.Engine, firstLink, fabric.LinkConfig{To: l, Propagation: cable.Delay})
	return l
}

// V-43: go-back-N with packet loss p, where W packets are sent from a NAK's cause
// to its arrival: goodput (1-p)/(1+pW) of the line (docs/accuracy.md, V-43: the
// formula and an independent simulation give the ranges), ±2 %. The responder
// repeats its NAK if what was sent again is lost again.
func TestV43GoBackNGoodput(t *testing.T) {
	t.Parallel()
	const slot = 80 * sim.Nanosecond
	for _, c := range []struct {
		window    sim.Time // packets
		loss      float64
		low, high float64
	}{
		{10, 1e-2, 0.900, 0.901},
		{100, 1e-4, 0.9900, 0.9917},
		{100, 1e-3, 0.908, 0.913},
		{100, 1.0 / 256, 0.716, 0.723},
		{100, 1e-2, 0.495, 0.4965},
		{400, 1e-3, 0.714, 0.722},
		{400, 1e-2, 0.198, 0.199},
	} {
		t.Run(fmt.Sprintf("W=%d p=%.4f", c.window, c.loss), func(t *testing.T) {
			t.Parallel()
			// The window is two packets' times (stored once), twice the NAK's and
			// four propagations; a nanosecond is left so that it is in time.
			nak := (100 * sim.Gbps).TxTimeCeil(60)
			delay := (c.window*slot-2*slot-2*nak)/4 - sim.Nanosecond
			b := build(t, "reliability-loss.yaml",
				fmt.Sprintf("fabric.host_link.delay=%dps", int64(delay)),
				fmt.Sprintf("nic.nak_interval=%dps", int64(c.window*slot+slot/2)))
			l := b.loseTowards(0, c.loss)
			const span = 200 * sim.Millisecond
			b.run(span)
			require.NotZero(t, l.lost)
			goodput := float64(b.m.NICs.ReceivedBytes(0)/952) / float64(span/slot)
			t.Logf("goodput %.4f, %d packets lost", goodput, l.lost)
			assert.GreaterOrEqual(t, goodput, c.low*0.98)
			assert.LessOrEqual(t, goodput, c.high*1.02)
			require.NoError(t, b.m.CheckConservation())
		})
	}
}

// A strict responder reports a gap once: what was sent again and lost again
// waits for the sender's time-out (InfiniBand Architecture Volume 1, 9.7). So of n gaps np/(1-p) end
// in a time-out, to three standard deviations.
func TestV43StrictResponderWaitsForTimeout(t *testing.T) {
	t.Parallel()
	const loss = 1e-2
	b := build(t, "reliability-loss.yaml", "nic.timeout=1ms", "nic.retry_count=7")
	b.loseTowards(0, loss)
	b.run(200 * sim.Millisecond)
	timeouts := float64(b.m.NICs.NIC(1).Stats().Timeouts)
	gaps := float64(b.m.NICs.NIC(0).Stats().NaksSent)
	t.Logf("%.0f gaps, %.0f time-outs", gaps, timeouts)
	want := gaps * loss / (1 - loss)
	assert.InDelta(t, want, timeouts, 3*math.Sqrt(want))
}
