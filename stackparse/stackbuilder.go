package stackparse

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// A stackBuilder collects the stack of the goroutine under way: its header's facts, its accepted lines and their
// running signature. A parser reuses one for all goroutines.
type stackBuilder struct {
	g      Goroutine
	indent int // of the header: copies in Markdown or mail are indented as a whole

	// text holds the accepted lines, each with a newline, file lines behind a tab: what shape.go parses when the
	// signature is new. Past maxHead bytes frames go to tail, which keeps the outermost ones.
	text        []byte
	framesRoom  int // frames may fill text up to here
	tail        tail
	headEnd     int    // where creator and ancestors begin in text, -1 where they did not yet
	hash        uint64 // over function names and file:line of frames and creator
	depth       int
	args        [maxArgs]int32 // where the arguments of the first frames begin in text, -1 for frames in tail
	lastNum     int64          // of the last accepted line
	remarkNum   int64          // of the last line in which the runtime reports why it can't go on; -1 for none
	pending     pending
	frameStart  int // in text
	pendingNum  int64
	pendingArgs int              // where they begin in text
	pendingHash uint64           // of the function's name, but of the whole of a weak line
	unparsed    *pendingUnparsed // the parser's: a pending line whose file line never comes is no part of the grammar

	paths     *paths
	path      *path // the frames so far; nil where nothing is predicted
	predicted *path // the frame of the pending line; nil where it was not predicted
	// In an ancestor's stack lines are kept but no part of the signature.
	inAncestor    bool
	ancestorsFull bool
}

type pending uint8

const (
	pendNone    pending = iota
	pendFunc            // a function line: its file line must follow
	pendWeak            // any text: a C function's name if a file line with a pc follows
	pendCreated         // "created by": its file line must follow
	pendClosed          // the stack is complete
)

const (
	// maxArgs is how many frames of a goroutine can have sampled words. Chosen: the method that holds a lock lies
	// within some ten frames of where its goroutine is stuck.
	maxArgs = 32
	// maxWaitDepth is how deep the frame with the address that a goroutine waits for can be: gopark, goparkunlock,
	// semacquire1, SemacquireMutex, lockSlow, Lock, Lock are the longest chain (1.24+).
	maxWaitDepth = 8
	// maxHead bounds the text of one goroutine. The runtime prints at most 100 frames (1.4+), about 25 KiB with the
	// longest names of the corpus.
	maxHead = 128 << 10
	maxTail = 32 << 10
	// maxBehind bounds creator and ancestors: GODEBUG=tracebackancestors=5 and its 5 * 50 frames take about 45 KiB.
	maxBehind = 128 << 10
	// maxFrameLine bounds one line of a stack, in bytes. The runtime prints names as they are, and C++ names reach some
	// thousand bytes; what is longer is some other text.
	maxFrameLine = 16 << 10
)

var ancestorPrefix = []byte("[originating from goroutine ")

// seed makes raw signatures; they live only inside one process (Bucket.Key is the lasting one).
var seed = maphash.MakeSeed()

func (b *stackBuilder) reset(g Goroutine, line int64, indent int) {
	b.g, b.indent, b.lastNum, b.remarkNum = g, indent, line, -1
	b.text, b.hash, b.depth, b.headEnd, b.framesRoom = b.text[:0], 0, 0, -1, maxHead
	b.tail.reset()
	b.pending, b.inAncestor, b.ancestorsFull = pendNone, false, false
	b.path = b.paths.root(g.State)
}

func (b *stackBuilder) mix(x uint64) { b.hash = bits.RotateLeft64(b.hash, 7)*0x9E3779B97F4A7C15 ^ x }

// startFunc takes a function line whose arguments begin behind line[args]; num is its number.
func (b *stackBuilder) startFunc(line []byte, args int, num int64) {
	b.dropPending()
	b.frameStart, b.pendingNum = len(b.text), num
	b.text = append(append(b.text, line...), '\n')
	b.pendingArgs = b.frameStart + args + 1
	b.predicted = nil
	b.pending = pendFunc
}

// startPredicted takes a function line that begins as the frame next does.
func (b *stackBuilder) startPredicted(line []byte, next *path, num int64) {
	b.frameStart, b.pendingNum = len(b.text), num
	b.text = append(append(b.text, line...), '\n')
	b.pendingArgs = b.frameStart + len(next.call)
	b.predicted = next
	b.pending = pendFunc
}

// commitPredicted takes the file line of a predicted function line, and reports whether it was predicted too.
func (b *stackBuilder) commitPredicted(line []byte, num int64) bool {
	next, body := b.predicted, line[1:]
	if !next.at(body) {
		if next = b.path.next[1]; next == nil || next == b.predicted || next.call != b.predicted.call ||
			!next.at(body) {
			return false
		}
	}
	b.text = append(append(b.text, line...), '\n')
	b.hash, b.path, b.lastNum = next.hash, next, num
	if b.pending == pendCreated {
		b.pending = pendClosed
		return true
	}
	b.endFrame()
	return true
}

// startPredictedCreator takes a "created by" line that names the creator next.
func (b *stackBuilder) startPredictedCreator(next *path, parent uint64, num int64) {
	b.endHead()
	b.frameStart, b.pendingNum = len(b.text), num
	b.text = append(append(b.text, next.call...), '\n')
	b.g.Parent = parent
	b.predicted = next
	b.pending = pendCreated
}

// endFrame counts the frame that is complete behind text[from].
func (b *stackBuilder) endFrame() {
	b.pending = pendNone
	b.depth++
	if len(b.text) > b.framesRoom {
		b.bound()
		return
	}
	if b.depth <= maxArgs {
		b.args[b.depth-1] = int32(b.pendingArgs)
	}
}

// bound moves a frame that has no room in text to tail. Behind the first that moved all others move too, so that they
// stay in order. Ancestors have no tail: they end where their room does.
func (b *stackBuilder) bound() {
	if !b.inAncestor {
		if b.depth <= maxArgs {
			b.args[b.depth-1] = -1
		}
		b.tail.take(b.text[b.frameStart:])
		b.text, b.framesRoom = b.text[:b.frameStart], 0
		return
	}
	if b.ancestorsFull = b.ancestorsFull || len(b.text)-b.headEnd > maxBehind; b.ancestorsFull {
		b.text = b.text[:b.frameStart]
	}
}

// endHead notes that creator or ancestors follow.
func (b *stackBuilder) endHead() {
	if b.headEnd < 0 {
		b.headEnd = len(b.text)
	}
}

// ordered returns the accepted text from the leaf to the ancestors.
func (b *stackBuilder) ordered() string {
	if b.tail.n == 0 {
		return string(b.text)
	}
	return string(b.text[:b.headEnd]) + string(b.tail.buf) + string(b.text[b.headEnd:])
}

func (b *stackBuilder) startWeak(line []byte) {
	b.dropPending()
	if len(line) > maxFrameLine {
		return
	}
	b.frameStart = len(b.text)
	b.text = append(append(b.text, line...), '\n')
	b.pendingHash = maphash.Bytes(seed, line)
	b.pending = pendWeak
}

func (b *stackBuilder) startCreated(line []byte, num int64) bool {
	line = bytes.TrimRight(line, " \t\r")
	fn, parent, ok := createdBy(line)
	if !ok || len(line) > maxFrameLine {
		return false
	}
	b.dropPending()
	b.endHead()
	b.frameStart, b.pendingNum = len(b.text), num
	b.text = append(append(append(b.text, "created by "...), fn...), '\n')
	b.pendingHash = creatorHash(fn)
	if !b.inAncestor {
		b.g.Parent = parent
	}
	b.predicted = nil
	b.pending = pendCreated
	return true
}

// creatorHash is the pendingHash of a creator's line.
func creatorHash(fn []byte) uint64 { return maphash.Bytes(seed, fn) + 1 }

// dropPending removes a line whose file line never came. A weak one is among the unparsed lines already.
func (b *stackBuilder) dropPending() {
	switch b.pending {
	case pendFunc, pendCreated:
		b.unparsed.add(b.pendingNum, bytes.TrimSuffix(b.text[b.frameStart:], []byte("\n")))
		b.text = b.text[:b.frameStart]
		if b.headEnd == b.frameStart {
			b.headEnd = -1 // it was no creator: frames may follow
		}
	case pendWeak:
		b.text = b.text[:b.frameStart]
	}
	b.pending = pendNone
}

// keepCut keeps the last frame where only its file line is missing, which a log's end or a limit cut off: a function
// line that is whole shows the call. Log text that looks like a call has no package.
func (b *stackBuilder) keepCut() {
	if b.pending != pendFunc || b.inAncestor {
		return
	}
	line := b.text[b.frameStart : len(b.text)-1]
	if !isFuncLine(line) {
		return
	}
	fn := line[:argsStart(line)]
	if bytes.IndexByte(fn, '.') < 0 && string(fn) != "panic" {
		return
	}
	b.mix(maphash.Bytes(seed, fn))
	b.mix(3)
	b.path = nil
	b.endFrame()
}

// commitFile takes the pending line's file line.
func (b *stackBuilder) commitFile(line []byte, loc location, num int64) {
	if b.pending == pendWeak {
		b.unparsed.dropLast() // it was a C function's name
	}
	b.lastNum = num
	start := len(b.text)
	if line[0] != '\t' {
		b.text = append(b.text, '\t')
	}
	b.text = append(append(b.text, line...), '\n')
	if b.pending != pendFunc {
		b.pendingArgs = len(b.text) // no arguments
		if b.pending == pendCreated && b.predicted != nil {
			b.pendingHash = creatorHash([]byte(b.predicted.call[len(createdPrefix):]))
		}
	} else if !b.inAncestor {
		b.pendingHash = maphash.Bytes(seed, b.text[b.frameStart:b.pendingArgs-1])
	}
	if !b.inAncestor {
		b.mix(b.pendingHash)
		b.mix(maphash.Bytes(seed, loc.text))
	}
	switch b.pending {
	case pendCreated:
		b.pending = pendClosed
		if b.inAncestor {
			b.bound()
			return
		}
		b.path = b.paths.follow(b.path, b.hash, b.text[b.frameStart:start-1], loc.text)
		return
	case pendFunc:
		b.path = b.paths.follow(b.path, b.hash, b.text[b.frameStart:b.pendingArgs], loc.text)
	default:
		b.path = nil
	}
	b.endFrame()
}

func (b *stackBuilder) commitElided(line []byte) bool {
	if _, ok := elided(line); !ok {
		return false
	}
	b.single(line)
	if !b.inAncestor {
		b.mix(1) // not the number: it changes with the depth of a recursion
		// Neither is how a call begins: never predicted, but passed through.
		b.path = b.paths.follow(b.path, b.hash, line, line)
	}
	return true
}

// commitNonGo takes "non-Go function at pc=…", a frame in one line.
func (b *stackBuilder) commitNonGo(line []byte) {
	b.single(line)
	if !b.inAncestor {
		b.mix(2)
	}
	b.path = nil
}

// single takes a frame or gap of one line.
func (b *stackBuilder) single(line []byte) {
	b.dropPending()
	b.frameStart = len(b.text)
	b.text = append(append(b.text, line...), '\n')
	b.pendingArgs = len(b.text) // no arguments
	b.endFrame()
}

func (b *stackBuilder) startAncestor(line []byte) bool {
	if _, _, ok := leadingUint(line[len(ancestorPrefix):]); !ok {
		return false
	}
	b.dropPending()
	b.endHead()
	b.frameStart = len(b.text)
	b.text = append(append(b.text, line...), '\n')
	b.inAncestor, b.framesRoom = true, 0
	b.bound()
	b.path = nil
	return true
}

// roots are what goroutines begin with, as far as tracebacks show it.
var roots = [...]string{
	"runtime.goexit(", "runtime.main(", "main.main(", "runtime.mstart", "runtime.rt0_go(",
	"runtime.mcall(", "runtime.systemstack",
}

// reachedStart reports whether the last accepted frame is one that goroutines begin with, an initializer (package
// main's goroutine runs them before main.main), or the line that replaces the outer frames before Go 1.21.
func (b *stackBuilder) reachedStart() bool {
	last := b.text
	if b.tail.n > 0 {
		last = b.tail.buf
	}
	last = bytes.TrimSuffix(last, []byte("\n"))
	line := last[bytes.LastIndexByte(last, '\n')+1:]
	if n, ok := elided(line); ok {
		return n < 0
	}
	last = bytes.TrimSuffix(last[:len(last)-len(line)], []byte("\n"))
	call := last[bytes.LastIndexByte(last, '\n')+1:]
	for _, root := range roots {
		if bytes.HasPrefix(call, []byte(root)) {
			return true
		}
	}
	args := argsStart(call)
	return args > 0 && (bytes.HasSuffix(call[:args], []byte(".init")) || bytes.Contains(call[:args], []byte(".init.")))
}

// A tail keeps the last maxTail bytes or so of a stack's frames, whole frames only.
type tail struct {
	buf     []byte
	half    int // a frame boundary at or behind maxTail; what is before it goes first
	n       int // frames taken
	skipped int // frames gone
	frames  int // frames before half
}

func (t *tail) reset() { *t = tail{buf: t.buf[:0]} }

func (t *tail) take(frame []byte) {
	if len(t.buf)+len(frame) > 2*maxTail && t.half > 0 {
		t.skipped += t.frames
		t.frames = t.n - t.skipped
		t.buf = t.buf[:copy(t.buf, t.buf[t.half:])]
		t.half = 0
	}
	t.buf = append(t.buf, frame...)
	t.n++
	if t.half == 0 && len(t.buf) >= maxTail {
		t.half = len(t.buf)
		t.frames = t.n - t.skipped
	}
}
