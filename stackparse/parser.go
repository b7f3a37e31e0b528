package stackparse

import "bytes"

// A Parser reads the lines of one stream and emits every dump it meets.
type Parser struct {
	emit func(*Dump)

	position position
	num      int64        // of the line under way
	stack    stackBuilder // of the goroutine under way, when where is inGoroutine

	dump      *dumpBuilder // nil outside dumps
	priorDump *dumpBuilder // until it is known whether its goroutine under way begins another: see settleInPriorDump
	cause     causeTracker
	foreign   foreignStacks
	// panicked reports that a dump's cause was a recovered panic.
	panicked bool
	section  section // a counted profile or a race report under way
	test     testLines

	parsed *parsedStacks
	budget *Budget // of the dumps, nil where each has its own

	unparsed   pendingUnparsed // lines inside a dump that may turn out to be after it
	spliced    []byte          // the first half of a line that a log line was written into
	lastEmpty  int64           // outside goroutines
	copied     copyMarks
	lastOrphan int64       // outside dumps, a line that looks like a frame's: the head of a dump is missing
	stray      strayRecord // the line before, outside dumps
}

// position is what the next line may be.
type position uint8

const (
	outside     position = iota // no dump is open
	between                     // a dump is open, no goroutine is
	inGoroutine                 // a header was read and its stack has not ended
)

// Bounds that separate a pause inside a dump from its end. Loggers that write into a dump do so in bursts of a few
// lines: the most in the interleaved samples of Go 1.18 and 1.26 under heavy logging is 3. A dump's first goroutine
// is alone until a second follows, and most lone ones are stacks that a server logged.
const (
	maxUnparsedFirst = 8
	maxUnparsedRun   = 64
)

// NewParser returns a Parser that calls emit for each finished dump, in order of the dumps' ends.
func NewParser(emit func(*Dump)) *Parser {
	p := &Parser{emit: emit, parsed: newParsedStacks()}
	p.stack.prefixes = &stackPrefixes{byHash: make(map[uint64]*stackPrefix), names: p.parsed.names}
	p.stack.unparsed = &p.unparsed
	return p
}

// Share makes the parser's dumps take their room from b.
func (p *Parser) Share(b *Budget) { p.budget = b }

// Line takes the next line, without its line ending; num is its number in the stream and stamp the timestamp text
// of its framing (nil for none). Both slices are only read during the call.
func (p *Parser) Line(text []byte, num int64, stamp []byte) {
	p.num = num
	if p.foreign.form != runtimeForm && p.foreignLine(text, stamp) {
		return
	}
	if p.position == inGoroutine {
		if p.frequentLine(text) || p.insideLine(text, stamp) {
			return
		}
	}
	p.outsideLine(text, stamp)
}

// InStack reports whether the line that Line took last belongs to a goroutine's stack, a counted profile or a race
// report, so that readers of log lines can leave it out. A log line that was written into a stack counts as belonging
// to it.
func (p *Parser) InStack() bool { return p.position == inGoroutine || p.section != nil }

// frequentLine takes the lines that make up all but a few of a dump, in as few steps as can be: a frame's two lines,
// the creator, the blank line behind a stack. It returns false for anything else.
func (p *Parser) frequentLine(text []byte) bool {
	stack := &p.stack
	n := len(text)
	if uint(n-1) >= maxFrameLine { // one comparison for both: empty, or too long
		return n == 0 && p.emptyLine()
	}
	switch {
	case text[0] == '\t':
		if stack.pending != pendFunc && stack.pending != pendCreated {
			return false
		}
		if stack.predicted != nil && stack.commitPredicted(text, p.num) {
			if p.unparsed.lines != 0 {
				p.unparsed.commit(p.dump.dump)
			}
			return true
		}
		loc, ok := fileLine(text[1:])
		if !ok {
			return false
		}
		stack.commitFile(text, loc, p.num)
		if p.unparsed.lines != 0 {
			p.unparsed.commit(p.dump.dump)
		}
		return true
	case stack.pending != pendNone || text[0] <= ' ':
		return false
	case text[n-1] == ')':
		if p.spliced != nil {
			return false
		}
		if next := stack.prefix.predictFunc(text); next != nil {
			stack.startPredicted(text, next, p.num)
			return true
		}
		args := argsStart(text)
		if args <= 0 {
			return false
		}
		stack.startFunc(text, args, p.num)
		return true
	}
	if text[0] != 'c' {
		return false
	}
	if next, parent := stack.prefix.predictCreator(text); next != nil {
		stack.startPredictedCreator(next, parent, p.num)
		return true
	}
	return stack.startCreated(text, p.num)
}

// emptyLine takes one while a goroutine is open.
func (p *Parser) emptyLine() bool {
	if p.betweenLines() {
		return true
	}
	if p.stack.remarkNum+1 != p.num { // an empty line ends a dump of memory, not the stack around it
		p.finishGoroutine()
		p.lastEmpty = p.num
	}
	return true
}

// Close ends the stream: a dump under way is emitted.
func (p *Parser) Close() {
	if p.section != nil {
		p.endSection()
	}
	if p.dump == nil {
		p.lonelyCause()
		p.reportedPanics()
		return
	}
	p.endCaller()
	cut := p.endIsMissing()
	p.finishGoroutine()
	p.dump.dump.Truncated.Tail = cut
	p.closeDump()
	p.reportedPanics()
}

// lonelyCause emits what the process died of when its stacks are missing: GOTRACEBACK=none, or a log cut right behind.
func (p *Parser) lonelyCause() {
	cause := p.cause.take(p.num)
	if cause == nil || p.copied.marked && len(cause.RuntimeStack) == 0 {
		return
	}
	switch cause.Kind {
	case CauseSignal, CauseFatal, CausePanic:
		db := p.newDump(cause.Line, nil, cause)
		db.dump.EndLine, db.dump.Truncated.Tail = p.num, true
		p.emit(db.finish())
	}
}

// insideLine takes a line while a goroutine is open, where the fast path refused it. It returns false when the
// goroutine has ended and the line is still to be read.
func (p *Parser) insideLine(text, stamp []byte) bool {
	stack := &p.stack
	line, indented := trimmed(text)
	if len(line) == 0 && p.betweenLines() {
		return true
	}
	// Function lines without file lines come here uncounted.
	if p.copied.listed(p.num, line) || len(line) == 0 || p.unparsed.lines > maxUnparsedRun {
		p.finishGoroutine()
		return false
	}
	if p.spliced != nil {
		joined := append(p.spliced, text...)
		head := len(p.spliced)
		p.spliced = nil
		half := head - len(joined) + len(bytes.TrimLeft(joined, " \t"))
		if whole, wasIndented := trimmed(joined); stack.mayFollow(whole, half, line) {
			p.unparsed.dropLast()
			return p.frameLine(whole, wasIndented)
		}
	}
	switch {
	case p.frameLine(line, indented):
		return true
	case stack.pending == pendNone && isRemark(line):
		stack.lastNum, stack.remarkNum = p.num, p.num
		p.unparsed.commit(p.dump.dump)
		return true
	case p.foreignHeader(line, stamp):
		return true
	case startsHeader(line), stack.pending == pendClosed, isTrailer(line), startsCause(line), string(line) == "-----":
		p.finishGoroutine()
		return false
	}
	if head := splicedHead(text); head != nil {
		if stack.pending == pendMaybeC {
			stack.dropPending()
		}
		p.spliced = append([]byte(nil), head...)
		p.cause.line(text[len(head):], p.num, stamp)
	} else {
		p.cause.line(text, p.num, stamp)
		if stack.pending == pendNone || stack.pending == pendMaybeC { // a C function's name, if a file line follows
			stack.startMaybeC(line)
		}
	}
	if p.unparsed.add(p.num, text); p.unparsed.lines > maxUnparsedRun {
		p.finishGoroutine()
	}
	return true
}

// frameLine takes a line that belongs to the open goroutine's stack, and reports whether it did.
func (p *Parser) frameLine(line []byte, indented bool) bool {
	stack := &p.stack
	if len(line) > maxFrameLine {
		return false
	}
	ok := true
	switch loc, isFile := fileLine(line); {
	case string(line) == "goroutine running on other thread; stack unavailable":
		stack.g.Flags |= FlagNoStack
	case bytes.HasPrefix(line, ancestorPrefix) && stack.startAncestor(line):
	case stack.pending == pendClosed:
		ok = false
	case isFile && stack.pending != pendNone && (stack.pending != pendMaybeC || loc.cgo || indented) &&
		(indented || looksLikePath(line)):
		stack.commitFile(line, loc, p.num)
	case stack.pending == pendMaybeC && bytes.HasPrefix(line, []byte("pc=0x")):
		stack.commitFile(line, location{cgo: true}, p.num)
	case bytes.HasPrefix(line, []byte("created by ")):
		if ok = stack.startCreated(line, p.num); ok {
			return true // its file line commits the unparsed lines
		}
	case bytes.HasPrefix(line, []byte("...")) && stack.commitElided(line):
	case bytes.HasPrefix(line, []byte("non-Go function at pc=")):
		stack.commitNonGo(line)
	case isFuncLine(line) && !indented || isFuncLine(line) && stack.indent > 0:
		stack.startFunc(line, argsStart(line), p.num)
		return true // its file line commits the unparsed lines
	default:
		ok = false
	}
	if ok {
		stack.lastNum = p.num
		p.unparsed.commit(p.dump.dump)
	}
	return ok
}

// outsideLine takes a line while no goroutine is open.
func (p *Parser) outsideLine(text, stamp []byte) {
	if p.section != nil {
		if p.section.line(text, p.num) {
			return
		}
		p.endSection()
	}
	if len(text) > 0 && (p.headerLine(text, stamp) || p.faultingLine(text, stamp) ||
		p.foreign.form == runtimeForm && p.foreignLine(text, stamp)) {
		return
	}
	p.testLine(text)
	if p.position == outside {
		p.lookForSection(text, stamp)
	}
	p.causeLine(text, stamp)
	if p.cause.header != "" {
		p.lateHeader(text, stamp)
		return
	}
	if len(text) == 0 {
		p.lastEmpty = p.num
	}
	if p.position != between || len(text) == 0 {
		return
	}
	line, _ := trimmed(text)
	switch {
	case len(line) == 0:
	case string(line) == "-----" && p.dump.dump.Format == FormatSignal:
		p.dump.nextIsThread, p.dump.endSeen = true, false
	case isRegister(line):
		p.dump.registers++
		p.dump.endSeen = p.dump.endSeen || p.dump.registers > 1 // one could be a log line
		p.dump.dump.EndLine = p.num
	case isTrailer(line):
		p.dump.endSeen = true
	case p.dump.nextIsThread && opensThread(line):
	default:
		limit := maxUnparsedRun
		if p.dump.dump.Goroutines < 2 {
			limit = maxUnparsedFirst
		}
		if p.unparsed.add(p.num, text); p.unparsed.lines > limit {
			p.closeDump()
		}
	}
}

// maxRecordHead is how much of a line is looked at for " @ 0x" behind a count.
const maxRecordHead = 16

// lookForSection begins a counted profile or a race report where text opens one, and remembers frames without a header
// and a record without a profile.
func (p *Parser) lookForSection(text, stamp []byte) {
	n := len(text)
	if p.stray.num > 0 {
		if p.section = p.stray.begin(text, p.num, p.budget); p.section != nil {
			p.stray.num = 0
			return
		}
		p.stray.num = 0
	}
	switch {
	case n < 8:
	case text[0] == '=' || text[0] == 'W':
		p.section = beginRace(text, p.num, stamp)
	case text[n-1]-'0' <= 9 && bytes.Contains(text, []byte(" profile: total ")):
		p.section = beginDebug1(text, p.num, stamp, p.budget)
	case text[0]-'0' <= 9 && bytes.Contains(text[:min(n, maxRecordHead)], []byte(" @ 0x")):
		p.stray.keep(text, p.num, stamp)
	case text[0] == '\t' && !p.cause.inStack():
		if loc, ok := fileLine(text[1:]); ok && len(loc.text) < n-1 {
			p.lastOrphan = p.num
		}
	}
}

func (p *Parser) endSection() {
	d := p.section.finish()
	p.section = nil
	if d != nil {
		d.Seen, d.LastLine, d.Test = 1, d.Line, p.test.of(nil)
		p.emit(d)
	}
}

// headerLine begins a goroutine where text holds its header, and reports whether it did.
func (p *Parser) headerLine(text, stamp []byte) bool {
	n := len(text)
	last := text[n-1]
	if last == ' ' || last == '\r' {
		text = bytes.TrimRight(text, " \r")
		if n = len(text); n == 0 {
			return false
		}
		last = text[n-1]
	}
	if last != ':' {
		p.spliced = nil
		if p.position == between && bytes.HasPrefix(text, headerPrefix) {
			p.spliced = append([]byte(nil), splicedHead(text)...)
		}
		return false
	}
	if p.spliced != nil {
		joined := append(p.spliced, text...)
		p.spliced = nil
		if _, ok := parseHeader(joined); ok {
			p.unparsed.dropLast()
			text = joined
		}
	}
	at := 0
	if !bytes.HasPrefix(text, headerPrefix) {
		at = bytes.Index(text, headerPrefix)
	}
	if at < 0 || p.inPanic(text[:at]) {
		return false
	}
	h, ok := parseHeader(text[at:])
	if !ok {
		return false
	}
	indent := 0
	if len(bytes.TrimLeft(text[:at], " \t")) > 0 { // a logger put the stack behind its message
		p.cause.line(text[:at], p.num, stamp)
	} else {
		indent = at
	}
	p.openGoroutine(h, indent, stamp)
	return true
}

// trimmed returns the line without blanks around it, and whether it was indented.
func trimmed(text []byte) (line []byte, indented bool) {
	line = bytes.TrimLeft(text, " \t")
	indented = len(line) < len(text)
	return bytes.TrimRight(line, " \t\r"), indented
}
