// Package redact makes shareable copies of logs, dumps, profiles, audit logs and support bundles: what names people,
// machines and networks gets a pseudonym, what grants access is replaced, and what triage needs (code, times,
// identifiers, names of objects) stays.
//
// Text redacts pieces of text: a string, a report, a stream of lines. Copy redacts a file, a folder or an archive,
// nested ones too. Both give a value that occurs twice the same pseudonym (ip-1, host-2, mail-3, token-4, pem-5,
// password-6, mac-7), numbered in order of appearance. Nothing of the value goes into its pseudonym, so that it can't
// be turned back without the map that Options.Map asks for.
//
// Redacting what is redacted already changes nothing: pseudonyms are known by their shape, and a unit is read again
// until nothing in it changes, since a pseudonym may read otherwise than the value did.
//
// In layers, from below: bytes, pseudonyms and names (chars.go, pseudonym.go, lexicon.go, nodenames.go), the table of
// secrets and what their values look like (detectors.go, keys.go, value.go), other values (address.go, host.go), text
// and JSON in it (scan.go, tree.go, printed.go, pem.go), whole texts and streams (yaml.go, partial.go, stream.go), and
// the copy of files (open.go, learn.go, content.go, writers.go, copy.go). Beside them are profiles (profile.go), Go
// values (values.go), and what is reported of a copy (summary.go, check.go, leftover.go).
package redact

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Options are what to redact besides what the detectors know. The zero value is usable.
type Options struct {
	// Hide are words that are replaced wherever they are between characters that are no letters or digits: names of
	// customers, projects, hosts without a domain.
	Hide []string
	// Also are expressions: what matches, or its first group, is replaced too. They see lines as they are written.
	Also []*regexp.Regexp
	// Keep are hosts, domains (their subdomains too), addresses and classes that stay.
	Keep []string
	// Map, where set, receives a line `pseudonym<tab>value` for every new pseudonym: with it the copy can be read as
	// the original.
	Map io.Writer
}

// A Text redacts text, of one goroutine at a time.
type Text struct {
	names *pseudonyms
	lex   *lexicon
	rows  *detectorTable
	scans sync.Pool
	found *places // where it is noted what is replaced, nil for nowhere
}

// NewText returns a Text that knows no value yet.
func NewText(o Options) *Text {
	t := &Text{names: newPseudonyms(o.Map), lex: newLexicon(o), rows: tables()}
	t.scans.New = func() any { return &scan{t: t, lex: t.lex} }
	return t
}

// Counts returns what was replaced so far. Classes without a value are absent.
func (t *Text) Counts() Counts {
	c := Counts{}
	for class, n := range t.names.seen {
		c[class] = Count{Replaced: n, Distinct: len(t.names.values[class])}
	}
	return c
}

// A scan goes once over the bytes of a unit: a line, a document, an object of a list. It notes what is replaced; what
// stays is copied in pieces, and not at all where nothing is replaced.
type scan struct {
	t    *Text
	lex  *lexicon // that of t
	src  []byte
	dst  []byte
	from int  // src[:from] is in dst already; 0 while nothing is replaced
	note bool // replacements go into edits instead of being made
	// A unit is read until nothing moves. moved says that a replacement may change how what is around it reads; again
	// has where the lines begin that the next pass reads, spare the buffer that dst was in the pass before.
	moved  bool
	passes int
	again  []int
	spare  []byte
	left   span // a value that was left, though its key may be a secret's
	// source is the buffer for what a stream has, kept from one stream to the next.
	source []byte

	nodes  []node // of the objects and lists that are being read
	edits  []edit // that are to be made, in pieces of lines
	pieces []int  // where the texts of such pieces begin
	floor  int    // behind the last escape: what a mail address may begin with
	url    int    // where the host of a URL begins, -1 for none
	depth  int    // of JSON in strings in JSON
	fails  int    // attempts to read JSON that ended early
	steps  int    // bytes that may still be looked at ahead

	carried
}

// What is carried from one line or unit of a stream to the next.
type carried struct {
	secrets bool // objects without a kind are Secrets
	strict  bool // the unit is a piece: a kind that isn't in it may be Secret
	flag    bool // the line before is the flag of a secret, alone
	table   bool // the line before is one of a table of nodes
	pem     pemState
	block   block
}

// An edit is a replacement that is still to be made.
type edit struct {
	start, end int
	rep        string
}

// A pemState is that of a PEM block that began in an earlier line or string.
type pemState struct {
	active  bool
	lines   int    // since its BEGIN
	strings int    // of JSON, since its BEGIN
	name    string // the block's pseudonym: all its lines get that of the first
	frame   []byte // what precedes the block's text in its line: see pemFrame
}

// pemHead begins a block; a space follows, or %20 or + in URLs.
const pemHead = "-----BEGIN"

const (
	// minSteps and stepsEach bound looking ahead: for an object's kind, for the end of a value.
	minSteps  = 1 << 16
	stepsEach = 8
)

// scan returns one that knows no stream before; what is known of names stays in t.
func (t *Text) scan() *scan {
	s := t.scans.Get().(*scan)
	s.carried = carried{}
	return s
}

// begin makes b the unit that is redacted.
func (s *scan) begin(b []byte) {
	s.src, s.dst, s.from, s.note, s.floor, s.url, s.depth, s.fails = b, s.dst[:0], 0, false, 0, -1, 0, 0
	s.left = span{}
	s.steps = minSteps + stepsEach*len(b)
}

// end returns the unit as it is now.
func (s *scan) end() []byte {
	b := s.src
	s.src = nil
	if s.from == 0 {
		return b
	}
	s.dst = append(s.dst, b[s.from:]...)
	return s.dst
}

// replace replaces src[start:end] by rep.
func (s *scan) replace(start, end int, rep string) {
	if start < s.from {
		return // a value that overlaps one that was replaced already
	}
	if s.note {
		s.edits = append(s.edits, edit{start, end, rep})
	} else {
		s.dst = append(append(s.dst, s.src[s.from:start]...), rep...)
	}
	s.moved = s.moved || string(s.src[start:end]) != rep
	s.from = end
}

// hide replaces src[start:end] by a pseudonym, unless it is one.
func (s *scan) hide(c Class, start, end int) {
	if start < end && !s.hidden(start, end) {
		s.put(c, start, end, s.src[start:end])
	}
}

// hidden passes src[start:end] over where it is a pseudonym, as if it were replaced now, and reports whether it is one.
func (s *scan) hidden(start, end int) bool {
	if !pseudonym(s.src[start:end]) {
		return false
	}
	s.replace(start, end, string(s.src[start:end]))
	return true
}

// put replaces src[start:end] by the pseudonym of a value of a class, unless the class is kept.
func (s *scan) put(c Class, start, end int, value []byte) {
	if !s.lex.kept[c] {
		moved := s.moved || !s.settled(c, start, end)
		s.replace(start, end, s.t.names.of(c, value))
		s.moved = moved
	}
}

// settled reports whether a pseudonym at src[start:end] can't be read together with what is around it, so that a line
// needs no second look for it: it is a whole word, no key, and no part of a value that was left.
func (s *scan) settled(c Class, start, end int) bool {
	b, left := s.src, s.left
	const after = " \t\n\"'),]}=/>\\?"
	before := " \t\n\"'([<,=:"
	if c == Host && end < len(b) && b[end] != ':' && b[end] != '=' { // etcd-NODE, nodes/NODE
		before += "-/"
	}
	return s.idle() && slices.Contains([]Class{IP, MAC, Host, Mail, PEM, Machine}, c) &&
		(start >= int(left.end) || start == int(left.start) && end == int(left.end)) &&
		(start == 0 || strings.IndexByte(before, b[start-1]) >= 0 || bytes.HasSuffix(b[:start], []byte("//"))) &&
		(end == len(b) || strings.IndexByte(after, b[end]) >= 0 || b[end] == ':' && (c == IP || c == Host))
}
