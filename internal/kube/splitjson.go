package kube

import (
	"errors"
	"fmt"
	"strings"
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

func (r *Reader) jsonObject(w *window) error {
	h := head{line: w.line + 1}
	isList := false
	w.pos++
	for first := true; ; first = false {
		key, ended, err := w.key(first)
		if ended {
			break
		}
		if err == nil && key == `"items"` && w.buf[w.pos] == '[' {
			isList = true
			if err := r.jsonItems(w, h); err != nil {
				return err
			}
			continue
		}
		if err == nil {
			err = w.headValue(key, &h)
		}
		if errors.Is(err, errCut) {
			return r.jsonCut(w, isList)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", w.line+1, err)
		}
	}
	if !isList {
		text, cut := w.item()
		r.jsonItem(text, h.line, head{}, cut)
	}
	w.begin()
	return nil
}

// key goes over an object's next key and colon and returns it with its quotes; ended: the object ended instead.
func (w *window) key(first bool) (key string, ended bool, err error) {
	if !w.space() {
		return "", false, errCut
	}
	c := w.buf[w.pos]
	if c == '}' {
		w.pos++
		return "", true, nil
	}
	if c == ',' && !first {
		w.pos++
		if !w.space() {
			return "", false, errCut
		}
		c = w.buf[w.pos]
	} else if !first {
		return "", false, fmt.Errorf("an object goes on with %q", c)
	}
	if c != '"' {
		return "", false, fmt.Errorf("%q begins no key", c)
	}
	if key, err = w.small(); err != nil || !w.space() {
		return "", false, errCut
	}
	if w.buf[w.pos] != ':' {
		return "", false, errors.New("no colon behind a key")
	}
	w.pos++
	if !w.space() {
		return "", false, errCut
	}
	return key, false, nil
}

// headValue goes over the value of a key, and keeps it where it is the kind of a list.
func (w *window) headValue(key string, h *head) error {
	if w.buf[w.pos] != '"' || key != `"kind"` && key != `"apiVersion"` {
		return w.skipValue()
	}
	value, err := w.small()
	if err != nil {
		return errCut
	}
	if value = strings.Trim(value, `"`); key == `"kind"` {
		h.kind = value
	} else {
		h.api = value
	}
	return nil
}

// small goes over a JSON string and returns it with its quotes, as far as a key or a kind may go.
func (w *window) small() (string, error) {
	const most = 256
	held := w.pos - w.mark
	if err := w.skipValue(); err != nil {
		return "", err
	}
	if w.over != nil || w.pos-w.mark-held > most {
		return "", nil
	}
	return string(w.buf[w.mark+held : w.pos]), nil
}

// jsonCut reads what is there of an object that the stream ends in.
func (r *Reader) jsonCut(w *window, isList bool) error {
	if text, _ := w.item(); !isList {
		r.jsonItem(text, w.line+1, head{}, true)
	}
	return fmt.Errorf("line %d: %w", w.line+1, w.ended())
}

func (r *Reader) jsonItems(w *window, h head) error {
	w.pos++
	n := r.begunList(h)
	for {
		if !w.space() {
			return fmt.Errorf("line %d: %w", w.line+1, w.ended())
		}
		switch w.buf[w.pos] {
		case ']':
			w.pos++
			r.endedList(n)
			return nil
		case ',':
			w.pos++
			continue
		}
		w.begin()
		line := w.line + 1
		err := w.skipValue()
		text, cut := w.item()
		if len(text) == 0 {
			return fmt.Errorf("line %d: %q in a list", line, w.buf[w.pos])
		}
		if text[0] == '{' {
			r.jsonItem(text, line, h, cut || err != nil)
		}
		if errors.Is(err, errCut) {
			err = w.ended()
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		w.begin()
	}
}

func (r *Reader) jsonItem(text []byte, line int64, h head, cut bool) {
	root, short, err := r.tree.parseJSON(text)
	if err != nil {
		r.unread(h.item(), "no valid JSON")
		return
	}
	if cut || short {
		r.unread(h.item(), "cut: over the limit of one object, or the file ends in it")
	}
	r.document(root, line, h)
}
