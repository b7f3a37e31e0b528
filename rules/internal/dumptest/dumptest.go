package dumptest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// ParseDumps reads a text line by line, as the engine does.
func ParseDumps(text []byte) []*stackparse.Dump {
	var dumps []*stackparse.Dump
	p := stackparse.NewParser(func(d *stackparse.Dump) { dumps = append(dumps, d) })
	num := int64(0)
	for line := range bytes.Lines(text) {
		num++
		p.Line(bytes.TrimRight(line, "\r\n"), num, nil)
	}
	p.Close()
	return dumps
}

// DumpOf is a dump of one bucket with one goroutine, 7.
func DumpOf(class stackparse.Class, creator string, funcs ...string) *stackparse.Dump {
	b := &stackparse.Bucket{Class: class, Count: 1, Goroutines: []stackparse.Goroutine{{ID: 7, Line: 1}}}
	for i, fn := range funcs {
		f := frame.Frame{Func: fn, File: "/src/" + strings.ReplaceAll(fn, ".", "/") + ".go", Line: i + 1}
		if !strings.Contains(strings.SplitN(fn, "/", 2)[0], ".") || !strings.Contains(fn, "/") {
			f.File = "/usr/local/go/src/" + symbol.PlainPackage(fn) + "/x.go"
		}
		if strings.HasPrefix(fn, "main.") {
			f.File = "/src/main.go"
		}
		b.Frames = append(b.Frames, stackparse.Frame{Frame: f})
		if !strings.HasPrefix(fn, "runtime.") {
			b.Shown = append(b.Shown, i)
		}
	}
	if creator != "" {
		b.CreatedBy = &stackparse.Frame{Frame: frame.Frame{Func: creator, File: "/src/x.go", Line: 1}}
	}
	return &stackparse.Dump{Line: 1, Goroutines: 1, Buckets: []*stackparse.Bucket{b}, States: []string{string(class)},
		Labels: []string{""}}
}

// StackOf makes frames of function names, leaf first; "…" is a gap.
func StackOf(names string) []stackparse.Frame {
	var frames []stackparse.Frame
	for _, n := range strings.Fields(names) {
		f := stackparse.Frame{Frame: frame.Frame{Func: n}}
		if n == "…" {
			f = stackparse.Frame{Elided: 100}
		}
		frames = append(frames, f)
	}
	return frames
}

// WaitingDump is a dump of main and n goroutines that wait.
func WaitingDump(n int) *stackparse.Dump {
	var b strings.Builder
	b.WriteString("goroutine 1 [chan receive]:\nmain.main()\n\t/src/main.go:3 +0x1d\n\n")
	for i := range n {
		fmt.Fprintf(&b, "goroutine %d [select]:\nmain.wait()\n\t/src/wait.go:9 +0x1d\ncreated by main.main in "+
			"goroutine 1\n\t/src/main.go:2 +0x1d\n\n", i+7)
	}
	return ParseDumps([]byte(b.String()))[0]
}
