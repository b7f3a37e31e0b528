package coded

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// whole reports whether a dump has all goroutines of its process with all of their calls, so that who is on no stack of
// it is nowhere. Stacks that a panic unwinds, and those in C, have left the lines that they show.
func whole(d *rules.DumpInput) bool {
	if d.Truncated.Head || d.Truncated.Tail || d.Folded > 0 || d.UnparsedLines > 0 || len(d.Buckets) == 0 ||
		d.Format == stackparse.FormatRace || !ofAll(d) {
		return false
	}
	deepest, hasMain := 0, false
	for _, b := range d.Buckets {
		hasMain = hasMain || isMain(b)
		if b.Class == stackparse.ClassCgo || panics(b) && !calls(b, testAlarm) || d.Counted() && b.Leaked {
			return false
		}
		if slices.ContainsFunc(b.Goroutines, func(g stackparse.Goroutine) bool {
			return g.Flags&(stackparse.FlagNoStack|stackparse.FlagCut) != 0
		}) || len(b.Frames) == 0 && b.CreatedBy == nil && !d.Counted() {
			return false
		}
		for i := range b.Frames {
			if f := &b.Frames[i]; f.Elided != 0 || nameless(f) && !(d.Counted() && justStarted(b)) {
				return false
			}
		}
		deepest = max(deepest, len(b.Frames))
	}
	return hasMain && !(d.Counted() && atLimit(deepest))
}

// testAlarm panics where a test takes too long, and the runtime prints all goroutines.
const testAlarm = "testing.(*M).startAlarm.func1"

func nameless(f *stackparse.Frame) bool { return f.Func == "" || strings.HasPrefix(f.Func, "0x") }

// justStarted reports goroutines of a counted form that have not called anything yet, whose function is one that the
// compiler made of a go statement: the runtime leaves that out, and shows none.
func justStarted(b *stackparse.Bucket) bool {
	return len(b.Frames) == 0 || len(b.Frames) == 1 && nameless(&b.Frames[0])
}

// unseen counts the goroutines of a counted form that have just been started by anybody. A server starts one for each
// request that it serves, the one that asks for the profile included, and waits in it for the client to hang up: as
// many of those as are missing are these.
func unseen(d *rules.DumpInput) int {
	if !d.Counted() {
		return 0
	}
	n, served, hangUps := 0, 0, 0
	for _, b := range d.Buckets {
		switch {
		case justStarted(b):
			n += b.Count
		case calls(b, "net/http.serverHandler.ServeHTTP"):
			served += b.Count
		case calls(b, "net/http.(*connReader).backgroundRead"):
			hangUps += b.Count
		}
	}
	return max(0, n-max(0, served-hangUps))
}

// ofAll reports whether a dump is one of all goroutines, not some of them that were cut out of one: it counts them, or
// has the goroutine that wrote it, or a cause for which the runtime prints all. A panic prints that which panicked.
func ofAll(d *rules.DumpInput) bool {
	c := d.Cause
	if c == nil {
		return d.Counted() || slices.ContainsFunc(d.Buckets, wrote)
	}
	switch c.Kind {
	case stackparse.CauseSignal:
		return rules.Alive(d)
	case stackparse.CauseTestTimeout:
		return true
	case stackparse.CauseFatal:
		return strings.Contains(c.Text, "all goroutines are asleep")
	}
	return false
}

// wrote reports the goroutine that writes a debug=2 text: the first, and the only one that runs. That of a program that
// calls runtime.Stack itself has no frame that says so, and could as well be one of a crash.
func wrote(b *stackparse.Bucket) bool {
	return b.Class == stackparse.ClassRunning && len(b.Goroutines) == 1 &&
		b.Goroutines[0].Flags&stackparse.FlagFirst != 0 &&
		calls(b, "runtime/pprof.writeGoroutineStacks")
}

// isMain reports the main goroutine, which every process has unless it has ended itself (runtime.Goexit).
func isMain(b *stackparse.Bucket) bool {
	return slices.ContainsFunc(b.Goroutines, func(g stackparse.Goroutine) bool { return g.ID == 1 }) ||
		calls(b, "main.main")
}

// panics reports whether a stack runs deferred functions because of a panic, so that its outer frames have left their
// lines.
func panics(b *stackparse.Bucket) bool {
	return calls(b, "panic", "runtime.gopanic", "runtime.Goexit")
}

// calls reports whether one of some functions is on a stack.
func calls(b *stackparse.Bucket, names ...string) bool {
	return slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool { return slices.Contains(names, f.Func) })
}

// atLimit reports whether stacks of a counted form may end at the runtime's limit: 32 calls until Go 1.22, 128 since
// (runtime.maxProfStackDepth). A few of the runtime's own are not shown, and inlined ones come on top.
func atLimit(deepest int) bool {
	const hidden, inlined = 6, 8
	for _, limit := range [...]int{32, 128} {
		if limit-hidden <= deepest && deepest <= limit+inlined {
			return true
		}
	}
	return false
}

// active counts the goroutines of a counted form that do not wait, as their stacks show, but for those that write the
// profile and that receive signals: what wakes one up is at work.
func active(d *rules.DumpInput) int {
	n := 0
	for _, b := range d.Buckets {
		switch b.Class {
		case stackparse.ClassRunning, stackparse.ClassRunnable, stackparse.ClassOther:
			if !justStarted(b) && !slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
				pkg := symbol.PackageOf(f.Func)
				return pkg == "runtime/pprof" || pkg == "os/signal"
			}) {
				n += b.Count
			}
		}
	}
	return n
}
