package rc

import (
	"fmt"

	"rocesim/sim"
)

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

// maxTimerCode is the largest value of the two 5-bit timer codes.
const maxTimerCode = 31

// AckTimeout returns the retransmission time-out 4.096 us x 2^code of Local
// ACK Timeout (InfiniBand Architecture Volume 1, 9.7.6). Code 0 switches it
// off and yields 0. The standard lets adapters take up to four times as long;
// this is the shortest. Codes from 25 on exceed sim.Never: longer than any run.
func AckTimeout(code int) (sim.Time, error) {
	if code < 0 || code > maxTimerCode {
		return 0, fmt.Errorf("ack timeout code %d: allowed are 0 (off) to %d", code, maxTimerCode)
	}
	if code == 0 {
		return 0, nil
	}
	return 4096 * sim.Nanosecond << code, nil
}

// RNRTimer returns how long a requester waits at least after an RNR NAK with
// this timer code (InfiniBand Architecture Volume 1, tables of 9.7.5).
func RNRTimer(code int) (sim.Time, error) {
	if code < 0 || code > maxTimerCode {
		return 0, fmt.Errorf("RNR timer code %d: allowed are 0 to %d", code, maxTimerCode)
	}
	// In units of 10 us, by code.
	table := [maxTimerCode + 1]sim.Time{
		65536, 1, 2, 3, 4, 6, 8, 12,
		16, 24, 32, 48, 64, 96, 128, 192,
		256, 384, 512, 768, 1024, 1536, 2048, 3072,
		4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
	}
	return table[code] * 10 * sim.Microsecond, nil
}
