package kube

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/gotriage/triage/internal/jsonspan"
)

func (r *Reader) readJSON(w *window) error {
	for w.space() {
		w.begin()
		var err error
		switch c := w.buf[w.pos]; c {
		case '{':
			err = r.jsonObject(w)
		case '[':
			err = r.jsonItems(w, head{})
		default:
			err = fmt.Errorf("line %d: %q begins no object", w.line+1, c)
		}
		if err != nil {
			return err
		}
	}
	return w.err
}

// listHead is how far into an object its list of items is looked for: only metadata comes before it.
const listHead = 8 << 10

func (r *Reader) jsonObject(w *window) error {
	if at := listIn(w.ahead(listHead)); at > 0 {
		h := r.headOf(w.ahead(at))
		w.pos += at
		if err := r.jsonItems(w, h); err != nil {
			return err
		}
		err := w.skip(jsonspan.InObject())
		w.begin()
		return w.failed(err)
	}
	err := w.skip(jsonspan.Skipper{})
	if text, cut := w.item(); !errors.Is(err, errJSON) {
		invalid := r.item(text, w.line+1, head{}, cut || err != nil)
		err = cmp.Or(err, invalid)
	}
	if err == nil {
		w.begin()
	}
	return w.failed(err)
}

// listIn is where the bracket of the list of items is in the object that begins b, 0 for none.
func listIn(b []byte) (at int) {
	if !bytes.Contains(b, []byte(`"items"`)) {
		return 0
	}
	jsonspan.EachMember(b, 0, func(key []byte, v int) int {
		if string(key) == "items" && b[v] == '[' {
			at = v
			return jsonspan.Cut // nothing more is looked for
		}
		return 0
	})
	return at
}

// failed is an error at the place of the value that w is in.
func (w *window) failed(err error) error {
	if errors.Is(err, errCut) {
		err = cmp.Or(w.err, io.ErrUnexpectedEOF)
	}
	if err != nil {
		err = fmt.Errorf("line %d: %w", w.line+1, err)
	}
	return err
}

func (r *Reader) jsonItems(w *window, h head) error {
	w.pos++
	n := r.begunList(h)
	for {
		if !w.space() {
			return w.failed(errCut)
		}
		switch w.buf[w.pos] {
		case ']':
			w.pos++
			r.endedList(n, h)
			return nil
		case ',':
			w.pos++
			continue
		}
		w.begin()
		err := w.skip(jsonspan.Skipper{})
		text, cut := w.item()
		if len(text) == 0 {
			return w.failed(fmt.Errorf("%q in a list", w.buf[w.pos]))
		}
		if text[0] == '{' {
			_ = r.item(text, w.line+1, h, cut || err != nil) // counted as not read
		}
		if err != nil {
			return w.failed(err)
		}
		w.begin()
	}
}
