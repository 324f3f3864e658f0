package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"rocesim/scenarios"
	"rocesim/scenarios/strict"
)

// compiled is the schema as a validator reads it.
func compiled(t testing.TB) *jsonschema.Schema {
	var text bytes.Buffer
	require.NoError(t, Write(&text))
	doc, err := jsonschema.UnmarshalJSON(&text)
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(ID, doc))
	s, err := c.Compile(ID)
	require.NoError(t, err)
	return s
}

// asJSON reads YAML as editors do: as the values that JSON has.
func asJSON(text []byte) (any, error) {
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return plain(value), nil
}

// plain makes keys texts, and dates what was written.
func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	case map[any]any:
		out := map[string]any{}
		for k, e := range v {
			out[fmt.Sprint(k)] = plain(e)
		}
		return out
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case time.Time:
		return v.Format(time.DateOnly)
	}
	return value
}

// The document says what it is, is the same each time, and is valid itself,
// which the compiler checks.
func TestDocument(t *testing.T) {
	var first, second bytes.Buffer
	require.NoError(t, Write(&first))
	require.NoError(t, Write(&second))
	assert.Equal(t, first.String(), second.String())
	var head struct {
		Schema   string   `json:"$schema"`
		ID       string   `json:"$id"`
		Title    string   `json:"title"`
		Required []string `json:"required"`
		Free     bool     `json:"additionalProperties"`
	}
	require.NoError(t, json.Unmarshal(first.Bytes(), &head))
	assert.Equal(t, "https://json-schema.org/draft/2020-12/schema", head.Schema)
	assert.Equal(t, ID, head.ID)
	assert.Equal(t, []string{"name", "fabric", "workload"}, head.Required)
	assert.False(t, head.Free)
	assert.Less(t, first.Len(), 400_000)
	compiled(t)
}

// Every built-in scenario is valid, as written and with every default filled
// in.
func TestLibrary(t *testing.T) {
	s := compiled(t)
	for _, e := range scenarios.Library() {
		value, err := asJSON(e.Text)
		require.NoError(t, err)
		assert.NoError(t, s.Validate(value), e.Name)
		if testing.Short() || e.Name == "cluster-200" {
			continue
		}
		sc, err := scenarios.Parse(e.Name+".yaml", e.Text, nil)
		require.NoError(t, err)
		value, err = asJSON(sc.Resolved())
		require.NoError(t, err)
		assert.NoError(t, s.Validate(value), e.Name+", resolved")
	}
}

// Every preset may be named where its kind belongs.
func TestPresets(t *testing.T) {
	s := compiled(t)
	places := map[string]string{"switch": "switch.preset", "nic": "nic.preset", "cc": "cc.preset", "ecn": "switch.ecn.preset", "cable": "fabric.medium.preset"}
	for _, kind := range scenarios.PresetKinds() {
		for _, p := range scenarios.Presets(kind) {
			value := minimal(t)
			put(value, places[kind], p.Name)
			assert.NoError(t, s.Validate(value), "%s/%s", kind, p.Name)
			put(value, places[kind], p.Name+"x")
			assert.Error(t, s.Validate(value), "%s/%sx", kind, p.Name)
		}
	}
}

const small = `name: small
fabric: {topology: star, hosts: 3, host_link: {rate: 100Gbps, cable: 3m}}
workload:
  - {name: w, type: incast, senders: "h[1-2]", receivers: h0, bytes: 100KB}
`

func minimal(t testing.TB) map[string]any {
	value, err := asJSON([]byte(small))
	require.NoError(t, err)
	return value.(map[string]any)
}

// put sets a value below keys.
func put(group map[string]any, path string, value any) {
	keys := strings.Split(path, ".")
	for _, k := range keys[:len(keys)-1] {
		if _, ok := group[k].(map[string]any); !ok {
			group[k] = map[string]any{}
		}
		group = group[k].(map[string]any)
	}
	group[keys[len(keys)-1]] = value
}

// The examples of a notation are in it, and the strict scanner reads them.
func TestExamples(t *testing.T) {
	parsers := map[string]func(string) error{
		"a time":   func(s string) error { _, err := strict.ParseTime(s); return err },
		"a rate":   func(s string) error { _, err := strict.ParseRate(s); return err },
		"a size":   func(s string) error { _, err := strict.ParseBytes(s); return err },
		"a length": func(s string) error { _, err := strict.ParseLength(s); return err },
		"a share":  func(s string) error { _, err := strict.ParseFraction(s); return err },
		"an alpha": func(s string) error { _, err := strict.ParseAlpha(s); return err },
	}
	seen := map[string]bool{}
	for _, f := range scenarios.Shape().Describe() {
		parse := parsers[f.Takes]
		if parse == nil || seen[f.Takes] {
			continue
		}
		seen[f.Takes] = true
		pattern := regexp.MustCompile(f.Pattern)
		for _, e := range examples(f.Shape) {
			assert.Regexp(t, pattern, e)
			assert.NoError(t, parse(e))
		}
		for _, text := range []string{"", "x", "5 parsecs", "1.5.2us", "--3m", "1e3ms", "us"} {
			assert.NotRegexp(t, pattern, text, f.Takes)
			assert.Error(t, parse(text), f.Takes)
		}
	}
	assert.Len(t, seen, len(parsers))
}

// Every key is described, and no value is left open by mistake.
func TestNothingIsOpen(t *testing.T) {
	for _, f := range scenarios.Shape().Describe() {
		assert.NotEqual(t, strict.KindAny, f.Kind, f.Path)
		assert.NotEmpty(t, f.Doc, f.Path)
	}
}

// unseen are the bad files of package scenarios that the schema takes, by what
// is wrong with them. All others it refuses.
func unseen() map[string]string {
	return map[string]string{
		"the limits of a value with a unit, or of one written as text": `fabric-cable-negative fabric-cable-of-a-million-km fabric-zero-rate
			switch-alpha switch-pmax-120 top-stop-negative top-stop-too-long top-time-too-fine workload-every-zero`,
		"two values that do not go together": `nic-cc-never-recovers nic-receive-hiccup-too-long nic-receive-levels nic-receive-no-drain
			nic-receive-overrides nic-recovery-timeouts nic-recovery-window switch-kmin-above-kmax switch-pmax-0 switch-watchdog-overrides
			switch-watchdog-poll-given switch-watchdog-poll switch-bump workload-datagrams workload-stops-before-it-starts faults-overlap
			top-stop-waits-forever`,
		"what a preset brings": `switch-ecn-half-given switch-buffer-too-small`,
		"a size against the topology": `switch-headroom-cable-too-long switch-headroom-larger-than-buffer switch-headroom-larger-than-pool
			switch-headroom-no-row nic-jitter`,
		"the making of the topology": `fabric-explicit-links fabric-explicit fabric-fat-tree-odd fabric-leaves-for-nics fabric-too-many-nics fabric-unreachable`,
		"names of hosts, switches and NICs, and patterns of them": `fabric-routes workload-flow-to-itself workload-incast-more-senders-than-hosts
			workload-incast-sender-receives workload-no-such-nic workload-pattern-asks-for-too-many workload-unknown-host`,
		"names that may not be":            `top-name-with-slash workload-name-with-brace workload-duplicate-name`,
		"repetitions and empty lists":      `switch-priorities-twice workload-empty-list workload-empty workload-no-flows`,
		"the amount of work":               `workload-too-many-messages`,
		"a file of more than one document": `file-two-documents`,
	}
}

func TestBadFiles(t *testing.T) {
	s := compiled(t)
	files, err := filepath.Glob("../testdata/bad/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var taken []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		value, err := asJSON(text)
		if err == nil && s.Validate(value) == nil {
			taken = append(taken, strings.TrimSuffix(filepath.Base(file), ".yaml"))
		}
	}
	var want []string
	for _, names := range unseen() {
		want = append(want, strings.Fields(names)...)
	}
	assert.ElementsMatch(t, want, taken)
}
