package crash

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// explainSignal is fatal-signal (TR202).
func explainSignal(g *crashGroup, f account.Facts) account.Account {
	name := g.cause.SignalName()
	address := faultAddress(g)
	f.Values["address"], f.Values["signal"] = cmp.Or(address, "an address"), ""
	f.Cases = append(f.Cases, name)
	if name == "SIGBUS" {
		f.Values["signal"] = " (SIGBUS)"
	}
	if name == "SIGBUS" || address != "" && g.mapsFiles() {
		f.Cases = []string{"mapped memory"}
	}
	return g.account(f)
}

// faultAddress is where the fault was, as far as the runtime shows; "" otherwise.
func faultAddress(g *crashGroup) string {
	for s := range causeLines(g.cause) {
		if v, ok := fieldAfter(s, "unexpected fault address "); ok {
			return v
		}
	}
	addr, _ := fieldAfter(g.cause.Detail, "addr=")
	if code, _ := fieldAfter(g.cause.Detail, "code="); code == "0x80" && addr == "0x0" {
		return "a non-canonical address" // SI_KERNEL of Linux: the processor does not say which
	}
	return addr
}

// mapsFiles reports whether the stack's own part goes through code that is known to map files, by what such
// packages and functions are called.
func (c *crash) mapsFiles() bool {
	return slices.ContainsFunc(c.blame.Path, func(p rules.PathFrame) bool {
		return phrase.ContainsOne(strings.ToLower(p.Function), "mmap", "bbolt", "boltdb")
	})
}

// inCgo reports whether the goroutine of a fault was in C.
func inCgo(d *rules.DumpInput) bool {
	_, b := crashGoroutine(d)
	return b != nil && slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
		return f.Func == "runtime.cgocall"
	})
}

// locateCgo blames the caller of the stub that cgo generates for a C function.
func locateCgo(c *crash) {
	for f := c.culpritFrame(); f != nil && cFunction(f) != ""; f = c.culpritFrame() {
		i := c.blame.Index
		if c.blameFrom(i + 1); c.blame.Index <= i {
			return
		}
	}
}

// cFunction is the C function that a generated stub calls: "cabort" of "main._Cfunc_cabort", "" for other frames.
func cFunction(f *stackparse.Frame) string {
	_, name, _ := strings.Cut(f.Func, "._Cfunc_")
	if name == "" && strings.Contains(f.Func, "._C2func_") {
		_, name, _ = strings.Cut(f.Func, "._C2func_")
	}
	return name
}

// explainCgo is cgo-crash (TR222).
func explainCgo(g *crashGroup, f account.Facts) account.Account {
	signal := cmp.Or(g.cause.SignalName(), "a signal")
	f.Cases = append(f.Cases, signal)
	f.Values["function"], f.Values["signal"] = "C code", signal
	if g.b != nil {
		for i := range g.b.Frames {
			if name := cFunction(&g.b.Frames[i]); name != "" {
				f.Values["function"] = "the C function " + phrase.Cut(name, 60)
				break
			}
		}
	}
	if g.hasFrame("net._C_getaddrinfo") || g.hasFrame("net._C2func_getaddrinfo") {
		f.Cases = append(f.Cases, "getaddrinfo")
	}
	return g.account(f)
}
