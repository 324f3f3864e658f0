package strict

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestDiff(t *testing.T) {
	a := "name: a\nswitch:\n  ecn: {kmin: 400KB, kmax: 1600KB}\n  pfc: {enabled: true}\n" +
		"workload:\n  - {name: x, bytes: 1KB}\n  - {name: y, hosts: [h0, h1]}\nfaults:\n  - {at: 1ms}\n"
	b := "name: a\nswitch:\n  ecn: {kmin: 200KB, kmax: 1600KB, pmax: 20%}\n" +
		"workload:\n  - {name: y, hosts: [h0, h2]}\n  - {name: z, bytes: 2KB}\nfaults:\n  - {at: 2ms}\n"
	got, err := Diff("a", []byte(a), "b", []byte(b))
	require.NoError(t, err)
	assert.Equal(t, []Difference{
		{"switch.ecn.kmin", "400KB", "200KB"},
		{"switch.ecn.pmax", "", "20%"},
		{"switch.pfc.enabled", "true", ""},
		{"workload[x].name", "x", ""},
		{"workload[x].bytes", "1KB", ""},
		{"workload[y].hosts", "[h0, h1]", "[h0, h2]"},
		{"workload[z].name", "", "z"},
		{"workload[z].bytes", "", "2KB"},
		{"faults[0].at", "1ms", "2ms"},
	}, got)
	_, err = Diff("a", []byte("a: [\n"), "b", []byte(b))
	assert.ErrorContains(t, err, "a:")
	_, err = Diff("a", []byte(a), "b", []byte("7"))
	assert.ErrorContains(t, err, "b:1:1")
}

// A file does not differ from itself, and a change of one field is found at
// its path from either side.
func TestDiffFindsOneChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(1, 5).Draw(t, "depth")
		path, text := "", ""
		for i := range depth {
			key := rapid.StringMatching(`k[a-z]{1,5}`).Draw(t, "key")
			if i > 0 {
				path += "."
				text += "{"
			}
			path += key
			text += key + ": "
		}
		closing := ""
		for range depth - 1 {
			closing += "}"
		}
		file := func(value string) []byte { return []byte(text + value + closing + "\n") }
		same, err := Diff("a", file("1"), "b", file("1"))
		require.NoError(t, err)
		assert.Empty(t, same)
		one, err := Diff("a", file("1"), "b", file("2"))
		require.NoError(t, err)
		assert.Equal(t, []Difference{{path, "1", "2"}}, one)
	})
}
