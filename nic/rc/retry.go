package rc

// Retry counts the attempts to get a packet through. It is the retry counter
// of a queue pair (InfiniBand Architecture Volume 1, 9.7.6; retry_cnt of
// ibv_modify_qp), counting time-outs only.
type Retry struct {
	// Count is how many time-outs in a row are answered by sending again;
	// verbs allow 0 to 7. The queue pair fails at the next one, after Count+1
	// attempts in all.
	Count    int
	timeouts int
}

// Timeout takes a retransmission time-out and reports whether the queue pair
// fails with it.
func (r *Retry) Timeout() (failed bool) {
	r.timeouts++
	return r.timeouts > r.Count
}

// Progress takes an acknowledgement of something new: time-outs count anew.
func (r *Retry) Progress() { r.timeouts = 0 }

// Timeouts is how many time-outs there were since the last progress.
func (r *Retry) Timeouts() int { return r.timeouts }
