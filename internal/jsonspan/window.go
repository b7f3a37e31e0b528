package jsonspan

import (
	"bytes"
	"errors"
	"io"
)

var newline = []byte{'\n'}

var (
	// ErrCut ends a value that ends too early.
	ErrCut = errors.New("ends too early")
	// ErrJSON ends a value that breaks JSON's grammar.
	ErrJSON = errors.New("not JSON")
)

// MaxAhead is how far at most callers look ahead of a Window's position.
const MaxAhead = 64 << 10

// A Window is the part of a stream that is looked at: from the beginning of an item to what was read ahead.
type Window struct {
	R         io.Reader
	Buf       []byte
	Mark, Pos int   // in Buf: where the item begins, and what is next
	Line      int64 // line breaks before Mark
	Bytes     int64 // read so far
	Ended     bool  // nothing more can be read
	Err       error // why, where that was not the stream's end
	// Limit is the longest item, in bytes. Of a longer one the beginning is kept, with Drop nothing.
	Limit int
	Drop  bool
	over  []byte // what is kept of an item over Limit
}

// more reads on and reports whether there is more. What lies before Mark is forgotten.
func (w *Window) more() bool {
	if w.Ended {
		return false
	}
	if w.Pos-w.Mark > w.Limit {
		if w.over == nil && !w.Drop {
			w.over = bytes.Clone(w.Buf[w.Mark : w.Mark+w.Limit])
		} else if w.Drop {
			w.over = newline
		}
		w.Line += int64(bytes.Count(w.Buf[w.Mark:w.Pos], newline))
		w.Mark = w.Pos
	}
	if w.Mark > 0 && len(w.Buf) == cap(w.Buf) {
		n := copy(w.Buf, w.Buf[w.Mark:])
		w.Buf = w.Buf[:n]
		w.Pos -= w.Mark
		w.Mark = 0
	}
	if len(w.Buf) == cap(w.Buf) {
		w.Buf = append(make([]byte, 0, min(2*cap(w.Buf), w.Limit+2*MaxAhead)), w.Buf...)
	}
	for range 100 { // what io.Reader allows, and bufio forgives
		n, err := w.R.Read(w.Buf[len(w.Buf):cap(w.Buf)])
		w.Buf = w.Buf[:len(w.Buf)+n]
		w.Bytes += int64(n)
		if err != nil {
			w.Ended = true
			if !errors.Is(err, io.EOF) {
				w.Err = err
			}
		}
		if n > 0 || w.Ended {
			return n > 0
		}
	}
	w.Ended, w.Err = true, io.ErrNoProgress
	return false
}

// Ahead makes n bytes, at most MaxAhead, from Pos available where the stream has them.
func (w *Window) Ahead(n int) []byte {
	for len(w.Buf)-w.Pos < n && w.more() {
	}
	return w.Buf[w.Pos:min(w.Pos+n, len(w.Buf))]
}

// Begin begins an item at Pos.
func (w *Window) Begin() {
	w.Line += int64(bytes.Count(w.Buf[w.Mark:w.Pos], newline))
	w.Mark = w.Pos
	w.over = nil
}

// Item is the text since Begin, and whether it was cut.
func (w *Window) Item() (text []byte, cut bool) {
	if w.over != nil {
		return w.over, true
	}
	return w.Buf[w.Mark:w.Pos], false
}

// Space goes over white space and reports whether something follows.
func (w *Window) Space() bool {
	for {
		for w.Pos < len(w.Buf) {
			if !IsSpace(w.Buf[w.Pos]) {
				return true
			}
			w.Pos++
		}
		if !w.more() {
			return false
		}
	}
}

// Skip goes over the JSON value at Pos, where there is at least a byte. It fails with ErrCut or ErrJSON.
func (w *Window) Skip(s Skipper) error {
	for {
		switch end := s.Feed(w.Buf[w.Pos:]); {
		case end >= 0:
			w.Pos += end
			return nil
		case end == Broken:
			return ErrJSON
		}
		w.Pos = len(w.Buf)
		if !w.more() {
			if s.EndsWithText() && w.Err == nil {
				return nil
			}
			return ErrCut
		}
	}
}

// SkipLine goes behind the end of the line at Pos.
func (w *Window) SkipLine() {
	for {
		if n := bytes.IndexByte(w.Buf[w.Pos:], '\n'); n >= 0 {
			w.Pos += n + 1
			return
		}
		w.Pos = len(w.Buf)
		if !w.more() {
			return
		}
	}
}
