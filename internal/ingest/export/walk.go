package export

import (
	"strconv"
)

// A visitor receives what a walk finds in records. Values are valid until the call returns.
type visitor interface {
	// begin and end enclose an element; line is where it begins.
	begin(n *node, line int64)
	end(n *node)
	// value is a string, decoded, or a number or literal. cut says that it is longer than is kept.
	value(n *node, text []byte, isString, cut bool)
	// stray is a line that is no record; damaged ones began like one.
	stray(text []byte, line int64, damaged bool)
	// done asks to end the walk.
	done() bool
}

// A jsonWalk reads the JSON values of an input one after the other.
type jsonWalk struct {
	in   *recordInput
	tree *tree
	to   visitor
	// maxText bounds a value.
	maxText int
	// oneLine says that no value goes on behind a line's end: one that does is damaged. lists says that a bracket may
	// begin one.
	oneLine, lists bool
	val, key, pair []byte
	begun          []*node // the elements that have not ended
	broken         int64   // lines that are no records
}

// run reads to the end of the input.
func (w *jsonWalk) run() {
	for !w.to.done() {
		c := w.in.space()
		if c == 0 && w.in.i >= w.in.n {
			return
		}
		w.in.mark = w.in.i
		line := w.in.line()
		if c != '{' && (c != '[' || !w.lists) {
			w.stray(line, false)
			continue
		}
		w.begin(w.tree.root(), line)
		ok := w.value(w.tree.root())
		for len(w.begun) > 0 {
			w.end()
		}
		if w.to.done() {
			return
		}
		if !ok {
			w.stray(line, true)
		}
	}
}

func (w *jsonWalk) begin(n *node, line int64) {
	w.begun = append(w.begun, n)
	w.to.begin(n, line)
}

func (w *jsonWalk) end() {
	last := len(w.begun) - 1
	w.to.end(w.begun[last])
	w.begun = w.begun[:last]
}

// stray hands on the line at the mark. Where a damaged record was too long to go back in, what is left of its line is
// dropped.
func (w *jsonWalk) stray(line int64, damaged bool) {
	w.broken++
	whole := w.in.rewind(line)
	w.val = w.in.restOfLine(w.val[:0], maxRaw)
	if whole {
		w.to.stray(w.val, line, damaged)
	}
}

// value reads the value that comes next, at n, or steps over it where n is nil. It reports whether the value was whole.
func (w *jsonWalk) value(n *node) bool {
	first := w.in.space()
	if n == nil {
		return w.in.skip()
	}
	switch first {
	case '"':
		var cut, ok bool
		w.val, cut, ok = w.in.text(w.val[:0], w.maxText, w.oneLine)
		if ok || len(w.val) > 0 {
			w.to.value(n, w.val, true, cut || !ok)
		}
		return ok
	case '{':
		return w.object(n)
	case '[':
		return w.list(n)
	}
	w.val = w.in.word(w.val[:0])
	if len(w.val) == 0 {
		return false
	}
	w.to.value(n, w.val, false, false)
	return true
}

// sameLine reports whether the value that began in this line still may go on.
func (w *jsonWalk) sameLine(line int64) bool { return !w.oneLine || w.in.line() == line }

func (w *jsonWalk) object(n *node) bool {
	w.in.i++
	line := w.in.line()
	paired := false // the first member gives the second one its name
	for member := 0; ; member++ {
		c := w.in.space()
		if !w.sameLine(line) {
			return false
		}
		if c == '}' {
			w.in.i++
			return true
		}
		if c == ',' && member > 0 {
			w.in.i++
			c = w.in.space()
		}
		if c != '"' {
			return false
		}
		var ok bool
		if w.key, _, ok = w.in.text(w.key[:0], maxKey+1, w.oneLine); !ok || w.in.space() != ':' {
			return false
		}
		w.in.i++
		switch {
		case member == 0 && n.element && isPairName(w.key) && w.in.space() == '"':
			ok, paired = w.pairName(n), true
		case member == 1 && paired && isPairValue(w.key):
			ok = w.value(w.tree.child(n, w.pair, false, true))
		default:
			ok = w.value(w.tree.child(n, w.key, false, false))
		}
		if !ok {
			return false
		}
	}
}

// pairName reads the first member of what may be a pair.
func (w *jsonWalk) pairName(n *node) bool {
	var ok bool
	if w.pair, _, ok = w.in.text(append(w.pair[:0], '='), maxKey+1, w.oneLine); !ok {
		return false
	}
	if c := w.tree.child(n, w.key, false, false); c != nil {
		w.to.value(c, w.pair[1:], true, false)
	}
	return true
}

// isPairName and isPairValue recognise what lists of pairs call their two members: OTLP's attributes, CloudWatch
// Insights' results.
func isPairName(key []byte) bool {
	switch string(key) {
	case "key", "field", "name":
		return true
	}
	return false
}

func isPairValue(key []byte) bool { return string(key) == "value" }

func (w *jsonWalk) list(n *node) bool {
	w.in.i++
	line := w.in.line()
	for i := 0; ; i++ {
		c := w.in.space()
		if !w.sameLine(line) {
			return false
		}
		if c == ']' {
			w.in.i++
			return true
		}
		if c == ',' && i > 0 {
			w.in.i++
			c = w.in.space()
		}
		switch c {
		case '{', '[':
			child := w.tree.child(n, []byte("[]"), true, false)
			if child == nil {
				if !w.in.skip() {
					return false
				}
				continue
			}
			w.begin(child, w.in.line())
			if !w.value(child) || w.to.done() {
				return false
			}
			w.end()
		case 0, ']', '}', ',', ':':
			return false
		default:
			w.key = append(w.key[:0], '#')
			if i < maxTuple {
				w.key = strconv.AppendInt(w.key, int64(i), 10)
			}
			if !w.value(w.tree.child(n, w.key, false, false)) {
				return false
			}
		}
	}
}
