package main

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// collecting returns the percentage that the collector works with, and leaves it.
func collecting() int {
	percent := debug.SetGCPercent(-1)
	debug.SetGCPercent(percent)
	return percent
}

func TestTheFirstCollectionIsPutOffAndTheNextAreAsUsual(t *testing.T) {
	old := debug.SetGCPercent(100)
	defer debug.SetGCPercent(old)
	putOffCollecting(func(string) string { return "" })
	if got := collecting(); got != firstCollection {
		t.Fatalf("GOGC is %d before the first collection", got)
	}
	// The cleanup runs some time after a collection.
	for range 1000 {
		runtime.GC()
		if collecting() == 100 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("GOGC is %d after many collections", collecting())
}

func TestWhoSetsTheCollectorHasItTheirWay(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		old := collecting()
		putOffCollecting(func(key string) string {
			if key == name {
				return "300"
			}
			return ""
		})
		if got := collecting(); got != old {
			t.Errorf("%s is set, and GOGC was changed from %d to %d", name, old, got)
		}
	}
}
