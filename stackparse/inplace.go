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
	return p.inPlace(text, num, stamp, written)
}

// Escaped does what Goroutine does with text that is escaped in one line, as in a JSON string: lines end with the two
// characters \n, tabs are \t, and all lines have the number num. It takes no line with other escapes.
func (p *Parser) Escaped(text []byte, num int64, stamp []byte) (n int, lines int64) {
	return p.inPlace(text, num, stamp, escaped)
}

// A form is how the lines of a text are written.
type form struct {
	end  byte  // what a line's end begins with
	wide int   // bytes that a line's end and a tab have more than one
	step int64 // between the numbers of two lines
}

var (
	written = form{end: '\n', step: 1}
	escaped = form{end: '\\', wide: 1}
)

// lineEnds reports whether a line's end is at a place of text.
func (f *form) lineEnds(text []byte, at int) bool {
	return at+f.wide < len(text) && text[at] == f.end && (f.wide == 0 || text[at+1] == 'n')
}

// isTab reports whether a tab is at a place of text.
func (f *form) isTab(text []byte, at int) bool {
	if f.wide == 0 {
		return at < len(text) && text[at] == '\t'
	}
	return at+1 < len(text) && text[at] == '\\' && text[at+1] == 't'
}

// plain appends text without its escapes.
func (f *form) plain(dst, text []byte) []byte {
	for f.wide > 0 {
		i := bytes.IndexByte(text, f.end)
		if i < 0 {
			break
		}
		c := byte('\n')
		if text[i+1] == 't' {
			c = '\t'
		}
		dst = append(append(dst, text[:i]...), c)
		text = text[i+2:]
	}
	return append(dst, text...)
}

// inPlace is Goroutine for text in any form.
func (p *Parser) inPlace(text []byte, num int64, stamp []byte, f form) (n int, lines int64) {
	if p.where == inGoroutine || p.part != nil || p.spliced != nil || !bytes.HasPrefix(text, headerPrefix) {
		return 0, 0
	}
	end := bytes.IndexByte(text, f.end)
	if end < 1 || text[end-1] != ':' || !f.lineEnds(text, end) {
		return 0, 0
	}
	p.num = num
	if !p.header(text[:end], stamp) {
		return 0, 0
	}
	head := end + 1 + f.wide
	w := walk{form: f, b: &p.block, text: text[head:], num: num, path: p.block.path}
	w.frames()
	n = head + w.at
	if !w.lineEnds(w.text, w.at) {
		w.keep()
		p.num = w.last()
		return n, w.lines + 1
	}
	w.lend(p.dump)
	p.num = w.last() + f.step
	own := w.own
	p.finishGoroutine()
	p.block.text = own[:0]
	p.empty = p.num
	return n + 1 + f.wide, w.lines + 2
}

// A walk follows the lines of the goroutine that a block has begun, where they are.
type walk struct {
	form
	b    *block
	text []byte // behind the header
	at   int    // where the line begins that is next
	path *path
	own  []byte // the block's buffer, while it has the input's text

	num   int64 // of the header
	lines int64 // before the one at at

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
	i := bytes.IndexByte(w.text[known:], w.end)
	if i < 0 || known+i-from > maxFrameLine || !w.lineEnds(w.text, known+i) {
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
	file := end + 1 + w.wide
	if end < 0 || end == call || w.text[end-1] != ')' || !w.isTab(w.text, file) {
		return false
	}
	var behind int
	if next != nil {
		if next, behind = w.located(next, file); behind < 0 {
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
		if behind = w.hashed(mark, w.text[from:call], file); behind < 0 {
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

// located returns the predicted frame whose file line's tab is at from, nil for none, and where the next line begins:
// -1 where that is none of a stack. next is the predicted frame of the function line.
func (w *walk) located(next *path, from int) (*path, int) {
	from += 1 + w.wide
	// A call's offset is the same in all goroutines of a program, so that its file line mostly is too.
	n := from + len(next.line)
	if n > from && n <= len(w.text) && string(w.text[from:n]) == next.line && next.wide == w.wide {
		return next, n
	}
	known := from
	fits := bytes.HasPrefix(w.text[from:], []byte(next.loc))
	if fits {
		known += len(next.loc)
	}
	end := w.line(from, known)
	if end < 0 || w.text[end-1] == '\r' {
		return nil, -1
	}
	line, behind := w.text[from:end], end+1+w.wide
	if fits && endsPlace(w.text[known:end]) {
		if next.line == "" && end-known <= maxOffset {
			next.line, next.wide = w.b.paths.names.string(w.text[from:behind]), w.wide
		}
		return next, behind
	}
	if other := w.path.next[1]; other != nil && other != next && other.call == next.call && other.at(line) {
		return other, behind
	}
	return nil, behind
}

// maxOffset is how long " +0x1d" may be in a file line that is expected again: in a crash, addresses follow it that
// differ from goroutine to goroutine.
const maxOffset = 12

// hashed takes the file line whose tab is at from, behind a line with that mark that begins with call, as commitFile
// does. It returns where the next line begins, -1 where it is no file line.
func (w *walk) hashed(mark uint64, call []byte, from int) int {
	from += 1 + w.wide
	end := w.line(from, from)
	if end < 0 || end+1 > maxHead || w.text[end-1] == '\r' {
		return -1
	}
	loc, ok := fileLine(w.text[from:end])
	if !ok {
		return -1
	}
	b := w.b
	b.mix(mark)
	b.mix(maphash.Bytes(seed, loc.text))
	w.path = b.paths.follow(w.path, b.hash, call, loc.text)
	return end + 1 + w.wide
}

// creator takes the creator's two lines where they are there.
func (w *walk) creator() {
	from := w.at
	end := w.line(from, from)
	file := end + 1 + w.wide
	if end < 0 || !w.isTab(w.text, file) || w.text[end-1] <= ' ' || w.text[end-1] == ')' {
		return
	}
	line := w.text[from:end]
	next, parent := w.path.predictCreator(line)
	var behind, name int
	if next != nil {
		if next, behind = w.located(next, file); behind < 0 {
			return
		}
	}
	if next == nil {
		fn, id, ok := createdBy(line)
		if !ok {
			return
		}
		parent, name = id, from+len(createdPrefix)+len(fn)
		if behind = w.hashed(creatorMark(fn), w.text[from:name], file); behind < 0 {
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
	escapes := 3 * w.wide // of a frame: two ends of lines and a tab
	for i := range b.args[:min(b.depth, maxArgs)] {
		b.args[i] -= int32(i * escapes)
	}
	if w.name == 0 {
		b.text = w.plain(b.text, w.text[:w.at])
		return
	}
	b.headEnd, b.pending = w.head-b.depth*escapes, pendClosed
	end := w.name + bytes.IndexByte(w.text[w.name:w.at], w.end)
	b.text = w.plain(w.plain(b.text, w.text[:w.name]), w.text[end:w.at])
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
