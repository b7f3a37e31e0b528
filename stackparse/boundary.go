package stackparse

import "bytes"

// Where one dump ends and the next one in its stream begins.

// openGoroutine begins a goroutine, in the dump under way or in a new one.
func (p *Parser) openGoroutine(h header, indent int, stamp []byte) {
	p.copied.check(&p.cause, indent, p.num)
	cause := p.cause.take(p.num)
	switch adjacent := p.unparsed.lines == 0; {
	case p.dump == nil || !p.dump.endsBefore(h, cause, adjacent):
	case adjacent && cause == nil && !p.dump.over && p.held == nil && !p.dump.ids.has(h.id):
		p.held, p.dump = p.dump, nil
	default:
		p.closeDump(false)
	}
	if p.dump != nil && p.dump.fakeBefore(h, p.unparsed.lines, p.empty == p.num-1) {
		p.takeBack()
		cause, p.dump = p.dump.dump.Cause, nil
	}
	if p.dump == nil {
		p.dump = newDumpBuilder(p.num, stamp, cause, p.shapes, p.budget)
		if p.orphan > 0 && p.num-p.orphan <= 4 && cause == nil {
			// With a cause they are goroutine 0's, behind a signal's lines (1.2).
			p.dump.dump.Truncated.Head = true
		}
		p.orphan, p.stray.num, p.dump.unsaid = 0, 0, p.cause.unsaid
		p.dump.behindEmpty = p.empty == p.num-1
		p.dump.dump.Test = p.test.of(cause)
	}
	p.unparsed.commit(p.dump.dump)
	p.dump.begin(h, &p.block, p.num, indent)
	p.where = inGoroutine
}

// endsBefore reports whether a goroutine's header belongs to another dump than the one under way; adjacent reports
// that no other text is between.
func (db *dumpBuilder) endsBefore(h header, cause *Cause, adjacent bool) bool {
	if db.nextIsThread {
		return false
	}
	if db.over {
		return true
	}
	running := string(h.state) == "running"
	if cause != nil {
		switch cause.Kind {
		case CauseLoggedPanic, CauseLogFatal: // may be a line of a logger that writes into the dump
			return running
		}
		return true
	}
	// runtime.Stack and debug=2 print one running goroutine, the caller, first. What lost its head may be a
	// signal's dump, which has others that could not be stopped.
	if running && !h.gp && db.dump.Format == FormatDebug2 && !(adjacent && db.dump.Truncated.Head) {
		return true
	}
	if running && (db.died() && adjacent || db.dump.Threads > 0) {
		return false // another thread that threw, or was signalled, prints its stack once it can
	}
	return h.id != 0 && db.ids.has(h.id)
}

// died reports whether the dump is what the process printed when it ended by itself.
func (db *dumpBuilder) died() bool {
	c := db.dump.Cause
	return c != nil && (c.Kind == CauseFatal || c.Kind == CausePanic)
}

// fakeBefore reports whether the dump's only goroutine was a part of the panic's text: a process dies of one running
// goroutine, and it is printed first, behind an empty line. It was one where such a header h follows some text, or
// repeats a goroutine without an empty line before it (debug.Stack was a part of the text). between counts the lines
// of that text (maxUnparsedFirst at most: past it the dump is closed), and behindEmpty reports that h follows an
// empty line. Since Go 1.23 a panic's text is indented and never gets here.
func (db *dumpBuilder) fakeBefore(h header, between int, behindEmpty bool) bool {
	c := db.dump.Cause
	return c != nil && c.Kind == CausePanic && db.dump.Goroutines == 1 && string(h.state) == "running" &&
		!db.nextIsThread && !h.gp && behindEmpty && (between > 0 || !db.behindEmpty && db.ids.has(h.id) && h.id != 0)
}

// takeBack makes the dump's only goroutine, and what followed it, a part of its panic's text.
func (p *Parser) takeBack() {
	c := p.dump.dump.Cause
	c.Goroutine = 0
	for _, b := range p.dump.buckets {
		if room := maxCauseText - len(c.Text); room > 0 {
			c.Text += cutText([]byte("\n"+b.Text), room)
		}
	}
	p.unparsed.reset()
}

func (p *Parser) finishGoroutine() {
	if p.where != inGoroutine {
		return
	}
	p.where = between
	p.spliced = nil
	if p.held != nil && p.block.leavesSyscall() {
		p.held.adopt(p.dump, &p.block)
		p.dump, p.held = p.held, nil
	}
	p.emitHeld()
	p.dump.end(&p.block)
}

// leavesSyscall reports whether the goroutine is on its way out of a system call or of C. From Go 1.26 on
// runtime.exitsyscall sets it running before it has a processor, so that a debug=2 dump may hold a second running
// goroutine in its middle; otherwise the running one is the one that prints, and begins a dump.
func (b *block) leavesSyscall() bool {
	call, _, _ := bytes.Cut(b.text, []byte{'\n'})
	for _, leaf := range [...]string{
		"syscall.", "internal/runtime/syscall", "runtime/internal/syscall", "internal/syscall/", "golang.org/x/sys/",
		"os/signal.signal_recv(", "runtime.cgocall(",
	} {
		if bytes.HasPrefix(call, []byte(leaf)) {
			return true
		}
	}
	return bytes.Contains(call, []byte("._Cfunc_"))
}

// adopt takes over the goroutine in b, which was thought the first of the dump that from builds.
func (db *dumpBuilder) adopt(from *dumpBuilder, b *block) {
	g := &b.g
	g.Flags &^= FlagFirst
	g.State = db.state([]byte(from.dump.States[g.State]))
	if g.Labels != 0 {
		g.Labels = db.labelSet([]byte(from.dump.Labels[g.Labels]))
	}
	if g.ID != 0 {
		db.ids.add(g.ID)
	}
	db.dump.Goroutines++
}

func (p *Parser) emitHeld() {
	if p.held != nil {
		d := p.held.finish(false)
		p.held = nil
		p.emit(d)
	}
}

// closeDump emits the dump under way; cut reports that the stream ended before the dump did.
func (p *Parser) closeDump(cut bool) {
	p.emitHeld()
	d := p.dump.finish(cut)
	p.panicked = p.panicked || d.Cause != nil && d.Cause.Kind == CauseLoggedPanic
	p.dump, p.where, p.copied = nil, outside, copied{}
	p.unparsed.reset()
	p.emit(d)
}

// endIsMissing reports, at the end of the stream, whether the dump under way was cut: in the middle of a frame, in a
// stack that reached no goroutine's start, or before the registers that end every signal's dump.
func (p *Parser) endIsMissing() bool {
	if p.where == inGoroutine {
		b := &p.block
		switch {
		case b.pending == pendFunc, b.pending == pendCreated, b.pending == pendWeak,
			b.pending == pendNone && b.g.Flags&FlagNoStack == 0 && !b.reachedStart():
			return true
		}
	}
	return p.dump.cutBySignal()
}
