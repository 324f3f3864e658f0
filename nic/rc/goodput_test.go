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
	window  int
	loss    float64
	strict  bool // the responder never repeats a NAK for the same gap
	timeout int  // of the requester, in slots
}

// goodput returns the part of n slots in which a packet was delivered.
func (c slots) goodput(n int) float64 {
	random := sim.NewStream(1, "loss")
	var req Requester
	var resp Responder
	req.Init(1000, 1, 0)
	resp.Init(0, 1)
	req.Post(int64(n)*1000, 0)
	answers := make([]func(), c.window) // by slot, modulo window
	delivered, nakAt, progressAt := 0, 0, 0
	for slot := range n {
		if a := answers[slot%c.window]; a != nil {
			a()
		}
		if !c.strict && slot-nakAt == c.window {
			resp.ReNak() // what was sent again has had time to arrive
		}
		if slot-progressAt == c.timeout {
			req.Timeout()
			progressAt = slot
		}
		answers[slot%c.window] = nil
		s := req.Next()
		if random.Float64() < c.loss {
			continue
		}
		switch resp.Receive(s.PSN, s.Last, s.AckReq) {
		case Deliver, DeliverAck:
			delivered++
			progressAt = slot
			psn := resp.AckPSN()
			answers[slot%c.window] = func() { req.Ack(psn) }
		case Gap:
			nakAt = slot
			psn := resp.Expected()
			answers[slot%c.window] = func() { req.Nak(psn) }
		case Duplicate, GapSilent:
		}
	}
	return float64(delivered) / float64(n)
}

// TestGoodputUnderLoss: FACTS V-43: go-back-N has a goodput of (1-p)/(1+pW),
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
// packet that was sent again costs a time-out (FACTS 6.1), so goodput is lower.
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
