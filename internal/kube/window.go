package kube

import (
	"bytes"
	"errors"
	"io"

	"github.com/gotriage/triage/internal/jsonspan"
)

// maxItem bounds one object's text: etcd takes 1.5 MiB by default, indentation makes up to five times of it.
const maxItem = 8 << 20

// A window is the part of a stream that is looked at: from mark, where an item begins, to what was read ahead.
type window struct {
	r         io.Reader
	buf       []byte
	mark, pos int
	line      int64 // line breaks before mark
	eof       bool
	err       error
	// over is the beginning of an item that is over limit; what follows of it was not kept.
	over  []byte
	limit int
}

// more reads on and reports whether there is more. What lies before mark is forgotten.
func (w *window) more() bool {
	if w.eof {
		return false
	}
	if w.pos-w.mark > w.limit {
		if w.over == nil {
			w.over = bytes.Clone(w.buf[w.mark : w.mark+w.limit])
		}
		w.line += int64(bytes.Count(w.buf[w.mark:w.pos], newline))
		w.mark = w.pos
	}
	if w.mark > 0 && len(w.buf) == cap(w.buf) {
		n := copy(w.buf, w.buf[w.mark:])
		w.buf = w.buf[:n]
		w.pos -= w.mark
		w.mark = 0
	}
	if len(w.buf) == cap(w.buf) {
		w.buf = append(make([]byte, 0, 2*cap(w.buf)), w.buf...)
	}
	for range 100 { // what io.Reader allows, and bufio forgives
		n, err := w.r.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		if err != nil {
			w.eof = true
			if !errors.Is(err, io.EOF) {
				w.err = err
			}
		}
		if n > 0 || w.eof {
			return n > 0
		}
	}
	w.eof, w.err = true, io.ErrNoProgress
	return false
}

// ahead makes n bytes from pos available where the stream has them.
func (w *window) ahead(n int) []byte {
	for len(w.buf)-w.pos < n && w.more() {
	}
	return w.buf[w.pos:min(w.pos+n, len(w.buf))]
}

func (w *window) begin() {
	w.line += int64(bytes.Count(w.buf[w.mark:w.pos], newline))
	w.mark = w.pos
	w.over = nil
}

// item is the text since begin, and whether it was cut.
func (w *window) item() (text []byte, cut bool) {
	if w.over != nil {
		return w.over, true
	}
	return w.buf[w.mark:w.pos], false
}

// space goes over white space and reports whether something follows.
func (w *window) space() bool {
	for {
		for w.pos < len(w.buf) {
			if !jsonspan.IsSpace(w.buf[w.pos]) {
				return true
			}
			w.pos++
		}
		if !w.more() {
			return false
		}
	}
}

// skip goes over the JSON value at pos, where there is at least a byte. It fails with errCut or errJSON.
func (w *window) skip(s jsonspan.Skipper) error {
	for {
		switch end := s.Feed(w.buf[w.pos:]); {
		case end >= 0:
			w.pos += end
			return nil
		case end == jsonspan.Broken:
			return errJSON
		}
		w.pos = len(w.buf)
		if !w.more() {
			if s.EndsWithText() && w.err == nil {
				return nil
			}
			return errCut
		}
	}
}

func (w *window) skipLine() {
	for {
		if n := bytes.IndexByte(w.buf[w.pos:], '\n'); n >= 0 {
			w.pos += n + 1
			return
		}
		w.pos = len(w.buf)
		if !w.more() {
			return
		}
	}
}
