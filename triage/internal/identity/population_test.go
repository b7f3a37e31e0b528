package identity

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/stackparse"
)

// TestHealthyDaemonsAreNotMixedUp compares all dumps of each program in testdata/well with each other: debug2-NN are of one
// process over its life, signal-NN of a process each (testdata/README.md).
func TestHealthyDaemonsAreNotMixedUp(t *testing.T) {
	programs, err := filepath.Glob("../../../testdata/well/*.tar.zst")
	if err != nil || len(programs) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	own, missed, foreign := 0, 0, 0
	for _, archive := range programs {
		dir := captures.Unpack(t, archive)
		life, others := samplesOf(t, dir, "debug2-*"), samplesOf(t, dir, "signal-*")
		for i, a := range life {
			for _, b := range life[i+1:] {
				own++
				if !SameProcess(a, b) {
					missed++
				}
			}
			for j, b := range others {
				foreign++
				if SameProcess(a, b) {
					t.Errorf("%s: debug2 %d and signal %d are taken for one process", archive, i+1, j+1)
				}
			}
		}
		for i, a := range others {
			for j, b := range others[i+1:] {
				foreign++
				if SameProcess(a, b) {
					t.Errorf("%s: signals %d and %d are taken for one process", archive, i+1, i+j+2)
				}
			}
		}
	}
	t.Logf("%d of %d pairs of one process are not recognised, %d pairs of two", missed, own, foreign)
	if 20*missed > own { // 28 of 990: a test binary that has other goroutines at its end than at its start
		t.Errorf("%d of %d pairs of one process are not recognised", missed, own)
	}
}

// samplesOf are the samples of a program's dumps, each of the largest dump in its file.
func samplesOf(t *testing.T, dir, pattern string) (all [][]Trait) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		dumps, err := stackparse.Parse(f)
		if err != nil || len(dumps) == 0 {
			t.Fatalf("%s: %d dumps, %v", file, len(dumps), err)
		}
		most := dumps[0]
		for _, d := range dumps {
			if d.Goroutines > most.Goroutines {
				most = d
			}
		}
		all = append(all, SampleOf(most))
	}
	return all
}
