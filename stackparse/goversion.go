package stackparse

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
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

// runtimeLines are line numbers of runtime functions in tracebacks, measured on dumps of the releases named: those
// that are one release's own.
var runtimeLines = map[string]string{
	"runtime/proc.go:363 runtime.gopark":                    "1.19",
	"runtime/proc.go:381 runtime.gopark":                    "1.20",
	"runtime/proc.go:398 runtime.gopark":                    "1.21",
	"runtime/proc.go:402 runtime.gopark":                    "1.22",
	"runtime/proc.go:424 runtime.gopark":                    "1.23",
	"runtime/proc.go:435 runtime.gopark":                    "1.24",
	"runtime/proc.go:460 runtime.gopark":                    "1.25",
	"runtime/proc.go:461 runtime.gopark":                    "1.25",
	"runtime/proc.go:462 runtime.gopark":                    "1.26",
	"runtime/proc.go:474 runtime.gopark":                    "1.27",
	"runtime/asm_amd64.s:1333 runtime.goexit":               "1.11",
	"runtime/asm_amd64.s:1357 runtime.goexit":               "1.13",
	"runtime/asm_amd64.s:1594 runtime.goexit":               "1.19",
	"runtime/asm_amd64.s:1598 runtime.goexit":               "1.20",
	"runtime/asm_amd64.s:1650 runtime.goexit":               "1.21",
	"runtime/asm_amd64.s:1695 runtime.goexit":               "1.22",
	"runtime/asm_amd64.s:1693 runtime.goexit":               "1.25",
	"runtime/asm_amd64.s:1771 runtime.goexit":               "1.26",
	"runtime/asm_amd64.s:1264 runtime.goexit":               "1.27",
	"runtime/sema.go:517 sync.runtime_notifyListWait":       "1.19",
	"runtime/sema.go:569 sync.runtime_notifyListWait":       "1.22",
	"runtime/sema.go:587 sync.runtime_notifyListWait":       "1.23",
	"runtime/sema.go:597 sync.runtime_notifyListWait":       "1.24",
	"runtime/sema.go:606 sync.runtime_notifyListWait":       "1.25",
	"runtime/netpoll.go:157 net.runtime_pollWait":           "1.5",
	"runtime/netpoll.go:182 internal/poll.runtime_pollWait": "1.12",
	"runtime/netpoll.go:184 internal/poll.runtime_pollWait": "1.13",
	"runtime/netpoll.go:203 internal/poll.runtime_pollWait": "1.14",
	"runtime/netpoll.go:222 internal/poll.runtime_pollWait": "1.15",
	"runtime/netpoll.go:227 internal/poll.runtime_pollWait": "1.16",
	"runtime/netpoll.go:302 internal/poll.runtime_pollWait": "1.18",
	"runtime/netpoll.go:303 internal/poll.runtime_pollWait": "1.17",
	"runtime/netpoll.go:305 internal/poll.runtime_pollWait": "1.19",
	"runtime/netpoll.go:306 internal/poll.runtime_pollWait": "1.20",
	"runtime/netpoll.go:343 internal/poll.runtime_pollWait": "1.21",
	"runtime/netpoll.go:345 internal/poll.runtime_pollWait": "1.22",
	"runtime/time.go:102 time.Sleep":                        "1.10",
	"runtime/time.go:194 time.Sleep":                        "1.18",
	"runtime/time.go:300 time.Sleep":                        "1.23",
	"runtime/time.go:368 time.Sleep":                        "1.27",
}

// toolchainPath finds the release in the path of a toolchain from the module cache, or of an unpacked distribution.
var toolchainPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:toolchain@v0\.0\.1-go|/go-?)(1\.\d+(?:\.\d+)?)(?:\.[a-z0-9-]+)?/src/`)
})

// frames notes what a new stack's frames show.
func (e *evidence) frames(frames []Frame) {
	for i := range frames {
		f := &frames[i]
		at := strings.LastIndex(f.File, "runtime/")
		if at < 0 {
			continue
		}
		if e.named == "" && strings.Contains(f.File[:at], "go1.") {
			if m := toolchainPath().FindStringSubmatch(f.File); m != nil {
				e.named = m[1]
			}
		}
		if v, ok := runtimeLines[f.File[at:]+":"+strconv.Itoa(f.Line)+" "+f.Func]; ok {
			if e.lines == nil {
				e.lines = make(map[string]int)
			}
			e.lines[v]++
		}
	}
	for i := range frames {
		fn := frames[i].Func
		if strings.HasPrefix(fn, "internal/sync.") || strings.HasPrefix(fn, "internal/runtime/maps.") {
			e.need(24)
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
	if e.atLeast > 0 {
		return ">=1." + strconv.Itoa(e.atLeast)
	}
	return ""
}
