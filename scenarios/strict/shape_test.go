package strict

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"rocesim/sim"
)

// shelf has fields of all kinds.
type shelf struct {
	Name   string      `yaml:"name" need:"true" doc:"the name"`
	Kind   string      `yaml:"kind" enum:"oak|pine" doc:"the wood"`
	Preset string      `yaml:"preset" preset:"shelf" doc:"the model"`
	Width  Length      `yaml:"width" oneof:"size" need:"true" min:"1cm" max:"10m" doc:"the width"`
	Boards int         `yaml:"boards" oneof:"size" min:"1" doc:"the boards"`
	Load   map[int]int `yaml:"load" keys:"0..3" min:"0" max:"9" doc:"the load by board"`
	Colour []string    `yaml:"colour" enum:"red|blue" doc:"the colours"`
	Drawer *drawer     `yaml:"drawer" doc:"a drawer"`
	Boxes  []box       `yaml:"boxes" doc:"the boxes"`
	Hidden int         `yaml:"-"`
}

type drawer struct {
	Delay sim.Time `yaml:"delay" need:"true" min:"0ns" max:"1s" doc:"how long it takes"`
}

// box reads itself: its lid decides what else there is.
type box struct{ lidded }

type lidded struct {
	Lid string `yaml:"lid" need:"true" enum:"hinged|loose" doc:"the lid"`
}

type hinged struct {
	lidded
	Hinges int `yaml:"hinges" doc:"the hinges"`
}

func (b *box) DecodeNode(Value)       {}
func (b *box) EncodeNode() *yaml.Node { return Text(b.Lid) }
func (b *box) Shape() Shape {
	return SelectShape("lid", lidded{}, func(lid string) any {
		if lid == "hinged" {
			return &hinged{Hinges: 2}
		}
		return &lidded{}
	})
}

func TestDescribe(t *testing.T) {
	var lines []string
	for _, f := range ShapeOf(shelf{Kind: "oak", Boards: 3, Colour: []string{"red"}}).Describe() {
		line := fmt.Sprintf("%s: %s", f.Path, f.Takes)
		for _, part := range []struct {
			word  string
			value any
			shown bool
		}{
			{"allowed", f.Allowed, f.Allowed != ""}, {"needed", f.Required, f.Required}, {"or", f.Instead, f.Instead != nil},
			{"default", f.Default, f.Default != nil}, {"if", f.Variant, f.Variant != ""}, {"preset", f.Preset, f.Preset != ""},
		} {
			if part.shown {
				line += fmt.Sprintf(" | %s %v", part.word, part.value)
			}
		}
		lines = append(lines, line)
		assert.NotEmpty(t, f.Doc, f.Path)
	}
	assert.Equal(t, []string{
		"name: a text | needed true",
		"kind: a text | allowed oak, pine | default oak",
		"preset: a text | preset shelf",
		"width: a length | allowed 1cm to 10m | needed true | or [boards]",
		"boards: a whole number | allowed at least 1 | or [width] | default 3",
		"load: a map | allowed keys 0 to 3, values 0 to 9",
		"colour: a list | allowed red, blue | default [red]",
		"drawer: a group",
		"drawer.delay: a time | allowed 0ns to 1s | needed true",
		"boxes: a list",
		"boxes[].lid: a text | allowed hinged, loose | needed true",
		"boxes[].hinges: a whole number | default 2 | if hinged",
	}, lines)
}

// A patch needs nothing but to say what it changes.
func TestPatchShape(t *testing.T) {
	s := PatchShape(shelf{Kind: "oak"}, "boxes", "colour")
	assert.True(t, s.Patch)
	var keys []string
	for _, f := range s.Fields {
		keys = append(keys, f.Key)
		assert.Equal(t, f.Key == "match", f.Required, f.Key)
		assert.Nil(t, f.Default, f.Key)
		for _, inner := range f.Fields {
			assert.False(t, inner.Required, f.Key+"."+inner.Key)
		}
	}
	assert.Equal(t, "match name kind preset width boards load drawer", strings.Join(keys, " "))
}

// A limit that is not in the notation of its field is a mistake in the code.
func TestLimitsAreChecked(t *testing.T) {
	assert.PanicsWithValue(t, `strict: bad limit in a tag: 5 has no unit; allowed: a time such as 20ms, 2us or 500ns`, func() {
		ShapeOf(struct {
			Delay sim.Time `yaml:"delay" min:"5"`
		}{})
	})
}

// Patterns let through what the scanner reads, and of quantities nothing else
// but what is too large or too fine for it.
func TestPatternsAreTheScanner(t *testing.T) {
	types := []reflect.Type{
		reflect.TypeFor[sim.Time](), reflect.TypeFor[sim.Rate](), reflect.TypeFor[Bytes](), reflect.TypeFor[Length](),
		reflect.TypeFor[Fraction](), reflect.TypeFor[Alpha](), reflect.TypeFor[int](),
	}
	patterns := map[reflect.Type]*regexp.Regexp{}
	for _, typ := range types {
		patterns[typ] = regexp.MustCompile(patternOf(typ))
	}
	pieces := []string{"", "0", "1", "25", "400", ".", ".5", "-", "+", " ", "  ", "/", "2^", "e-", "9", "%",
		"ps", "ns", "us", "µs", "ms", "s", "bps", "Kbps", "Gbps", "B", "KB", "KiB", "m", "km", "mm", "k", "x"}
	for i, text := range []string{"25us", "400Gbps", "9KiB", "1.5m", "25%", "1/9", "400"} { // one for each type
		_, err := parseNumber(types[i], text)
		require.NoError(t, err)
		require.Regexp(t, patterns[types[i]], text)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 5).Draw(t, "pieces"), "")
		typ := rapid.SampledFrom(types).Draw(t, "type")
		_, err := parseNumber(typ, text)
		matches := patterns[typ].MatchString(text)
		switch {
		case err == nil && !matches:
			t.Fatalf("%v reads %q, which %v does not match", typ, text, patterns[typ])
		case err != nil && matches && quantityOf(typ) != nil && !regexp.MustCompile("too large|no whole multiple").MatchString(err.Error()):
			t.Fatalf("%v matches %q, which is not read: %v", patterns[typ], text, err)
		}
	})
}
