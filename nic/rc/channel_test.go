package rc

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
)

// answer is an ACK or NAK on its way back.
type answer struct {
	psn packet.PSN
	nak bool
	// received is what a NAK of selective repeat reports beside psn.
	received packet.PSN
	selected bool
}

// receiver is what all responders have in common; plain adapts Responder.
type receiver interface {
	Receive(psn packet.PSN, last, ackReq bool) (Verdict, int)
	Expected() packet.PSN
	AckPSN() packet.PSN
}

type plain struct{ Responder }

func (p *plain) Receive(psn packet.PSN, last, ackReq bool) (Verdict, int) {
	v := p.Responder.Receive(psn, last, ackReq)
	if last && (v == Deliver || v == DeliverAck) {
		return v, 1
	}
	return v, 0
}

// newReceiver returns a responder of a recovery.
func newReceiver(how Recovery, outOfOrder bool, first packet.PSN, ackEvery int) receiver {
	switch {
	case how == GoBack0:
		r := new(RestartResponder)
		r.Init(first, ackEvery)
		return r
	case how == SelectiveRepeat:
		r := new(SelectiveResponder)
		r.Init(first, ackEvery)
		return r
	case outOfOrder:
		r := new(OutOfOrderResponder)
		r.Init(first, ackEvery)
		return r
	default:
		r := new(plain)
		r.Init(first, ackEvery)
		return r
	}
}

// channel joins a requester and a responder by two wires that lose, repeat and
// reorder whatever a test draws.
type channel struct {
	req  Requester
	resp receiver
	how  Recovery
	// inOrder tells that packets are delivered in the order of their PSNs.
	inOrder bool

	data    []Segment
	answers []answer

	// partial holds the packets delivered of messages that are not complete;
	// messages are short, no PSN repeats. total counts those of the others.
	partial   map[packet.PSN]bool
	total     int
	ends      int
	completed []uint32
}

func (c *channel) receive(t *rapid.T, s Segment) {
	expected := c.resp.Expected()
	v, ends := c.resp.Receive(s.PSN, s.Last, s.AckReq)
	switch v {
	case Deliver, DeliverAck, DeliverNak:
		if c.how == GoBack0 && s.First {
			clear(c.partial) // it starts over
			expected = s.PSN
		}
		if c.inOrder {
			require.Equal(t, expected, s.PSN, "delivered out of order")
		}
		require.False(t, c.partial[s.PSN], "PSN %d delivered twice", s.PSN)
		c.partial[s.PSN] = true
	case Duplicate, Gap, GapSilent:
		require.Zero(t, ends)
	}
	c.finish(ends)
	switch v {
	case DeliverAck, Duplicate:
		c.answers = append(c.answers, answer{psn: c.resp.AckPSN()})
	case Gap:
		c.answers = append(c.answers, answer{psn: c.resp.Expected(), nak: true})
	case DeliverNak:
		c.answers = append(c.answers, answer{psn: c.resp.Expected(), nak: true, received: s.PSN, selected: true})
	case Deliver, GapSilent:
	}
}

// finish counts messages, and the packets before the expected one if some
// ended.
func (c *channel) finish(ends int) {
	c.ends += ends
	if ends == 0 {
		return
	}
	for psn := range c.partial {
		if psn.Before(c.resp.Expected()) {
			c.total++
			delete(c.partial, psn)
		}
	}
}

func (c *channel) answer(t *rapid.T, a answer) {
	switch {
	case a.selected:
		c.req.Sack(a.psn, a.received)
	case a.nak:
		c.req.Nak(a.psn)
	default:
		c.req.Ack(a.psn)
	}
	for msg, ok := c.req.Completed(); ok; msg, ok = c.req.Completed() {
		c.completed = append(c.completed, msg)
	}
	require.LessOrEqual(t, len(c.completed), c.ends, "a message completed before it was delivered")
}

// drain carries everything in order and without loss until nothing is left,
// with a time-out whenever all is silent.
func (c *channel) drain(t *rapid.T) {
	for range 10_000 {
		switch {
		case len(c.answers) > 0:
			a := c.answers[0]
			c.answers = c.answers[1:]
			c.answer(t, a)
		case len(c.data) > 0:
			s := c.data[0]
			c.data = c.data[1:]
			c.receive(t, s)
		case c.req.HasNext():
			c.data = append(c.data, c.req.Next())
		case c.req.Outstanding():
			c.req.Timeout()
		default:
			return
		}
	}
	t.Fatalf("no end: %+v", c.req)
}

// take removes one element: mostly the oldest; sometimes another.
func take[T any](t *rapid.T, list *[]T) T {
	i := 0
	if rapid.IntRange(0, 4).Draw(t, "reorder") == 0 {
		i = rapid.IntRange(0, len(*list)-1).Draw(t, "which")
	}
	x := (*list)[i]
	*list = append((*list)[:i:i], (*list)[i+1:]...)
	return x
}

// TestExactlyOnce: whatever the channel does, each packet is delivered once,
// each message completes once, in order, and not before it was delivered; and
// once the channel behaves, all of them are.
func TestExactlyOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := packet.PSN(rapid.SampledFrom([]int{0, 1<<24 - 30}).Draw(t, "first"))
		ackEvery := rapid.IntRange(0, 5).Draw(t, "ack every")
		how := rapid.SampledFrom([]Recovery{GoBackN, GoBack0, SelectiveRepeat}).Draw(t, "recovery")
		outOfOrder := how == GoBackN && rapid.Bool().Draw(t, "out of order")
		c := &channel{how: how, inOrder: how != SelectiveRepeat && !outOfOrder, partial: map[packet.PSN]bool{}}
		c.resp = newReceiver(how, outOfOrder, first, ackEvery)
		c.req.Init(256, ackEvery, first)
		c.req.Recover(how, rapid.IntRange(0, 12).Draw(t, "window"))
		var posted []uint32
		var packets int64
		t.Repeat(map[string]func(*rapid.T){
			"post": func(t *rapid.T) {
				bytes := int64(rapid.IntRange(0, 2500).Draw(t, "bytes"))
				posted = append(posted, uint32(len(posted)))
				packets += packet.Packets(bytes, 256)
				c.req.Post(bytes, posted[len(posted)-1])
			},
			"send": func(t *rapid.T) {
				for range rapid.IntRange(1, 10).Draw(t, "packets") {
					if c.req.HasNext() {
						c.data = append(c.data, c.req.Next())
					}
				}
			},
			"lose": func(t *rapid.T) {
				if len(c.data) > 0 {
					take(t, &c.data)
				}
				if len(c.answers) > 0 && rapid.Bool().Draw(t, "answer, too") {
					take(t, &c.answers)
				}
			},
			"repeat": func(t *rapid.T) {
				if len(c.data) > 0 {
					c.data = append(c.data, c.data[0])
				}
				if len(c.answers) > 0 {
					c.answers = append(c.answers, c.answers[0])
				}
			},
			"receive": func(t *rapid.T) {
				for range rapid.IntRange(1, 10).Draw(t, "packets") {
					if len(c.data) > 0 {
						c.receive(t, take(t, &c.data))
					}
				}
			},
			"answer": func(t *rapid.T) {
				if len(c.answers) > 0 {
					c.answer(t, take(t, &c.answers))
				}
			},
			"timeout": func(*rapid.T) { c.req.Timeout() },
			"renak": func(*rapid.T) {
				if r, ok := c.resp.(interface{ ReNak() }); ok {
					r.ReNak()
				}
			},
		})
		c.drain(t)
		require.Equal(t, posted, c.completed)
		require.Equal(t, len(posted), c.ends)
		require.Equal(t, int(packets), c.total)
		require.Empty(t, c.partial)
		require.True(t, c.req.Idle())
	})
}
