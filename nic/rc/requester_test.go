package rc

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
)

// naive is a requester that keeps every packet it ever cut in a list. It is
// the oracle for Requester with go-back-N and go-back-0.
type naive struct {
	restarts bool      // go-back-0
	window   int       // packets, 0 without
	segments []Segment // Retransmit and AckReq unset
	acked    int
	next     int
	high     int
	popped   int
}

func (n *naive) post(bytes int64, msg uint32, mtu int, first packet.PSN) {
	for start := true; start || bytes > 0; start = false {
		size := min(bytes, int64(mtu))
		bytes -= size
		n.segments = append(n.segments, Segment{
			PSN: first.Add(len(n.segments)), Payload: int(size), Msg: msg, First: start, Last: bytes == 0})
	}
}

// sent finds the packet from from on that was sent and has this PSN, or -1.
func (n *naive) sent(from int, psn packet.PSN) int {
	for i := from; i < n.high; i++ {
		if n.segments[i].PSN == psn {
			return i
		}
	}
	return -1
}

func (n *naive) advance(to int) (bytes int64) {
	for ; n.acked < to; n.acked++ {
		bytes += int64(n.segments[n.acked].Payload)
	}
	n.next = max(n.next, n.acked)
	return bytes
}

// floor is the packet that a time-out goes back to.
func (n *naive) floor() int {
	i := n.acked
	for n.restarts && i < len(n.segments) && !n.segments[i].First {
		i--
	}
	return i
}

// back sends again from the floor.
func (n *naive) back() {
	n.acked = n.floor()
	n.next = n.acked
}

// ack acknowledges packet i and all before it.
func (n *naive) ack(i int) int64 {
	if n.restarts && i >= n.next {
		for i >= n.acked && !n.segments[i].Last {
			i--
		}
	}
	if i < n.acked {
		return -1
	}
	return n.advance(i + 1)
}

func (n *naive) hasNext() bool {
	return n.next < len(n.segments) && (n.window == 0 || n.next-n.acked < n.window)
}

func (n *naive) cut() Segment {
	s := n.segments[n.next]
	s.Retransmit = n.next < n.high
	n.next++
	n.high = max(n.high, n.next)
	s.AckReq = s.Last || n.next-n.acked == n.window
	return s
}

func (n *naive) inFlight() (bytes int64) {
	for _, s := range n.segments[n.acked:n.next] {
		bytes += int64(s.Payload)
	}
	return bytes
}

func (n *naive) completed() (uint32, bool) {
	for i := n.popped; i < n.acked; i++ {
		if n.segments[i].Last {
			n.popped = i + 1
			return n.segments[i].Msg, true
		}
	}
	return 0, false
}

// TestRequesterEqualsNaive drives both with any sequence of calls, PSNs that
// nobody sent included.
func TestRequesterEqualsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const mtu = 256
		first := packet.PSN(rapid.SampledFrom([]int{0, 7, 1<<24 - 20, 1<<23 - 3}).Draw(t, "first"))
		var r Requester
		n := naive{restarts: rapid.Bool().Draw(t, "go-back-0"), window: rapid.IntRange(0, 9).Draw(t, "window")}
		r.Init(mtu, 0, first)
		if n.restarts {
			r.Recover(GoBack0, n.window)
		} else {
			r.Recover(GoBackN, n.window)
		}
		var msg uint32
		drawPSN := func(t *rapid.T) packet.PSN {
			return first.Add(rapid.IntRange(n.floor()-3, n.high+2).Draw(t, "packet"))
		}
		t.Repeat(map[string]func(*rapid.T){
			"post": func(t *rapid.T) {
				bytes := int64(rapid.IntRange(0, 5*mtu).Draw(t, "bytes"))
				msg++
				r.Post(bytes, msg)
				n.post(bytes, msg, mtu, first)
			},
			"next": func(t *rapid.T) {
				for i := rapid.IntRange(1, 8).Draw(t, "packets"); i > 0 && n.hasNext(); i-- {
					require.Equal(t, n.cut(), r.Next())
				}
			},
			"ack": func(t *rapid.T) {
				psn := drawPSN(t)
				want := int64(-1)
				if i := n.sent(n.acked, psn); i >= 0 {
					want = n.ack(i)
				}
				require.Equal(t, want, r.Ack(psn), "ack %d", psn)
			},
			"nak": func(t *rapid.T) {
				psn := drawPSN(t)
				want := int64(-1)
				if i := n.sent(n.floor(), psn); i >= 0 {
					want = n.advance(i)
					n.back()
				}
				require.Equal(t, want, r.Nak(psn), "nak %d", psn)
			},
			"timeout": func(*rapid.T) { r.Timeout(); n.back() },
			"completed": func(t *rapid.T) {
				wantMsg, wantOK := n.completed()
				gotMsg, gotOK := r.Completed()
				require.Equal(t, wantOK, gotOK)
				require.Equal(t, wantMsg, gotMsg)
			},
			"": func(t *rapid.T) {
				require.Equal(t, n.hasNext(), r.HasNext(), "has next")
				require.Equal(t, n.next < len(n.segments) && !n.hasNext(), r.WindowFull(), "window full")
				require.Equal(t, n.inFlight(), r.InFlight(), "in flight")
				require.Equal(t, n.acked < n.high, r.Outstanding(), "outstanding")
				require.Equal(t, n.acked == len(n.segments), r.Idle(), "idle")
			},
		})
	})
}

// TestSizes keeps idle queue pairs small: a run of 200 servers in an
// all-to-all has 40,000 of them.
func TestSizes(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(Requester{}), uintptr(144))
	assert.LessOrEqual(t, unsafe.Sizeof(Responder{}), uintptr(16))
	assert.LessOrEqual(t, unsafe.Sizeof(OutOfOrderResponder{}), uintptr(152))
	assert.LessOrEqual(t, unsafe.Sizeof(selective{}), uintptr(56))
	assert.LessOrEqual(t, unsafe.Sizeof(SelectiveResponder{}), uintptr(80))
	assert.LessOrEqual(t, unsafe.Sizeof(RestartResponder{}), uintptr(24))
}

// TestNoAllocation sends, loses and acknowledges messages in steady state.
func TestNoAllocation(t *testing.T) {
	var req Requester
	var resp Responder
	req.Init(1024, 4, 0)
	resp.Init(0, 4)
	allocs := testing.AllocsPerRun(1000, func() { exchange(&req, &resp, 16) })
	assert.Zero(t, allocs)
}

// exchange sends a message of packets and its answers; one packet is lost and
// sent again.
func exchange(req *Requester, resp *Responder, packets int64) {
	req.Post(1024*packets, 1)
	for lost := false; req.HasNext(); {
		s := req.Next()
		if !lost && s.PSN%8 == 5 {
			lost = true
			continue
		}
		switch resp.Receive(s.PSN, s.Last, s.AckReq) {
		case DeliverAck, Duplicate:
			req.Ack(resp.AckPSN())
		case Gap:
			req.Nak(resp.Expected())
		case Deliver, GapSilent:
		}
	}
	req.Completed()
}

func BenchmarkExchange(b *testing.B) {
	var req Requester
	var resp Responder
	req.Init(1024, 1, 0)
	resp.Init(0, 1)
	req.Post(1024*int64(b.N), 1)
	b.ReportAllocs()
	for b.Loop() {
		if !req.HasNext() {
			req.Post(1<<30, 1)
		}
		s := req.Next()
		if resp.Receive(s.PSN, s.Last, s.AckReq) == DeliverAck {
			req.Ack(resp.AckPSN())
			req.Completed()
		}
	}
}
