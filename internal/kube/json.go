package kube

import (
	"bytes"
	"errors"
)

var (
	errJSON = errors.New("not JSON")
	errDeep = errors.New("nested too deep")
)

// A jsonParser makes a tree of one JSON value. It takes what comes before a cut for the whole.
type jsonParser struct {
	t    *tree
	b    []byte
	pos  int
	line int32
}

// parseJSON fills t with the JSON value in buf and returns its root. A value that ends too early is read as far as it goes, and
// told so.
func (t *tree) parseJSON(buf []byte) (root int32, cut bool, err error) {
	t.reset(buf)
	p := jsonParser{t: t, b: buf}
	root = t.add(0, 0, 0)
	p.space()
	if err = p.value(root, 0); err == nil {
		if p.space(); p.pos < len(p.b) {
			err = errJSON
		}
	}
	if errors.Is(err, errCut) {
		return root, true, nil
	}
	return root, false, err
}

// errCut ends a value that ends too early, or that has more inside than is kept. What came before stays.
var errCut = errors.New("ends too early")

func (p *jsonParser) space() {
	for p.pos < len(p.b) {
		switch p.b[p.pos] {
		case '\n':
			p.line++
			fallthrough
		case ' ', '\t', '\r':
			p.pos++
		default:
			return
		}
	}
}

// value reads a value into n. p.pos is at its first byte.
func (p *jsonParser) value(n int32, depth int) error {
	if p.pos >= len(p.b) {
		return errCut
	}
	nd := &p.t.nodes[n]
	nd.line, nd.off = p.line, int32(p.pos)
	switch c := p.b[p.pos]; c {
	case '{', '[':
		if depth >= maxDepth {
			return p.skip(n)
		}
		if c == '{' {
			return p.object(n, depth)
		}
		return p.array(n, depth)
	case '"':
		start, end, err := p.str()
		nd.kind, nd.style, nd.off, nd.end = scalarNode, double, int32(start), int32(end)
		return err
	}
	for p.pos < len(p.b) && isLiteral(p.b[p.pos]) {
		p.pos++
	}
	nd.kind, nd.style, nd.end = scalarNode, plain, int32(p.pos)
	if nd.end == nd.off {
		return errJSON
	}
	return nil
}

func isLiteral(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

// str reads a string and returns the span between its quotes.
func (p *jsonParser) str() (start, end int, err error) {
	start = p.pos + 1
	end, ok := stringEnd(p.b, start)
	if !ok {
		p.pos = len(p.b)
		return start, len(p.b), errCut
	}
	p.pos = end + 1
	return start, end, nil
}

// stringEnd is the offset of the quote that ends the double-quoted string whose text begins at start.
func stringEnd(b []byte, start int) (int, bool) {
	for i := start; ; {
		q := bytes.IndexByte(b[i:], '"')
		if q < 0 {
			return len(b), false
		}
		q += i
		s := q
		for s > start && b[s-1] == '\\' {
			s--
		}
		if (q-s)%2 == 0 {
			return q, true
		}
		i = q + 1
	}
}

func (p *jsonParser) object(n int32, depth int) error {
	p.t.nodes[n].kind = mapNode
	p.pos++
	for prev, first := int32(0), true; ; first = false {
		if ended, err := p.more(n, '}', first); ended || err != nil {
			return err
		}
		if p.pos >= len(p.b) {
			return errCut
		}
		if p.b[p.pos] != '"' {
			return errJSON
		}
		ks, ke, err := p.str()
		if err != nil {
			return err
		}
		p.space()
		if p.pos >= len(p.b) {
			return errCut
		}
		if p.b[p.pos] != ':' {
			return errJSON
		}
		p.pos++
		p.space()
		prev = p.t.add(n, prev, p.line)
		c := &p.t.nodes[prev]
		c.keyOff, c.keyEnd, c.keyStyle = int32(ks), int32(ke), double
		if p.t.opaque(depth+1, p.b[ks:ke]) {
			err = p.skip(prev)
		} else {
			err = p.value(prev, depth+1)
			p.t.noteKind(depth+1, prev)
		}
		if err != nil {
			return err
		}
	}
}

// more goes to the next entry of n, over the comma before it; ended says that closer came instead.
func (p *jsonParser) more(n int32, closer byte, first bool) (ended bool, err error) {
	p.space()
	if p.pos >= len(p.b) || len(p.t.nodes) >= maxNodes {
		return false, errCut
	}
	switch c := p.b[p.pos]; {
	case c == closer:
		p.pos++
		p.t.nodes[n].end = int32(p.pos)
		return true, nil
	case c == ',' && !first:
		p.pos++
		p.space()
	case !first:
		return false, errJSON
	}
	return false, nil
}

func (p *jsonParser) array(n int32, depth int) error {
	p.t.nodes[n].kind = seqNode
	p.pos++
	for prev, first := int32(0), true; ; first = false {
		if ended, err := p.more(n, ']', first); ended || err != nil {
			return err
		}
		prev = p.t.add(n, prev, p.line)
		if err := p.value(prev, depth+1); err != nil {
			return err
		}
	}
}

// skip takes the value at p.pos as it stands.
func (p *jsonParser) skip(n int32) error {
	nd := &p.t.nodes[n]
	nd.kind, nd.off, nd.line = opaqueNode, int32(p.pos), p.line
	var s jsonSkip
	used, done := s.feed(p.b[p.pos:], true)
	p.line += int32(bytes.Count(p.b[p.pos:p.pos+used], newline))
	p.pos += used
	nd.end = int32(p.pos)
	if !done {
		return errCut
	}
	return nil
}

var newline = []byte("\n")

// A jsonSkip finds the end of a value of which pieces come one after the other.
type jsonSkip struct {
	depth   int
	started bool
	str     bool // inside a string
	scalar  bool // inside a number or a literal, outside all brackets
	escaped bool // behind a backslash
}

// feed takes a piece and returns how many of its bytes belong to the value, and whether it is whole. last says that no
// piece follows.
func (s *jsonSkip) feed(b []byte, last bool) (used int, done bool) {
	for i := 0; i < len(b); {
		if s.str {
			n, ended := s.inString(b[i:])
			i += n
			if ended && s.depth == 0 {
				return i, true
			}
			continue
		}
		c := b[i]
		if s.scalar && !isLiteral(c) {
			return i, true
		}
		i++
		switch c {
		case '"':
			s.str, s.started = true, true
		case '{', '[':
			s.depth++
			s.started = true
		case '}', ']':
			if s.depth--; s.depth <= 0 {
				return i, true
			}
		case ' ', '\n', '\t', '\r', ',', ':':
		default:
			if s.depth == 0 {
				s.scalar = true
			}
		}
	}
	return len(b), last && s.scalar
}

// inString goes to the end of the string that b begins in.
func (s *jsonSkip) inString(b []byte) (used int, ended bool) {
	i := 0
	if s.escaped {
		s.escaped = false
		i = 1
	}
	for i < len(b) {
		q := bytes.IndexByte(b[i:], '"')
		e := len(b)
		if q >= 0 {
			e = i + q
		}
		bs := bytes.IndexByte(b[i:e], '\\')
		if bs < 0 {
			if q < 0 {
				return len(b), false
			}
			s.str = false
			return e + 1, true
		}
		i += bs + 2
		if i > len(b) {
			s.escaped = true
			return len(b), false
		}
	}
	return len(b), false
}
