package report

import (
	"bufio"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// inlineBytes is how long an object or array may be on one line: a frame or an evidence mostly fits. An array of
// numbers is on one line whatever its length.
const inlineBytes = 240

// An encoder writes Go values as JSON by the rules of encoding/json's struct tags, with the layout and the escapes that
// JSON promises, and without a copy of the whole in memory.
type encoder struct {
	w     *bufio.Writer
	plans map[reflect.Type]*plan
	buf   []byte // of the last one-line form
}

// A plan is how a struct type is written.
type plan struct {
	fields []field
	custom bool // it marshals itself
}

type field struct {
	index     int
	key       string // quoted, with colon and space
	omitEmpty bool
}

// value writes v, which is in a line that is indented by depth levels.
func (e *encoder) value(v reflect.Value, depth int) error {
	limit := inlineBytes
	if v.Kind() == reflect.Slice && integer(v.Type().Elem().Kind()) || !container(v.Kind()) {
		limit = math.MaxInt
	}
	line, fits, err := e.inline(e.buf[:0], v, limit)
	e.buf = line
	if err != nil {
		return err
	}
	if fits {
		_, err := e.w.Write(line)
		return err
	}
	switch v.Kind() {
	case reflect.Pointer:
		return e.value(v.Elem(), depth)
	case reflect.Slice:
		return e.elements(v, depth)
	}
	return e.members(v, depth)
}

// elements writes a slice, one element a line.
func (e *encoder) elements(v reflect.Value, depth int) error {
	e.w.WriteByte('[')
	for i := range v.Len() {
		e.newline(i, depth+1)
		if err := e.value(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	e.newline(0, depth)
	return e.w.WriteByte(']')
}

// members writes a struct, one field a line.
func (e *encoder) members(v reflect.Value, depth int) error {
	e.w.WriteByte('{')
	n := 0
	for _, f := range e.plan(v.Type()).fields {
		if f.omitEmpty && empty(v.Field(f.index)) {
			continue
		}
		e.newline(n, depth+1)
		e.w.WriteString(f.key)
		if err := e.value(v.Field(f.index), depth+1); err != nil {
			return err
		}
		n++
	}
	e.newline(0, depth)
	return e.w.WriteByte('}')
}

// newline begins the line of the nth member.
func (e *encoder) newline(n, depth int) {
	if n > 0 {
		e.w.WriteByte(',')
	}
	e.w.WriteByte('\n')
	for range depth {
		e.w.WriteString("  ")
	}
}

// inline appends v on one line; it gives up, reporting false, once that is longer than limit.
func (e *encoder) inline(b []byte, v reflect.Value, limit int) ([]byte, bool, error) {
	switch v.Kind() {
	case reflect.String:
		b = appendString(b, v.String())
	case reflect.Bool:
		b = strconv.AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b = strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		b = strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Pointer:
		if !v.IsNil() {
			return e.inline(b, v.Elem(), limit)
		}
		b = append(b, "null"...)
	case reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ", "...)
			}
			var fits bool
			var err error
			if b, fits, err = e.inline(b, v.Index(i), limit); !fits || err != nil {
				return b, false, err
			}
		}
		b = append(b, ']')
	case reflect.Struct:
		return e.inlineStruct(b, v, limit)
	default:
		return marshalled(b, v)
	}
	return b, len(b) <= limit, nil
}

func (e *encoder) inlineStruct(b []byte, v reflect.Value, limit int) ([]byte, bool, error) {
	p := e.plan(v.Type())
	if p.custom {
		return marshalled(b, v)
	}
	b = append(b, '{')
	first := true
	for _, f := range p.fields {
		if f.omitEmpty && empty(v.Field(f.index)) {
			continue
		}
		if !first {
			b = append(b, ", "...)
		}
		first = false
		b = append(b, f.key...)
		var fits bool
		var err error
		if b, fits, err = e.inline(b, v.Field(f.index), limit); !fits || err != nil {
			return b, false, err
		}
	}
	b = append(b, '}')
	return b, len(b) <= limit, nil
}

// marshalled appends what encoding/json makes of v: floats, and types that the report has none of yet.
func marshalled(b []byte, v reflect.Value) ([]byte, bool, error) {
	if v.CanFloat() && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)) {
		return append(b, '0'), true, nil
	}
	data, err := json.Marshal(v.Interface())
	return append(b, data...), true, err
}

func (e *encoder) plan(t reflect.Type) *plan {
	if p := e.plans[t]; p != nil {
		return p
	}
	p := &plan{custom: t.Implements(reflect.TypeFor[json.Marshaler]())}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		p.fields = append(p.fields, field{index: i, key: strconv.Quote(name) + ": ", omitEmpty: options == "omitempty"})
	}
	e.plans[t] = p
	return p
}

func container(k reflect.Kind) bool {
	return k == reflect.Struct || k == reflect.Slice || k == reflect.Pointer
}

func integer(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uint64 }

// empty is encoding/json's idea of it; a share that is no number is empty too.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Float32, reflect.Float64:
		return v.Float() == 0 || math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// appendString appends s in quotes: bytes that are no UTF-8 as \ufffd, and what is not showable as \u escapes, beyond
// U+FFFF as a pair of surrogates.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if c >= utf8.RuneSelf && n > 1 && showable(r) {
			i += n
			continue
		}
		b = append(b, s[start:i]...)
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case r > 0xffff:
			b = appendUnit(appendUnit(b, 0xd800+(r-0x10000)>>10), 0xdc00+(r-0x10000)&0x3ff)
		default:
			b = appendUnit(b, r)
		}
		i += n
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

// appendUnit appends a UTF-16 unit as \uXXXX.
func appendUnit(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
