package results

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The expected values of nearest rank are those of its definition: the value
// at place ceil(p*n), counted from 1.
func TestPercentileNearestRank(t *testing.T) {
	sorted := make([]float64, 1000)
	for i := range sorted {
		sorted[i] = float64(i + 1)
	}
	assert.Equal(t, 500.0, Percentile(sorted, 0.50))
	assert.Equal(t, 950.0, Percentile(sorted, 0.95))
	assert.Equal(t, 990.0, Percentile(sorted, 0.99))
	assert.Equal(t, 999.0, Percentile(sorted, 0.999))
	assert.Equal(t, 1000.0, Percentile(sorted, 1))
	assert.Equal(t, 19.0, Percentile(sorted[:20], 0.95), "0.95*20 is above 19 in floating point")
	assert.Equal(t, 1.0, Percentile(sorted[:1], 0.5))
	assert.Equal(t, 100.0, Percentile(sorted[:100], 0.999))
}

func TestPercentileMatchesCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 1e9), 1, 300).Draw(t, "values")
		percent := rapid.IntRange(1, 100).Draw(t, "percent")
		slices.Sort(values)
		got := Percentile(values, float64(percent)/100)
		atMost, below := 0, 0
		for _, v := range values {
			if v <= got {
				atMost++
			}
			if v < got {
				below++
			}
		}
		require.GreaterOrEqual(t, atMost*100, percent*len(values), "at least the share does not exceed it")
		require.Less(t, below*100, percent*len(values), "no smaller value does")
	})
}

func TestDistribute(t *testing.T) {
	assert.Zero(t, Distribute(nil))
	d := Distribute([]float64{4, 1, 3, 2})
	assert.Equal(t, Distribution{N: 4, Min: 1, Mean: 2.5, P50: 2, P95: 4, P99: 4, P999: 4, Max: 4}, d)
}

// Jain's index of k equal shares among n is k/n (Jain, Chiu, Hawe 1984).
func TestJain(t *testing.T) {
	assert.Equal(t, 1.0, jain([]float64{7, 7, 7}))
	assert.Equal(t, 0.5, jain([]float64{1, 1, 0, 0}))
	assert.Equal(t, 1.0, jain([]float64{0, 0}))
}

func TestBucketsAreContiguous(t *testing.T) {
	buckets := Buckets()
	assert.Equal(t, int64(0), buckets[0].Over)
	assert.Equal(t, int64(math.MaxInt64), buckets[len(buckets)-1].UpTo)
	assert.Equal(t, "3000-10000", buckets[1].Name())
	assert.Equal(t, "3000000-inf", buckets[7].Name())
	for i, b := range buckets {
		if i > 0 {
			assert.Equal(t, buckets[i-1].UpTo, b.Over)
		}
		assert.Equal(t, i, bucketIndex(buckets, b.UpTo), "the upper edge belongs to the bucket")
		assert.Equal(t, i, bucketIndex(buckets, b.Over+1), "the lower edge does not")
	}
}
