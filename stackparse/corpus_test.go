package stackparse

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
)

// fixtures are the dumps that the repository's own programs made.
const fixtures = "../testdata/dumps"

func corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("TRIAGE_CORPUS")
	if dir == "" {
		t.Skip("TRIAGE_CORPUS is not set: real dumps are not at hand")
	}
	return dir
}

// headerLine is the independent count: what a person would grep for.
var headerLine = regexp.MustCompile(`(?m)^[ \t]*goroutine \d+ .*\[.+\].*:\r?$`)

// checkSums holds one text's dumps against what can be counted in it without a parser: the headers, less those that are
// known to be text of a panic, and the lines that no rule of the grammar knows.
func checkSums(t *testing.T, name string, text []byte, fake int) {
	t.Helper()
	want := len(headerLine.FindAll(text, -1)) - fake
	lines := strings.Split(string(text), "\n")
	got := 0
	for _, d := range parse(text) {
		if d.Format != FormatSignal && d.Format != FormatDebug2 {
			continue
		}
		got += d.Goroutines
		if d.Goroutines == 0 {
			continue // a cause without stacks
		}
		members, first := 0, d.EndLine
		for i, b := range d.Buckets {
			first = min(first, int64(b.Goroutines[0].Line))
			members += b.Count
			if b.Count != len(b.Goroutines) {
				t.Errorf("%s: a bucket of %d has %d members", name, b.Count, len(b.Goroutines))
			}
			if args := argsOfSome(b, i); len(args) != len(b.Frames) {
				t.Errorf("%s: %d args for %d frames", name, len(args), len(b.Frames))
			}
			for i, f := range b.Frames {
				if (f.Func == "") != (f.Elided != 0) {
					t.Errorf("%s: frame %d of goroutine %d is %+v", name, i, b.Goroutines[0].ID, f)
				}
			}
		}
		if members != d.Goroutines {
			t.Errorf("%s: %d goroutines, %d in buckets", name, d.Goroutines, members)
		}
		if strange := strangeLines(lines[first-1 : d.EndLine]); len(strange) != d.UnparsedLines {
			t.Errorf("%s: %d lines of the dump at %d are unparsed, want %d: %q, got %v", name, d.UnparsedLines, d.Line, len(strange), strange, d.Unparsed)
		}
	}
	if got != want {
		t.Errorf("%s: %d goroutines, %d headers", name, got, want)
	}
}

// argsOfSome reads the words of a dump's first buckets only: they are read by another parser, which takes its time.
func argsOfSome(b *Bucket, i int) []Args {
	if i < 4 {
		return b.Args()
	}
	return make([]Args, len(b.Frames))
}

// grammarLine matches a line of a dump by its form alone, for any state that a parser is in.
var grammarLine = regexp.MustCompile(`^\s*(` + strings.Join([]string{
	``,
	`goroutine \d+ .*\[.+\].*:`,
	`\S+\([0-9a-fx{}?_., ]*\)`,
	`\S.*:\d+( \+0x[0-9a-f]+)?( fp=0x.*)?`,
	`.*:\d+ pc=0x[0-9a-f]+`,
	`created by \S.*`,
	`\.\.\.(additional|\d+) frames elided\.\.\.`,
	`goroutine running on other thread; stack unavailable`,
	`non-Go function at pc=.*`,
	`\[originating from goroutine \d+\]:`,
	`[a-z][a-z0-9]+ +0x[0-9a-f]+`,
	`-----`,
	`SIG[A-Z0-9]+: .*`,
	`PC=0x.*`,
	`exit status \d+`,
	`(runtime: (g|unknown pc|frame)|traceback: |stack: frame=|[0-9a-f]{16}:).*`,
}, "|") + `)\s*$`)

// strangeLines returns those lines that the grammar does not know, names of C functions
// excepted: any text is one where a line with a pc follows.
func strangeLines(lines []string) []string {
	var strange []string
	for i, line := range lines {
		if line == "" || line == "main.main)(" || // garbled on purpose, and a function's name because a file line follows
			strings.HasPrefix(line, "\t") && strings.Contains(line, ".go:") || strings.HasSuffix(line, "(...)") {
			continue // what most lines are, without the regular expression's cost
		}
		if grammarLine.MatchString(line) || i+1 < len(lines) && strings.Contains(lines[i+1], " pc=0x") {
			continue
		}
		strange = append(strange, line)
	}
	return strange
}

// manifest reads the fixtures' independent facts: file, program's argument, format, and headers counted by the driver.
func manifest(t testing.TB) (all []map[string]string) {
	t.Helper()
	cases, err := captures.ReadCases(filepath.Join(fixtures, "all.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		_, kind, _ := strings.Cut(c.Program, "/")
		all = append(all, map[string]string{"file": c.Name, "kind": kind, "format": c.Form,
			"goroutines": c.About["goroutines"]})
	}
	return all
}

// plainDumps are the manifest's texts that hold dumps without framing.
func plainDumps(t testing.TB) []map[string]string {
	var rows []map[string]string
	for _, row := range manifest(t) {
		switch {
		case row["format"] == "proto" || row["format"] == "debug1":
		case !strings.HasPrefix(row["file"], "go1.") || strings.HasSuffix(row["file"], "-json.txt"): // CRI, go test -json
		default:
			rows = append(rows, row)
		}
	}
	if len(rows) < 100 {
		t.Errorf("only %d fixtures", len(rows))
	}
	return rows
}

func TestFixtures_EveryHeaderAndEveryLineIsAccountedFor(t *testing.T) {
	dir := captures.Dumps(t, fixtures)
	for _, row := range plainDumps(t) {
		text := readFixture(t, dir, filepath.FromSlash(row["file"]))
		want, err := strconv.Atoi(row["goroutines"])
		if err != nil {
			t.Fatal(err)
		}
		if row["kind"] == "multi-line" {
			want = 1 // the manifest counts lines; one is text of the panic, at the left edge up to Go 1.22
		}
		checkSums(t, row["file"], text, len(headerLine.FindAll(text, -1))-want)
	}
}

func TestFixtures_OfOneProcessAreOneDump(t *testing.T) {
	dir := captures.Dumps(t, fixtures)
	for _, row := range plainDumps(t) {
		if row["format"] != "signal" && row["format"] != "panic" && row["format"] != "debug2" {
			continue
		}
		dumps := parse(readFixture(t, dir, filepath.FromSlash(row["file"])))
		if len(dumps) != 1 {
			t.Errorf("%s: %d dumps: %v", row["file"], len(dumps), summaries(dumps))
			continue
		}
		d := dumps[0]
		if none := row["format"] == "panic" && d.Goroutines == 0; d.Truncated != (Truncation{Tail: none}) {
			t.Errorf("%s: truncated %+v", row["file"], d.Truncated)
		}
		if row["kind"] == "gotraceback-crash" && d.Threads == 0 {
			t.Errorf("%s: no threads", row["file"])
		}
	}
}

// Fake headers, and files whose lines are framed, which is not the parser's business.
var corpusExceptions = map[string]struct {
	fake   int  // headers in a panic's text
	framed bool // CRI, journald, JSON: the framing precedes each line
}{
	"crash-go1.18.10-err.txt":          {fake: 1},
	"crash-go1.26.8-err.txt":           {fake: 1},
	"kueue-8970-cri.txt":               {framed: true},
	"watchdog-sigabrt-journald.txt":    {framed: true},
	"gotest-go1.26.8-timeout-json.txt": {framed: true},
	"fuchsia-27.txt":                   {framed: true},
	"fuchsia-28.txt":                   {framed: true},
	"fuchsia-29.txt":                   {framed: true},
	// One header follows text in its own line, where grep misses it.
	"examples_runtime-stack_runtime-stack.txt": {fake: -1},
}

func TestCorpus_EveryHeaderAndEveryLineIsAccountedFor(t *testing.T) {
	dir := corpus(t)
	n := 0
	for _, pattern := range []string{"dumps/*.txt", "dumps/zoo/*.txt", "dumps/gostackparse/*.txt", "dumps/goleak/*.txt", "dumps/felixge/*.txt",
		"dumps/combinestacks/*.txt", "dumps/gvisor-syzkaller/*.txt", "goker-dev/*/dump.txt"} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			exception := corpusExceptions[filepath.Base(file)]
			if exception.framed || bytes.Contains(text, []byte(" profile: total ")) {
				continue
			}
			rel, _ := filepath.Rel(dir, file)
			checkSums(t, rel, text, exception.fake)
			n++
		}
	}
	t.Logf("%d files", n)
}

func TestCorpus_TheFoundingDumpIsSubtractedToItsSpinner(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(corpus(t), "dumps", "harvester-2558.txt"))
	if err != nil {
		t.Fatal(err)
	}
	dumps := parse(text)
	if len(dumps) != 1 || dumps[0].Goroutines != 2764 || dumps[0].UnparsedLines != 0 {
		t.Fatalf("got %v", summaries(dumps)[:min(len(dumps), 3)])
	}
	var ready []string
	for _, b := range dumps[0].Buckets {
		if b.Class == ClassRunnable {
			ready = append(ready, strconv.FormatUint(b.Goroutines[0].ID, 10)+" "+b.Frames[0].Func)
		}
	}
	if got, want := strings.Join(ready, ", "), "6139 runtime.Gosched"; got != want {
		t.Errorf("runnable: %s, want %s", got, want)
	}
}
