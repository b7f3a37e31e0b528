package stackparse

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
)

// releaseEvidence collects what shows the Go release that printed a dump.
type releaseEvidence struct {
	atLeast int           // minor version that the grammar needs
	named   string        // "1.26.8" from a toolchain's path
	lines   []releaseVote // of the runtime's own line numbers
}

// A releaseVote is how many lines are those of a release.
type releaseVote struct {
	release string
	n       int
}

// add adds what others show, of what follows.
func (e *releaseEvidence) add(o *releaseEvidence) {
	e.need(o.atLeast)
	e.named = cmp.Or(e.named, o.named)
	for _, v := range o.lines {
		e.vote(v)
	}
}

func (e *releaseEvidence) vote(v releaseVote) {
	for i := range e.lines {
		if e.lines[i].release == v.release {
			e.lines[i].n += v.n
			return
		}
	}
	e.lines = append(e.lines, v)
}

// header notes the release that a header's form needs (see header.go for the releases).
func (e *releaseEvidence) header(h header) {
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

func (e *releaseEvidence) need(minor int) { e.atLeast = max(e.atLeast, minor) }

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

// toolchains are the releases of the paths of a stream, "" for none: most stacks have frames of the same few files.
type toolchains map[string]string

// maxToolchains bounds them; the runtime's tracebacks show some 50 files.
const maxToolchains = 1 << 10

func (t toolchains) of(file string) string {
	release, ok := t[file]
	if ok {
		return release
	}
	if m := toolchainPath().FindStringSubmatch(file); m != nil {
		release = m[1]
	}
	if t != nil && len(t) < maxToolchains {
		t[file] = release
	}
	return release
}

// frames notes what a new stack's frames show.
func (e *releaseEvidence) frames(frames []Frame, t toolchains) {
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
			e.named = t.of(f.File)
		}
		releases, ok := runtimeLines[f.File[at:]+" "+f.Func]
		if !ok {
			continue
		}
		if _, v, ok := strings.Cut(releases, " "+strconv.Itoa(f.Line)+"="); ok {
			v, _, _ = strings.Cut(v, " ")
			e.vote(releaseVote{v, 1})
		}
	}
}

// release names the release: exactly where a path or the runtime's lines agree, as a lower bound otherwise, "" where
// nothing shows it.
func (e *releaseEvidence) release(d *Dump) string {
	if e.named != "" {
		return e.named
	}
	best, votes := "", 0
	for _, v := range e.lines {
		if minor, _ := strconv.Atoi(strings.TrimPrefix(v.release, "1.")); minor < e.atLeast {
			continue
		}
		if v.n > votes || v.n == votes && v.release > best {
			best, votes = v.release, v.n
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
