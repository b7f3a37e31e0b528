// Package redact makes shareable copies of logs, dumps, profiles, audit logs and support bundles: what names people,
// machines and networks gets a pseudonym, what grants access is replaced, and what triage needs (code, times,
// identifiers, names of objects) stays.
//
// Text redacts pieces of text: a string, a report, a stream of lines. Copy redacts a file, a folder or an archive,
// nested ones too. Both give a value that occurs twice the same pseudonym (ip-1, host-2, mail-3, token-4, pem-5,
// password-6, mac-7), numbered in order of appearance. Nothing of the value goes into its pseudonym, so that it can't
// be turned back without the map that Options.Map asks for.
//
// Redacting what is redacted already changes nothing: pseudonyms are known by their shape.
package redact

import (
	"bytes"
	"sync"
)

// A Text redacts text. It may be used by several goroutines at a time.
type Text struct {
	names *pseudonyms
	known *knowledge
	scans sync.Pool
}

// NewText returns a Text that knows no value yet.
func NewText(o Options) *Text {
	t := &Text{names: newPseudonyms(o.Map), known: newKnowledge(o)}
	t.scans.New = func() any { return &scan{t: t} }
	return t
}

// String redacts s, which may have several lines.
func (t *Text) String(s string) string {
	out := t.Bytes([]byte(s))
	if string(out) == s {
		return s
	}
	return string(out)
}

// Bytes redacts b, which may have several lines. It returns b itself where nothing was redacted; b is not changed.
func (t *Text) Bytes(b []byte) []byte {
	s := t.scan()
	defer t.scans.Put(s)
	out := s.unit(b, kindOfText(b))
	if len(out) == len(b) && (len(b) == 0 || &out[0] == &b[0]) {
		return b
	}
	return bytes.Clone(out)
}

// kindOfText is sniffText for a piece that is there as a whole: JSON lines are lines.
func kindOfText(b []byte) textKind {
	kind := sniffText(b[:min(len(b), headSize)], "")
	if kind == jsonText {
		c := jsonCut{}
		for n := c.next(b); n > 0 && c.pos < len(b); n = c.next(b) {
			continue
		}
		return c.kind
	}
	return kind
}

func (t *Text) scan() *scan {
	s := t.scans.Get().(*scan)
	s.reset()
	return s
}

// Counts returns what was replaced so far. Classes without a value are absent.
func (t *Text) Counts() Counts { return t.names.counts() }

// MapError returns the first error of writing to Options.Map.
func (t *Text) MapError() error { return t.names.mapError() }
