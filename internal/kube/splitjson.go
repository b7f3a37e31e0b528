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
	if h, at := listIn(w.ahead(listHead)); at > 0 {
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

// listIn looks for the list of items in the object that begins b: its kind, and where its bracket is, 0 for none.
func listIn(b []byte) (h head, at int) {
	if !bytes.Contains(b, []byte(`"items"`)) {
		return h, 0
	}
	jsonspan.EachMember(b, 0, func(key []byte, v int) int {
		end := jsonspan.SkipValue(b, v)
		switch isText := end > 0 && b[v] == '"'; {
		case string(key) == "items" && b[v] == '[':
			at = v
			return jsonspan.Cut // nothing more is looked for
		case isText && string(key) == "kind":
			h.kind = string(most(b[v+1:end-1], maxIdent))
		case isText && string(key) == "apiVersion":
			h.api = string(most(b[v+1:end-1], maxIdent))
		case string(key) == "metadata":
			h.listMeta(b, v)
		}
		return end
	})
	return h, at
}

// listMeta reads the metadata of a list at b[v]: its version, and whether another page follows
// (ListMeta, apimachinery/pkg/apis/meta/v1/types.go).
func (h *head) listMeta(b []byte, v int) {
	jsonspan.EachMember(b, v, func(key []byte, v int) int {
		end := jsonspan.SkipValue(b, v)
		if end < 0 {
			return end
		}
		h.listField(string(key), bytes.Trim(b[v:end], `"`))
		return end
	})
}

// listField takes a field of a list's metadata.
func (h *head) listField(key string, value []byte) {
	switch key {
	case "resourceVersion":
		h.version, _ = parseInt(value)
	case "continue":
		h.page = h.page || len(value) > 0
	case "remainingItemCount":
		n, _ := parseInt(value)
		h.page = h.page || n > 0
	}
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
