//go:build !unix

package sweep

import "time"

// cpuTime is not available here; the benchmark reports 0.
func cpuTime() time.Duration { return 0 }
