package stackparse

import "bytes"

// Where one dump ends and the next one in its stream begins.

// openGoroutine begins a goroutine, in the dump under way or in a new one.
func (p *Parser) openGoroutine(h header, indent int, stamp []byte) {
	p.copied.check(&p.cause, indent, p.num)
	cause := p.cause.take(p.num)
	adjacent := p.unparsed.lines == 0
	if p.priorDump != nil {
		if adjacent && cause == nil && !p.dump.endSeen && p.priorDump.continuesWith(h) {
			p.settleInPriorDump()
		} else {
			p.settleInNewDump()
		}
	}
	switch {
	case p.dump == nil || !p.dump.endsBefore(h, cause, adjacent):
	case adjacent && cause == nil && !p.dump.endSeen && !p.dump.ids.has(h.id):
		p.priorDump, p.dump = p.dump, nil
	default:
		p.closeDump()
	}
	if p.dump != nil && p.dump.quotedBefore(h, p.unparsed.lines, p.lastEmpty == p.num-1) {
		p.takeBack()
		cause, p.dump = p.dump.dump.Cause, nil
	}
	if p.dump == nil {
		p.dump = p.newDump(p.num, stamp, cause)
		if p.lastOrphan > 0 && p.num-p.lastOrphan <= 4 && cause == nil {
			// With a cause they are goroutine 0's, behind a signal's lines (1.2).
			p.dump.dump.Truncated.Head = true
		}
		p.lastOrphan, p.stray.num, p.dump.possibleCause = 0, 0, p.cause.possibleCause
		p.dump.behindEmpty = p.lastEmpty == p.num-1
		p.dump.dump.Test = p.test.of(cause)
	}
	p.unparsed.commit(p.dump.dump)
	p.dump.beginGoroutine(h, &p.stack, p.num, indent)
	p.position = inGoroutine
}

// endsBefore reports whether the dump ends before the header h, which then begins another one; adjacent reports
// that no other text is between.
func (db *dumpBuilder) endsBefore(h header, cause *Cause, adjacent bool) bool {
	if db.nextIsThread {
		return false
	}
	if db.endSeen {
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
	// runtime.Stack and debug=2 print a running goroutine, the caller, first; openGoroutine holds the dump until it is
	// known whether this one is the caller. What lost its head may be a signal's dump, which has others that could not
	// be stopped.
	if running && !h.gp && db.dump.Format == FormatDebug2 && !(adjacent && db.dump.Truncated.Head) {
		return true
	}
	if running && (db.endedByItself() && adjacent || db.dump.Threads > 0) {
		return false // another thread that threw, or was signalled, prints its stack once it can
	}
	return h.id != 0 && db.ids.has(h.id)
}

// endedByItself reports whether the dump is what the process printed when it ended by itself.
func (db *dumpBuilder) endedByItself() bool {
	c := db.dump.Cause
	return c != nil && (c.Kind == CauseFatal || c.Kind == CausePanic)
}

// quotedBefore reports whether the dump's only goroutine, before the header h, was a part of the panic's text, as where
// that text holds what debug.Stack returned. A process dies of one running goroutine, which is printed first, behind an
// empty line. So the goroutine was quoted if h is running and follows an empty line, and either text is before h or h
// repeats a goroutine that followed no empty line. between counts the lines of that text (maxUnparsedFirst at most:
// past it the dump is closed), and behindEmpty reports that h follows an empty line. Since Go 1.23 a panic's text is
// indented and never gets here.
func (db *dumpBuilder) quotedBefore(h header, between int, behindEmpty bool) bool {
	c := db.dump.Cause
	return c != nil && c.Kind == CausePanic && db.dump.Goroutines == 1 && string(h.state) == "running" &&
		!db.nextIsThread && !h.gp && behindEmpty && (between > 0 || !db.behindEmpty && db.ids.has(h.id) && h.id != 0)
}

// takeBack makes the dump's only goroutine a part of its panic's text, and drops the lines that followed it.
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

// finishGoroutine ends the goroutine under way, if there is one. While there is a prior dump, a goroutine whose stack
// doesn't show which dump it is of stays open: the next header settles it, or the end of the dump.
func (p *Parser) finishGoroutine() {
	if p.position != inGoroutine {
		return
	}
	p.position = between
	p.spliced = nil
	switch stack := &p.stack; {
	case p.priorDump == nil:
		p.dump.endGoroutine(stack)
	case stack.g.Flags&FlagNoStack != 0 || stack.leavesSyscall():
		p.settleInPriorDump() // the one that prints has a stack, and is in no system call
	case stack.pending != pendNone && stack.pending != pendClosed, stack.printsAllStacks():
		p.settleInNewDump() // the stack was cut, or its own frames show that it begins a dump
	}
}

// printsAllStacks reports whether the goroutine prints all stacks: /debug/pprof/goroutine?debug=2 and runtime.Stack do.
func (stack *stackBuilder) printsAllStacks() bool {
	return bytes.Contains(stack.text, []byte("runtime/pprof.writeGoroutineStacks(")) ||
		bytes.HasPrefix(stack.text, []byte("runtime.Stack("))
}

// settleInPriorDump ends the goroutine under way as a part of the prior dump.
func (p *Parser) settleInPriorDump() {
	prior := p.priorDump
	prior.adopt(p.dump, &p.stack)
	p.dump, p.priorDump = prior, nil
	p.dump.endGoroutine(&p.stack)
}

// settleInNewDump ends the prior dump, and the goroutine under way as the first of the dump that it begins.
func (p *Parser) settleInNewDump() {
	p.emit(p.priorDump.finish())
	p.priorDump = nil
	p.dump.endGoroutine(&p.stack)
}

// continuesWith reports whether the dump goes on behind a running goroutine in its middle, where h is the header that
// follows that goroutine. A dump of all goroutines lists the one that prints, then the others in the order of the
// runtime's table, in which goroutine 1 is the first as long as it lives. So where the dump has a goroutine 1 and the
// next header is of a goroutine that is new to it, the running one did not begin another dump. It was not printed alone
// either: the header of the next dump would then be running.
func (db *dumpBuilder) continuesWith(h header) bool {
	return db.ids.has(1) && h.id > 1 && !db.ids.has(h.id) && string(h.state) != "running"
}

// leavesSyscall reports whether the goroutine is on its way out of a system call or of C. From Go 1.26 on
// runtime.exitsyscall sets it running before it has a processor, so that a debug=2 dump may hold a second running
// goroutine, with a stack, in its middle.
func (stack *stackBuilder) leavesSyscall() bool {
	call, _, _ := bytes.Cut(stack.text, []byte{'\n'})
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

// adopt makes the goroutine in stack the next one of the dump. It was begun as the first goroutine of another dump,
// which from builds.
func (db *dumpBuilder) adopt(from *dumpBuilder, stack *stackBuilder) {
	g := &stack.g
	g.Flags &^= FlagFirst
	g.State = db.stateIndex([]byte(from.dump.States[g.State]))
	if g.Labels != 0 {
		g.Labels = db.labelIndex([]byte(from.dump.Labels[g.Labels]))
	}
	if g.ID != 0 {
		db.ids.add(g.ID)
	}
	db.dump.Goroutines++
}

// closeDump emits the dump under way.
func (p *Parser) closeDump() {
	if p.priorDump != nil {
		p.settleInNewDump()
	}
	d := p.dump.finish()
	p.panicked = p.panicked || d.Cause != nil && d.Cause.Kind == CauseLoggedPanic
	p.dump, p.position, p.copied = nil, outside, copyMarks{}
	p.unparsed.reset()
	p.emit(d)
}

// endIsMissing reports, at the end of the stream, whether the dump under way was cut: in the middle of a frame, in a
// stack that reached no goroutine's start, or before the registers that end every signal's dump.
func (p *Parser) endIsMissing() bool {
	if p.position == inGoroutine {
		stack := &p.stack
		switch {
		case stack.pending == pendFunc, stack.pending == pendCreated, stack.pending == pendMaybeC,
			stack.pending == pendNone && stack.g.Flags&FlagNoStack == 0 && !stack.reachedStart():
			return true
		}
	}
	return p.dump.cutBySignal()
}
