package triage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/report"
)

// reports returns the text and the JSON of the report over inputs, read in pieces of so many bytes by so many
// processors.
func reports(t *testing.T, inputs []string, piece, procs int) string {
	t.Helper()
	return reportsBy(t, Options{Inputs: inputs, piece: piece}, procs)
}

// reportsBy is reports for any options.
func reportsBy(t *testing.T, o Options, procs int) string {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	if err := report.Text(&out, r, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestAnyNumberOfProcessorsGivesTheSameReport(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	dumps := captures.Dumps(t, "../testdata/dumps")
	patterns := []string{dumps + "/go1.1*/*", dumps + "/go1.26/*", "../testdata/pods/*"}
	if dir := os.Getenv("TRIAGE_CORPUS"); dir != "" {
		patterns = append(patterns, dumps+"/go1.2*/*", "../testdata/bundles/*",
			filepath.Join(dir, "dumps", "*"), filepath.Join(dir, "cases", "*"))
	}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Errorf("%s: nothing there (%v)", pattern, err)
		}
		for i, path := range paths {
			if RaceDetector && i%4 != 0 {
				continue // it sees what is shared, not what is reported
			}
			t.Run(path, func(t *testing.T) {
				size := []int{700, 9_000, 50_000}[i%3]
				want := reports(t, []string{path}, size, 1)
				for _, procs := range []int{2, 8} {
					if got := reports(t, []string{path}, size, procs); got != want {
						t.Errorf("%d processors, pieces of %d bytes: another report than one processor's", procs, size)
					}
				}
			})
		}
	}
}

// framings wrap a line as others write it, with a time that goes on.
var framings = map[string]func(i int, line string) string{
	"plain": func(_ int, line string) string { return line },
	"cri":   func(i int, line string) string { return stampOf(i) + " stderr F " + line },
	"docker": func(i int, line string) string {
		quoted, _ := json.Marshal(line + "\n")
		return fmt.Sprintf(`{"log":%s,"stream":"stderr","time":"%s"}`, quoted, stampOf(i))
	},
	"syslog": func(i int, line string) string {
		return fmt.Sprintf("<11>Nov 20 18:%02d:%02d node1 app[7]: %s", i/60%60, i%60,
			strings.ReplaceAll(line, "\t", "#011"))
	},
}

// stampOf is a time whose fraction ends without zeros, as runtimes write it.
func stampOf(i int) string {
	return time.Date(2026, 11, 20, 18, 5, 32, i*1000, time.UTC).Format(time.RFC3339Nano)
}

// TestALargeLogGivesTheSameReportInPieces reads logs that are large enough for several processors to share, with lines
// between their dumps, from a file and from a pipe.
func TestALargeLogGivesTheSameReportInPieces(t *testing.T) {
	dump, err := os.ReadFile(captures.Unpack(t, "../testdata/dumps/go1.26.tar.zst", "zoo-debug2.txt") + "/zoo-debug2.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(dump), "\n")
	for name, wrap := range framings {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			for i, n := 0, 0; text.Len() < 8<<20; i++ {
				if i%7 == 6 {
					fmt.Fprintln(&text, wrap(n, fmt.Sprintf("I0304 05:06:07.000000 1 main.go:5] round %d", i)))
				}
				for _, l := range lines {
					fmt.Fprintln(&text, wrap(n, l))
					n++
				}
			}
			path := filepath.Join(t.TempDir(), "large.log")
			if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			want, piped := reports(t, []string{path}, 0, 1), reportsOf(t, text.Bytes(), 1)
			for _, procs := range []int{2, 8} {
				if reports(t, []string{path}, 0, procs) != want {
					t.Errorf("%d processors: another report than one processor's", procs)
				}
				if reportsOf(t, text.Bytes(), procs) != piped {
					t.Errorf("a pipe, %d processors: another report than one processor's", procs)
				}
			}
		})
	}
}

// reportsOf is reports for text that comes from standard input.
func reportsOf(t *testing.T, text []byte, procs int) string {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = out.Write(text) // where it fails the reports differ
		_ = out.Close()
	}()
	defer func() { _ = in.Close() }()
	return reportsBy(t, Options{Inputs: []string{"-"}, Stdin: in}, procs)
}
