package rc

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/sim"
)

// slots is a link that carries one packet per slot and loses each with a given
// probability, and a way back that loses nothing. An answer reaches the
// requester in time for the packet that is sent window slots after the one that
// called for it.
type slots struct {
	how     Recovery
	window  int
	loss    float64
	every   int  // loses every so many-th packet instead
	strict  bool // the responder never repeats a NAK for the same gap
	timeout int  // of the requester, in slots
	message int  // packets; 0: one message for ever
}

// goodput returns the part of n slots in which a packet was delivered that the
// responder did not throw away later.
func (c slots) goodput(n int) float64 {
	random := sim.NewStream(1, "loss")
	var req Requester
	req.Init(1000, 1, 0)
	req.Recover(c.how, 0)
	resp := newReceiver(c.how, false, 0, 1)
	if c.message == 0 {
		c.message = n
	}
	answers := make([]func(), c.window) // by slot, modulo window
	delivered, nakAt, progressAt := 0, 0, 0
	for slot := range n {
		if a := answers[slot%c.window]; a != nil {
			a()
		}
		if r, ok := resp.(interface{ ReNak() }); ok && !c.strict && slot-nakAt == c.window {
			r.ReNak() // what was sent again has had time to arrive
		}
		if slot-progressAt == c.timeout {
			req.Timeout()
			progressAt = slot
		}
		answers[slot%c.window] = nil
		if !req.HasNext() {
			req.Post(int64(c.message)*1000, 0)
		}
		s := req.Next()
		if c.every > 0 && slot%c.every == c.every-1 || random.Float64() < c.loss {
			continue
		}
		before := resp.Expected()
		v, ends := resp.Receive(s.PSN, s.Last, s.AckReq)
		switch expected, ack := resp.Expected(), resp.AckPSN(); v {
		case DeliverAck, Duplicate:
			answers[slot%c.window] = func() { req.Ack(ack) }
		case Gap:
			nakAt = slot
			answers[slot%c.window] = func() { req.Nak(expected) }
		case DeliverNak:
			answers[slot%c.window] = func() { req.Sack(expected, s.PSN) }
		case Deliver, GapSilent:
		}
		if resp.Expected() != before {
			progressAt = slot
		}
		switch {
		case c.how == GoBack0:
			delivered += ends * c.message
		case v == Deliver || v == DeliverAck || v == DeliverNak:
			delivered++
		}
	}
	return float64(delivered) / float64(n)
}

// TestGoodputUnderLoss: V-43: go-back-N has a goodput of (1-p)/(1+pW),
// for each loss wastes the W packets sent until the NAK is back (renewal
// approximation), ±2 %.
func TestGoodputUnderLoss(t *testing.T) {
	for _, c := range []struct {
		window int
		loss   float64
		want   float64
	}{
		{100, 1e-3, 0.9082},
		{100, 1.0 / 256, 0.7163},
		{100, 1e-2, 0.4950},
		{400, 1e-3, 0.7136},
		{400, 1e-2, 0.1980},
		{10, 1e-2, 0.9000},
	} {
		formula := (1 - c.loss) / (1 + c.loss*float64(c.window))
		assert.InDelta(t, c.want, formula, 5e-5, "the target's own number")
		got := slots{window: c.window, loss: c.loss}.goodput(2_000_000)
		assert.InEpsilon(t, formula, got, 0.02, "W=%d p=%v", c.window, c.loss)
	}
}

// TestStrictResponderWaits: without the option to repeat a NAK, the loss of a
// packet that was sent again costs a time-out (InfiniBand Architecture Volume 1, 9.7), so goodput is lower.
func TestStrictResponderWaits(t *testing.T) {
	const p, window, timeout = 0.05, 20, 1000
	c := slots{window: window, loss: p, timeout: timeout}
	repeating := c.goodput(2_000_000)
	c.strict = true
	strict := c.goodput(2_000_000)
	// A part p of the losses hits the packet sent again; it then takes 1/(1-p)
	// time-outs on average until that one arrives.
	waste := window + p/(1-p)*timeout
	assert.InEpsilon(t, (1-p)/(1+p*waste), strict, 0.05)
	assert.Less(t, strict, repeating/2)
}

// TestSelectiveGoodput: V-43: selective repeat has a goodput of 1-p, ±0.2 %: a
// loss costs the packet that is sent again, no more, and while a packet that was
// lost twice waits for the time-out, others go on.
func TestSelectiveGoodput(t *testing.T) {
	for _, c := range []slots{
		{window: 100, loss: 1e-3},
		{window: 100, loss: 1e-2},
		{window: 400, loss: 1e-3},
		{window: 400, loss: 1e-2},
	} {
		c.how, c.timeout = SelectiveRepeat, 4000
		assert.InEpsilon(t, 1-c.loss, c.goodput(2_000_000), 0.002, "W=%d p=%v", c.window, c.loss)
	}
}

// TestGoBack0Livelock: V-44 (Guo et al., SIGCOMM 2016, section 4.1): of messages
// of 4 MB in packets of 1 KB none ever ends if every 256th packet is lost, for
// it would take 4096 in a row; go-back-N keeps more than 0.3 of the line.
func TestGoBack0Livelock(t *testing.T) {
	c := slots{how: GoBack0, window: 100, every: 256, message: 4096}
	assert.Zero(t, c.goodput(1_000_000))
	c.how = GoBackN
	assert.Greater(t, c.goodput(1_000_000), 0.3)
	c.how, c.message = GoBack0, 100
	assert.Greater(t, c.goodput(1_000_000), 0.1, "short messages get through")
}
