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
	return p.takeInPlace(text, num, stamp, written)
}

// Escaped does what Goroutine does with text that is escaped in one line, as in a JSON string: lines end with the two
// characters \n, tabs are \t, and all lines have the number num. It takes no line with other escapes.
func (p *Parser) Escaped(text []byte, num int64, stamp []byte) (n int, lines int64) {
	return p.takeInPlace(text, num, stamp, escaped)
}

// Framed does what Goroutine does for a goroutine whose lines are all framed: text begins behind the framing of its
// header, and n counts whole lines with their framing.
func (p *Parser) Framed(text []byte, num int64, stamp []byte, f Framing) (n int, lines int64) {
	return p.takeInPlace(text, num, stamp, framedBy(f))
}

// takeInPlace is Goroutine for text in any form.
func (p *Parser) takeInPlace(text []byte, num int64, stamp []byte, f lineSyntax) (n int, lines int64) {
	if p.position == inGoroutine || p.section != nil || p.spliced != nil || p.copied.double ||
		!bytes.HasPrefix(text, headerPrefix) {
		return 0, 0
	}
	w := goroutineWalk{lineSyntax: f, stack: &p.stack, num: num}
	end, head := w.headerEnd(text)
	if end < 0 {
		return 0, 0
	}
	p.num = num
	if !p.headerLine(text[:end], stamp) {
		return 0, 0
	}
	w.text, w.prefix = text[head:], p.stack.prefix
	w.takeFrames()
	behind := w.emptyLineEnd()
	if behind < 0 || w.lines == 0 { // an empty line below a header says something about the others: betweenLines
		w.copyText()
		p.num = w.lastNum()
		n = head + w.pos
		if w.around != nil {
			n = bytes.LastIndexByte(text[:n], '\n') + 1
		}
		return n, w.lines + 1
	}
	w.lendText(p.dump)
	p.num = w.lastNum() + f.step
	own := w.ownText
	p.finishGoroutine()
	p.stack.text = own // not the input's, which may not be kept; a settle method may still need it
	p.lastEmpty = p.num
	return head + behind, w.lines + 2
}

// A goroutineWalk follows the lines of the goroutine under way where they are in the input.
type goroutineWalk struct {
	lineSyntax
	stack     *stackBuilder
	text      []byte // behind the header
	pos       int    // where the next line begins
	outOfForm bool   // the line at pos is not in the form
	prefix    *stackPrefix
	ownText   []byte // the stack's buffer, while it has the input's

	num   int64 // of the header
	lines int64 // before the one at pos

	creatorStart, creatorEnd int // of "created by " and the function's name; 0 for none
}

// headerEnd returns where the header ends that text begins with, and where the next line begins; -1 where it isn't one
// in the form.
func (w *goroutineWalk) headerEnd(text []byte) (end, next int) {
	end = bytes.IndexByte(text, w.end)
	if end < 1 || text[end-1] != ':' || !w.allows(text[:end]) {
		return -1, -1
	}
	if _, next = w.afterLine(text, end); next < 0 {
		return -1, -1
	}
	return end, next
}

// emptyLineEnd returns where the empty line ends that is next, -1 where none is.
func (w *goroutineWalk) emptyLineEnd() int {
	if w.outOfForm || w.pos >= len(w.text) || w.text[w.pos] != w.end {
		return -1
	}
	behind, _ := w.afterLine(w.text, w.pos)
	return behind
}

// behindLine returns where the line begins that follows the one that ends at a place, -1 where that is no line's end.
func (w *goroutineWalk) behindLine(end int) int {
	if !w.bare {
		return w.behindFramedLine(end)
	}
	return end + 1
}

func (w *goroutineWalk) behindFramedLine(end int) int {
	behind, next := w.afterLine(w.text, end)
	if w.outOfForm = next < 0; w.outOfForm {
		return behind
	}
	return next
}

// takeFrames takes the frames and the creator, up to the first line that is neither.
func (w *goroutineWalk) takeFrames() {
	for w.pos < len(w.text) && !w.outOfForm {
		c := w.text[w.pos]
		if c == 'c' && bytes.HasPrefix(w.text[w.pos:], createdPrefix) {
			w.takeCreator()
			return
		}
		if c-'a' > 'z'-'a' || c == 's' && bytes.HasPrefix(w.text[w.pos:], sectionMark) || !w.takeFrame() {
			return
		}
	}
}

var (
	createdPrefix = []byte("created by ")
	sectionMark   = []byte("section_") // section_start:TIME:NAME, which GitLab's runner puts before a line
)

// lineEnd returns where the line ends that begins at from and has the byte at known in it; -1 where it isn't one of a
// stack.
func (w *goroutineWalk) lineEnd(from, known int) int {
	i := bytes.IndexByte(w.text[known:], w.end)
	if i < 0 || known+i-from > maxFrameLine || w.never != "" && !w.allows(w.text[from:known+i]) {
		return -1
	}
	return known + i
}

// takeFrame takes a function line and its file line, and reports whether they are there.
func (w *goroutineWalk) takeFrame() bool {
	from := w.pos
	next := w.prefix.predictInText(w.text[from:])
	call := from
	if next != nil {
		call += len(next.call)
	}
	end := w.lineEnd(from, call)
	if end < 0 || end == call || w.text[end-1] != ')' {
		return false
	}
	file := w.fileLineStart(end)
	if file < 0 {
		return false
	}
	var behind int
	if next != nil {
		if next, behind = w.predictedFrame(next, file); behind < 0 {
			return false
		}
	}
	if next == nil {
		args := argsStart(w.text[from:end])
		if args <= 0 {
			return false
		}
		call = from + args + 1
		hash := maphash.Bytes(seed, w.text[from:call-1])
		if behind = w.hashedFrame(hash, w.text[from:call], file); behind < 0 {
			return false
		}
	} else {
		if behind > maxHead {
			return false
		}
		w.prefix, w.stack.hash = next, next.hash
	}
	if w.stack.depth++; w.stack.depth <= maxArgs {
		w.stack.args[w.stack.depth-1] = int32(call)
	}
	w.pos, w.lines = behind, w.lines+2
	return true
}

// fileLineStart returns where a file line's text begins, behind its tab, that follows the line that ends at a place: -1
// where none does.
func (w *goroutineWalk) fileLineStart(end int) int {
	_, next := w.afterLine(w.text, end)
	if next < 0 {
		return -1
	}
	return w.behindTab(w.text, next)
}

// predictedFrame returns the predicted frame whose file line is at from, behind its tab, nil for none, and where the
// next line begins: -1 where that is none of a stack. next is the predicted frame of the function line.
func (w *goroutineWalk) predictedFrame(next *stackPrefix, from int) (*stackPrefix, int) {
	// A call's offset is the same in all goroutines of a program, so that its file line mostly is too.
	n := from + len(next.line)
	if n > from && n <= len(w.text) && string(w.text[from:n]) == next.line && w.text[n-1] == w.end {
		return next, w.behindLine(n - 1)
	}
	known := from
	fits := bytes.HasPrefix(w.text[from:], []byte(next.loc))
	if fits {
		known += len(next.loc)
	}
	end := w.lineEnd(from, known)
	if end < 0 || w.text[end-1] == '\r' {
		return nil, -1
	}
	line, behind := w.text[from:end], w.behindLine(end)
	if fits && endsPlace(w.text[known:end]) {
		if next.line == "" && end-known <= maxOffset && !bytes.ContainsAny(line, `#\`) {
			next.line = w.stack.prefixes.names.string(w.text[from : end+1])
		}
		return next, behind
	}
	if other := w.prefix.next[1]; other != nil && other != next && other.call == next.call && other.hasFileLine(line) {
		return other, behind
	}
	return nil, behind
}

// maxOffset is how long " +0x1d" may be in a file line that is expected again: in a crash, addresses follow it that
// differ from goroutine to goroutine.
const maxOffset = 12

// hashedFrame takes the file line that is at from, behind its tab and a line with that hash that begins with call, as
// commitFile does. It returns where the next line begins, -1 where it is no file line.
func (w *goroutineWalk) hashedFrame(hash uint64, call []byte, from int) int {
	end := w.lineEnd(from, from)
	if end < 0 || end+1 > maxHead || w.text[end-1] == '\r' {
		return -1
	}
	loc, ok := fileLine(w.text[from:end])
	if !ok {
		return -1
	}
	behind := w.behindLine(end)
	if behind < 0 {
		return -1
	}
	stack := w.stack
	stack.addToHash(hash)
	stack.addToHash(maphash.Bytes(seed, loc.text))
	w.prefix = stack.prefixes.extend(w.prefix, stack.hash, call, loc.text)
	return behind
}

// takeCreator takes the creator's two lines where they are there.
func (w *goroutineWalk) takeCreator() {
	from := w.pos
	end := w.lineEnd(from, from)
	if end < 0 || w.text[end-1] <= ' ' || w.text[end-1] == ')' {
		return
	}
	file := w.fileLineStart(end)
	if file < 0 {
		return
	}
	line := w.text[from:end]
	next, parent := w.prefix.predictCreator(line)
	var behind, name int
	if next != nil {
		if next, behind = w.predictedFrame(next, file); behind < 0 {
			return
		}
	}
	if next == nil {
		fn, id, ok := createdBy(line)
		if !ok {
			return
		}
		parent, name = id, from+len(createdPrefix)+len(fn)
		if behind = w.hashedFrame(creatorHash(fn), w.text[from:name], file); behind < 0 {
			return
		}
	} else {
		name = from + len(next.call)
		w.prefix, w.stack.hash = next, next.hash
	}
	w.stack.g.Parent = parent
	w.creatorStart, w.creatorEnd = from, name
	w.pos, w.lines = behind, w.lines+2
}

// lastNum is the number of the last line that was taken.
func (w *goroutineWalk) lastNum() int64 { return w.num + w.lines*w.step }

// copyText leaves the stack as Line leaves it behind the lines that were taken.
func (w *goroutineWalk) copyText() {
	stack := w.stack
	stack.prefix = w.prefix
	if w.lines > 0 {
		stack.lastNum = w.lastNum()
	}
	head := -1
	if stack.text, head = w.appendUnframed(stack.text, stack.args[:min(stack.depth, maxArgs)]); head >= 0 {
		stack.framesEnd, stack.pending = head, pendClosed
	}
}

// appendUnframed appends the lines that were taken to dst, as they are without framing and escapes. It returns where
// the creator begins there, -1 for none, and makes args the places in dst where the frames' arguments begin.
func (w *goroutineWalk) appendUnframed(dst []byte, args []int32) (text []byte, head int) {
	head = -1
	for i, from := 0, 0; i < int(w.lines); i++ {
		if tab := w.behindTab(w.text, from); tab > from {
			dst, from = append(dst, '\t'), tab
		}
		end := from + bytes.IndexByte(w.text[from:], w.end)
		own := w.text[from:end]
		switch frame := i / 2; {
		case w.creatorEnd > 0 && from == w.creatorStart:
			head, own = len(dst), w.text[from:w.creatorEnd]
		case i%2 == 0 && frame < len(args):
			args[frame] -= int32(from - len(dst))
		}
		dst = append(append(dst, own...), '\n')
		_, from = w.afterLine(w.text, end)
	}
	return dst, head
}

// lendText does the same, but where dump has the stack already, so that nobody keeps its lines, the stack's text is the
// input's.
func (w *goroutineWalk) lendText(dump *dumpBuilder) {
	stack := w.stack
	w.ownText = stack.text
	if w.prefix == nil || w.prefix.hash != stack.hash || w.prefix.dump != dump.number {
		w.copyText()
		w.ownText = stack.text
		return
	}
	stack.prefix = w.prefix
	stack.lastNum = w.lastNum()
	stack.text = w.text[:w.pos:w.pos]
	if w.creatorEnd > 0 {
		stack.framesEnd, stack.pending = w.creatorStart, pendClosed
	}
}
