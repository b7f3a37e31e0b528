package stackparse

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// parse reads text as the lines of one stream.
func parse(text []byte) []*Dump {
	var dumps []*Dump
	p := NewParser(func(d *Dump) { dumps = append(dumps, d) })
	feed(p, text)
	p.Close()
	return dumps
}

func feed(p *Parser, text []byte) {
	num := int64(0)
	for len(text) > 0 {
		num++
		end := bytes.IndexByte(text, '\n')
		line := text
		if end >= 0 {
			line, text = text[:end], text[end+1:]
		} else {
			text = nil
		}
		p.Line(bytes.TrimSuffix(line, []byte("\r")), num, nil)
	}
}

// parseOne parses text that must hold exactly one dump.
func parseOne(t *testing.T, text string) *Dump {
	t.Helper()
	dumps := parse([]byte(text))
	if len(dumps) != 1 {
		t.Fatalf("%d dumps, want one, in:\n%s", len(dumps), text)
	}
	return dumps[0]
}

// summary prints what a dump came to: its buckets as "count*leaf<caller" and what was not understood.
func summary(d *Dump) string {
	var out strings.Builder
	for i, b := range d.Buckets {
		if i > 0 {
			out.WriteString(" ")
		}
		fmt.Fprintf(&out, "%d*%s", b.Count, stackLine(b.Frames))
		if b.CreatedBy != nil {
			fmt.Fprintf(&out, "^%s", b.CreatedBy.Func)
		}
	}
	if d.UnparsedLines > 0 {
		fmt.Fprintf(&out, " unparsed=%d", d.UnparsedLines)
	}
	return out.String()
}

func stackLine(frames []Frame) string {
	names := make([]string, 0, len(frames))
	for _, f := range frames {
		if f.Elided != 0 {
			names = append(names, fmt.Sprintf("...%d", f.Elided))
			continue
		}
		names = append(names, f.Func)
	}
	return strings.Join(names, "<")
}

func summaries(dumps []*Dump) []string {
	all := []string{}
	for _, d := range dumps {
		all = append(all, summary(d))
	}
	return all
}

// parseInPlace parses text as ingest hands it on: in buffers, each goroutine offered to Goroutine first. cut gives
// where the buffer ends that begins at a place.
func parseInPlace(text []byte, cut func(from int) int) []*Dump {
	var dumps []*Dump
	p := NewParser(func(d *Dump) { dumps = append(dumps, d) })
	num := int64(1)
	for from := 0; from < len(text); {
		rest := text[from:min(max(cut(from), from+1), len(text))]
		if n, lines := p.Goroutine(rest, num, nil); n > 0 {
			from, num = from+n, num+lines
			continue
		}
		line, _, _ := bytes.Cut(text[from:], []byte("\n"))
		p.Line(bytes.TrimSuffix(line, []byte("\r")), num, nil)
		from, num = from+len(line)+1, num+1
	}
	p.Close()
	return dumps
}

func wantSameDumps(t *testing.T, name string, want, got []*Dump) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Errorf("%s: by lines (-), in place (+):\n%s", name,
			cmp.Diff(want, got, cmpopts.IgnoreUnexported(Bucket{}, Frame{})))
	}
}

// dumpFiles calls do for each file below dir that isn't too large for a test.
func dumpFiles(t *testing.T, dir string, do func(name string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() > 1<<20 {
			return err
		}
		text, err := os.ReadFile(path)
		do(path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// goroutineText prints a goroutine in state with frames "func(words)" from the leaf, all in one file.
func goroutineText(id, state string, calls ...string) string {
	var out strings.Builder
	out.WriteString("goroutine " + id + " [" + state + "]:\n")
	for _, call := range calls {
		out.WriteString(call + "\n\t/src/x.go:1 +0x1\n")
	}
	return out.String() + "\n"
}

// Two goroutines of one stack, as debug=2 prints them.
const pair = `goroutine 7 [chan receive, 3 minutes]:
main.inner(0xc000010018)
	/src/main.go:10 +0x1d
main.outer(0x1, {0xc000010018, 0x2})
	/src/main.go:20 +0x2a
created by main.main in goroutine 1
	/src/main.go:30 +0x5c

goroutine 8 [chan receive]:
main.inner(0xc000010020)
	/src/main.go:10 +0x1d
main.outer(0x2, {0xc000010030, 0x4})
	/src/main.go:20 +0x2a
created by main.main in goroutine 7
	/src/main.go:30 +0x5c
`

const pairWant = "2*main.inner<main.outer^main.main"

// readFixture reads a file of the fixtures.
func readFixture(t testing.TB, elem ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
