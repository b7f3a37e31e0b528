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

	// text holds the accepted lines, each with a newline, file lines behind a tab: what parsedstack.go parses when the
	// signature is new. Past maxHead bytes frames go to tail, which keeps the outermost ones.
	text        []byte
	framesRoom  int // frames may fill text up to here
	tail        outerFrames
	framesEnd   int    // where creator and ancestors begin in text, -1 where they did not yet
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

	prefixes  *stackPrefixes
	prefix    *stackPrefix // the frames so far; nil where nothing is predicted
	predicted *stackPrefix // the frame of the pending line; nil where it was not predicted
	// In an ancestor's stack lines are kept but no part of the signature.
	inAncestor    bool
	ancestorsFull bool
}

type pending uint8

const (
	pendNone    pending = iota
	pendFunc            // a function line: its file line must follow
	pendMaybeC          // any text: a C function's name if a file line with a pc follows
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

func (stack *stackBuilder) reset(g Goroutine, line int64, indent int) {
	stack.g, stack.indent, stack.lastNum, stack.remarkNum = g, indent, line, -1
	stack.text, stack.hash, stack.depth, stack.framesEnd, stack.framesRoom = stack.text[:0], 0, 0, -1, maxHead
	stack.tail.reset()
	stack.pending, stack.inAncestor, stack.ancestorsFull = pendNone, false, false
	stack.prefix = stack.prefixes.root(g.State)
}

func (stack *stackBuilder) addToHash(x uint64) {
	stack.hash = bits.RotateLeft64(stack.hash, 7)*0x9E3779B97F4A7C15 ^ x
}

// startFunc takes a function line whose arguments begin behind line[args]; num is its number.
func (stack *stackBuilder) startFunc(line []byte, args int, num int64) {
	stack.dropPending()
	stack.frameStart, stack.pendingNum = len(stack.text), num
	stack.text = append(append(stack.text, line...), '\n')
	stack.pendingArgs = stack.frameStart + args + 1
	stack.predicted = nil
	stack.pending = pendFunc
}

// startPredicted takes a function line that begins as the frame next does.
func (stack *stackBuilder) startPredicted(line []byte, next *stackPrefix, num int64) {
	stack.frameStart, stack.pendingNum = len(stack.text), num
	stack.text = append(append(stack.text, line...), '\n')
	stack.pendingArgs = stack.frameStart + len(next.call)
	stack.predicted = next
	stack.pending = pendFunc
}

// commitPredicted takes the file line of a predicted function line, and reports whether it was predicted too.
func (stack *stackBuilder) commitPredicted(line []byte, num int64) bool {
	next, body := stack.predicted, line[1:]
	if !next.hasFileLine(body) {
		if next = stack.prefix.next[1]; next == nil || next == stack.predicted || next.call != stack.predicted.call ||
			!next.hasFileLine(body) {
			return false
		}
	}
	stack.text = append(append(stack.text, line...), '\n')
	stack.hash, stack.prefix, stack.lastNum = next.hash, next, num
	if stack.pending == pendCreated {
		stack.pending = pendClosed
		return true
	}
	stack.endFrame()
	return true
}

// startPredictedCreator takes a "created by" line that names the creator next.
func (stack *stackBuilder) startPredictedCreator(next *stackPrefix, parent uint64, num int64) {
	stack.endFrames()
	stack.frameStart, stack.pendingNum = len(stack.text), num
	stack.text = append(append(stack.text, next.call...), '\n')
	stack.g.Parent = parent
	stack.predicted = next
	stack.pending = pendCreated
}

// endFrame counts the frame that is complete behind text[from].
func (stack *stackBuilder) endFrame() {
	stack.pending = pendNone
	stack.depth++
	if len(stack.text) > stack.framesRoom {
		stack.moveToTail()
		return
	}
	if stack.depth <= maxArgs {
		stack.args[stack.depth-1] = int32(stack.pendingArgs)
	}
}

// moveToTail moves a frame that has no room in text to tail. Behind the first that moved all others move too, so that
// they stay in order. Ancestors have no tail: they end where their room does.
func (stack *stackBuilder) moveToTail() {
	if !stack.inAncestor {
		if stack.depth <= maxArgs {
			stack.args[stack.depth-1] = -1
		}
		stack.tail.take(stack.text[stack.frameStart:])
		stack.text, stack.framesRoom = stack.text[:stack.frameStart], 0
		return
	}
	if stack.ancestorsFull = stack.ancestorsFull || len(stack.text)-stack.framesEnd > maxBehind; stack.ancestorsFull {
		stack.text = stack.text[:stack.frameStart]
	}
}

// endFrames notes that creator or ancestors follow.
func (stack *stackBuilder) endFrames() {
	if stack.framesEnd < 0 {
		stack.framesEnd = len(stack.text)
	}
}

// wholeText returns the accepted text from the leaf to the ancestors.
func (stack *stackBuilder) wholeText() string {
	if stack.tail.n == 0 {
		return string(stack.text)
	}
	return string(stack.text[:stack.framesEnd]) + string(stack.tail.buf) + string(stack.text[stack.framesEnd:])
}

func (stack *stackBuilder) startMaybeC(line []byte) {
	stack.dropPending()
	if len(line) > maxFrameLine {
		return
	}
	stack.frameStart = len(stack.text)
	stack.text = append(append(stack.text, line...), '\n')
	stack.pendingHash = maphash.Bytes(seed, line)
	stack.pending = pendMaybeC
}

func (stack *stackBuilder) startCreated(line []byte, num int64) bool {
	line = bytes.TrimRight(line, " \t\r")
	fn, parent, ok := createdBy(line)
	if !ok || len(line) > maxFrameLine {
		return false
	}
	stack.dropPending()
	stack.endFrames()
	stack.frameStart, stack.pendingNum = len(stack.text), num
	stack.text = append(append(append(stack.text, "created by "...), fn...), '\n')
	stack.pendingHash = creatorHash(fn)
	if !stack.inAncestor {
		stack.g.Parent = parent
	}
	stack.predicted = nil
	stack.pending = pendCreated
	return true
}

// creatorHash is the pendingHash of a creator's line.
func creatorHash(fn []byte) uint64 { return maphash.Bytes(seed, fn) + 1 }

// dropPending removes a line whose file line never came. A weak one is among the unparsed lines already.
func (stack *stackBuilder) dropPending() {
	switch stack.pending {
	case pendFunc, pendCreated:
		stack.unparsed.add(stack.pendingNum, bytes.TrimSuffix(stack.text[stack.frameStart:], []byte("\n")))
		stack.text = stack.text[:stack.frameStart]
		if stack.framesEnd == stack.frameStart {
			stack.framesEnd = -1 // it was no creator: frames may follow
		}
	case pendMaybeC:
		stack.text = stack.text[:stack.frameStart]
	}
	stack.pending = pendNone
}

// keepCut keeps the last frame where only its file line is missing, which a log's end or a limit cut off: a function
// line that is whole shows the call. Log text that looks like a call has no package.
func (stack *stackBuilder) keepCut() {
	if stack.pending != pendFunc || stack.inAncestor {
		return
	}
	line := stack.text[stack.frameStart : len(stack.text)-1]
	if !isFuncLine(line) {
		return
	}
	fn := line[:argsStart(line)]
	if bytes.IndexByte(fn, '.') < 0 && string(fn) != "panic" {
		return
	}
	stack.addToHash(maphash.Bytes(seed, fn))
	stack.addToHash(3)
	stack.prefix = nil
	stack.endFrame()
}

// commitFile takes the pending line's file line.
func (stack *stackBuilder) commitFile(line []byte, loc location, num int64) {
	if stack.pending == pendMaybeC {
		stack.unparsed.dropLast() // it was a C function's name
	}
	stack.lastNum = num
	start := len(stack.text)
	if line[0] != '\t' {
		stack.text = append(stack.text, '\t')
	}
	stack.text = append(append(stack.text, line...), '\n')
	if stack.pending != pendFunc {
		stack.pendingArgs = len(stack.text) // no arguments
		if stack.pending == pendCreated && stack.predicted != nil {
			stack.pendingHash = creatorHash([]byte(stack.predicted.call[len(createdPrefix):]))
		}
	} else if !stack.inAncestor {
		stack.pendingHash = maphash.Bytes(seed, stack.text[stack.frameStart:stack.pendingArgs-1])
	}
	if !stack.inAncestor {
		stack.addToHash(stack.pendingHash)
		stack.addToHash(maphash.Bytes(seed, loc.text))
	}
	switch stack.pending {
	case pendCreated:
		stack.pending = pendClosed
		if stack.inAncestor {
			stack.moveToTail()
			return
		}
		stack.prefix = stack.prefixes.extend(stack.prefix, stack.hash, stack.text[stack.frameStart:start-1], loc.text)
		return
	case pendFunc:
		call := stack.text[stack.frameStart:stack.pendingArgs]
		stack.prefix = stack.prefixes.extend(stack.prefix, stack.hash, call, loc.text)
	default:
		stack.prefix = nil
	}
	stack.endFrame()
}

func (stack *stackBuilder) commitElided(line []byte) bool {
	if _, ok := elided(line); !ok {
		return false
	}
	stack.oneLineFrame(line)
	if !stack.inAncestor {
		stack.addToHash(1) // not the number: it changes with the depth of a recursion
		// Neither is how a call begins: never predicted, but passed through.
		stack.prefix = stack.prefixes.extend(stack.prefix, stack.hash, line, line)
	}
	return true
}

// commitNonGo takes "non-Go function at pc=…", a frame in one line.
func (stack *stackBuilder) commitNonGo(line []byte) {
	stack.oneLineFrame(line)
	if !stack.inAncestor {
		stack.addToHash(2)
	}
	stack.prefix = nil
}

// oneLineFrame takes a frame or gap of one line.
func (stack *stackBuilder) oneLineFrame(line []byte) {
	stack.dropPending()
	stack.frameStart = len(stack.text)
	stack.text = append(append(stack.text, line...), '\n')
	stack.pendingArgs = len(stack.text) // no arguments
	stack.endFrame()
}

func (stack *stackBuilder) startAncestor(line []byte) bool {
	if _, _, ok := leadingUint(line[len(ancestorPrefix):]); !ok {
		return false
	}
	stack.dropPending()
	stack.endFrames()
	stack.frameStart = len(stack.text)
	stack.text = append(append(stack.text, line...), '\n')
	stack.inAncestor, stack.framesRoom = true, 0
	stack.moveToTail()
	stack.prefix = nil
	return true
}

// roots are what goroutines begin with, as far as tracebacks show it.
var roots = [...]string{
	"runtime.goexit(", "runtime.main(", "main.main(", "runtime.mstart", "runtime.rt0_go(",
	"runtime.mcall(", "runtime.systemstack",
}

// reachedStart reports whether the last accepted frame is one that goroutines begin with, an initializer (package
// main's goroutine runs them before main.main), or the line that replaces the outer frames before Go 1.21.
func (stack *stackBuilder) reachedStart() bool {
	last := stack.text
	if stack.tail.n > 0 {
		last = stack.tail.buf
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

// An outerFrames keeps the last maxTail bytes or so of a stack's frames, whole frames only.
type outerFrames struct {
	buf     []byte
	half    int // a frame boundary at or behind maxTail; what is before it goes first
	n       int // frames taken
	skipped int // frames gone
	frames  int // frames before half
}

func (t *outerFrames) reset() { *t = outerFrames{buf: t.buf[:0]} }

func (t *outerFrames) take(frame []byte) {
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
