package schema

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object whose members stay in order: editors offer keys in
// the order of the schema.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members, with "<" and ">" as they are.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := encoder.Encode(m.key); err != nil {
			return nil, err
		}
		out.WriteByte(':')
		if err := encoder.Encode(m.value); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// with returns o with more members behind it.
func (o object) with(more ...member) object { return append(o, more...) }
