package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Limits of a file. They are far above any scenario that a person writes.
const (
	MaxFileBytes = 10_000_000
	maxDepth     = 40
	maxExpanded  = 100_000 // nodes that aliases may add
	maxErrors    = 1000    // more are counted, not kept
)

// Document is one YAML file whose form is sound: a tree of mappings without
// repeated keys, aliases and merges resolved.
type Document struct {
	name  string
	root  *yaml.Node
	flags map[*yaml.Node]string // values that a flag put in
	errs  Errors
	more  int // errors beyond maxErrors
	// Presets returns the values of a preset as a mapping, the file they come
	// from, and the names of all presets of that kind. It is needed where a
	// struct has a preset tag.
	Presets func(kind, name string) (values *Document, names []string)
	loaded  map[string]bool // paths of groups that have started from a preset
	// format is what the document is decoded into, and keys are all that it may
	// have, once a message needs them.
	format reflect.Type
	keys   []FieldDoc
}

// Read parses one YAML file. The error, if any, is of type Errors.
func Read(name string, data []byte) (*Document, error) {
	d := &Document{name: name, flags: map[*yaml.Node]string{}}
	if text, pos := d.unreadable(data); text != "" {
		return nil, Errors{{Pos: pos, Text: text}}
	}
	root, err := d.parse(data)
	if err != nil {
		return nil, err
	}
	e := expander{doc: d, active: map[*yaml.Node]bool{}}
	d.root = e.expand(root.Content[0], "", 0)
	if len(d.errs) > 0 {
		return nil, d.errs.sorted()
	}
	if d.root.Kind != yaml.MappingNode {
		return nil, Errors{{Pos: d.pos(d.root), Text: "the file holds " + describe(d.root) + "; allowed: keys with values, such as \"name: my-run\""}}
	}
	return d, nil
}

// Empty returns a document without content, for values that were not read from
// a file; messages about them name name.
func Empty(name string) *Document {
	return &Document{name: name, flags: map[*yaml.Node]string{}, root: &yaml.Node{Kind: yaml.MappingNode}}
}

// Sub returns the part of d below a key as a document of its own, or nil.
func (d *Document) Sub(key string) *Document {
	n, _ := child(d.root, key)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	return &Document{name: d.name, flags: d.flags, root: n}
}

// Clone returns a document of the same content, to be changed by Set. d must be
// as it was read; it and its clones may be used by several goroutines at once.
func (d *Document) Clone() *Document {
	return &Document{name: d.name, flags: map[*yaml.Node]string{}, root: cloneGroups(d.root), Presets: d.Presets}
}

// cloneGroups copies mappings and lists, which Set changes. It puts other
// values in the place of scalars, so these are shared.
func cloneGroups(n *yaml.Node) *yaml.Node {
	if len(n.Content) == 0 && n.Kind == yaml.ScalarNode {
		return n
	}
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, e := range n.Content {
		c.Content[i] = cloneGroups(e)
	}
	return &c
}

// unreadable checks what must hold before the YAML parser sees the file.
func (d *Document) unreadable(data []byte) (string, Pos) {
	top := Pos{d.name, 1, 1}
	if len(data) > MaxFileBytes {
		return fmt.Sprintf("the file has %d bytes; allowed are %d", len(data), MaxFileBytes), top
	}
	line := 0
	empty := true
	for text := range bytes.Lines(data) {
		line++
		if i := invalidUTF8(text); i >= 0 {
			return "the file is not UTF-8 text here", Pos{d.name, line, i + 1}
		}
		blank := bytes.TrimLeft(text, " ")
		if len(blank) > 0 && blank[0] == '\t' && len(bytes.TrimSpace(text)) > 0 {
			return "a tab indents this line; YAML allows only spaces", Pos{d.name, line, len(text) - len(blank) + 1}
		}
		body := bytes.TrimSpace(text)
		if len(body) > 0 && body[0] != '#' && string(body) != "---" {
			empty = false
		}
	}
	if empty {
		return "the file is empty; a scenario needs at least name, fabric and workload", top
	}
	return "", top
}

// invalidUTF8 returns the offset of the first byte that is no text, or -1.
func invalidUTF8(line []byte) int {
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && size == 1 || r == 0 {
			return i
		}
		i += size
	}
	return -1
}

// parse runs the YAML parser, which is not ours: whatever it does with a
// hostile file must end in an error with a place.
func (d *Document) parse(data []byte) (root *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, Errors{{Pos: Pos{d.name, 1, 1}, Text: "the file cannot be read as YAML"}}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	root = &yaml.Node{}
	if err := decoder.Decode(root); err != nil {
		return nil, d.syntax(data, err)
	}
	var second yaml.Node
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, Errors{{Pos: d.pos(&second), Text: "a second document begins here; a file holds one"}}
	case !errors.Is(err, io.EOF):
		return nil, d.syntax(data, err)
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) == 0 {
		return nil, Errors{{Pos: Pos{d.name, 1, 1}, Text: "the file is empty; a scenario needs at least name, fabric and workload"}}
	}
	return root, nil
}

// syntax turns the YAML parser's message into ours: it knows the line only.
func (d *Document) syntax(data []byte, err error) Errors {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if m := regexp.MustCompile(`^line (\d+): `).FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
		if grammar := regexp.MustCompile(`^did not find expected (<|node|'-'|key|',')`); grammar.MatchString(text) {
			line++ // of what the tokens make, yaml.v3 counts lines from 0; of tokens from 1
		}
	}
	col := 1
	if lines := bytes.Split(data, []byte("\n")); line >= 1 && line <= len(lines) {
		text := lines[line-1]
		col = len(text) - len(bytes.TrimLeft(text, " ")) + 1
	}
	return Errors{{Pos: Pos{d.name, max(line, 1), col}, Text: "not valid YAML: " + text}}
}

// pos is where a node stands.
func (d *Document) pos(n *yaml.Node) Pos {
	if flag, ok := d.flags[n]; ok {
		return Pos{File: flag}
	}
	return Pos{d.name, max(n.Line, 1), max(n.Column, 1)}
}

// fail records an error at a node.
func (d *Document) fail(n *yaml.Node, path, text string) {
	if len(d.errs) >= maxErrors {
		d.more++
		return
	}
	d.errs = append(d.errs, Error{d.pos(n), path, text})
}

// Failf records an error about the value at path: at its place if it is in the
// file, else at its nearest parent's.
func (d *Document) Failf(path, format string, args ...any) {
	d.fail(d.nearest(path), path, fmt.Sprintf(format, args...))
}

// Failed reports whether an error was recorded at path or below it, or
// anywhere if there were too many to keep.
func (d *Document) Failed(path string) bool {
	if d.more > 0 {
		return true
	}
	for _, e := range d.errs {
		rest, below := strings.CutPrefix(e.Path, path)
		if below && (path == "" || rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// Err returns all errors recorded so far in the order of the file, or nil.
func (d *Document) Err() error {
	if len(d.errs) == 0 {
		return nil
	}
	all := d.errs.sorted()
	if d.more > 0 {
		last := all[len(all)-1].Pos
		all = append(all, Error{Pos: last, Text: fmt.Sprintf("and %d errors more", d.more)})
	}
	return all
}

// nearest walks path as far as the file goes.
func (d *Document) nearest(path string) *yaml.Node {
	n := d.root
	for _, step := range splitPath(path) {
		next, _ := child(n, step)
		if next == nil {
			break
		}
		n = next
	}
	return n
}

// child finds the value of a key, or the element with an index or name, and
// the node that a message should point at when it is about the key itself.
func child(n *yaml.Node, step string) (value, key *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		if i := element(n, step); i >= 0 {
			return n.Content[i], n.Content[i]
		}
		return nil, nil
	}
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == step {
			return n.Content[i+1], n.Content[i]
		}
	}
	return nil, nil
}

// element returns the index that step means in a list: a number, or the name
// (or match) of the element; -1 if there is none.
func element(n *yaml.Node, step string) int {
	if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
		return i
	}
	for i, e := range n.Content {
		for _, key := range []string{"name", "match"} {
			if v, _ := child(e, key); v != nil && v.Value == step {
				return i
			}
		}
	}
	return -1
}

// splitPath cuts "workload[shuffle].bytes" into its steps.
func splitPath(path string) []string {
	path = strings.ReplaceAll(path, "]", "")
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' })
}

// describe names the kind of a node as a person would.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a group of keys"
	case yaml.SequenceNode:
		return "a list"
	default:
		if n.Tag == "!!null" {
			return "nothing"
		}
		return quote(n.Value)
	}
}
