package strict

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

// sample has a field of every kind that the decoder knows.
type sample struct {
	Name   string      `yaml:"name" need:"true" doc:"a name"`
	Mode   string      `yaml:"mode" enum:"fast|slow" doc:"how"`
	Count  int         `yaml:"count" min:"1" max:"10" doc:"how many"`
	Seed   uint64      `yaml:"seed" doc:"a seed"`
	On     bool        `yaml:"on" doc:"whether"`
	Time   sim.Time    `yaml:"time" min:"0ps" max:"1s" doc:"a time"`
	Rate   sim.Rate    `yaml:"rate" min:"1bps" doc:"a rate"`
	Size   Bytes       `yaml:"size" max:"1GB" doc:"a size"`
	Far    Length      `yaml:"far" doc:"a length"`
	Part   Fraction    `yaml:"part" min:"0" max:"1" doc:"a part"`
	Alpha  Alpha       `yaml:"alpha" doc:"an alpha"`
	Map    map[int]int `yaml:"map" keys:"0..7" min:"0" max:"7" doc:"a map"`
	List   []int       `yaml:"list" min:"0" max:"9" doc:"a list"`
	Words  []string    `yaml:"words" enum:"a|b" doc:"words"`
	Opt    *Bytes      `yaml:"opt" doc:"an optional size"`
	Group  group       `yaml:"group" doc:"a group"`
	Groups []group     `yaml:"groups" doc:"groups"`
	Raw    []Raw       `yaml:"raw" doc:"overrides"`
}

type group struct {
	A Bytes `yaml:"a" oneof:"x" doc:"one way"`
	B Bytes `yaml:"b" oneof:"x" doc:"another way"`
	C int   `yaml:"c" need:"true" omit:"zero" doc:"a number"`
}

func decode(t testing.TB, text string, sets ...string) (sample, error) {
	t.Helper()
	d, err := Read("f.yaml", []byte(text))
	if err != nil {
		return sample{}, err
	}
	for _, s := range sets {
		d.Set(s)
	}
	var out sample
	d.Decode(&out)
	return out, d.Err()
}

func TestDecode(t *testing.T) {
	got, err := decode(t, `
name: x
mode: slow
count: 3
seed: 18446744073709551615
on: true
time: 5us
rate: 100Gbps
size: 4KiB
far: 3m
part: 20%
alpha: 1/8
map: {3: 4}
list: [1, 2]
words: [b]
opt: 0B
group: {a: 1B, c: 2}
groups: [{b: 2B, c: 1}]
raw: [{match: x}]
`)
	require.NoError(t, err)
	zero := Bytes(0)
	got.Raw = nil
	assert.Equal(t, sample{
		Name: "x", Mode: "slow", Count: 3, Seed: 1<<64 - 1, On: true, Time: 5 * sim.Microsecond, Rate: 100 * sim.Gbps,
		Size: 4096, Far: 3, Part: 0.2, Alpha: AlphaOne / 8, Map: map[int]int{3: 4}, List: []int{1, 2}, Words: []string{"b"},
		Opt: &zero, Group: group{A: 1, C: 2}, Groups: []group{{B: 2, C: 1}},
	}, got)
}

// Each case is a file and the whole message for it.
func TestDecodeErrors(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"unknown key", "name: x\nconut: 3", `f.yaml:2:1: conut: unknown key "conut"; did you mean count? (allowed: alpha, count, far, group, groups, list, map, mode, name, on, opt, part, rate, raw, seed, size, time, words)`},
		{"missing", "count: 3", "f.yaml:1:1: name: missing; name is a name"},
		{"missing in an element", "name: x\ngroups:\n  - {a: 1B}", "f.yaml:3:5: groups[0].c: missing; c is a number"},
		{"nothing", "name: x\nrate:", "f.yaml:2:1: rate: nothing stands behind the colon; rate is a rate, such as 100Gbps or 400Mbps"},
		{"enum", "name: x\nmode: sloow", `f.yaml:2:7: mode: unknown value "sloow"; did you mean slow? (allowed: fast, slow)`},
		{"below", "name: x\nrate: 0bps", "f.yaml:2:7: rate: 0bps is below the least allowed, 1bps"},
		{"above", "name: x\nsize: 2GB", "f.yaml:2:7: size: 2GB is above the most allowed, 1GB"},
		{"outside", "name: x\npart: 120%", "f.yaml:2:7: part: 120% is outside the allowed 0 to 1"},
		{"negative", "name: x\ntime: -1us", "f.yaml:2:7: time: -1us is outside the allowed 0ps to 1s"},
		{"no unit", "name: x\nfar: 3", "f.yaml:2:6: far: 3 has no unit; allowed: a length such as 3m or 2km"},
		{"whole number", "name: x\ncount: 3.5", `f.yaml:2:8: count: "3.5" is not a whole number`},
		{"seed", "name: x\nseed: -1", `f.yaml:2:7: seed: "-1" is not a whole number from 0 to 18446744073709551615`},
		{"bool", "name: x\non: yes", `f.yaml:2:5: on: "yes" is neither true nor false`},
		{"not a number", "name: x\nrate: .nan", `f.yaml:2:7: rate: ".nan" is not a rate; allowed: a number and a unit, such as 100Gbps or 400Mbps`},
		{"infinite", "name: x\npart: .inf", `f.yaml:2:7: part: ".inf" is not a share; allowed: 20%, 0.2 or 1e-9`},
		{"list for scalar", "name: x\ncount: [1]", "f.yaml:2:8: count: a list stands where a single value belongs; count is how many"},
		{"scalar for list", "name: x\nlist: 1", `f.yaml:2:7: list: "1" stands where a list belongs, such as [a, b]`},
		{"scalar for group", "name: x\ngroup: 1", `f.yaml:2:8: group: "1" stands where a group of keys belongs (a, b, c)`},
		{"scalar for map", "name: x\nmap: 1", `f.yaml:2:6: map: "1" stands where a map belongs, such as {26: 3}`},
		{"map key", "name: x\nmap: {9: 1}", `f.yaml:2:7: map.9: the key "9" is not allowed; allowed: whole numbers from 0 to 7`},
		{"map value", "name: x\nmap: {1: 9}", "f.yaml:2:10: map.1: 9 is outside the allowed 0 to 7"},
		{"element", "name: x\nlist: [1, 10]", "f.yaml:2:11: list[1]: 10 is outside the allowed 0 to 9"},
		{"both of one", "name: x\ngroup: {a: 1B, b: 1B, c: 1}", "f.yaml:2:16: group.b: given beside a; only one of the two can hold"},
		{"empty text", "name: ''", "f.yaml:1:7: name: an empty text; name is a name"},
		{"override", "name: x\nraw: [1]", `f.yaml:2:7: raw[0]: "1" stands where a group of keys belongs`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := decode(t, c.text)
			require.Error(t, err)
			assert.Equal(t, c.want, err.Error())
		})
	}
}

func TestAllErrorsAtOnceInOrderOfTheFile(t *testing.T) {
	_, err := decode(t, "part: 2\nname: x\nzz: 1\nrate: 3", "count=99")
	var all Errors
	require.ErrorAs(t, err, &all)
	require.Len(t, all, 4)
	assert.Equal(t, []string{"part", "zz", "rate", "count"}, []string{all[0].Path, all[1].Path, all[2].Path, all[3].Path})
	assert.Equal(t, "--set count=99: count: 99 is outside the allowed 1 to 10", all[3].Error())
}

func TestReadErrors(t *testing.T) {
	deep := strings.Repeat("[", 60) + strings.Repeat("]", 60)
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 6 {
		bomb += string(rune('b'+i)) + ": &" + string(rune('b'+i)) + " [" + strings.Repeat("*"+string(rune('a'+i))+", ", 9) + "x]\n"
	}
	cases := []struct{ name, text, want string }{
		{"empty", "", "f.yaml:1:1: the file is empty; a scenario needs at least name, fabric and workload"},
		{"comments only", "# nothing\n---\n", "f.yaml:1:1: the file is empty; a scenario needs at least name, fabric and workload"},
		{"list", "- a", "f.yaml:1:1: the file holds a list; allowed: keys with values, such as \"name: my-run\""},
		{"word", "hello", "f.yaml:1:1: the file holds \"hello\"; allowed: keys with values, such as \"name: my-run\""},
		{"tab", "a:\n\tb: 1", "f.yaml:2:1: a tab indents this line; YAML allows only spaces"},
		{"latin-1", "a: b\nname: caf\xe9", "f.yaml:2:10: the file is not UTF-8 text here"},
		{"binary", "a: \x00", "f.yaml:1:4: the file is not UTF-8 text here"},
		{"two documents", "a: 1\n---\nb: 1", "f.yaml:2:1: a second document begins here; a file holds one"},
		{"twice", "a: 1\nb: 2\na: 3", "f.yaml:3:1: a: given twice; first in line 1"},
		{"twice inside", "a:\n  b: 1\n  b: 2", "f.yaml:3:3: a.b: given twice; first in line 2"},
		{"cycle", "a: &x\n  b: *x", "f.yaml:2:6: a.b: the alias *x contains itself"},
		{"cycle in a list", "a: &x [1, *x]", "f.yaml:1:11: a[1]: the alias *x contains itself"},
		{"deep", "a: " + deep, "f.yaml:1:44: nested more than 40 levels deep, which no scenario is"},
		{"merge of a word", "a: {<<: x}", "f.yaml:1:9: a: << merges a group of keys, this is \"x\""},
		{"key is a list", "a: {[1]: x}", "f.yaml:1:5: a: a key must be a plain word, this is a list"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read("f.yaml", []byte(c.text))
			require.Error(t, err)
			assert.Equal(t, c.want, err.Error())
		})
	}
	_, err := Read("f.yaml", []byte(bomb))
	assert.ErrorContains(t, err, "aliases expand to more than 100000 values, which no scenario needs")
	_, err = Read("f.yaml", bytes.Repeat([]byte("a"), MaxFileBytes+1))
	assert.EqualError(t, err, "f.yaml:1:1: the file has 10000001 bytes; allowed are 10000000")
	_, err = Read("f.yaml", []byte("a: b\n  c: [d"))
	assert.ErrorContains(t, err, "not valid YAML:")
	for text, want := range map[string]string{
		"a: 1\nb: {c: {d: 2}\ne:\n  - x\n": "f.yaml:2:1: not valid YAML: did not find expected ',' or '}'",
		"a: 1\nb:\n  - [x{y} < 1]\n":       "f.yaml:3:3: not valid YAML: did not find expected ',' or ']'",
		"a: [1\n":                          "f.yaml:2:1: not valid YAML: did not find expected ',' or ']'",
		"a: 1\nb:\n  c: 1\n   d: 2\n":      "f.yaml:4:4: not valid YAML: mapping values are not allowed in this context",
		"a: 1\nb:\n  - x\n  c: 2\n":        "f.yaml:3:3: not valid YAML: did not find expected '-' indicator",
		"a: 1\nb: @c\n":                    "f.yaml:2:1: not valid YAML: found character that cannot start any token",
	} {
		_, err := Read("f.yaml", []byte(text))
		assert.EqualError(t, err, want)
	}
}

func TestAnchorsAndMerges(t *testing.T) {
	got, err := decode(t, "name: x\ngroup: &g {a: 1B, c: 5}\ngroups: [*g, {<<: *g, c: 7}]")
	require.NoError(t, err)
	assert.Equal(t, []group{{A: 1, C: 5}, {A: 1, C: 7}}, got.Groups)
}

func TestSet(t *testing.T) {
	text := "name: x\ngroups: [{c: 1}, {c: 2}]\nraw: [{match: leaf, v: 1}]"
	got, err := decode(t, text, "count=4", "group.c=3", "groups[1].a=5KB", "map.3=1", "list=[7, 8]", "raw[leaf].v=2")
	require.NoError(t, err)
	assert.Equal(t, 4, got.Count)
	assert.Equal(t, 3, got.Group.C)
	assert.Equal(t, Bytes(5000), got.Groups[1].A)
	assert.Equal(t, map[int]int{3: 1}, got.Map)
	assert.Equal(t, []int{7, 8}, got.List)
	v, ok := got.Raw[0].Value().Key("v")
	require.True(t, ok)
	text, _ = v.Scalar()
	assert.Equal(t, "2", text)
}

func TestSetErrors(t *testing.T) {
	cases := []struct{ set, want string }{
		{"count", "--set count: allowed: path=value, such as switch.ecn.kmin=200KB or workload[shuffle].bytes=1MiB"},
		{"=3", "--set =3: allowed: path=value, such as switch.ecn.kmin=200KB or workload[shuffle].bytes=1MiB"},
		{"count=", "--set count=: count: nothing stands behind the equals sign"},
		{"conut=3", `--set conut=3: conut: unknown key "conut"; did you mean count? (allowed: alpha, count, far, group, groups, list, map, mode, name, on, opt, part, rate, raw, seed, size, time, words)`},
		{"groups[9].c=3", `--set groups[9].c=3: groups[9].c: the list has no element "9" (it has: 0)`},
		{"raw[x].c=3", `--set raw[x].c=3: raw[x].c: the list has no element "x" (it has: leaf)`},
		{"name.y=3", `--set name.y=3: name.y: "x" stands where "y" should have keys below it`},
		{"count={", `--set count={: count: "{" cannot be read as a value`},
		{"group.a=3", "--set group.a=3: group.a: 3 has no unit; allowed: a size such as 400KB (1000), 9KiB (1024) or 64B"},
	}
	for _, c := range cases {
		t.Run(c.set, func(t *testing.T) {
			_, err := decode(t, "name: x\ngroup: {c: 1}\ngroups: [{c: 1}]\nraw: [{match: leaf}]", c.set)
			require.Error(t, err)
			assert.Equal(t, c.want, err.Error())
		})
	}
}

// Whatever a struct holds, writing and reading it gives the same.
func TestEncodeReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sample{
			Name:  rapid.StringMatching(`[ -~]{1,20}`).Draw(t, "name"),
			Mode:  rapid.SampledFrom([]string{"fast", "slow"}).Draw(t, "mode"),
			Count: rapid.IntRange(1, 10).Draw(t, "count"),
			Seed:  rapid.Uint64().Draw(t, "seed"),
			On:    rapid.Bool().Draw(t, "on"),
			Time:  sim.Time(rapid.Int64Range(0, 1e12).Draw(t, "time")),
			Rate:  sim.Rate(rapid.Int64Range(1, 1e14).Draw(t, "rate")),
			Size:  Bytes(rapid.Int64Range(0, 1e9).Draw(t, "size")),
			Alpha: Alpha(rapid.Int64Range(1, 1<<30).Draw(t, "alpha")),
			Map:   rapid.MapOf(rapid.IntRange(0, 7), rapid.IntRange(0, 7)).Draw(t, "map"),
			List:  rapid.SliceOf(rapid.IntRange(0, 9)).Draw(t, "list"),
			Group: group{B: Bytes(rapid.Int64Range(1, 100).Draw(t, "b")), C: 1},
		}
		text := Encode(s)
		d, err := Read("again", text)
		require.NoError(t, err, string(text))
		var again sample
		d.Decode(&again)
		require.NoError(t, d.Err(), string(text))
		assert.Equal(t, s, again)
	})
}

// FuzzRead looks for inputs that crash the reader or errors without a place.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"name: x", "a: &a [*a]", "a: {<<: *b}", "- - - -", "?", "a:\n\t", "name: x\n--- \nb", "group: {a: 1B, b: 2B}", "\ufeffname: x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := decode(t, string(data))
		var all Errors
		if err == nil {
			return
		}
		require.ErrorAs(t, err, &all)
		for _, e := range all {
			assert.Positive(t, e.Pos.Line, e.Error())
			assert.Positive(t, e.Pos.Col, e.Error())
			assert.NotContains(t, e.Text, "strict.", e.Error())
		}
	})
}
