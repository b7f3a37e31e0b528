package stackparse

import (
	"bytes"
	"strings"
)

// A causeTracker remembers what was printed before a dump's first goroutine: the runtime's own lines (a signal, a
// panic with its chain, a fatal error, notes, the runtime stack) as they come, and the last few lines of any kind,
// because only the stack that follows shows that a logger's line introduces one.
//
// The forms are those of runtime.sighandler, printpanics, throw and fatal, Go 1.2 to 1.27.
type causeTracker struct {
	cur    *Cause
	state  causeState
	last   int64 // line of the last contact with cur
	text   int   // lines of the panic text under way
	pc     bool  // "PC=" was seen: a signal for certain
	kindOf CauseKind

	recent recentLines

	reported      reportedPanics
	possibleCause *Cause // of the header taken last, if its frames show that it is a panic's

	blank   bool   // the line before was empty
	blanks  bool   // an empty line was seen: they survive in this stream
	stamped bool   // lines carry timestamps: framing, which may have dropped empty lines
	header  string // that line, once the one behind it shows that it was a header
	suspect int64  // a line in a panic's text that looks like a goroutine's header
}

// causeState is what the lines behind a cause's first one may be.
type causeState uint8

const (
	causeLines causeState = iota // single lines: notes, signals, details
	causeText                    // the text of a panic, which may have any number of lines
	causeStack                   // the block behind "runtime stack:"
)

// Bounds. The runtime prints a cause's lines in one go; what comes between are lines of other threads and of loggers
// that share the pipe. A cause without contact for contactLines is no cause of the next dump.
const (
	contactLines  = 64
	contactText   = 200     // while a panic's text is read: lines of it
	maxCauseText  = 4 << 10 // bytes of Cause.Text
	maxCauseNotes = 16
	maxNoteText   = 512
	maxPanics     = 32
	maxStack      = 100 // frames of a runtime stack; the runtime prints at most 100
)

// line takes a line outside goroutines. It allocates only for lines that begin like the runtime's.
func (c *causeTracker) line(text []byte, num int64, stamp []byte) {
	if len(text) == 0 || len(text) == 1 && text[0] == '\r' {
		c.empty()
		return
	}
	c.stamped = c.stamped || len(stamp) > 0
	c.recent.push(text, num)
	if c.cur != nil {
		c.feed(text, num)
	} else if strings.IndexByte("pfrSEusi", text[0]) >= 0 {
		c.begin(text, num)
	}
	if bytes.Contains(text, recovered) {
		c.reported.line(text, num)
	}
	c.blank = false
}

func (c *causeTracker) empty() {
	c.blank, c.blanks = true, true
	c.state = causeLines
}

// begin looks whether a line is the first of a cause.
func (c *causeTracker) begin(text []byte, num int64) {
	text = bytes.TrimRight(text, " \r")
	if isSignal(text) || isNote(text) || bytes.HasPrefix(text, panicPrefix) || fatalText(text) != nil {
		c.start(num)
		c.feed(text, num)
		return
	}
	// klog's "Observed a panic: SIGQUIT: quit": a whole dump as one message.
	if rest, ok := bytes.CutPrefix(klogMessage(text), observed); ok && text[0] == 'E' && isSignal(rest) {
		c.start(num)
		c.cur.LogLine = cleanText(text, maxLogLine)
		c.feed(rest, num)
	}
}

func (c *causeTracker) start(num int64) {
	c.cur, c.kindOf = &Cause{Line: num}, ""
	c.state, c.last, c.text, c.pc, c.suspect = causeLines, num, 0, false, 0
}

// feed takes a line while a cause is under way.
func (c *causeTracker) feed(text []byte, num int64) {
	limit := int64(contactLines)
	if c.state == causeText {
		limit = contactText
	}
	if num-c.last > limit {
		c.cur = nil
		c.begin(text, num)
		return
	}
	text = bytes.TrimRight(text, " \r")
	if len(text) == 0 || c.runtimeLine(text, num) {
		return
	}
	switch c.state {
	case causeText:
		c.panicLine(text, num)
	case causeStack:
		c.stackLine(text, num)
	default:
		if text[0] == 'E' && len(c.cur.Panics) == 0 && c.kindOf == "" {
			c.cur = nil
			c.begin(text, num)
		}
	}
}

// runtimeLine takes a line that the runtime prints at the left edge, and reports whether it was one.
func (c *causeTracker) runtimeLine(text []byte, num int64) bool {
	switch text[0] {
	case '\t', 'p':
		rest, ok := bytes.CutPrefix(bytes.TrimPrefix(text, []byte("\t")), panicPrefix)
		if !ok || text[0] == '\t' && (c.state != causeText || len(c.cur.Panics) == 0) {
			return false
		}
		if text[0] == 'p' && c.closed() {
			c.start(num)
		}
		c.panicHead(rest, num)
		return true
	case 'f':
		msg := fatalText(text)
		if msg == nil {
			return false
		}
		if c.closed() {
			c.start(num)
		}
		c.kindOf, c.cur.Text = CauseFatal, cleanText(msg, maxCauseText)
	case '[':
		if !bytes.HasPrefix(text, []byte("[signal ")) || c.cur.Detail != "" || c.kindOf == "" {
			return false
		}
		c.cur.Detail = cleanText(text, maxNoteText)
	case 'S', 'E':
		if !isSignal(text) {
			return false
		}
		if c.closed() {
			c.start(num)
		}
		if c.kindOf == "" {
			c.kindOf = CauseSignal
		}
		c.cur.Signal = cleanText(text, maxNoteText)
	case 'P':
		if !bytes.HasPrefix(text, []byte("PC=0x")) || c.cur.Signal == "" {
			return false
		}
		c.pc = true
		c.note(text)
	case 'r', 'u', 's', 'i':
		if string(text) == "runtime stack:" && c.kindOf != "" {
			c.state, c.last = causeStack, num
			return true
		}
		if !isNote(text) || c.state == causeStack {
			return false
		}
		c.note(text)
	default:
		return false
	}
	c.state, c.last = causeLines, num
	return true
}

// closed reports whether the cause under way has all it can have, so that another first line begins another cause.
func (c *causeTracker) closed() bool {
	return c.kindOf != "" && (c.blank || c.kindOf == CauseSignal && c.pc)
}

func (c *causeTracker) note(text []byte) {
	if len(c.cur.Notes) < maxCauseNotes {
		c.cur.Notes = append(c.cur.Notes, cleanText(text, maxNoteText))
	}
}

// panicHead begins one link of a chain of panics.
func (c *causeTracker) panicHead(text []byte, num int64) {
	if c.kindOf != CauseFatal {
		c.kindOf = CausePanic
		if bytes.HasPrefix(text, []byte("test timed out after ")) {
			c.kindOf = CauseTestTimeout
		}
	}
	c.state, c.last, c.text = causeText, num, 1
	if len(c.cur.Panics) < maxPanics {
		c.cur.Panics = append(c.cur.Panics, newPanic(text))
	}
}

// panicLine takes a further line of a panic's text: behind a tab since Go 1.23, as it is before.
func (c *causeTracker) panicLine(text []byte, num int64) {
	if looksLogged(text) {
		return // a logger's, written between
	}
	if c.suspect > 0 && num == c.suspect+1 && isFuncLine(text) {
		c.blanks, c.stamped = false, true // that was a true header: this stream lost its empty lines
		c.state = causeLines
		p := &c.cur.Panics[len(c.cur.Panics)-1]
		if at := strings.LastIndex(p.Text, "\ngoroutine "); at > 0 {
			c.header, p.Text = p.Text[at+1:], p.Text[:at]
		}
		return
	}
	if text[0] == 'g' && bytes.HasPrefix(text, headerPrefix) && text[len(text)-1] == ':' {
		c.suspect = num
	}
	if c.text++; c.text > contactText {
		c.state = causeLines
		return
	}
	c.last = num
	p := &c.cur.Panics[len(c.cur.Panics)-1]
	if room := maxCauseText - len(p.Text) - 1; room > 0 {
		more := newPanic(bytes.TrimPrefix(text, []byte("\t")))
		p.Text += "\n" + cleanText([]byte(more.Text), room)
		p.Recovered, p.Repanicked = more.Recovered, more.Repanicked
	}
}

// newPanic splits what runtime.printpanics appends off a panic's value.
func newPanic(text []byte) Panic {
	var p Panic
	if rest, ok := bytes.CutSuffix(text, []byte(" [recovered, repanicked]")); ok {
		text, p.Recovered, p.Repanicked = rest, true, true
	} else if rest, ok := bytes.CutSuffix(text, []byte(" [recovered]")); ok {
		text, p.Recovered = rest, true
	}
	p.Text = cleanText(text, maxCauseText)
	return p
}

// stackLine takes a line of the block behind "runtime stack:".
func (c *causeTracker) stackLine(text []byte, num int64) {
	frames := c.cur.RuntimeStack
	line := bytes.TrimLeft(text, " \t")
	if isFuncLine(line) {
		if c.last = num; len(frames) < maxStack {
			var f Frame
			f.Func = string(line[:argsStart(line)])
			c.cur.RuntimeStack = append(frames, f)
		}
		return
	}
	if n := len(frames); n > 0 && frames[n-1].File == "" {
		if loc, ok := fileLine(line); ok {
			c.last = num
			file, at := cutLocation(loc.text)
			frames[n-1].File, frames[n-1].Line = string(file), at
		}
	}
}

// take is called at a goroutine's header, in line header, and returns the cause that belongs to it, nil
// where there is none. Either way everything that came before is forgotten.
func (c *causeTracker) take(header int64) *Cause {
	if c.cur == nil && c.recent.n == 0 {
		return nil
	}
	cause := c.finished(header)
	if logged, at := c.recent.introduction(header); logged != nil && (cause == nil || at > c.last) {
		if cause = logged; cause.Text == "" {
			cause.setValue(c.recent.raisedBefore(header))
		}
	}
	c.possibleCause = nil
	if cause == nil {
		c.possibleCause = c.recent.raisedBefore(header)
	}
	c.cur, c.state, c.suspect = nil, causeLines, 0
	c.recent.n = 0
	return cause
}

// setValue gives a logged panic the value that another line has.
func (c *Cause) setValue(from *Cause) { c.Text, c.Panics = from.Text, from.Panics }

// finished returns the cause under way where it is one and near enough.
func (c *causeTracker) finished(header int64) *Cause {
	cause := c.cur
	switch {
	case cause == nil || c.kindOf == "" || header-c.last > contactLines:
		return nil
	case c.kindOf == CauseSignal && !c.pc && header-c.last > 2:
		return nil // a program's line about a signal, not the runtime's
	}
	cause.Kind = c.kindOf
	if n := len(cause.Panics); n > 0 && cause.Kind != CauseFatal {
		cause.Text = cause.Panics[n-1].Text
	}
	return cause
}

// open reports whether a panic's text is being read, so that a line that looks like a goroutine's header may be a part
// of it. The true header follows an empty line; where framing may have dropped those, or the text has one line only,
// the first header is taken for true.
func (c *causeTracker) open() bool {
	if c.cur == nil || c.state != causeText || c.blank {
		return false
	}
	return c.blanks || !c.stamped && c.text > 1
}

// inText reports whether the line before belonged to a panic's text.
func (c *causeTracker) inText() bool { return c.cur != nil && c.state == causeText && !c.blank }

// inStack reports whether the "runtime stack:" block is being read: frames in it are no goroutine without a head.
func (c *causeTracker) inStack() bool { return c.cur != nil && c.state == causeStack }

// excepted reports whether an exception of Windows is all that was read of a cause.
func (c *causeTracker) excepted() bool {
	return c.cur != nil && c.kindOf == CauseSignal && c.pc && c.state == causeLines &&
		strings.HasPrefix(c.cur.Signal, "Exception ")
}

var (
	panicPrefix = []byte("panic: ")
	fatalPrefix = []byte("fatal error: ")
	fatalShort  = []byte("fatal: ") // "fatal: morestack on g0", printed by assembly
	observed    = []byte("Observed a panic: ")
)

// fatalText returns what follows "fatal error: ", nil where text does not begin so.
func fatalText(text []byte) []byte {
	if rest, ok := bytes.CutPrefix(text, fatalPrefix); ok {
		return rest
	}
	rest, ok := bytes.CutPrefix(text, fatalShort)
	if ok && (bytes.Contains(rest, []byte(" on g")) || bytes.HasPrefix(rest, []byte("systemstack"))) {
		return rest
	}
	return nil
}

// isSignal recognises runtime.sighandler's first line: "SIGABRT: abort", "Signal 34", and on Windows "Exception 0x…".
func isSignal(text []byte) bool {
	switch {
	case len(text) < 8 || len(text) > 128:
		return false
	case bytes.HasPrefix(text, []byte("Signal ")):
		n, rest, ok := leadingUint(text[len("Signal "):])
		return ok && n < 256 && len(rest) == 0
	case bytes.HasPrefix(text, []byte("Exception 0x")):
		return true
	case !bytes.HasPrefix(text, []byte("SIG")):
		return false
	}
	i := 3
	for i < len(text) && ('A' <= text[i] && text[i] <= 'Z' || '0' <= text[i] && text[i] <= '9') {
		i++
	}
	return i > 4 && bytes.HasPrefix(text[i:], []byte(": ")) && !bytes.ContainsAny(text[i+2:], "\"=()")
}

// isNote recognises the runtime's own remarks beside a fatal error or a signal.
func isNote(text []byte) bool {
	for _, prefix := range [...]string{"runtime: ", "runtime/cgo: ", "unexpected fault address ",
		"signal arrived during ", "instruction bytes:"} {
		if len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix {
			return true
		}
	}
	return false
}
