package coded

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// whole reports whether a dump has all goroutines of its process with all of their calls, so that who is on no stack of
// it is nowhere.
func whole(d *rules.DumpInput) bool {
	if d.Truncated.Head || d.Truncated.Tail || d.Folded > 0 || d.UnparsedLines > 0 || len(d.Buckets) == 0 ||
		d.Format == stackparse.FormatRace || !ofAll(d.Cause) {
		return false
	}
	deepest := 0
	for _, b := range d.Buckets {
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
	return d.Format != stackparse.FormatDebug1 && d.Format != stackparse.FormatProfile || !atLimit(deepest)
}

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
		has := func(fn string) bool {
			return slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool { return f.Func == fn })
		}
		switch {
		case justStarted(b):
			n += b.Count
		case has("net/http.serverHandler.ServeHTTP"):
			served += b.Count
		case has("net/http.(*connReader).backgroundRead"):
			hangUps += b.Count
		}
	}
	return max(0, n-max(0, served-hangUps))
}

// isTest reports whether a dump is that of a test.
func isTest(d *rules.DumpInput) bool {
	return slices.ContainsFunc(d.Buckets, func(b *stackparse.Bucket) bool {
		return slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
			return strings.HasPrefix(f.Func, "testing.") || strings.HasSuffix(f.File, "_test.go")
		})
	})
}

// ofAll reports whether a dump with such a cause has all goroutines: a panic prints that which panicked.
func ofAll(c *stackparse.Cause) bool {
	if c == nil {
		return true
	}
	switch c.Kind {
	case stackparse.CauseSignal:
		return rules.Asked(&rules.DumpInput{Dump: &stackparse.Dump{Cause: c}})
	case stackparse.CauseTestTimeout:
		return true
	case stackparse.CauseFatal:
		return strings.Contains(c.Text, "all goroutines are asleep")
	}
	return false
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
