package redact

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A Place is a line in which something is replaced; Line is 0 for a file's name and for profiles.
type Place struct {
	Path string // of the copy; "" for a copy of one file
	Line int64
}

func (p Place) String() string {
	switch {
	case p.Path == "":
		return fmt.Sprintf("line %d", p.Line)
	case p.Line == 0:
		return p.Path
	}
	return fmt.Sprintf("%s:%d", p.Path, p.Line)
}

// maxPlaces bounds how many places of a class are kept.
const maxPlaces = 100

// places are those of what is replaced, by class; of the file that is read, path and line are where it is.
type places struct {
	of   map[Class][]Place
	path string
	line int64
}

// compare notes the lines of before that are others in after. A nil p does nothing.
func (p *places) compare(before, after []byte) {
	if p == nil {
		return
	}
	if bytes.Count(before, []byte("\n")) != bytes.Count(after, []byte("\n")) {
		p.changed(before, after, Place{p.path, p.line + 1}) // a value of several lines became one
		p.line += int64(bytes.Count(before, []byte("\n")))
		return
	}
	for old := range bytes.Lines(before) {
		is := after[:min(lineEnd(after, 0)+1, len(after))]
		after = after[len(is):]
		p.line++
		p.changed(old, is, Place{p.path, p.line})
	}
}

// changed notes the classes of the pseudonyms that after has and before has not.
func (p *places) changed(before, after []byte, at Place) {
	if p == nil || bytes.Equal(before, after) {
		return
	}
	var found []Class
	for _, m := range shape().FindAllSubmatch(after, -1) {
		if !bytes.Contains(before, m[0]) {
			found = append(found, Class(m[1]))
		}
	}
	if len(found) == 0 && at.Line > 0 { // Dropped, or what is encoded
		found = append(found, Secret)
	}
	for _, c := range found {
		if list := p.of[c]; len(list) < maxPlaces && !slices.Contains(list, at) {
			p.of[c] = append(list, at)
		}
	}
}

// shape is a pseudonym.
var shape = onUse(`([a-z]+)-\d{1,7}\b`)

// List is what a copy would lose, by class, with the places.
func (s *Summary) List() string {
	var b strings.Builder
	for _, class := range classes() {
		list := s.Places[class]
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s (%d):\n", class, max(s.Counts[class].Replaced, int64(len(list))))
		for _, at := range list {
			fmt.Fprintf(&b, "  %s\n", at)
		}
		if len(list) == maxPlaces {
			b.WriteString("  and maybe more\n")
		}
	}
	return b.String()
}

// also replaces what the user's expressions match, or their first group, in b; it returns b itself where nothing is.
func (t *Text) also(b []byte) []byte {
	for _, r := range t.lex.also {
		var out []byte
		from := 0
		for _, m := range r.FindAllSubmatchIndex(b, -1) {
			start, end := m[0], m[1]
			if len(m) > 2 && m[2] >= 0 {
				start, end = m[2], m[3]
			}
			if start >= end || start < from || inPseudonym(b, start, end) {
				continue
			}
			out = append(append(out, b[from:start]...), t.names.of(Word, b[start:end])...)
			from = end
		}
		if from > 0 {
			b = append(out, b[from:]...)
		}
	}
	return b
}

// inPseudonym reports whether b[start:end] is a part of a pseudonym.
func inPseudonym(b []byte, start, end int) bool {
	for start > 0 && charClass[b[start-1]]&isWord != 0 {
		start--
	}
	return pseudonym(b[start:run(b, end, len(b), isWord)])
}
