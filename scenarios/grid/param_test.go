package grid

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/scenarios/strict"
)

func TestParamAt(t *testing.T) {
	for _, c := range []struct {
		arg   string
		place float64
		want  string
	}{
		{"a=100KB..1MB", 0, "100KB"},
		{"a=100KB..1MB", 0.5, "550KB"},
		{"a=100KB..1MB", 1, "1MB"},
		{"a=100KB..1MB", 7, "1MB"},
		{"a=100KB..1MB", -1, "100KB"},
		{"a=1us..100us:log", 0.5, "10us"},
		{"a=1/16..4:log", 0.5, "0.5"},
		{"a=1%..3%:linear", 0.5, "2%"},
		{"a=1..32:integer", 0.5, "17"}, // 16.5
		{"a=10..2000", 0.1, "209"},
		{"a=1B..3B", 0.7, "2B"},
		// Three digits of bytes, which are few of KiB only now and then.
		{"a=1MiB..4MiB", 0.3, "1.99MB"},
		{"a=1KiB..1MiB:log", 0.4, "16.4KB"},
		{"a=1KiB..9KiB", 0.5, "5KiB"},
		{"a=x,y,z", 0.4, "y"},
		{"a=x,y,z", 1, "z"},
		{"a=[1,2],h[0-3]", 0, "[1,2]"},
	} {
		p, err := ParseParam(c.arg)
		require.NoError(t, err, c.arg)
		assert.Equal(t, c.want, p.At(c.place), c.arg)
	}
}

func TestParamErrors(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"a", "--param a: allowed: path=LOW..HIGH"},
		{"=1..2", "allowed: path=LOW..HIGH"},
		{"a=1", `a: "1" leaves nothing to search`},
		{"a=", "leaves nothing to search"},
		{"a=1,,2", "leaves nothing to search"},
		{"a=1,2,1", "1 is given twice"},
		{"a=1..1", "the range from 1 to 1 has a single value"},
		{"a=2..1", "the range from 2 to 1 is upside down"},
		{"a=1KB..2us", "1KB to 2us is no range"},
		{"a=0..2:log", "has no constant ratio"},
		{"a=1..2:lin", `unknown scale "lin"`},
		{"a=1KB..2KB:integer", "1KB to 2KB are no whole numbers"},
	} {
		_, err := ParseParam(c.arg)
		require.Error(t, err, c.arg)
		assert.Contains(t, err.Error(), c.want, c.arg)
	}
}

func TestParamOrdered(t *testing.T) {
	for arg, want := range map[string]bool{"a=1..2": true, "a=1,2,4": true, "a=4,2,1": true, "a=1,4,2": false, "a=x,y": false} {
		p, err := ParseParam(arg)
		require.NoError(t, err)
		assert.Equal(t, want, p.Ordered(), arg)
	}
}

// The value at a place lies at the nearest place that has one, and that place
// has the same value.
func TestParamPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arg := rapid.SampledFrom([]string{"a=100KB..1MB", "a=1us..100us:log", "a=1/16..4:log", "a=1..9:integer", "a=1,2,x", "a=1KiB..2MB"}).Draw(t, "param")
		p, err := ParseParam(arg)
		if err != nil {
			t.Fatal(err)
		}
		place := rapid.Float64Range(-0.5, 1.5).Draw(t, "place")
		text := p.At(place)
		at, ok := p.Place(text)
		if !ok || at != p.Nearest(place) || p.At(at) != text || p.Nearest(at) != at {
			t.Fatalf("%v has %s at %v, nearest %v", place, text, at, p.Nearest(place))
		}
	})
}

func TestTuneRoundTrip(t *testing.T) {
	read := func(text string) (Tune, error) {
		var into struct {
			Tune Tune `yaml:"tune"`
		}
		doc, err := strict.Read("x.yaml", []byte(text))
		require.NoError(t, err)
		doc.Decode(&into)
		return into.Tune, doc.Err()
	}
	one, err := read("tune:\n  params: {a: 1KB..2MB:log, b: [x, 2], c: 1..3:integer}\n  objective: minimise fct.p99\n  subject: [jain >= 0.9]\n  budget: 9\n  seeds: 2")
	require.NoError(t, err)
	text := strict.Encode(struct {
		Tune Tune `yaml:"tune"`
	}{one})
	again, err := read(string(text))
	require.NoError(t, err, string(text))
	assert.Equal(t, "1KB..2MB:log x,2 1..3:integer", again.Params[0].Words()+" "+again.Params[1].Words()+" "+again.Params[2].Words())
	assert.Equal(t, "minimise fct.p99", again.Objective[0].Objective.Words())
	assert.Equal(t, "jain >= 0.9", again.Subject[0].Expectation.Text)
	assert.Equal(t, 9, again.Budget)

	for _, c := range []struct{ text, want string }{
		{"tune: {params: {a: 1..1}}", "x.yaml:1:20: tune.params.a: the range from 1 to 1 has a single value"},
		{"tune: {params: [a]}", "a list stands where a group of fields belongs"},
		{"tune: {objective: ecn.marks}", "neither more nor less of ecn.marks is better"},
		{"tune: {objective: {fct.p99: 0}}", `"0" is no weight`},
		{"tune: {subject: [fct.p98 < 1ms]}", `unknown metric "fct.p98"`},
		{"tune: {budget: 1}", "1 is outside the allowed 2 to 10000"},
		{"tune: {parms: {}}", `unknown key "parms"; did you mean params?`},
	} {
		_, err := read(c.text)
		require.Error(t, err, c.text)
		assert.Contains(t, err.Error(), c.want)
	}
}
