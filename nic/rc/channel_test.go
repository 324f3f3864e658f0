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
}

// channel joins a requester and a responder by two wires that lose, repeat and
// reorder whatever a test draws.
type channel struct {
	req       Requester
	inOrder   Responder
	anyOrder  OutOfOrderResponder
	reordered bool // use anyOrder

	data    []Segment
	answers []answer

	// delivered counts the packets delivered of each PSN since the start
	// (messages are short, no PSN repeats); ends is messages delivered.
	delivered map[packet.PSN]int
	ends      int
	completed []uint32
}

func (c *channel) receive(t *rapid.T, s Segment) {
	var v Verdict
	if c.reordered {
		var ends int
		v, ends = c.anyOrder.Receive(s.PSN, s.Last, s.AckReq)
		c.ends += ends
	} else {
		expected := c.inOrder.Expected()
		v = c.inOrder.Receive(s.PSN, s.Last, s.AckReq)
		if v == Deliver || v == DeliverAck {
			require.Equal(t, expected, s.PSN, "delivered out of order")
			if s.Last {
				c.ends++
			}
		}
	}
	switch v {
	case Deliver, DeliverAck:
		c.delivered[s.PSN]++
		require.Equal(t, 1, c.delivered[s.PSN], "PSN %d delivered twice", s.PSN)
	case Duplicate, Gap, GapSilent:
	}
	switch v {
	case DeliverAck, Duplicate:
		c.answers = append(c.answers, answer{psn: c.ackPSN()})
	case Gap:
		c.answers = append(c.answers, answer{psn: c.expected(), nak: true})
	case Deliver, GapSilent:
	}
}

func (c *channel) ackPSN() packet.PSN {
	if c.reordered {
		return c.anyOrder.AckPSN()
	}
	return c.inOrder.AckPSN()
}

func (c *channel) expected() packet.PSN {
	if c.reordered {
		return c.anyOrder.Expected()
	}
	return c.inOrder.Expected()
}

func (c *channel) answer(t *rapid.T, a answer) {
	if a.nak {
		c.req.Nak(a.psn)
	} else {
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
		c := &channel{delivered: map[packet.PSN]int{}, reordered: rapid.Bool().Draw(t, "out of order")}
		c.req.Init(256, ackEvery, first)
		c.inOrder.Init(first, ackEvery)
		c.anyOrder.Init(first, ackEvery)
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
			"renak":   func(*rapid.T) { c.inOrder.ReNak(); c.anyOrder.ReNak() },
		})
		c.drain(t)
		require.Equal(t, posted, c.completed)
		require.Equal(t, len(posted), c.ends)
		require.Len(t, c.delivered, int(packets))
		require.True(t, c.req.Idle())
	})
}
