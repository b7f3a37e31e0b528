package kube

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/gotriage/triage/internal/jsonspan"
)

func (r *Reader) readJSON(w *jsonspan.Window) error {
	for w.Space() {
		w.Begin()
		var err error
		switch c := w.Buf[w.Pos]; c {
		case '{':
			err = r.jsonObject(w)
		case '[':
			err = r.jsonItems(w, commonHead{})
		default:
			err = fmt.Errorf("line %d: %q begins no object", w.Line+1, c)
		}
		if err != nil {
			return err
		}
	}
	return w.Err
}

// listHead is how far into an object its list of items is looked for: only metadata comes before it.
const listHead = 8 << 10

func (r *Reader) jsonObject(w *jsonspan.Window) error {
	if at, _ := jsonspan.ListIn(w.Ahead(listHead), "items"); at > 0 {
		h := r.headOf(w.Ahead(at))
		w.Pos += at
		if err := r.jsonItems(w, h); err != nil {
			return err
		}
		err := w.Skip(jsonspan.InObject())
		w.Begin()
		return failed(w, err)
	}
	err := w.Skip(jsonspan.Skipper{})
	if text, cut := w.Item(); !errors.Is(err, jsonspan.ErrJSON) {
		invalid := r.item(text, w.Line+1, commonHead{}, cut || err != nil)
		err = cmp.Or(err, invalid)
	}
	if err == nil {
		w.Begin()
	}
	return failed(w, err)
}

// failed is an error at the place of the value that w is in.
func failed(w *jsonspan.Window, err error) error {
	if errors.Is(err, errCut) {
		err = cmp.Or(w.Err, io.ErrUnexpectedEOF)
	}
	if err != nil {
		err = fmt.Errorf("line %d: %w", w.Line+1, err)
	}
	return err
}

func (r *Reader) jsonItems(w *jsonspan.Window, h commonHead) error {
	w.Pos++
	n := r.beginList(h)
	for {
		if !w.Space() {
			return failed(w, errCut)
		}
		switch w.Buf[w.Pos] {
		case ']':
			w.Pos++
			r.endList(n, h)
			return nil
		case ',':
			w.Pos++
			continue
		}
		w.Begin()
		err := w.Skip(jsonspan.Skipper{})
		text, cut := w.Item()
		if len(text) == 0 {
			return failed(w, fmt.Errorf("%q in a list", w.Buf[w.Pos]))
		}
		if text[0] == '{' {
			_ = r.item(text, w.Line+1, h, cut || err != nil) // counted as not read
		}
		if err != nil {
			return failed(w, err)
		}
		w.Begin()
	}
}
