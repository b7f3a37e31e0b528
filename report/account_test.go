package report

import (
	"context"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/triage"
)

// TestEveryGoroutineIsCountedOnce holds what the sections count against the dumps: what roles explain, what nothing
// explains, what findings accuse, what waits for a lock or may hold it and what was running are all goroutines of a
// dump.
func TestEveryGoroutineIsCountedOnce(t *testing.T) {
	dumps := 0
	err := filepath.WalkDir(captures.Dumps(t, "../testdata/dumps"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		r, err := triage.Run(context.Background(), triage.Options{Inputs: []string{path}})
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		v := newView(r, newPrinter(nil, TextOptions{}))
		latest := v.latest()
		tally, _ := v.tally(latest)
		_, counted := v.leftovers(latest)
		for _, n := range tally {
			counted += n
		}
		all := 0
		for _, d := range latest {
			dumps++
			all += d.Goroutines
			atLocks := v.atLocks(d)
			for b := range pointers(d.Buckets) {
				counted += min(b.Count, v.accused[b]+v.running[b])
				if b.Role == "" {
					counted += min(v.unexplained(b), atLocks[b])
				}
			}
		}
		if counted != all {
			t.Errorf("%s: %d goroutines are counted, of %d", path, counted, all)
		}
		return nil
	})
	if err != nil || dumps == 0 {
		t.Fatalf("%d dumps: %v", dumps, err)
	}
}
