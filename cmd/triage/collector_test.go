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

func TestTheFirstCollectionIsPutOffAndTheNextFollowWhatIsInUse(t *testing.T) {
	paceCollector(func(string) string { return "" })
	used := make([]byte, 2*maxGarbage)
	// The cleanup runs some time after a collection.
	for range 1000 {
		runtime.GC()
		if collecting() <= 50 {
			runtime.KeepAlive(used)
			return
		}
		runtime.Gosched()
	}
	t.Errorf("GOGC is %d after many collections, with %d bytes in use", collecting(), len(used))
}

func TestGarbageTakesAFixedRoomOrHalfOfWhatACollectionReads(t *testing.T) {
	for _, c := range []struct {
		inUse, read uint64
		want        int
	}{
		{0, 0, firstPercent}, {1 << 20, 1 << 20, firstPercent}, {8 << 20, 8 << 20, 400}, {maxGarbage, maxGarbage, 100},
		{64 << 20, 64 << 20, 50}, {128 << 20, 128 << 20, 50}, {1 << 30, 1 << 30, 50},
		{128 << 20, 64 << 20, 25}, {256 << 20, 128 << 20, 25}, {1 << 30, 0, leastPercent},
	} {
		if got := percentFor(c.inUse, c.read); got != c.want {
			t.Errorf("GOGC is %d with %d bytes in use, %d of them read; want %d", got, c.inUse, c.read, c.want)
		}
	}
}

func TestTheLimitOfMemoryLeavesRoomForGarbage(t *testing.T) {
	for inUse, want := range map[uint64]int64{
		0: memoryLimit, 128 << 20: memoryLimit, 256 << 20: 352 << 20, 512 << 20: 672 << 20,
	} {
		if got := limitFor(inUse); got != want {
			t.Errorf("the limit is %d with %d bytes in use, want %d", got, inUse, want)
		}
	}
}

func TestWhoSetsTheCollectorHasItTheirWay(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		old := debug.SetMemoryLimit(-1)
		paced := paceCollector(func(key string) string {
			if key == name {
				return "300"
			}
			return ""
		})
		if got := debug.SetMemoryLimit(-1); paced || got != old {
			t.Errorf("%s is set, and the limit was changed from %d to %d", name, old, got)
		}
	}
}
