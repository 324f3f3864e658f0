//go:build unix

package sweep

import (
	"syscall"
	"time"
)

// cpuTime is the processor time of this process: unlike wall time it does not
// grow when the machine is shared.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
