package results

import (
	"fmt"
	"math"
)

// Bucket is a range of flow sizes, Over < bytes <= UpTo.
type Bucket struct{ Over, UpTo int64 }

// Buckets are the flow sizes by which slowdown is reported, from the smallest.
// They are the ranges in which results of the HPCC ns-3 simulator are usually
// compared.
func Buckets() []Bucket {
	edges := []int64{0, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, math.MaxInt64}
	buckets := make([]Bucket, len(edges)-1)
	for i := range buckets {
		buckets[i] = Bucket{edges[i], edges[i+1]}
	}
	return buckets
}

// Name returns the bucket as "3000-10000" or "3000000-inf", in bytes.
func (b Bucket) Name() string {
	if b.UpTo == math.MaxInt64 {
		return fmt.Sprintf("%d-inf", b.Over)
	}
	return fmt.Sprintf("%d-%d", b.Over, b.UpTo)
}

// bucketIndex returns the place in Buckets of a flow size; 0 for empty flows.
func bucketIndex(buckets []Bucket, bytes int64) int {
	for i, b := range buckets {
		if bytes <= b.UpTo {
			return i
		}
	}
	return len(buckets) - 1
}
