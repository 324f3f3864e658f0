//go:build !unix

package validation_test

import "time"

// cpuTime is not available here; the benchmark reports 0.
func cpuTime() time.Duration { return 0 }
