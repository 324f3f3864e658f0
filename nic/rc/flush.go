package rc

// Flush removes and returns the oldest message, acknowledged or not; ok is
// false if there is none. A queue pair in the error state flushes its work
// requests (InfiniBand Architecture Volume 1, 10.3.1). Nothing may be sent or
// acknowledged in between.
func (r *Requester) Flush() (msg uint32, ok bool) {
	if r.count == 0 {
		return 0, false
	}
	msg = r.message(0).id
	r.head = (r.head + 1) & (len(r.ring) - 1)
	r.count--
	r.done = max(0, r.done-1)
	if r.count == 0 {
		r.una, r.next, r.high = r.tail, r.tail, r.tail
		r.cursor, r.done, r.inFlight = 0, 0, 0
		if r.selective != nil {
			*r.selective = selective{scan: r.tail, lost: r.tail, top: r.tail}
		}
	}
	return msg, true
}
