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

// Copy redacts a stream of text: logs line by line, YAML and JSON document by document. name is its path, which may
// show that it holds Secrets. Memory stays below some maxUnit, whatever src holds.
func (t *Text) Copy(dst io.Writer, src io.Reader, name string) error {
	br := bufio.NewReaderSize(src, headSize)
	head, err := br.Peek(headSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		return fmt.Errorf("reading: %w", err)
	}
	s := t.scan()
	defer t.scans.Put(s)
	s.secrets = secretPath(name)
	u := &units{r: br, w: dst, s: s}
	switch kind := sniffText(head, name); {
	case kind == jsonText:
		err = u.documents()
	case kind == yamlText:
		err = u.yaml()
	case path.Base(name) == "hostname" && len(head) < 256:
		err = u.hostname(head)
	default:
		err = u.lines()
	}
	if err != nil {
		return fmt.Errorf("redacting: %w", err)
	}
	return nil
}

// secretPath accepts the files in which collectors put Secrets: their elements may be without a kind.
func secretPath(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, "secrets.") || strings.Contains(name, "/secrets/")
}

// sniffText returns how text is best taken apart.
func sniffText(head []byte, name string) textKind {
	trimmed := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(trimmed) == 0 {
		return plainText
	}
	if trimmed[0] == '{' || trimmed[0] == '[' && bytes.HasPrefix(bytes.TrimLeft(trimmed[1:], " \t\r\n"), []byte("{")) {
		return jsonText
	}
	ext := path.Ext(name)
	for line := range bytes.Lines(trimmed) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case len(line) == 0, line[0] == '#', bytes.HasPrefix(line, []byte("---")):
			continue
		case ext == ".yaml", ext == ".yml",
			bytes.HasPrefix(line, []byte("apiVersion:")), bytes.HasPrefix(line, []byte("kind:")),
			bytes.HasPrefix(line, []byte("- apiVersion:")):
			return yamlText
		}
		break
	}
	return plainText
}

// units cuts a stream into what is redacted at a time.
type units struct {
	r   *bufio.Reader
	w   io.Writer
	s   *scan
	buf []byte
	eof bool
}

// fill appends what comes next; it reports false at the end.
func (u *units) fill() (bool, error) {
	if u.eof {
		return false, nil
	}
	if len(u.buf) == cap(u.buf) {
		grown := make([]byte, len(u.buf), max(2*cap(u.buf), unitSize))
		copy(grown, u.buf)
		u.buf = grown
	}
	n, err := u.r.Read(u.buf[len(u.buf):cap(u.buf)])
	u.buf = u.buf[:len(u.buf)+n]
	switch {
	case err == io.EOF:
		u.eof = true
	case err != nil:
		u.eof = true
		return n > 0, err
	}
	return n > 0 || !u.eof, nil
}

// emit redacts and writes the first n bytes.
func (u *units) emit(n int, kind textKind) error {
	if n == 0 {
		return nil
	}
	_, err := u.w.Write(u.s.unit(u.buf[:n], kind))
	u.buf = u.buf[:copy(u.buf, u.buf[n:])]
	return err
}

// lines redacts lines, as many at a time as came together: a pipe's lines are handed on as they come.
func (u *units) lines() error {
	for {
		seen := len(u.buf)
		more, rerr := u.fill()
		n := bytes.LastIndexByte(u.buf[seen:], '\n') + 1
		if n > 0 {
			n += seen
		}
		if !more {
			n = len(u.buf)
		}
		if more && n > 0 && len(u.buf) < maxChain {
			n = openChain(u.buf[:n])
		}
		if n == 0 && len(u.buf) >= maxUnit {
			n = u.cutLine()
		}
		if err := u.emit(n, plainText); err != nil {
			return err
		}
		if rerr != nil {
			return u.rest(rerr)
		}
		if !more {
			return nil
		}
		u.s.strict = n == 0 && u.s.strict
	}
}

// rest redacts what came before a source broke.
func (u *units) rest(cause error) error {
	u.s.strict = true
	if err := u.emit(len(u.buf), plainText); err != nil {
		return err
	}
	return cause
}

// cutLine is where a line that is too long is cut: behind a word.
func (u *units) cutLine() int {
	u.s.strict = true
	n := len(u.buf)
	for k := n; k > n-headSize; k-- {
		if charClass[u.buf[k-1]]&(isWord|isBase64) == 0 {
			return k
		}
	}
	return n
}

// yaml redacts documents and elements of lists.
func (u *units) yaml() error {
	looked := 0 // no item begins before
	for {
		more, rerr := u.fill()
		n := 0
		switch {
		case !more || rerr != nil:
			n = len(u.buf)
		case len(u.buf) >= unitSize:
			if n = lastItem(u.buf[looked:]); n > 0 {
				n += looked
			}
			looked = max(looked, bytes.LastIndexByte(u.buf, '\n'))
			if n == 0 && len(u.buf) >= maxUnit {
				n = looked + 1
				if looked == 0 {
					n = u.cutLine()
				}
			}
			u.s.strict = true
		}
		if n > 0 {
			looked = 0
		}
		if err := u.emit(n, yamlText); err != nil {
			return err
		}
		if rerr != nil {
			return rerr
		}
		if !more {
			return nil
		}
	}
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

// documents redacts JSON values, and lines between them that are none. Lists that are too long to be seen whole are cut
// between elements.
func (u *units) documents() error {
	c := jsonCut{}
	for {
		more, rerr := u.fill()
		for {
			n := c.next(u.buf)
			if n > 0 && more && c.kind == plainText && len(u.buf) < maxChain {
				n = openChain(u.buf[:n])
			}
			if n == 0 {
				break
			}
			if err := u.emit(n, c.kind); err != nil {
				return err
			}
			c.emitted(n)
		}
		if rerr != nil {
			return u.rest(rerr)
		}
		if !more {
			u.s.strict = u.s.strict || c.depth > 0
			return u.emit(len(u.buf), jsonText)
		}
		if len(u.buf) < maxUnit {
			continue
		}
		u.s.strict, u.s.secrets = true, true
		n := c.comma
		if n == 0 {
			n = u.cutLine()
		}
		if err := u.emit(n, jsonText); err != nil {
			return err
		}
		c.emitted(n)
	}
}

// A jsonCut finds where JSON values end, whatever the pieces in which they come.
type jsonCut struct {
	pos    int // looked at so far
	depth  int
	quoted bool
	arrays uint64   // a bit for each of the first 64 levels: it is an array
	comma  int      // behind the last comma between elements of an array of the first two levels
	kind   textKind // plainText while no value has had more than one line
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
			if c.depth < 64 {
				c.arrays &^= 1 << c.depth
				if ch == '[' {
					c.arrays |= 1 << c.depth
				}
			}
			c.depth++
		case '}', ']':
			if c.depth--; c.depth <= 0 {
				c.depth = 0
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
				c.kind = jsonText
			}
		}
		if end >= unitSize {
			c.pos++
			break
		}
	}
	return end
}

// emitted drops the first n bytes.
func (c *jsonCut) emitted(n int) {
	c.pos = max(c.pos-n, 0)
	c.comma = max(c.comma-n, 0)
}

// hostname redacts the file /etc/hostname.
func (u *units) hostname(head []byte) error {
	s, b := u.s, bytes.Clone(head)
	s.begin(b)
	name := bytes.TrimSpace(b)
	start := bytes.Index(b, name)
	s.learnHost(name)
	if !s.hostValue(start, start+len(name), false) {
		s.text(0, len(b))
	}
	_, err := u.w.Write(s.end())
	return err
}
