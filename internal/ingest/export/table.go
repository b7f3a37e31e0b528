package export

import (
	"bytes"
	"fmt"
)

// maxColumns bounds the columns of a table.
const maxColumns = 512

// A table reads CSV (RFC 4180): quoted fields may hold line ends, and quotes twice. The first row names the columns.
type table struct {
	in      *recordInput
	tree    *tree
	to      visitor
	comma   byte
	maxText int
	columns []*node
	val     []byte
	broken  int64
}

// run reads the rows behind the header.
func (t *table) run() {
	for !t.to.done() && t.in.ready() {
		line := t.in.line()
		if c := t.in.buf[t.in.i]; c == '\n' || c == '\r' {
			t.in.i++
			continue
		}
		t.to.begin(t.tree.root(), line)
		fields := 0
		for more := true; more; fields++ {
			var n *node
			if fields < len(t.columns) {
				n = t.columns[fields]
			}
			var cut bool
			if cut, more = t.field(n != nil); n != nil {
				t.to.value(n, t.val, true, cut)
			}
		}
		t.to.end(t.tree.root())
		if fields != len(t.columns) {
			t.broken++
		}
	}
}

// header reads the names of the columns.
func (t *table) header() bool {
	seen := make(map[string]bool)
	for more := true; more; {
		if len(t.columns) >= maxColumns {
			return false
		}
		_, more = t.field(true)
		name := bytes.TrimSpace(bytes.TrimPrefix(t.val, []byte("\ufeff")))
		if len(name) == 0 || len(name) > maxKey || seen[string(name)] {
			name = fmt.Appendf(nil, "%.64s %d", name, len(t.columns))
		}
		seen[string(name)] = true
		t.columns = append(t.columns, t.tree.child(t.tree.root(), name, false, false))
	}
	return true
}

// freeze forgets the columns that nobody asks for.
func (t *table) freeze() {
	for i, c := range t.columns {
		if c != nil && !c.wanted {
			t.columns[i] = nil
		}
	}
}

// field reads a field into val where it is wanted, and reports whether another one follows in the row.
func (t *table) field(wanted bool) (cut, more bool) {
	t.val = t.val[:0]
	if !t.in.ready() {
		return false, false
	}
	if t.in.buf[t.in.i] == '"' {
		t.in.i++
		cut = t.quoted(wanted)
	}
	for t.in.ready() {
		piece := t.in.buf[t.in.i:t.in.n]
		end := bytes.IndexByte(piece, '\n')
		if c := bytes.IndexByte(piece[:orLen(end, piece)], t.comma); c >= 0 {
			end = c
		}
		if t.add(piece[:orLen(end, piece)], wanted) {
			cut = true
		}
		if t.in.i += orLen(end, piece); end < 0 {
			continue
		}
		more = t.in.buf[t.in.i] == t.comma
		t.in.i++
		break
	}
	if !more {
		t.val = bytes.TrimSuffix(t.val, []byte{'\r'})
	}
	return cut, more
}

// quoted reads up to the quote that ends the field.
func (t *table) quoted(wanted bool) (cut bool) {
	for t.in.ready() {
		piece := t.in.buf[t.in.i:t.in.n]
		end := bytes.IndexByte(piece, '"')
		cut = t.add(piece[:orLen(end, piece)], wanted) || cut
		if t.in.i += orLen(end, piece); end < 0 {
			continue
		}
		t.in.i++
		if !t.in.ready() || t.in.buf[t.in.i] != '"' {
			return cut
		}
		cut = t.add(t.in.buf[t.in.i:t.in.i+1], wanted) || cut
		t.in.i++
	}
	return cut
}

// add appends to val, and reports whether it had no room.
func (t *table) add(b []byte, wanted bool) (cut bool) {
	if !wanted {
		return false
	}
	if room := t.maxText - len(t.val); len(b) > room {
		b, cut = b[:room], true
	}
	t.val = append(t.val, b...)
	return cut
}

func orLen(i int, b []byte) int {
	if i < 0 {
		return len(b)
	}
	return i
}
