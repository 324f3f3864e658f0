package schema

import (
	"bytes"

	"rocesim/results"
)

// object is a JSON object whose members stay in order: editors offer keys in
// the order of the schema.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in order; the encoder around it folds and
// indents what it gets.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := results.EncodeJSON(&out, m.key); err != nil {
			return nil, err
		}
		out.WriteByte(':')
		if err := results.EncodeJSON(&out, m.value); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// with returns o with more members behind it.
func (o object) with(more ...member) object { return append(o, more...) }
