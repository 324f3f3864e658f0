package rc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
)

// naiveSelective is the oracle for Requester with selective repeat: it notes
// for every packet whether it was received and whether it was sent again since
// the last time-out.
type naiveSelective struct {
	naive
	received, again []bool
	timedOut        int // the oldest packet at the last time-out, or -1
}

func (n *naiveSelective) post(bytes int64, msg uint32, mtu int, first packet.PSN) {
	n.naive.post(bytes, msg, mtu, first)
	n.received = append(n.received, make([]bool, len(n.segments)-len(n.received))...)
	n.again = append(n.again, make([]bool, len(n.segments)-len(n.again))...)
}

// due is the packet to send again next, or -1: the first outstanding one that
// is missing, was not sent again, and lies before one received, or timed out.
func (n *naiveSelective) due() int {
	top := 0
	for i, ok := range n.received {
		if ok {
			top = i
		}
	}
	for i := n.acked; i < n.high; i++ {
		if !n.received[i] && !n.again[i] && (i < top || i == n.timedOut) {
			return i
		}
	}
	return -1
}

func (n *naiveSelective) hasNext() bool { return n.due() >= 0 || n.naive.hasNext() }

func (n *naiveSelective) cut() Segment {
	i := n.due()
	if i < 0 {
		return n.naive.cut()
	}
	n.again[i] = true
	s := n.segments[i]
	s.AckReq, s.Retransmit = true, true
	return s
}

func (n *naiveSelective) sack(i, j int) int64 {
	advanced := int64(-1)
	if i >= 0 {
		advanced = n.advance(i)
	}
	if j < n.acked {
		return advanced
	}
	n.received[j] = true
	return max(advanced, 0)
}

func (n *naiveSelective) timeout() {
	if n.acked == n.high {
		return
	}
	n.received[n.acked] = false
	n.timedOut = n.acked
	for i := range n.again {
		n.again[i] = false
	}
}

// TestSelectiveEqualsNaive drives both with any sequence of calls, PSNs that
// nobody sent included.
func TestSelectiveEqualsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const mtu = 256
		first := packet.PSN(rapid.SampledFrom([]int{0, 7, 1<<24 - 20, 1<<23 - 3}).Draw(t, "first"))
		var r Requester
		n := naiveSelective{naive: naive{window: rapid.SampledFrom([]int{0, 1, 5, 100}).Draw(t, "window")}, timedOut: -1}
		r.Init(mtu, 0, first)
		r.Recover(SelectiveRepeat, n.window)
		var msg uint32
		drawPSN := func(t *rapid.T, what string) packet.PSN {
			return first.Add(rapid.IntRange(n.acked-3, n.high+2).Draw(t, what))
		}
		t.Repeat(map[string]func(*rapid.T){
			"post": func(t *rapid.T) {
				bytes := int64(rapid.SampledFrom([]int{0, 1, mtu, 2 * mtu, 5*mtu - 1, 90 * mtu}).Draw(t, "bytes"))
				msg++
				r.Post(bytes, msg)
				n.post(bytes, msg, mtu, first)
			},
			"next": func(t *rapid.T) {
				for i := rapid.IntRange(1, 80).Draw(t, "packets"); i > 0 && n.hasNext(); i-- {
					require.Equal(t, n.cut(), r.Next())
				}
			},
			"ack": func(t *rapid.T) {
				psn := drawPSN(t, "packet")
				want := int64(-1)
				if i := n.sent(n.acked, psn); i >= 0 {
					want = n.ack(i)
				}
				require.Equal(t, want, r.Ack(psn), "ack %d", psn)
			},
			"sack": func(t *rapid.T) {
				psn, received := drawPSN(t, "cumulative"), drawPSN(t, "received")
				want := n.sack(n.sent(n.acked, psn), n.sent(n.acked, received))
				require.Equal(t, want, r.Sack(psn, received), "expects %d, received %d", psn, received)
			},
			"timeout": func(*rapid.T) { r.Timeout(); n.timeout() },
			"completed": func(t *rapid.T) {
				wantMsg, wantOK := n.completed()
				gotMsg, gotOK := r.Completed()
				require.Equal(t, wantOK, gotOK)
				require.Equal(t, wantMsg, gotMsg)
			},
			"": func(t *rapid.T) {
				require.Equal(t, n.hasNext(), r.HasNext(), "has next")
				require.Equal(t, n.due() >= 0, r.Repeating(), "repeating")
				require.Equal(t, n.inFlight(), r.InFlight(), "in flight")
				require.Equal(t, n.acked < n.high, r.Outstanding(), "outstanding")
				require.Equal(t, n.acked == len(n.segments), r.Idle(), "idle")
			},
		})
	})
}

// TestSelectiveResponderEqualsNaive: the oracle keeps the arrived packets in a
// map.
func TestSelectiveResponderEqualsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := packet.PSN(rapid.SampledFrom([]int{0, 1<<24 - 40}).Draw(t, "first"))
		var r SelectiveResponder
		ackEvery := rapid.IntRange(0, 4).Draw(t, "ack every")
		r.Init(first, ackEvery)
		arrived := map[int]bool{} // whether it ends a message
		expected, unacked := 0, 0
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				require.Equal(t, first.Add(expected), r.Expected())
				require.Equal(t, first.Add(expected-1), r.AckPSN())
			},
			"receive": func(t *rapid.T) {
				i := expected + rapid.SampledFrom([]int{-1, 0, 0, 0, 1, 2, 3, 63, 64, 200}).Draw(t, "ahead")
				last, ackReq := i%3 == 0, i%7 == 0
				v, messages := r.Receive(first.Add(i), last, ackReq)
				if _, again := arrived[i]; i < expected || again {
					require.Equal(t, Duplicate, v)
					return
				}
				closes := len(arrived) > 0
				arrived[i] = last
				if i > expected {
					require.Equal(t, DeliverNak, v)
					require.Zero(t, messages)
					return
				}
				ends := 0
				for l, ok := arrived[expected]; ok; l, ok = arrived[expected] {
					if l {
						ends++
					}
					delete(arrived, expected)
					expected++
					unacked++
				}
				require.Equal(t, ends, messages)
				want := Deliver
				if closes || ends > 0 || ackReq || ackEvery > 0 && unacked >= ackEvery {
					want, unacked = DeliverAck, 0
				}
				require.Equal(t, want, v)
			},
		})
	})
}

// TestSelectiveSpan: the last packet that a requester may have outstanding is
// kept; the one behind it, which none sends, is discarded without a word.
func TestSelectiveSpan(t *testing.T) {
	var r SelectiveResponder
	r.Init(0, 0)
	v, _ := r.Receive(MaxSelective-1, true, true)
	assert.Equal(t, DeliverNak, v)
	v, _ = r.Receive(MaxSelective, true, true)
	assert.Equal(t, GapSilent, v)
	for psn := packet.PSN(0); psn < MaxSelective-2; psn++ {
		r.Receive(psn, false, false)
	}
	v, messages := r.Receive(MaxSelective-2, false, false)
	assert.Equal(t, DeliverAck, v)
	assert.Equal(t, 1, messages)

	var q Requester
	q.Init(1000, 0, 0)
	q.Recover(SelectiveRepeat, 0)
	q.Post(1_000_000_000, 1)
	sent := 0
	for ; q.HasNext(); sent++ {
		q.Next()
	}
	assert.Equal(t, MaxSelective, sent)
	assert.True(t, q.WindowFull())
}

// TestRestartSpan: a message longer than a restart may be starts over at a
// multiple of it, on both sides.
func TestRestartSpan(t *testing.T) {
	var q Requester
	var r RestartResponder
	q.Init(1, 0, 0)
	q.Recover(GoBack0, 0)
	r.Init(0, 0)
	q.Post(restartSpan+10, 1)
	for range restartSpan + 5 {
		if !q.HasNext() {
			q.Ack(r.AckPSN())
		}
		s := q.Next()
		r.Receive(s.PSN, s.Last, s.AckReq)
	}
	q.Ack(r.AckPSN())
	q.Next() // lost
	s := q.Next()
	v, _ := r.Receive(s.PSN, s.Last, s.AckReq)
	require.Equal(t, Gap, v)
	assert.Equal(t, packet.PSN(restartSpan), r.Expected())
	assert.Zero(t, q.Nak(r.Expected()))
	assert.Equal(t, packet.PSN(restartSpan), q.Next().PSN)
}

// TestCommon: an old adapter sets the pace.
func TestCommon(t *testing.T) {
	for _, c := range []struct{ a, b, want Recovery }{
		{GoBackN, GoBackN, GoBackN},
		{SelectiveRepeat, SelectiveRepeat, SelectiveRepeat},
		{SelectiveRepeat, GoBackN, GoBackN},
		{GoBackN, GoBack0, GoBack0},
		{SelectiveRepeat, GoBack0, GoBack0},
	} {
		assert.Equal(t, c.want, Common(c.a, c.b), "%v and %v", c.a, c.b)
		assert.Equal(t, c.want, Common(c.b, c.a), "%v and %v", c.b, c.a)
	}
}

// TestSelectiveNoAllocation loses a packet of every message in steady state.
func TestSelectiveNoAllocation(t *testing.T) {
	var q Requester
	var r SelectiveResponder
	q.Init(1024, 1, 0)
	q.Recover(SelectiveRepeat, 0)
	r.Init(0, 0)
	allocs := testing.AllocsPerRun(1000, func() {
		q.Post(100*1024, 1)
		for i := 0; q.HasNext(); i++ {
			s := q.Next()
			if i == 5 {
				continue
			}
			switch v, _ := r.Receive(s.PSN, s.Last, s.AckReq); v {
			case DeliverAck, Duplicate:
				q.Ack(r.AckPSN())
			case DeliverNak:
				q.Sack(r.Expected(), s.PSN)
			default:
			}
		}
		q.Completed()
	})
	assert.Zero(t, allocs)
	assert.True(t, q.Idle())
}
