package redact

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"
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
