package stackparse

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
)

func TestGoroutineTakesWhatLineTakes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	check := func(name string, text []byte) {
		want := parse(text)
		wantSameDumps(t, name, want, parseInPlace(text, func(int) int { return len(text) }))
		wantSameDumps(t, name+" in pieces", want, parseInPlace(text, func(from int) int { return from + r.IntN(3000) }))
	}
	dumpFiles(t, captures.Dumps(t, fixtures), check)
	for seed := range uint64(50) {
		g := generate(rand.New(rand.NewPCG(seed, 3)), 60, int(seed%20))
		check("generated", []byte(g.text.String()))
	}
	if dir := os.Getenv("TRIAGE_CORPUS"); dir != "" {
		dumpFiles(t, filepath.Join(dir, "dumps"), check)
	}
}

// parseEscaped parses text as ingest hands on a record that holds it escaped: all goroutines are offered to Escaped
// first.
func parseEscaped(text []byte) (dumps []*Dump, taken int) {
	p := NewParser(func(d *Dump) { dumps = append(dumps, d) })
	escapes := strings.NewReplacer("\\", `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`, `"`, `\"`)
	for len(text) > 0 {
		if bytes.HasPrefix(text, headerPrefix) {
			_, lines := p.Escaped([]byte(escapes.Replace(string(text))), 1, nil)
			for range lines {
				text = text[bytes.IndexByte(text, '\n')+1:]
			}
			if lines > 0 {
				taken++
				continue
			}
		}
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		p.Line(bytes.TrimSuffix(line, []byte("\r")), 1, nil)
		text = rest
	}
	p.Close()
	return dumps, taken
}

func TestEscapedTakesWhatLineTakes(t *testing.T) {
	taken := 0
	check := func(name string, text []byte) {
		if len(text) > 30_000 { // the rest is escaped anew for each goroutine
			text = text[:30_000]
		}
		var want []*Dump
		p := NewParser(func(d *Dump) { want = append(want, d) })
		for line := range bytes.Lines(text) {
			p.Line(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), 1, nil)
		}
		p.Close()
		got, n := parseEscaped(text)
		wantSameDumps(t, name, want, got)
		taken += n
	}
	dumpFiles(t, captures.Dumps(t, fixtures), check)
	for seed := range uint64(50) {
		g := generate(rand.New(rand.NewPCG(seed, 5)), 60, int(seed%20))
		check("generated", []byte(g.text.String()))
	}
	if taken < 1000 {
		t.Errorf("%d goroutines were taken escaped: the test shows little", taken)
	}
}

func TestPiecesEqualWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	check := func(name string, text []byte) {
		want := parse(text)
		for _, size := range []int{300, 5_000, 100_000} {
			end := func(from int) int { return (from/size + 1) * size }
			wantSameDumps(t, fmt.Sprintf("%s in pieces of %d", name, size), want, parseInPlace(text, end))
		}
	}
	dir := captures.Dumps(t, fixtures)
	dumpFiles(t, dir, check)
	dumpFiles(t, dir, func(name string, text []byte) {
		check(name+" thrice", bytes.Repeat(text, 3))
		check(name+" grown", grown(text))
	})
	for seed := range uint64(50) {
		g := generate(rand.New(rand.NewPCG(seed, 4)), 200, int(seed%3))
		check("generated", []byte(g.text.String()))
	}
	if dir := os.Getenv("TRIAGE_CORPUS"); dir != "" {
		dumpFiles(t, filepath.Join(dir, "dumps"), check)
	}
}

// grown is text with each goroutine four times, under ids of their own.
func grown(text []byte) []byte {
	var out bytes.Buffer
	n := 1_000_000
	for from := 0; from < len(text); {
		end := len(text)
		if i := bytes.Index(text[from:], []byte("\n\n")); i >= 0 {
			end = from + i + 2
		}
		block := text[from:end]
		out.Write(block)
		if rest, ok := bytes.CutPrefix(block, headerPrefix); ok && bytes.IndexByte(rest, ' ') > 0 {
			for range 3 {
				n++
				fmt.Fprintf(&out, "goroutine %d%s", n, rest[bytes.IndexByte(rest, ' '):])
			}
		}
		from = end
	}
	return out.Bytes()
}

// A place is expected again with the offset that it had first; what looks like that line and is none must not be taken
// for it.
func TestAnExpectedFileLineIsTakenOnlyWhole(t *testing.T) {
	stack := func(id int, file string) string {
		return fmt.Sprintf("goroutine %d [select]:\nmain.wait(0xc0000%05d)\n\t%s\n"+
			"created by main.main\n\t/src/main.go:9 +0x2c\n\n", id, id, file)
	}
	first := stack(1, "/src/main.go:12 +0x1d") + stack(2, "/src/main.go:12 +0x1d")
	for name, third := range map[string]string{
		"as expected":       "/src/main.go:12 +0x1d",
		"another call":      "/src/main.go:12 +0x1f",
		"a longer offset":   "/src/main.go:12 +0x1d4",
		"no offset":         "/src/main.go:12",
		"another line":      "/src/main.go:123 +0x1d",
		"of a crash":        "/src/main.go:12 +0x1d fp=0xc000040f50 sp=0xc000040f18 pc=0x45a1b2",
		"an escaped end":    `/src/main.go:12 +0x1d\nmain.other()`,
		"a carriage return": "/src/main.go:12 +0x1d\r",
	} {
		text := []byte(first + stack(3, third) + stack(4, "/src/main.go:12 +0x1d"))
		want := parse(text)
		wantSameDumps(t, name, want, parseInPlace(text, func(int) int { return len(text) }))
	}

	// The same stack escaped ends its lines as no plain text does.
	plain := []byte(stack(3, `/src/main.go:12 +0x1d\nmain.other()`))
	var want, got []*Dump
	for dumps, feed := range map[*[]*Dump]func(p *Parser){
		&want: func(p *Parser) {
			for i, line := range strings.Split(string(plain), "\n") {
				p.Line([]byte(line), int64(i+2), nil)
			}
		},
		&got: func(p *Parser) { p.Goroutine(plain, 2, nil) },
	} {
		p := NewParser(func(d *Dump) { *dumps = append(*dumps, d) })
		escaped := []byte(strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(first))
		for len(escaped) > 0 {
			n, _ := p.Escaped(escaped, 1, nil)
			if n == 0 {
				t.Fatalf("not taken: %s", escaped)
			}
			escaped = escaped[n:]
		}
		feed(p)
		p.Close()
	}
	wantSameDumps(t, "plain behind escaped", want, got)
}

func TestDumpsWithEmptyLinesBetweenAllAreReadByLine(t *testing.T) {
	stack := func(id int, lineEnd string) string {
		return fmt.Sprintf("goroutine %d [select]:%smain.main()\n\t/a.go:1\n\n", id, lineEnd)
	}
	double := strings.ReplaceAll(stack(1, "\n"), "\n", "\n\n")
	for name, text := range map[string]string{
		"all lines":           strings.ReplaceAll(stack(1, "\n")+stack(2, "\n")+stack(3, "\n"), "\n", "\n\n"),
		"the first goroutine": double + stack(2, "\n") + "main.f()\n\t/a.go:2\n",
		"some headers": double + stack(2, "\n") +
			strings.Replace(stack(3, "\n\n"), "main.main", "a line\nmain.main", 1),
	} {
		want := parse([]byte(text))
		wantSameDumps(t, name, want, parseInPlace([]byte(text), func(int) int { return len(text) }))
		wantSameDumps(t, name+" in pieces", want, parseInPlace([]byte(text), func(from int) int { return from + 100 }))
	}
}

func FuzzGoroutineTakesWhatLineTakes(f *testing.F) {
	f.Add([]byte(pair), uint16(0))
	f.Add([]byte(pair+pair), uint16(100))
	f.Add(grown([]byte(pair)), uint16(120))
	f.Add([]byte("SIGQUIT: quit\nPC=0x48c5c3 m=0 sigcode=0\n\n"+string(grown([]byte(pair)))+
		"\nrax    0xca\n"+threadSection), uint16(100))
	f.Add([]byte("panic: boom\n\tgoroutine 3 [running]:\n\n"+string(grown([]byte(pair)))), uint16(90))
	f.Add([]byte("panic: boom\n\tgoroutine 3 [running]:\n\n"+pair), uint16(60))
	f.Add([]byte("goroutine 7 [select]:\nsection_start:1:x(0x1)\n\t/a.go:1\nmain.f()\n\t/a.go:1\n"+
		"created by a()\n\t/a:1\n\n"), uint16(0))
	f.Add([]byte("goroutine 7 [select]:\nmain.f(0x1)\n\t/a b.go:1 pc=0x1\n"+
		"created by m.f in goroutine 9\n\t/a.go:1 +0x1\nx\n"), uint16(0))
	f.Fuzz(func(t *testing.T, text []byte, size uint16) {
		wantSameDumps(t, "", parse(text), parseInPlace(text, func(from int) int {
			if size == 0 {
				return len(text)
			}
			return from + int(size)
		}))
	})
}
