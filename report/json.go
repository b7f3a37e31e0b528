package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"

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
	full.Dumps = withinListed(full.Dumps, maxListed)
	withinListedInputs(&full)
	e := encoder{w: bufio.NewWriterSize(w, 64<<10), known: map[reflect.Type][]field{}}
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
	known map[reflect.Type][]field
	buf   []byte // of the last one-line form
}

type field struct {
	index     int
	key       string // quoted, with colon and space
	omitEmpty bool
}

// members are the elements of a slice, or the fields of a struct by their keys without those that are left out.
func (e *encoder) members(v reflect.Value) iter.Seq2[string, reflect.Value] {
	return func(yield func(string, reflect.Value) bool) {
		if v.Kind() == reflect.Slice {
			for i := range v.Len() {
				if !yield("", v.Index(i)) {
					return
				}
			}
			return
		}
		for _, f := range e.fields(v.Type()) {
			if m := v.Field(f.index); (!f.omitEmpty || !empty(m)) && !yield(f.key, m) {
				return
			}
		}
	}
}

// brackets are those around the members of a slice or a struct.
func brackets(v reflect.Value) string { return cmp.Or(textIf(v.Kind() == reflect.Slice, "[]"), "{}") }

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
	e.w.WriteByte(brackets(v)[0])
	n := 0
	for key, m := range e.members(v) {
		e.newline(n, depth+1)
		e.w.WriteString(key)
		e.value(m, depth+1)
		n++
	}
	e.newline(0, depth)
	e.w.WriteByte(brackets(v)[1])
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
		b = append(b, brackets(v)[0])
		begin, fits := len(b), true
		for key, m := range e.members(v) {
			if len(b) > begin {
				b = append(b, ", "...)
			}
			if b, fits = e.inline(append(b, key...), m, limit); !fits {
				return b, false
			}
		}
		b = append(b, brackets(v)[1])
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

// fields are those of a struct type that are written.
func (e *encoder) fields(t reflect.Type) []field {
	fields, known := e.known[t]
	for i := 0; i < t.NumField() && !known; i++ {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && name != "-" {
			key := strconv.Quote(cmp.Or(name, f.Name)) + ": "
			fields = append(fields, field{index: i, key: key, omitEmpty: options == "omitempty"})
		}
	}
	e.known[t] = fields
	return fields
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
		}
		return appendUnits(b, r)
	})
	return append(b, '"')
}

// appendUnits appends the UTF-16 units of a character as \uXXXX.
func appendUnits(b []byte, r rune) []byte {
	for _, unit := range utf16.AppendRune(nil, r) {
		b = fmt.Appendf(b, `\u%04x`, unit)
	}
	return b
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
		if c == '"' || c == '\\' || c == '\n' {
			return append(b, c)
		}
		return appendUnits(b, r)
	})
	if out == nil {
		return text
	}
	return out
}

// Line writes v as one line of JSON as encoding/json does, with what a terminal would act on as \u escapes.
func Line(w io.Writer, v any) error { return written("a line of JSON", encode(w, v, "")) }
