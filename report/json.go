package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gotriage/triage/triage/schema"
)

// JSON writes r as the contract of docs/report.schema.json: one object and a line break, indented by two spaces a
// level, with short objects and arrays of numbers on one line. Equal reports give equal bytes. Arrays are never null,
// whatever r holds; r is not changed. Shares that are no number are written as 0. Strings hold what r's do, bytes
// that are no UTF-8 as U+FFFD; what a terminal would act on is there as a \u escape. It streams: memory doesn't grow
// with the report. Of more stacks than a reader has use for the largest ones are listed (Dump.BucketsCut).
func JSON(w io.Writer, r *schema.Report) error {
	full := *withLeads(r)
	if full.Schema == "" {
		full.Schema = schema.Schema
	}
	full.Verdict = Headline(r)
	full.Dumps = fewer(full.Dumps, maxListed)
	fewerInputs(&full)
	e := encoder{w: bufio.NewWriterSize(w, 64<<10), plans: map[reflect.Type]*plan{}}
	e.value(reflect.ValueOf(full), 0)
	e.w.WriteByte('\n')
	return written("the report as JSON", cmp.Or(e.err, e.w.Flush()))
}

// inlineBytes is how long an object or array may be on one line: a frame or an evidence mostly fits. An array of
// numbers is on one line whatever its length.
const inlineBytes = 240

// An encoder writes Go values as JSON by the rules of encoding/json's struct tags, with the layout and the escapes that
// JSON promises, and without a copy of the whole in memory.
type encoder struct {
	w     *bufio.Writer
	err   error // the first of a value that can't be written
	plans map[reflect.Type]*plan
	buf   []byte // of the last one-line form
}

// A plan is how a struct type is written; nil for a slice.
type plan struct {
	fields []field
	custom bool // it marshals itself
}

type field struct {
	index     int
	key       string // quoted, with colon and space
	omitEmpty bool
}

// size is how many members v has, with those that are left out.
func (p *plan) size(v reflect.Value) int {
	if p == nil {
		return v.Len()
	}
	return len(p.fields)
}

// member is the ith element or field of v with its key; shown is false for one that is left out.
func (p *plan) member(v reflect.Value, i int) (key string, m reflect.Value, shown bool) {
	if p == nil {
		return "", v.Index(i), true
	}
	f := &p.fields[i]
	m = v.Field(f.index)
	return f.key, m, !f.omitEmpty || !empty(m)
}

// brackets are those around the members.
func (p *plan) brackets() string {
	if p == nil {
		return "[]"
	}
	return "{}"
}

// value writes v, which is in a line that is indented by depth levels: a struct or slice that is too long for one line
// with a member a line.
func (e *encoder) value(v reflect.Value, depth int) {
	limit := inlineBytes
	if v.Kind() == reflect.Slice && integer(v.Type().Elem().Kind()) || !container(v.Kind()) {
		limit = math.MaxInt
	}
	var fits bool
	if e.buf, fits = e.inline(e.buf[:0], v, limit); fits {
		e.w.Write(e.buf)
		return
	}
	if v.Kind() == reflect.Pointer {
		e.value(v.Elem(), depth)
		return
	}
	p := e.plan(v.Type())
	e.w.WriteByte(p.brackets()[0])
	n := 0
	for i := range p.size(v) {
		if key, m, shown := p.member(v, i); shown && e.err == nil {
			e.newline(n, depth+1)
			e.w.WriteString(key)
			e.value(m, depth+1)
			n++
		}
	}
	e.newline(0, depth)
	e.w.WriteByte(p.brackets()[1])
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
func (e *encoder) inline(b []byte, v reflect.Value, limit int) ([]byte, bool) {
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
	case reflect.Slice, reflect.Struct:
		p := e.plan(v.Type())
		if p != nil && p.custom {
			return e.marshalled(b, v), true
		}
		b = append(b, p.brackets()[0])
		begin := len(b)
		for i := range p.size(v) {
			key, m, shown := p.member(v, i)
			if !shown {
				continue
			}
			if len(b) > begin {
				b = append(b, ", "...)
			}
			var fits bool
			if b, fits = e.inline(append(b, key...), m, limit); !fits {
				return b, false
			}
		}
		b = append(b, p.brackets()[1])
	default:
		return e.marshalled(b, v), true
	}
	return b, len(b) <= limit
}

// marshalled appends what encoding/json makes of v: floats, and types that the report has none of yet.
func (e *encoder) marshalled(b []byte, v reflect.Value) []byte {
	if v.CanFloat() && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)) {
		return append(b, '0')
	}
	data, err := json.Marshal(v.Interface())
	e.err = cmp.Or(e.err, err)
	return append(b, data...)
}

// plan is how t is written, a struct or slice.
func (e *encoder) plan(t reflect.Type) *plan {
	if t.Kind() == reflect.Slice {
		return nil
	}
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
	b = appendShown(append(b, '"'), s, func(b []byte, c byte, r rune) []byte {
		switch {
		case c == '"' || c == '\\':
			return append(b, '\\', c)
		case c == '\n':
			return append(b, `\n`...)
		case c == '\t':
			return append(b, `\t`...)
		case r > 0xffff:
			return appendUnit(appendUnit(b, 0xd800+(r-0x10000)>>10), 0xdc00+(r-0x10000)&0x3ff)
		}
		return appendUnit(b, r)
	})
	return append(b, '"')
}

// appendUnit appends a UTF-16 unit as \uXXXX.
func appendUnit(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// Indented writes v as encoding/json does, with what a terminal would act on as \u escapes: what is no report, such as
// a listing, goroutines or a survey.
func Indented(w io.Writer, v any) error { return written("JSON", encode(w, v, "  ")) }

func encode(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(tamed(b.Bytes()))
	return err
}

// tamed is JSON text with the characters of its strings that a terminal would act on as \u escapes. Outside of strings
// JSON has none but white space.
func tamed(text []byte) []byte {
	out := appendShown(nil, string(text), func(b []byte, c byte, r rune) []byte {
		switch {
		case c == '"' || c == '\\' || c == '\n':
			return append(b, c)
		case r > 0xffff:
			return appendUnit(appendUnit(b, 0xd800+(r-0x10000)>>10), 0xdc00+(r-0x10000)&0x3ff)
		}
		return appendUnit(b, r)
	})
	if out == nil {
		return text
	}
	return out
}

// Line writes v as one line of JSON as encoding/json does, with what a terminal would act on as \u escapes.
func Line(w io.Writer, v any) error { return written("a line of JSON", encode(w, v, "")) }
