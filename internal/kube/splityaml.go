package kube

import (
	"bytes"

	"github.com/gotriage/triage/internal/jsonspan"
)

// A yamlSplit is where the reader of YAML is: in a document, or among the items of its list.
type yamlSplit struct {
	items bool
	col   int    // of the items' dashes; -1 until the first is seen
	rest  []byte // the document's lines around its items: its kind, which often follows them
	list  int    // index of the list among Objects.lists; -1 where there is none
	held  bool   // an item has begun
}

func (r *Reader) readYAML(w *jsonspan.Window) error {
	s := yamlSplit{list: -1}
	w.Begin()
	for {
		line := w.Ahead(lineHead)
		if len(line) == 0 {
			break
		}
		if s.items && s.inside(line) {
			w.SkipLine()
			continue
		}
		r.yamlLine(w, &s, line)
	}
	r.endDocument(w, &s)
	return w.Err
}

// lineHead is how much of a line shows what it is: `items:` and a comment, or an item's indentation.
const lineHead = 80

// inside reports whether a line is surely inside an item: it is indented deeper than the items' dashes.
func (s *yamlSplit) inside(line []byte) bool {
	if s.col < 0 || len(line) <= s.col {
		return false
	}
	for _, c := range line[:s.col+1] {
		if c != ' ' {
			return false
		}
	}
	return true
}

func (r *Reader) yamlLine(w *jsonspan.Window, s *yamlSplit, line []byte) {
	lead := 0
	for lead < len(line) && line[lead] == ' ' {
		lead++
	}
	rest := line[lead:]
	blank := len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r' || rest[0] == '#')
	dash := len(rest) > 0 && rest[0] == '-' && (len(rest) == 1 || isSpace(rest[1]))
	switch {
	case lead == 0 && isMarker(line):
		r.endDocument(w, s)
		w.SkipLine()
		w.Begin()
		return
	case blank || len(rest) == 0:
	case !s.items && lead == 0 && bytes.HasPrefix(line, []byte("items:")) && endsLine(line[len("items:"):]):
		s.rest = append(s.rest, textOf(w)...)
		w.SkipLine()
		w.Begin()
		*s = yamlSplit{items: true, col: -1, rest: s.rest, list: r.beginList(r.headOf(s.rest))}
		return
	case !s.items && dash && lead == 0 && len(bytes.TrimSpace(textOf(w))) == 0:
		w.Begin()
		*s = yamlSplit{items: true, rest: s.rest, list: r.beginList(commonHead{}), held: true}
	case s.items && dash && (s.col < 0 || lead == s.col):
		r.endItem(w, s)
		s.col, s.held = lead, true
	case s.items && (s.col < 0 || lead <= s.col):
		// The items are over: the document goes on.
		r.endItem(w, s)
		s.items = false
	}
	w.SkipLine()
}

func isMarker(line []byte) bool {
	return (bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))) &&
		(len(line) == 3 || isSpace(line[3]))
}

func endsLine(b []byte) bool {
	b, _, _ = bytes.Cut(b, newline)
	b = bytes.TrimLeft(b, " \t\r")
	return len(b) == 0 || b[0] == '#'
}

// textOf is what was read of the item.
func textOf(w *jsonspan.Window) []byte {
	t, _ := w.Item()
	return t
}

// endItem takes the item that ends before the line at w.Pos.
func (r *Reader) endItem(w *jsonspan.Window, s *yamlSplit) {
	if s.held {
		r.yamlItem(w, r.headOf(s.rest))
	}
	s.held = false
	w.Begin()
}

// endDocument takes the document, or its last item, that ends before w.Pos.
func (r *Reader) endDocument(w *jsonspan.Window, s *yamlSplit) {
	if s.list >= 0 {
		if s.items {
			r.endItem(w, s)
		}
		h := r.headOf(append(s.rest, textOf(w)...))
		r.out.lists[s.list].kind = h.item()
		r.endList(s.list, h)
	} else if len(bytes.TrimSpace(textOf(w))) > 0 {
		r.yamlItem(w, commonHead{})
	}
	w.Begin()
	*s = yamlSplit{list: -1, rest: s.rest[:0]}
}

// headOf is the head of the list whose text, but for its items, is given.
func (r *Reader) headOf(text []byte) commonHead {
	root, _, err := r.tree.parse(text)
	if err != nil {
		return commonHead{}
	}
	return r.head(root)
}

// head reads what a list says of itself (ListMeta, apimachinery/pkg/apis/meta/v1/types.go).
func (r *Reader) head(n int32) commonHead {
	t := &r.tree
	meta := t.get(n, "metadata")
	return commonHead{
		api: r.identAt(n, "apiVersion"), kind: r.identAt(n, "kind"),
		version: t.integer(t.get(meta, "resourceVersion")),
		page:    len(t.text(t.get(meta, "continue"))) > 0 || t.integer(t.get(meta, "remainingItemCount")) > 0,
	}
}

// yamlItem takes the lines since begin; what can't be read of them is counted.
func (r *Reader) yamlItem(w *jsonspan.Window, h commonHead) {
	text, cut := w.Item()
	if cut { // the last line may be half
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	_ = r.item(text, w.Line+1, h, cut)
}

// item takes the text of an object, or of another document; cut is set where more of it follows.
func (r *Reader) item(text []byte, line int64, h commonHead, cut bool) error {
	root, short, err := r.tree.parse(text)
	if err != nil {
		r.countUnread(h.item(), err.Error())
		return err
	}
	if cut || short {
		r.countUnread(h.item(), "cut: larger than the limit of one object, or the file ends inside it")
	}
	if t := &r.tree; t.nodes[root].kind == seqNode && isEntry(text) {
		// The dash of the list belongs to its text.
		if root = t.nodes[root].child; root == 0 {
			return nil
		}
	}
	r.document(root, line, h)
	return nil
}

func isEntry(text []byte) bool {
	t := bytes.TrimLeft(text, " ")
	return len(t) > 1 && t[0] == '-' && isSpace(t[1])
}
