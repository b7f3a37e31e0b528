package crash

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A crash is one dump's cause with the goroutine it happened in and who is to blame there.
type crash struct {
	d     *rules.DumpInput
	cause *stackparse.Cause
	// text is what was raised first, without "runtime error: ".
	text string
	// g and b are the goroutine and its bucket; nil where the dump holds none.
	g *stackparse.Goroutine
	b *stackparse.Bucket
	// from indexes b.Frames: where the raised part begins, below deferred functions that ran because of it.
	from  int
	blame rules.Blame
	// unwound reports whether a logged panic's stack has no panic frame: it was taken too late to show the culprit.
	unwound bool
	twins   []stackparse.Goroutine // those blocked on the same stack as g, beside it
}

// newCrash finds the goroutine that a dump's cause happened in and blames its stack.
func newCrash(d *rules.DumpInput) *crash {
	c := &crash{d: d, cause: d.Cause}
	c.text = strings.TrimPrefix(originalPanic(d.Cause), "runtime error: ")
	c.g, c.b = crashGoroutine(d)
	if c.b == nil {
		return c // the runtime's own stack shows how it noticed, not where
	}
	if d.Cause.Kind == stackparse.CausePanic || d.Cause.Kind == stackparse.CauseLoggedPanic {
		from, ok := raisedBelow(c.b.Frames)
		c.from = from
		c.unwound = !ok && d.Cause.Kind == stackparse.CauseLoggedPanic
	}
	c.blameFrom(c.from)
	return c
}

// blameFrom blames the crash's stack from frames[from] on, towards the entry.
//
// A package's initialisation that raised it is to blame, the standard library's too: those below only import it.
func (c *crash) blameFrom(from int) {
	c.from, c.blame = from, rules.BlameFrom(c.d, c.b, from)
	shown := rules.ShownFrames(c.b)
	i, _ := slices.BinarySearch(shown, from)
	for ; i < len(shown) && c.d.Program.Class(c.b.Frames[shown[i]].Frame) == frame.ClassRuntime; i++ {
	}
	if i < len(shown) && account.IsInit(c.b.Frames[shown[i]].Func) {
		c.blame.Index, c.blame.Culprit = shown[i], rules.PlaceOf(c.b.Frames[shown[i]].Frame)
	}
	if c.nobody() {
		c.blame.Index, c.blame.Culprit = -1, rules.Place{}
	}
}

// seen is how often it was printed.
func (c *crash) seen() int { return max(1, c.d.Seen) }

// crashGoroutine finds the goroutine of the cause: the one it names, else the first that ran, else the
// first. A thread's own goroutine 0 counts only where there is no other: it is where a signal was handled.
func crashGoroutine(d *rules.DumpInput) (*stackparse.Goroutine, *stackparse.Bucket) {
	var g *stackparse.Goroutine
	var b *stackparse.Bucket
	best := 0
	for _, bucket := range d.Buckets {
		for i := range bucket.Goroutines {
			h := &bucket.Goroutines[i]
			rank := 1
			switch {
			case h.Flags&stackparse.FlagG0 != 0:
			case d.Cause.Goroutine != 0 && h.ID == d.Cause.Goroutine:
				rank = 5
			case h.Flags&stackparse.FlagFirst != 0:
				rank = 4
			case stateText(d, h) == "running":
				rank = 3
			default:
				rank = 2
			}
			if rank > best || rank == best && h.Line < g.Line {
				g, b, best = h, bucket, rank
			}
		}
	}
	return g, b
}

func stateText(d *rules.DumpInput, g *stackparse.Goroutine) string {
	if int(g.State) < len(d.States) {
		return d.StateOf(g)
	}
	return ""
}

// raisedBelow returns the index of the frame that raised the first panic on a stack, leaf first: the one below the
// panic frame nearest to the entry. Above a panic frame are deferred functions: handlers that log it, and
// those that raise it anew. The runtime prints runtime.gopanic as "panic" (1.2 to 1.4: "runtime.panic"). Without such
// a frame, which is how a fatal panic prints at GOTRACEBACK=single, the leaf itself raised it.
func raisedBelow(frames []stackparse.Frame) (int, bool) {
	for i, f := range slices.Backward(frames) {
		switch f.Func {
		case "panic", "runtime.gopanic", "runtime.panic":
			return i + 1, true
		}
	}
	return 0, false
}

// culpritFrame is the frame that the blame names, nil where it names none of the stack.
func (c *crash) culpritFrame() *stackparse.Frame {
	if c.b == nil || c.blame.Index < 0 || c.blame.Index >= len(c.b.Frames) {
		return nil
	}
	return &c.b.Frames[c.blame.Index]
}

// hasFrame reports whether the crash's stack holds a call of fn.
func (c *crash) hasFrame(fn string) bool {
	return c.b != nil && slices.ContainsFunc(c.b.Frames, func(f stackparse.Frame) bool { return f.Func == fn })
}

// who is the culprit's name for sentences, "the process" where only the runtime's own frames are left.
func (c *crash) who() string {
	if c.nobody() {
		return "the process"
	}
	if c.unnamed() {
		return rules.PlaceLine(c.blame.Culprit)
	}
	return rules.PlaceName(c.blame.Culprit)
}

// unnamed reports whether only the culprit's line is known: handlers of panics may log no functions.
func (c *crash) unnamed() bool { return strings.HasSuffix(c.blame.Culprit.Function, ".?") }

// where is "engine.go:70", "" where the culprit has no line.
func (c *crash) where() string {
	if c.nobody() || c.unnamed() {
		return ""
	}
	return rules.PlaceLine(c.blame.Culprit)
}

// nobody reports whether the blame fell back to a frame of the runtime: a stack that was cut, a system goroutine.
func (c *crash) nobody() bool {
	p := c.blame.Culprit // a function linked into another package, sync.runtime_Semacquire, is the runtime's too
	return p.Function == "" || c.d.Program.Class(frame.Frame{Func: p.Function, File: p.File,
		Line: p.Line}) == frame.ClassRuntime || strings.Contains(p.Function, ".runtime_")
}

// goroutine is "goroutine 714", "the goroutine" where it is not known.
func (c *crash) goroutine() string {
	if c.g == nil || c.g.ID == 0 {
		return "the goroutine"
	}
	return "goroutine " + strconv.FormatUint(c.g.ID, 10)
}

// parseUint reads a decimal or 0x-hexadecimal number.
func parseUint(s string) (uint64, bool) {
	n, err := strconv.ParseUint(s, 0, 64)
	return n, err == nil
}
