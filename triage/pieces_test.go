package triage

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gotriage/triage/report"
)

// reports returns the text and the JSON of the report over inputs, read in pieces of so many bytes by so many
// processors.
func reports(t *testing.T, inputs []string, piece, procs int) string {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	r, err := Run(t.Context(), Options{Inputs: inputs, piece: piece})
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
	patterns := []string{"../testdata/dumps/go1.1*/*", "../testdata/dumps/go1.26/*", "../testdata/pods/*"}
	if dir := os.Getenv("TRIAGE_CORPUS"); dir != "" {
		patterns = append(patterns, "../testdata/dumps/go1.2*/*", "../testdata/bundles/*",
			filepath.Join(dir, "dumps", "*"), filepath.Join(dir, "cases", "*"))
	}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Errorf("%s: nothing there (%v)", pattern, err)
		}
		for i, path := range paths {
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

// TestALargeLogGivesTheSameReportInPieces reads a log that is large enough for several processors to share, with lines
// between its dumps.
func TestALargeLogGivesTheSameReportInPieces(t *testing.T) {
	dump, err := os.ReadFile("../testdata/dumps/go1.26/zoo-debug2.txt")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for i := 0; text.Len() < 12<<20; i++ {
		if i%7 == 6 {
			fmt.Fprintf(&text, "I0304 05:06:07.000000 1 main.go:5] round %d\n", i)
		}
		text.Write(dump)
		text.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "large.log")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	want := reports(t, []string{path}, 0, 1)
	for _, procs := range []int{2, 8} {
		if reports(t, []string{path}, 0, procs) != want {
			t.Errorf("%d processors: another report than one processor's", procs)
		}
	}
}
