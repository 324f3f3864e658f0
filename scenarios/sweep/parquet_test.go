package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The bytes of runs.parquet are part of the promise that a sweep is the same
// everywhere, and they depend on the libraries that encode and compress. If this
// fails after one was updated, say so in the changelog and take the new sum:
// sweeps of the version before are equal in content only.
func TestParquetBytes(t *testing.T) {
	made := table{rows: 500, columns: []column{
		{"axis", word, func(i int) string { return strconv.Itoa(i/100) + "KB" }},
		{"seed", whole, func(i int) string { return strconv.Itoa(i % 100) }},
		{"fct.p99_us", real, func(i int) string {
			if i%7 == 0 {
				return ""
			}
			return strconv.FormatFloat(float64(i*i)/3, 'g', -1, 64)
		}},
	}}
	data, err := made.parquet()
	require.NoError(t, err)
	sum := sha256.Sum256(data)
	assert.Equal(t, "36e967f0a3bc91b4455ffc9e5109e154a28070e848c7148b1049c9c83d387fb8", hex.EncodeToString(sum[:]))
}
