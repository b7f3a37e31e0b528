package triage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/spin"
	"github.com/gotriage/triage/triage/schema"
)

// corpus is the folder with real dumps, or skips the test.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TRIAGE_CORPUS")
	if dir == "" {
		t.Skip("TRIAGE_CORPUS is not set: no real dumps to read")
	}
	return dir
}

func runOn(t *testing.T, inputs ...string) *schema.Report {
	t.Helper()
	r, err := Run(t.Context(), Options{Inputs: inputs})
	if err != nil {
		t.Fatal(err)
	}
	steptest.CheckReport(t, r)
	return r
}

func TestTheFoundingCaseIsNamedFirstAndAlone(t *testing.T) {
	r := runOn(t, filepath.Join(corpus(t), "dumps", "harvester-2558.txt"))
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, want 1", len(r.Findings))
	}
	f := r.Findings[0]
	if f.Category != rules.Spin || f.Severity.Rank() < rules.High.Rank() ||
		!strings.HasSuffix(f.Culprit.Function, "dynamiclistener.(*listener).WrapExpiration.func1") || f.Culprit.Line != 168 {
		t.Errorf("found %s %s in %s, line %d", f.Severity, f.Category, f.Culprit.Function, f.Culprit.Line)
	}
	d := r.Dumps[0]
	if d.Goroutines != 2764 || len(d.Buckets) > 60 {
		t.Errorf("%d goroutines in %d buckets, want 2764 in at most 60", d.Goroutines, len(d.Buckets))
	}
	for _, v := range d.Runnable {
		for _, id := range v.Goroutines {
			if want := map[uint64]string{6139: spin.VerdictAccused, 9033: spin.VerdictInnocent}[id]; v.Verdict != want {
				t.Errorf("goroutine %d: %s, want %s", id, v.Verdict, want)
			}
		}
	}
}

func TestADumpIsCountedTheSameInEveryFraming(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus(t), "dumps", "wrapped", "z126-*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	// The dump has 129 goroutines; these files hold a part of it, or it twice.
	want := map[string][]int{
		"z126-cut-head.txt": {78}, "z126-cut-tail.txt": {83}, "z126-twice.txt": {129, 129},
		"z126-rotated.txt": {79}, "z126-rotated.txt.20261120-180532.gz": {50},
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			counts, ok := want[name]
			if !ok {
				counts = []int{129}
			}
			r := runOn(t, file)
			if len(r.Dumps) != len(counts) {
				t.Fatalf("%d dumps, want %d", len(r.Dumps), len(counts))
			}
			for i, d := range r.Dumps {
				sum := 0
				for _, b := range d.Buckets {
					sum += b.Count
				}
				if d.Goroutines != counts[i] || sum != counts[i] {
					t.Errorf("%d goroutines, %d in buckets, want %d", d.Goroutines, sum, counts[i])
				}
			}
		})
	}
}

func TestARotatedPairIsOneDumpInAnyOrder(t *testing.T) {
	dir := filepath.Join(corpus(t), "dumps", "wrapped")
	older, newer := filepath.Join(dir, "z126-rotated.txt.20261120-180532.gz"), filepath.Join(dir, "z126-rotated.txt")
	for _, inputs := range [][]string{{older, newer}, {newer, older}} {
		r := runOn(t, inputs...)
		if len(r.Dumps) != 1 || r.Dumps[0].Goroutines != 129 || r.Dumps[0].Truncated != "" {
			t.Errorf("%d dumps, the first with %d goroutines, cut %q; want one whole dump of 129", len(r.Dumps), r.Dumps[0].Goroutines, r.Dumps[0].Truncated)
		}
		if len(r.Inputs) != 2 || r.Dumps[0].Input != older {
			t.Errorf("it begins in %s, of %d inputs", r.Dumps[0].Input, len(r.Inputs))
		}
	}
}
