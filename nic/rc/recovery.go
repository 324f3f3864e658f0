package rc

// Recovery is what a queue pair does about a lost packet.
type Recovery uint8

// Kinds of recovery.
const (
	// GoBackN sends everything from the lost packet on again; the responder
	// takes packets in order only (InfiniBand Architecture Volume 1, 9.7).
	GoBackN Recovery = iota
	// GoBack0 starts the message over from its first packet, as early RoCE
	// adapters did (Guo et al., SIGCOMM 2016, section 4.1).
	GoBack0
	// SelectiveRepeat sends again only what is missing; the responder keeps
	// what came behind a gap (IRN: Mittal et al., SIGCOMM 2018, section 3.1).
	SelectiveRepeat
)

// String names the recovery as scenarios do.
func (r Recovery) String() string {
	return [...]string{"go-back-n", "go-back-0", "selective-repeat"}[r]
}

// Common returns the recovery of a queue pair between adapters of the two
// kinds: each can do what is older than itself.
func Common(a, b Recovery) Recovery {
	switch {
	case a == b:
		return a
	case a == GoBack0 || b == GoBack0:
		return GoBack0
	default:
		return GoBackN
	}
}

// MaxSelective is how many packets a queue pair with selective repeat may have
// outstanding: both ends keep a bit for each. It is 268 MB at an MTU of 4096,
// 5 ms at 400 Gb/s.
const MaxSelective = 1 << 16

// restartSpan is how many packets go-back-0 starts over at most. Verbs limit a
// message to 2 GiB, which is less from an MTU of 512 on; a longer one is to the
// queue pair several. With it, a restart stays within half of the sequence
// numbers.
const restartSpan = 1 << 22

// Recover chooses the recovery and the most packets outstanding; window 0 sets
// no limit beyond that of the recovery. With a window in bytes of the longest
// path this is IRN's BDP-FC. The packet that fills the window requests an
// acknowledgement. Preconditions: nothing has been posted since Init.
func (r *Requester) Recover(how Recovery, window int) {
	limit := maxOutstanding
	r.recovery = how
	switch how {
	case SelectiveRepeat:
		limit = MaxSelective
		r.selective = &selective{}
	case GoBack0:
		limit = restartSpan
	case GoBackN:
	}
	if window > 0 {
		limit = min(limit, window)
	}
	r.limit = int32(limit)
}

// floor is the packet that the requester may have to go back to: the oldest
// that is not acknowledged, or with go-back-0 the start of its message.
func (r *Requester) floor() int64 {
	if r.recovery != GoBack0 || r.done == r.count {
		return r.una
	}
	start := r.message(r.done).start
	return start + (r.una-start)&^(restartSpan-1)
}

// whole is the end of the last message that ends at packet upTo or before, or
// una. An acknowledgement from before a restart tells nothing of a message that
// has been started over since, but what is complete stays complete.
func (r *Requester) whole(upTo int64) int64 {
	n := r.una
	for i := r.done; i < r.count && r.message(i).end <= upTo; i++ {
		n = r.message(i).end
	}
	return n
}
