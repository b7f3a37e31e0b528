package stackparse

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
)

// evidence collects what shows the Go release that printed a dump.
type evidence struct {
	atLeast int            // minor version that the grammar needs
	named   string         // "1.26.8" from a toolchain's path
	lines   map[string]int // votes of the runtime's own line numbers
}

// header notes the release that a header's form needs (see header.go for the releases).
func (e *evidence) header(h header) {
	switch {
	case h.outside:
		e.need(27)
	case h.flags&FlagLeaked != 0 || h.labels != nil:
		e.need(26)
	case h.flags&FlagDurable != 0:
		e.need(25)
	case h.bubble != 0:
		e.need(24)
	case h.gp:
		e.need(22)
	case h.minutes != 0 || h.flags&FlagLocked != 0:
		e.need(4)
	}
}

func (e *evidence) need(minor int) { e.atLeast = max(e.atLeast, minor) }

// runtimeLines are line numbers of runtime functions in tracebacks with the release, measured on dumps of the releases
// named: those that are one release's own.
var runtimeLines = map[string]string{
	"runtime/proc.go runtime.gopark": " 363=1.19 381=1.20 398=1.21 402=1.22 424=1.23 435=1.24 460=1.25 461=1.25 " +
		"462=1.26 474=1.27 ",
	"runtime/asm_amd64.s runtime.goexit": " 1333=1.11 1357=1.13 1594=1.19 1598=1.20 1650=1.21 1695=1.22 1693=1.25 " +
		"1771=1.26 1264=1.27 ",
	"runtime/sema.go sync.runtime_notifyListWait": " 517=1.19 569=1.22 587=1.23 597=1.24 606=1.25 ",
	"runtime/netpoll.go net.runtime_pollWait":     " 157=1.5 ",
	"runtime/netpoll.go internal/poll.runtime_pollWait": " 182=1.12 184=1.13 203=1.14 222=1.15 227=1.16 302=1.18 " +
		"303=1.17 305=1.19 306=1.20 343=1.21 345=1.22 ",
	"runtime/time.go time.Sleep": " 102=1.10 194=1.18 300=1.23 368=1.27 ",
}

// toolchainPath finds the release in the path of a toolchain from the module cache, or of an unpacked distribution.
var toolchainPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:toolchain@v0\.0\.1-go|/go-?)(1\.\d+(?:\.\d+)?)(?:\.[a-z0-9-]+)?/src/`)
})

// frames notes what a new stack's frames show.
func (e *evidence) frames(frames []Frame) {
	for i := range frames {
		f := &frames[i]
		if strings.HasPrefix(f.Func, "internal/sync.") || strings.HasPrefix(f.Func, "internal/runtime/maps.") {
			e.need(24)
		}
		at := symbol.LastIndex(f.File, "runtime/")
		if at < 0 {
			continue
		}
		if e.named == "" && strings.Contains(f.File[:at], "go1.") {
			if m := toolchainPath().FindStringSubmatch(f.File); m != nil {
				e.named = m[1]
			}
		}
		releases, ok := runtimeLines[f.File[at:]+" "+f.Func]
		if !ok {
			continue
		}
		if _, v, ok := strings.Cut(releases, " "+strconv.Itoa(f.Line)+"="); ok {
			if e.lines == nil {
				e.lines = make(map[string]int)
			}
			v, _, _ = strings.Cut(v, " ")
			e.lines[v]++
		}
	}
}

// release names the release: exactly where a path or the runtime's lines agree, as a lower bound otherwise, "" where
// nothing shows it.
func (e *evidence) release(d *Dump) string {
	if e.named != "" {
		return e.named
	}
	best, votes := "", 0
	for v, n := range e.lines {
		if minor, _ := strconv.Atoi(strings.TrimPrefix(v, "1.")); minor < e.atLeast {
			continue
		}
		if n > votes || n == votes && v > best {
			best, votes = v, n
		}
	}
	if best != "" {
		return best
	}
	for _, b := range d.Buckets {
		for i := range b.Goroutines {
			if b.Goroutines[i].Parent != 0 {
				e.need(21)
			}
		}
	}
	if e.atLeast == 0 {
		return ""
	}
	return ">=1." + strconv.Itoa(e.atLeast)
}
