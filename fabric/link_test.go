package fabric_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// A frame arrives after propagation and the latencies at both ends: its last
// bit at a store-and-forward node, its first at a cut-through one.
func TestLinkDelay(t *testing.T) {
	for _, c := range []struct {
		atHeader bool
		want     sim.Time
	}{
		{false, 333_280 + 50_000 + 30_000 + 20_000},
		{true, 50_000 + 30_000 + 20_000},
	} {
		b := newCable(t, fabric.LinkConfig{
			Port: 7, Propagation: 50 * sim.Nanosecond, SenderLatency: 30 * sim.Nanosecond, ReceiverLatency: 20 * sim.Nanosecond,
			AtHeader: c.atHeader,
		}, fabric.PortConfig{})
		b.port.Transmit(0, frame(4158))
		assert.Equal(t, 1, b.links[0].InFlight())
		b.run(sim.Microsecond)
		require.Len(t, b.far.got, 1)
		assert.Equal(t, c.want, b.far.got[0].at)
		assert.Equal(t, 7, b.far.got[0].port)
		assert.Zero(t, b.links[0].InFlight())
	}
}

// Packets that arrive at one instant (frames that last nothing at a coarse
// quantum) come in order and at once.
func TestSeveralPacketsAtOneInstant(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{Propagation: 10}, fabric.PortConfig{})
	var sent []*packet.Packet
	for _, at := range []sim.Time{5, 5, 5, 6, 9, 9} {
		sent = append(sent, frame(64))
		b.links[0].Send(sent[len(sent)-1], at, at)
	}
	b.run(sim.Microsecond)
	assert.Equal(t, []sim.Time{15, 15, 15, 16, 19, 19}, b.times())
	for i, a := range b.far.got {
		assert.Same(t, sent[i], a.p)
	}
	assert.Equal(t, uint64(3), b.engine.Events(), "one event an instant")
}

// A receiver may send on the same link while it receives.
func TestSendWhileReceiving(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{Propagation: 10}, fabric.PortConfig{})
	left := 3
	b.far.reply = func(now sim.Time, p *packet.Packet) {
		if left--; left > 0 {
			b.links[0].Send(p, now, now)
		}
	}
	b.links[0].Send(frame(64), 0, 0)
	b.run(sim.Microsecond)
	assert.Equal(t, []sim.Time{10, 20, 30}, b.times())
}

// Hold delivers a frame again later, before those behind it.
func TestHold(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{Propagation: 10}, fabric.PortConfig{})
	first, second := frame(64), frame(64)
	held := false
	b.far.reply = func(_ sim.Time, p *packet.Packet) {
		if p == first && !held {
			held = true
			b.links[0].Hold(p, 25)
			assert.Equal(t, 2, b.links[0].InFlight())
		}
	}
	b.links[0].Send(first, 0, 0)
	b.links[0].Send(second, 20, 20)
	b.run(sim.Microsecond)
	assert.Equal(t, []sim.Time{10, 25, 30}, b.times())
	assert.Same(t, first, b.far.got[1].p)
}

// A frame that is held stays held although the one behind it is there at the
// same instant; that one follows it. (A sender's jitter can bring two headers
// to one instant.)
func TestHoldWithAnotherPacketAtTheSameInstant(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{Propagation: 10}, fabric.PortConfig{})
	first, second := frame(64), frame(64)
	held := false
	b.far.reply = func(_ sim.Time, p *packet.Packet) {
		if p == first && !held {
			held = true
			b.links[0].Hold(p, 25)
		}
	}
	b.links[0].Send(first, 0, 0)
	b.links[0].Send(second, 0, 0)
	b.run(sim.Microsecond)
	assert.Equal(t, []sim.Time{10, 25, 25}, b.times())
	assert.Same(t, first, b.far.got[1].p)
	assert.Same(t, second, b.far.got[2].p)
}

// However packets are sent and fetched, a link is a queue that delays each by
// the same time.
func TestLinkIsAQueue(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		delay := sim.Time(rapid.IntRange(0, 50).Draw(rt, "delay"))
		gaps := rapid.SliceOfN(rapid.IntRange(0, 20), 0, 200).Draw(rt, "gaps")
		b := newCable(t, fabric.LinkConfig{Propagation: delay}, fabric.PortConfig{})
		var now sim.Time
		var want []sim.Time
		var sent []*packet.Packet
		for _, gap := range gaps {
			now += sim.Time(gap)
			b.run(now)
			p := frame(64)
			b.links[0].Send(p, now, now+1)
			sent, want = append(sent, p), append(want, now+1+delay)
		}
		b.run(sim.Millisecond)
		require.Equal(rt, want, b.times())
		for i, a := range b.far.got {
			require.Same(rt, sent[i], a.p)
		}
	})
}

// Pause frames take effect after propagation and the peer's response time;
// pipelines do not delay them.
func TestPauseChannel(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{
		Port: 2, Propagation: 50, Response: 200, SenderLatency: 1000, ReceiverLatency: 1000,
	}, fabric.PortConfig{})
	for _, at := range []sim.Time{0, 0, 40, 300} {
		b.run(at)
		b.pauses[0].Send(xoff(3, uint16(at)), at)
	}
	b.run(sim.Microsecond)
	var at []sim.Time
	var quanta []uint16
	for _, a := range b.far.pauses {
		at, quanta = append(at, a.at), append(quanta, a.pause.Quanta)
		assert.Equal(t, 2, a.port)
	}
	assert.Equal(t, []sim.Time{250, 250, 290, 550}, at)
	assert.True(t, slices.Equal([]uint16{0, 0, 40, 300}, quanta))
}
