package stackparse

import (
	"bytes"
	"hash/maphash"
)

// Goroutine takes the goroutine that text begins with, as Line takes its lines, in one pass and without a copy: its
// header, which is line num, its frames, its creator, and the empty line behind them. It returns how many bytes and
// lines of text it took. It stops before the first line that is none of these in its plainest form, or that text does
// not hold whole; that line and those behind it are for Line. It takes nothing where text begins with no header that
// begins a goroutine. Stamp is that of the header, see Line.
//
// Lines have no framing, and end with a newline alone. Those that may be framed are left to the caller: functions that
// begin with anything but a lower-case letter, and the marks of GitLab's sections.
func (p *Parser) Goroutine(text []byte, num int64, stamp []byte) (n int, lines int64) {
	return p.inPlace(text, num, stamp, 1)
}

// Escaped does what Goroutine does with text that was escaped in one line: all of its lines have the number num.
func (p *Parser) Escaped(text []byte, num int64, stamp []byte) (n int, lines int64) {
	return p.inPlace(text, num, stamp, 0)
}

// inPlace is Goroutine for lines whose numbers differ by step.
func (p *Parser) inPlace(text []byte, num int64, stamp []byte, step int64) (n int, lines int64) {
	if p.where == inGoroutine || p.part != nil || p.spliced != nil || !bytes.HasPrefix(text, headerPrefix) {
		return 0, 0
	}
	end := bytes.IndexByte(text, '\n')
	if end < 1 || text[end-1] != ':' {
		return 0, 0
	}
	p.num = num
	if !p.header(text[:end], stamp) {
		return 0, 0
	}
	w := walk{b: &p.block, text: text[end+1:], num: num, step: step, path: p.block.path}
	w.frames()
	n = end + 1 + w.at
	if w.at >= len(w.text) || w.text[w.at] != '\n' {
		w.keep()
		p.num = w.last()
		return n, w.lines + 1
	}
	w.lend(p.dump)
	p.num = w.last() + step
	own := w.own
	p.finishGoroutine()
	p.block.text = own[:0]
	p.empty = p.num
	return n + 1, w.lines + 2
}

// A walk follows the lines of the goroutine that a block has begun, where they are.
type walk struct {
	b    *block
	text []byte // behind the header
	at   int    // where the line begins that is next
	path *path
	own  []byte // the block's buffer, while it has the input's text

	num, step int64 // of the header; from a line to the next
	lines     int64 // before the one at at

	head, name int // where the creator begins, and where its function's name ends; 0 for none
}

// frames takes the frames and the creator, up to the first line that is neither.
func (w *walk) frames() {
	for w.at < len(w.text) {
		c := w.text[w.at]
		if c == 'c' && bytes.HasPrefix(w.text[w.at:], createdPrefix) {
			w.creator()
			return
		}
		if c-'a' > 'z'-'a' || c == 's' && bytes.HasPrefix(w.text[w.at:], sectionMark) || !w.frame() {
			return
		}
	}
}

var (
	createdPrefix = []byte("created by ")
	sectionMark   = []byte("section_") // section_start:TIME:NAME, which GitLab's runner puts before a line
)

// line returns where the line ends that begins at from and has the byte at known in it; -1 where it isn't one of a
// stack.
func (w *walk) line(from, known int) int {
	i := bytes.IndexByte(w.text[known:], '\n')
	if i < 0 || known+i-from > maxFrameLine {
		return -1
	}
	return known + i
}

// frame takes a function line and its file line, and reports whether they are there.
func (w *walk) frame() bool {
	from := w.at
	next := w.path.calls(w.text[from:])
	call := from
	if next != nil {
		call += len(next.call)
	}
	end := w.line(from, call)
	if end < 0 || end == call || w.text[end-1] != ')' || end+1 >= len(w.text) || w.text[end+1] != '\t' {
		return false
	}
	var behind int
	if next != nil {
		if next, behind = w.located(next, end+1); behind < 0 {
			return false
		}
	}
	if next == nil {
		args := argsStart(w.text[from:end])
		if args <= 0 {
			return false
		}
		call = from + args + 1
		mark := maphash.Bytes(seed, w.text[from:call-1])
		if behind = w.hashed(mark, w.text[from:call], end+1); behind < 0 {
			return false
		}
	} else {
		if behind > maxHead {
			return false
		}
		w.path, w.b.hash = next, next.hash
	}
	if w.b.depth++; w.b.depth <= maxArgs {
		w.b.args[w.b.depth-1] = int32(call)
	}
	w.at, w.lines = behind, w.lines+2
	return true
}

// located returns the predicted frame whose file line begins at from, nil for none, and where the next line begins: -1
// where that is none of a stack. next is the predicted frame of the function line.
func (w *walk) located(next *path, from int) (*path, int) {
	known := from
	if bytes.HasPrefix(w.text[from:], []byte(next.loc)) {
		known += len(next.loc)
	}
	end := w.line(from, known)
	if end < 0 || w.text[end-1] == '\r' {
		return nil, -1
	}
	line := w.text[from:end]
	if next.at(line) {
		return next, end + 1
	}
	if other := w.path.next[1]; other != nil && other != next && other.call == next.call && other.at(line) {
		return other, end + 1
	}
	return nil, end + 1
}

// hashed takes the file line that begins at from, behind a line with that mark that begins with call, as commitFile
// does. It returns where the next line begins, -1 where it is no file line.
func (w *walk) hashed(mark uint64, call []byte, from int) int {
	end := w.line(from, from)
	if end < 0 || end+1 > maxHead || w.text[end-1] == '\r' {
		return -1
	}
	loc, ok := fileLine(w.text[from+1 : end])
	if !ok {
		return -1
	}
	b := w.b
	b.mix(mark)
	b.mix(maphash.Bytes(seed, loc.text))
	w.path = b.paths.follow(w.path, b.hash, call, w.text[from:from+1+len(loc.text)])
	return end + 1
}

// creator takes the creator's two lines where they are there.
func (w *walk) creator() {
	from := w.at
	end := w.line(from, from)
	if end < 0 || end+1 >= len(w.text) || w.text[end+1] != '\t' || w.text[end-1] <= ' ' || w.text[end-1] == ')' {
		return
	}
	line := w.text[from:end]
	next, parent := w.path.predictCreator(line)
	var behind, name int
	if next != nil {
		if next, behind = w.located(next, end+1); behind < 0 {
			return
		}
	}
	if next == nil {
		fn, id, ok := createdBy(line)
		if !ok {
			return
		}
		parent, name = id, from+len(createdPrefix)+len(fn)
		if behind = w.hashed(creatorMark(fn), w.text[from:name], end+1); behind < 0 {
			return
		}
	} else {
		name = from + len(next.call)
		w.path, w.b.hash = next, next.hash
	}
	w.b.g.Parent = parent
	w.head, w.name = from, name
	w.at, w.lines = behind, w.lines+2
}

// last is the number of the last line that was taken.
func (w *walk) last() int64 { return w.num + w.lines*w.step }

// stackEnd is where the frames end.
func (w *walk) stackEnd() int {
	if w.name > 0 {
		return w.head
	}
	return w.at
}

// keep leaves the block as Line leaves it behind the lines that were taken.
func (w *walk) keep() {
	b := w.b
	b.path = w.path
	if w.at > 0 {
		b.last = w.last()
	}
	if w.name == 0 {
		b.text = append(b.text, w.text[:w.at]...)
		return
	}
	b.headEnd, b.pending = w.head, pendClosed
	b.text = append(append(b.text, w.text[:w.name]...),
		w.text[w.name+bytes.IndexByte(w.text[w.name:w.at], '\n'):w.at]...)
}

// lend does the same, but where dump has the stack already, so that nobody keeps its lines, the block's text is the
// input's.
func (w *walk) lend(dump *dumpBuilder) {
	b := w.b
	w.own = b.text
	if w.path == nil || w.path.hash != b.hash || w.path.dump != dump.number {
		w.keep()
		w.own = b.text
		return
	}
	b.path = w.path
	b.last = w.last()
	b.text = w.text[:w.at:w.at]
	if w.name > 0 {
		b.headEnd, b.pending = w.head, pendClosed
	}
}
