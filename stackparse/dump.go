package stackparse

import (
	"cmp"
	"strings"

	"github.com/gotriage/triage/stackparse/frame"
)

// A Format is the printer that wrote a dump.
type Format string

// The formats.
const (
	FormatSignal  Format = "signal"  // a fatal signal, panic or throw: runtime.traceback (level 1 or 2)
	FormatDebug2  Format = "debug2"  // goroutine?debug=2, runtime.Stack(all): goroutines without a cause
	FormatDebug1  Format = "debug1"  // goroutine?debug=1: counted stacks
	FormatProfile Format = "profile" // binary goroutine or goroutineleak profile
	FormatRace    Format = "race"    // race detector report
)

// A Dump is what one process printed at one time about its goroutines.
type Dump struct {
	Format Format
	// Line and EndLine are the first and last line of the dump in its stream, the cause's lines included (1-based).
	Line, EndLine int64
	// Stamp is the timestamp text that log framing carried at Line, "" where there was none. Who knows from elsewhere
	// when the dump was made may set it.
	Stamp string
	// Cause is why the runtime printed the dump; nil where the text has none (a debug=2 dump).
	Cause *Cause
	// Test is the test that go test's lines before the dump name: "TestMove/both_ways", "" where they name none. Of
	// parallel tests it is the last one that went on.
	Test string
	// Go is the release that wrote it, as exactly as the text shows it: "1.26", "1.22-1.23", ">=1.22", or "".
	Go string
	// Goroutines counts headers (or, in counted formats, the sum of counts), every thread's goroutine 0 included.
	Goroutines int
	// Buckets are the distinct stacks, biggest first, then by first line. Where they take more than 96 MiB
	// the goroutines of further ones are counted in one Bucket without frames; Folded counts them.
	Buckets []*Bucket
	Folded  int
	// Cost is about how many bytes the distinct stacks take.
	Cost int
	// States are the distinct state texts that Goroutine.State indexes: "select", "chan receive (nil chan)".
	States []string
	// Labels are the distinct label sets, sorted and printed as `key: value, …`; index 0 is "".
	// At most maxLabelSets are kept; later ones fall to index 0 and LabelsCut counts them.
	Labels    []string
	LabelsCut int
	// Listed reports that a profile (FormatProfile) has a sample for each goroutine, with its id and state in labels.
	Listed bool
	// Races are the accesses of a race detector's report (FormatRace).
	Races []Race
	// Threads counts GOTRACEBACK=crash's extra sections, one a thread, merged into this dump.
	Threads int
	// Truncated reports which ends of the dump are missing.
	Truncated Truncation
	// Unparsed are the first maxUnparsed lines inside the dump that are no part of the grammar; UnparsedLines counts
	// all.
	Unparsed      []UnparsedLine
	UnparsedLines int
	// SamplesCut reports that there was no room for the Samples of some buckets.
	SamplesCut bool
	// Seen counts how often this same dump was printed (a recovered panic logged a thousand times is one
	// Dump); LastLine is where the last one began. 1 and Line for a dump printed once.
	Seen     int
	LastLine int64
}

// Truncation is which ends of a dump are missing.
type Truncation struct {
	Head bool // began in the middle of a goroutine
	Tail bool // ended in the middle of a goroutine, or before the first was complete
}

// An UnparsedLine is a line inside a dump that is no part of the grammar; Text is cut at 256 bytes.
type UnparsedLine struct {
	Line int64
	Text string
}

// A CauseKind is what made the runtime (or the program) print a dump.
type CauseKind string

// The kinds of cause.
const (
	CauseSignal      CauseKind = "signal"       // SIGABRT, SIGQUIT, …: asked from outside
	CauseFatal       CauseKind = "fatal"        // fatal error: …
	CausePanic       CauseKind = "panic"        // panic: …, the process died of it
	CauseLoggedPanic CauseKind = "logged-panic" // a recovered panic that was logged with its stack
	CauseLogFatal    CauseKind = "log-fatal"    // klog.Fatal and its kin: a log line at level F, then all stacks
	CauseTestTimeout CauseKind = "test-timeout" // panic: test timed out after …
	CauseRace        CauseKind = "race"
)

// A Cause is why a dump was printed.
type Cause struct {
	Kind CauseKind
	// Line is the number of the cause's first line.
	Line int64
	// Signal is the signal's line: "SIGABRT: abort", "SIGSEGV: segmentation violation".
	Signal string
	// Text is the fatal error's text, the last panic's value, or the log line's message; escaped, cut at 4 KiB.
	Text string
	// Panics is the chain as printed, oldest first; one element for a plain panic.
	Panics []Panic
	// Detail is "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x…]", "" where absent.
	Detail string
	// Notes are the runtime's own lines beside it, at most 16: "runtime: goroutine stack exceeds 1000000000-byte
	// limit".
	Notes []string
	// RuntimeStack is the "runtime stack:" block.
	RuntimeStack []Frame
	// LogLine is the log line that introduced the dump ("http: panic serving 10.0.0.1:4711: …"), cut at 1 KiB.
	LogLine string
	// Before are the errors that were logged just before a fatal line, oldest first, at most 3.
	Before []LoggedLine
	// Goroutine is the id of the goroutine it happened in, 0 where unknown.
	Goroutine uint64
}

// faults are the numbers by which releases before Go 1.9 name the signals of faults: "[signal 0xb code=…]".
var faults = map[string]string{"0x4": "SIGILL", "0x5": "SIGTRAP", "0x7": "SIGBUS", "0x8": "SIGFPE", "0xa": "SIGBUS",
	"0xb": "SIGSEGV"}

// SignalName is the signal's name: "SIGABRT" of one asked from outside, "SIGSEGV" of a panic that a fault raised,
// "Exception" on Windows; "" for none, and without a cause.
func (c *Cause) SignalName() string {
	if c == nil {
		return ""
	}
	name, _, _ := strings.Cut(cmp.Or(c.Signal, strings.TrimPrefix(strings.TrimPrefix(c.Detail, "["), "signal ")), ":")
	name, _, _ = strings.Cut(name, " ")
	name = cmp.Or(faults[name], name)
	if !strings.HasPrefix(name, "SIG") && name != "Exception" {
		return ""
	}
	return name
}

// A LoggedLine is a line of a log: its number and its message, escaped and cut at 1 KiB.
type LoggedLine struct {
	Line int64
	Text string
}

// A Panic is one link of a chain of panics.
type Panic struct {
	Text       string
	Recovered  bool // "[recovered]"
	Repanicked bool // "[recovered, repanicked]" (Go 1.25+)
}

// A Race is one of the two accesses, or one of the creations, in a race detector's report.
type Race struct {
	Op        string // "Write", "Previous read", "Goroutine 8 (running) created at"
	Addr      uint64
	Goroutine uint64 // 0 is the main goroutine or unknown
	Frames    []Frame
}

// A Class is what a goroutine is doing, from its frames first and the state's text second (the texts changed
// between releases: semacquire became sync.Mutex.Lock in 1.20, sync.WaitGroup.Wait in 1.24).
type Class string

// The classes.
const (
	ClassRunning     Class = "running"  // on a CPU
	ClassRunnable    Class = "runnable" // ready to run: its own code, not a blocking primitive, is on top
	ClassSyscall     Class = "syscall"
	ClassCgo         Class = "cgo"
	ClassChanReceive Class = "chan receive"
	ClassChanSend    Class = "chan send"
	ClassSelect      Class = "select"
	ClassNilChan     Class = "nil chan"        // sends to or receives from a nil channel: for ever
	ClassNoCases     Class = "select no cases" // select {}: for ever
	ClassMutex       Class = "mutex"
	ClassRWMutexR    Class = "rwmutex read"
	ClassRWMutexW    Class = "rwmutex write"
	ClassWaitGroup   Class = "waitgroup"
	ClassCond        Class = "cond"
	ClassSemaphore   Class = "semaphore" // semacquire of an unknown caller
	ClassIO          Class = "io"
	ClassSleep       Class = "sleep"
	ClassGC          Class = "gc"   // waits for or works for the garbage collector
	ClassIdle        Class = "idle" // the runtime's own goroutines where they should be
	ClassOther       Class = "other"
)

// ForLock reports whether the goroutines of a bucket wait for a lock of package sync.
func (b *Bucket) ForLock() bool {
	return b.Class == ClassMutex || b.Class == ClassRWMutexR || b.Class == ClassRWMutexW
}

// ParksIn is the function of the runtime in which a goroutine of a class waits; dumps that show none of the runtime's
// frames end before it. "" for classes whose function they show, or that several have.
func (c Class) ParksIn() string {
	switch c {
	case ClassChanReceive:
		return "runtime.chanrecv1"
	case ClassChanSend:
		return "runtime.chansend1"
	case ClassSelect:
		return "runtime.selectgo"
	case ClassNoCases:
		return "runtime.block"
	}
	return ""
}

// A Bucket is one distinct stack with its goroutines. Two goroutines share a bucket when their
// functions and file:line are equal, whatever their arguments, state or age. The runtime's unexported functions and the
// compiler's wrappers do not count, so that every form of a dump shows the same buckets.
type Bucket struct {
	// Frames is the stack of the bucket's first goroutine, leaf first, the runtime's own frames included. A cut
	// stack has one Frame with Elided > 0 where frames are missing. Empty where the stack was unavailable.
	Frames []Frame
	// Shown indexes Frames: those that count for identity and blame, leaf first (what a debug=2 dump would
	// show: no unexported runtime frames, no wrappers).
	Shown []int
	// CreatedBy is the `created by` frame; nil for main and the runtime's first goroutines.
	CreatedBy *Frame
	// Ancestors are GODEBUG=tracebackancestors' blocks, nearest first.
	Ancestors []Ancestor
	// Class is what its goroutines do when they are not just woken; see Goroutine.Runnable.
	Class Class
	// Count is the number of goroutines; len(Goroutines) equals it except in counted formats (no ids there).
	Count int
	// Active counts those of them that are running or runnable.
	Active int
	// Goroutines are its members in order of input.
	Goroutines []Goroutine
	// MinMinutes and MaxMinutes span the waiting times in headers (see Goroutine.Minutes); 0 where there are none.
	MinMinutes, MaxMinutes uint32
	// Key is the normalised stack as one number: equal in every dump of the same build, whatever the format.
	Key uint64
	// Text holds the accepted lines of the first goroutine behind its header, one a line; Args reads its words there.
	Text   string
	list   chunkedList // of Goroutines, until the dump ends
	before *lastBucket // what it may share, until then
	// Samples are the first goroutines with the words of their calls, in order of Index; a bounded number.
	Samples []Sample
	// Leaked is set where the runtime proved it: `(leaked)`, or a goroutineleak profile.
	Leaked bool
}

// A Frame is a frame of a dump: a place in code with how it was printed. Argument words belong to one goroutine: see
// Bucket.Args and Bucket.Samples.
type Frame struct {
	frame.Frame
	// Inlined reports that the frame printed as "(...)": it has no words of its own.
	Inlined bool
	// Elided > 0 marks a gap of that many frames (-1: of unknown length); the other fields are then empty.
	Elided int
}

// Args are the argument words of one call in order, aggregates flattened, and whether it had just begun.
type Args struct {
	Words []Arg
	Cut   bool // the runtime printed only the first words ("...")
	// AtEntry reports that the frame is at its function's first instruction: it was just called.
	AtEntry bool
	// Offset is how many bytes into its function the frame is, 0 where that is not printed (inlined calls, AtEntry).
	Offset uint32
}

// An Arg is one argument word.
type Arg struct {
	Value     uint64
	Uncertain bool // printed with "?": the register may have been reused (Go 1.18+)
	Known     bool // false for "_" and "..." inside an aggregate
}

// An Ancestor is the stack of a goroutine's creator at the time of the `go` statement.
type Ancestor struct {
	ID        uint64
	Frames    []Frame
	CreatedBy *Frame
}

// The flags.
const (
	FlagLocked    Flags = 1 << iota // locked to thread
	FlagScan                        // (scan)
	FlagLeaked                      // (leaked)
	FlagDurable                     // (durable)
	FlagNoStack                     // "goroutine running on other thread; stack unavailable"
	FlagCut                         // its text was cut by the dump's end, or its head is missing
	FlagPreempted                   // runtime.asyncPreempt on top: it was computing when it was stopped
	FlagFirst                       // the first goroutine of the dump
	FlagG0                          // a thread's goroutine 0
)

// Bounds on what is kept of hostile input.
const (
	maxUnparsed  = 20
	maxLabelSets = 4096
)

// Counted reports whether the dump counts goroutines instead of listing them: they have no ids and states, and most
// have no age and creator either.
func (d *Dump) Counted() bool {
	return (d.Format == FormatDebug1 || d.Format == FormatProfile) && !d.Listed
}

// StateOf returns the text of g's state: "select", "runnable".
func (d *Dump) StateOf(g *Goroutine) string { return d.States[g.State] }

// A Sample holds the words that one goroutine's calls were printed with. Words contain receivers, which show the
// goroutines that work on the object that others wait for.
type Sample struct {
	Index int // into Bucket.Goroutines
	// Words are those that may be addresses, leaf first. Calls of the runtime and of sync are left out, inlined calls
	// have none, and of each call only the first four count.
	Words []Word
}

// A Word is an argument word that may be an address: 48 bits of value (user space of amd64 and arm64), and in the
// others its place.
type Word uint64

const (
	wordBits      = 48
	wordUncertain = 1 << wordBits
	argShift      = wordBits + 1
	frameShift    = argShift + 2
)

// Value is the word as printed.
func (w Word) Value() uint64 { return uint64(w) & (1<<wordBits - 1) }

// Uncertain reports that it was printed with "?": the register may have been reused (Go 1.18+).
func (w Word) Uncertain() bool { return w&wordUncertain != 0 }

// Arg is its position among the words of the call: 0 is the receiver of a method with one.
func (w Word) Arg() int { return int(w >> argShift & 3) }

// Frame is the index of its call in Bucket.Frames.
func (w Word) Frame() int { return int(w >> frameShift) }
