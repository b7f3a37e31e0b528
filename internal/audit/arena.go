package audit

import (
	"bytes"

	"github.com/gotriage/triage/internal/jsonspan"
)

// An arena holds the text of strings that had escapes, until the next reset.
type arena []byte

// text decodes the string at b[i] and returns the position behind it. A value that is no string gives nil: a field
// with a value of the wrong type counts as absent. Without escapes the result is a part of b.
func (a *arena) text(b []byte, i int) ([]byte, int) {
	end := jsonspan.SkipValue(b, i)
	if end < 0 || b[i] != '"' {
		return nil, end
	}
	raw := b[i+1 : end-1 : end-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw, end
	}
	from := len(*a)
	*a = jsonspan.AppendUnquoted(*a, raw)
	return (*a)[from:len(*a):len(*a)], end
}

// A textMember is a string of an object, and where it goes.
type textMember struct {
	name string
	into *[]byte
}

// members reads some strings of the object at b[v] and returns the position behind it.
func (a *arena) members(b []byte, v int, list ...textMember) int {
	return jsonspan.EachMember(b, v, func(key []byte, v int) (end int) {
		for i := range list {
			if string(key) == list[i].name {
				*list[i].into, end = a.text(b, v)
				return end
			}
		}
		return 0
	})
}
