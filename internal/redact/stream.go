package redact

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"
)

const (
	// headSize is what a stream's kind is read from.
	headSize = 64 << 10
	// unitSize is how much of a stream is redacted at a time where its lines or documents allow it.
	unitSize = 256 << 10
	// maxUnit bounds a line or document that is seen as a whole. etcd allows objects of 1.5 MiB, an API server logs
	// responses of a few MiB in one line; what is longer is redacted in pieces, more strictly.
	maxUnit = 16 << 20
)

// A textKind is how a unit is read.
type textKind uint8

const (
	plainText textKind = iota
	yamlText
	jsonText
	hostText    // of a file that holds the name of a host
	machineText // or the id of a machine
)

// oneValue are the names of files that hold no more than one.
var oneValue = map[string]textKind{"hostname": hostText, "machine-id": machineText, "product_uuid": machineText}

// String redacts s, which may have several lines.
func (t *Text) String(s string) string { return string(t.Bytes([]byte(s))) }

// Bytes redacts b, which may have several lines. It returns b itself where nothing was redacted; b is not changed.
func (t *Text) Bytes(b []byte) []byte {
	kind := sniffText(b[:min(len(b), headSize)], "")
	if kind == jsonText { // JSON lines are lines
		c := jsonCut{}
		for c.pos < len(b) {
			c.next(b)
		}
		if !c.long {
			kind = plainText
		}
	}
	s := t.scan()
	defer t.scans.Put(s)
	b = t.also(b)
	out := s.unit(b, kind, 0)
	if bytes.Equal(out, b) {
		return b
	}
	return bytes.Clone(out)
}

// maxPasses bounds how often a unit is read. Chosen: each pass hides more, and what people write needs two.
const maxPasses = 16

// unit redacts b, and returns it or what is valid until the next call; depth is how deep it is encoded in another text.
// It reads what it wrote as a second copy would, until nothing moves.
func (s *scan) unit(b []byte, kind textKind, depth int) []byte {
	before := s.carried
	for s.again, s.passes = nil, 0; ; s.passes++ {
		s.moved = false
		if b = s.pass(b, kind, depth); !s.moved || s.passes == maxPasses {
			return b
		}
		s.carried = before
		s.dst, s.spare = s.spare, s.dst
	}
}

// pass reads b once.
func (s *scan) pass(b []byte, kind textKind, depth int) []byte {
	s.begin(b)
	s.depth = depth
	s.table = s.t.namesIn(b, s.table)
	switch kind {
	case jsonText:
		s.text(0, len(b))
	case yamlText:
		s.yaml(0, len(b), 0, node{})
	case hostText, machineText:
		name, key := bytes.TrimSpace(b), keyMachine
		if kind == hostText {
			key = keyHost
			s.t.learnHost(name)
		}
		if start := bytes.Index(b, name); !s.secretValue(key, start, start+len(name), false) {
			s.plainLines()
		}
	default:
		s.plainLines()
	}
	return s.end()
}

// Copy redacts a stream of text in units: of a log the whole lines that came together, and what is left at the end; of
// YAML and JSON documents. What a unit says about the next one is carried. name is the path of the stream, which may
// show that it holds Secrets. Memory stays below some maxUnit, whatever src holds.
func (t *Text) Copy(dst io.Writer, src io.Reader, name string) error {
	br := bufio.NewReaderSize(src, headSize)
	head, err := br.Peek(headSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		return fmt.Errorf("reading: %w", err)
	}
	kind, base := sniffText(head, name), path.Base(name)
	if of, ok := oneValue[base]; ok && kind == plainText && len(head) < 256 {
		kind = of
	}
	s := t.scan()
	defer t.scans.Put(s)
	// Where collectors put Secrets, their elements may be without a kind.
	s.secrets = strings.HasPrefix(base, "secrets.") || strings.Contains(name, "/secrets/")
	u := &units{r: br, w: dst, s: s, kind: kind, buf: s.source[:0]}
	err = u.copy()
	// The buffer is kept for the next file, unless a long line made it larger: a bundle has thousands of files, most of
	// them smaller than one buffer.
	if cap(u.buf) <= 2*unitSize {
		s.source = u.buf
	}
	if err != nil {
		return fmt.Errorf("redacting: %w", err)
	}
	return nil
}

// units cuts a stream into what is redacted at a time. pos is where it is looked at next.
type units struct {
	jsonCut
	kind textKind
	r    *bufio.Reader
	w    io.Writer
	s    *scan
	buf  []byte
	eof  bool
	err  error // that ended the source early
}

// copy redacts as much at a time as came together: a pipe's lines are handed on as they come.
func (u *units) copy() error {
	for {
		more := u.fill()
		for n := u.whole(more); n > 0; n = u.whole(more) {
			kind := u.kind
			if kind == jsonText && !u.long {
				kind = plainText
			}
			if err := u.emit(n, kind); err != nil {
				return err
			}
		}
		if !more || u.err != nil {
			return u.rest(more)
		}
		if len(u.buf) >= maxUnit {
			if err := u.emit(u.part(), u.kind); err != nil {
				return err
			}
			u.s.strict = u.kind != plainText
		}
	}
}

// fill appends what comes next; it reports false at the end.
func (u *units) fill() bool {
	if u.eof {
		return false
	}
	if len(u.buf) == cap(u.buf) {
		u.buf = append(make([]byte, 0, max(2*cap(u.buf), unitSize)), u.buf...)
	}
	n, err := u.r.Read(u.buf[len(u.buf):cap(u.buf)])
	u.buf = u.buf[:len(u.buf)+n]
	if u.eof = err != nil; err != io.EOF {
		u.err = err
	}
	return n > 0 || err == nil
}

// emit redacts and writes the first n bytes.
func (u *units) emit(n int, kind textKind) error {
	if n == 0 {
		return nil
	}
	out := u.s.unit(u.s.t.also(u.buf[:n]), kind, 0)
	u.s.t.found.compare(u.buf[:n], out)
	_, err := u.w.Write(out)
	u.buf = u.buf[:copy(u.buf, u.buf[n:])]
	u.pos, u.comma = max(u.pos-n, 0), max(u.comma-n, 0)
	return err
}

// whole is the length of what is complete at the front: lines, documents and elements of lists in YAML, JSON values and
// lines between them that are none. More than one is left where the next may end with it.
func (u *units) whole(more bool) (n int) {
	chained := u.kind == plainText
	switch {
	case u.kind == jsonText:
		n = u.next(u.buf)
		chained = !u.long
	case !more:
	case u.kind == plainText:
		if n = bytes.LastIndexByte(u.buf[u.pos:], '\n') + 1; n > 0 {
			n += u.pos
		}
		u.pos = len(u.buf)
	case u.kind == yamlText && u.err == nil && len(u.buf) >= unitSize:
		u.s.strict = true
		if n = lastItem(u.buf[u.pos:]); n > 0 {
			n += u.pos
		}
		u.pos = max(u.pos, bytes.LastIndexByte(u.buf, '\n'))
	}
	if n > 0 && chained && more && len(u.buf) < maxChain {
		n = openChain(u.buf[:n])
	}
	return n
}

// part is the length of what is redacted of a line or document that is too long to be seen whole: up to an element of a
// list, a line of YAML or a word.
func (u *units) part() int {
	u.s.strict = true
	switch {
	case u.kind == jsonText:
		u.s.secrets = true
		if u.comma > 0 {
			return u.comma
		}
	case u.kind == yamlText && u.pos > 0:
		return u.pos + 1
	}
	n := len(u.buf)
	for k := n; k > n-headSize; k-- {
		if charClass[u.buf[k-1]]&(isWord|isBase64) == 0 {
			return k
		}
	}
	return n
}

// rest redacts what is left at the end, or came before a source broke; more where the last of it came just then.
func (u *units) rest(more bool) error {
	kind := u.kind
	switch {
	case kind == jsonText && u.err != nil:
		kind, u.s.strict = plainText, true
	case kind == jsonText:
		u.s.strict = u.s.strict || u.depth > 0
	case kind == plainText && more:
		u.s.strict = true
	}
	if err := u.emit(len(u.buf), kind); err != nil {
		return err
	}
	return u.err
}

// sniffText returns how text is best taken apart.
func sniffText(head []byte, name string) textKind {
	trimmed := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(trimmed) == 0 {
		return plainText
	}
	ext := path.Ext(name)
	named := ext == ".yaml" || ext == ".yml"
	if named && trimmed[0] == '{' && flowMapping(trimmed) {
		return yamlText
	}
	if inner := bytes.TrimLeft(trimmed[1:], " \t\r\n"); len(inner) > 0 &&
		(trimmed[0] == '{' && (inner[0] == '"' || inner[0] == '}') || trimmed[0] == '[' && inner[0] == '{') {
		return jsonText
	}
	for line := range bytes.Lines(trimmed) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("---")) {
			continue
		}
		if named || bytes.HasPrefix(line, []byte("kind:")) ||
			bytes.HasPrefix(bytes.TrimPrefix(line, []byte("- ")), []byte("apiVersion:")) {
			return yamlText
		}
		break
	}
	return plainText
}

// flowMapping accepts a mapping of YAML in brackets that is no JSON: its first key has no quotes.
func flowMapping(b []byte) bool {
	k := skipSpace(b, 1, len(b))
	return k < len(b) && isAlpha(b[k])
}

// lastItem is where the last document or element of a list of objects begins, 0 where there is none.
func lastItem(b []byte) int {
	for end := len(b); end > 0; {
		i := bytes.LastIndexByte(b[:end-1], '\n') + 1
		if i == 0 {
			return 0
		}
		line := b[i:end]
		if bytes.HasPrefix(line, []byte("- ")) || bytes.HasPrefix(line, []byte("---")) ||
			bytes.HasPrefix(line, []byte("  - apiVersion:")) {
			return i
		}
		end = i
	}
	return 0
}

// A jsonCut finds where JSON values end, whatever the pieces in which they come.
type jsonCut struct {
	pos    int // looked at so far
	depth  int
	quoted bool
	arrays uint8 // a bit for each of the first two levels: it is an array
	comma  int   // behind the last comma between elements of an array of the first two levels
	long   bool  // a value has had more than one line
}

// next returns the length of the values at the front of b that are complete, at least unitSize of them where there are
// more; 0 for none yet.
func (c *jsonCut) next(b []byte) int {
	end := 0
	for ; c.pos < len(b); c.pos++ {
		ch := b[c.pos]
		if c.quoted {
			switch ch {
			case '\\':
				c.pos++
			case '"':
				c.quoted = false
			}
			continue
		}
		switch ch {
		case '"':
			c.quoted = c.depth > 0
		case '{', '[':
			if c.depth < 2 {
				c.arrays &^= 1 << c.depth
				if ch == '[' {
					c.arrays |= 1 << c.depth
				}
			}
			c.depth++
		case '}', ']':
			if c.depth = max(c.depth-1, 0); c.depth == 0 && c.pos >= unitSize {
				end = c.pos + 1
			}
		case ',':
			if c.depth > 0 && c.depth <= 2 && c.arrays&(1<<(c.depth-1)) != 0 {
				c.comma = c.pos + 1
			}
		case '\n':
			if c.depth == 0 {
				end = c.pos + 1
			} else {
				c.long = true
			}
		}
		if end >= unitSize {
			c.pos++
			break
		}
	}
	return end
}
