package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"rocesim/scenarios/strict"
)

// places are where the fields of a JSON object stand, and those of the objects
// in it.
type places struct {
	file string
	text []byte
	all  []field // in the order of the file
}

// field is one key and its value.
type field struct {
	section, key string // section is the key of the object around it, or ""
	// at is where the key begins, the value is from from to to; in bytes.
	at, from, to int
}

// newPlaces finds the fields of a text. Of one that is no JSON object it knows
// those before the mistake.
func newPlaces(file string, text []byte) *places {
	p := &places{file: file, text: text}
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err == nil && t == json.Delim('{') {
		_ = p.object(d, "") // who reads the file says what is wrong with it
	}
	return p
}

// object reads the fields of an object, whose brace has been read.
func (p *places) object(d *json.Decoder, section string) error {
	for d.More() {
		at := p.next(d)
		key, err := d.Token()
		if err != nil {
			return err
		}
		f := field{section: section, at: at, from: p.next(d)}
		f.key, _ = key.(string)
		p.all = append(p.all, f)
		mine := len(p.all) - 1
		if section == "" && f.from < len(p.text) && p.text[f.from] == '{' {
			if _, err = d.Token(); err == nil {
				err = p.object(d, f.key)
			}
		} else {
			err = d.Decode(&json.RawMessage{})
		}
		p.all[mine].to = int(d.InputOffset())
		if err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// next is where the decoder's next token begins.
func (p *places) next(d *json.Decoder) int {
	rest := p.text[d.InputOffset():]
	return len(p.text) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
}

// pos is the place of a byte.
func (p *places) pos(offset int) strict.Pos {
	before := p.text[:min(max(0, offset), len(p.text))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return strict.Pos{File: p.file, Line: 1 + bytes.Count(before, []byte("\n")), Col: 1 + utf8.RuneCount(line)}
}

// key is where a key of a section stands; section is "" outside of all. It is
// the file if there is no such key.
func (p *places) key(section, key string) strict.Pos {
	return p.find(section, key, func(f field) int { return f.at })
}

// value is where the value of a key stands, as key is.
func (p *places) value(section, key string) strict.Pos {
	return p.find(section, key, func(f field) int { return f.from })
}

// find looks for the last of a name, which is the one that counts.
func (p *places) find(section, key string, part func(field) int) strict.Pos {
	if p == nil { // of a baseline that was not read
		return strict.Pos{}
	}
	found := strict.Pos{File: p.file}
	for _, f := range p.all {
		if f.section == section && f.key == key {
			found = p.pos(part(f))
		}
	}
	return found
}

// notBaseline says where a file is not what a baseline should be.
func (p *places) notBaseline(err error) error {
	bad := strict.Error{Pos: strict.Pos{File: p.file}, Text: "not a baseline: it should be a JSON object"}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		bad.Pos, bad.Text = p.pos(int(syntax.Offset)-1), fmt.Sprintf("not a baseline: %v", err)
	case errors.As(err, &kind):
		for _, f := range p.all { // the last that has the place is the innermost
			if at := int(kind.Offset); f.from < at && at <= f.to {
				bad.Pos, bad.Path = p.pos(f.from), f.path()
				bad.Text = "cannot be " + kind.Value
			}
		}
	}
	return strict.Errors{bad}
}

func (f field) path() string {
	if f.section == "" {
		return f.key
	}
	return f.section + "." + f.key
}
