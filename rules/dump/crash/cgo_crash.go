package crash

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

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
func explainCgo(g *crashGroup) account {
	fn := "C code"
	if g.b != nil {
		for i := range g.b.Frames {
			if name := cFunction(&g.b.Frames[i]); name != "" {
				fn = "the C function " + phrase.Cut(name, 60)
				break
			}
		}
	}
	signal := cmp.Or(signalName(g.cause), "a signal")
	a := account{
		act: "calls " + fn + ", which dies of " + signal,
		why: fmt.Sprintf("%s arrived while %s was in %s, called from %s%s.", signal, g.goroutine(), fn, g.who(),
			g.at()),
		fix: g.fill("Check what {who} passes to C (freed or Go memory, lengths, missing NUL, use from several " +
			"threads) and look at the C stack in a core file or with a sanitizer."),
		next: g.logSteps(
			rules.Command("ulimit -c unlimited; GOTRACEBACK=crash BINARY; gdb BINARY core -ex 'thread apply all bt'"),
			rules.Command("CC=clang go build -asan").Note("C memory errors")),
	}
	if signal == "SIGABRT" {
		a.act = "calls " + fn + ", which aborts"
		a.why += " The process sent it to itself: abort(3), by a failed assert, an uncaught C++ exception, or an " +
			"allocator that found its heap broken; its message stands in the log above."
	}
	if g.hasFrame("net._C_getaddrinfo") || g.hasFrame("net._C2func_getaddrinfo") {
		a.fix = "Link dynamically against the C library that is there, or use Go's resolver (GODEBUG=netdns=go, " +
			"build tag netgo): getaddrinfo of a statically linked glibc crashes."
	}
	return a
}
