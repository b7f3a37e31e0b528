package stackparse

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/stackparse/frame"
)

// counted makes a dump of stacks, leaf first, with their counts.
func counted(stacks map[string]int64, leaked bool, taken time.Time) *Dump {
	return FromProfile(func(yield func(CountedStack) bool) {
		for stack, n := range maps.All(stacks) {
			var frames []Frame
			for fn := range strings.FieldsSeq(stack) {
				frames = append(frames, Frame{Frame: frame.Frame{Func: fn, File: "/src/" + fn + ".go", Line: 7}})
			}
			if !yield(CountedStack{Frames: frames, Count: n, Labels: []string{"queue: " + stack[:1]}}) {
				return
			}
		}
	}, leaked, taken)
}

func TestFromProfileCountsDistinctStacks(t *testing.T) {
	d := counted(map[string]int64{
		"runtime.gopark runtime.chanrecv runtime.chanrecv1 main.wait main.main": 5,
		"runtime.gopark time.Sleep main.tick":                                   1,
		"main.f":                                                                0,
	}, false, time.Unix(1e9, 0))
	if d.Format != FormatProfile || d.Goroutines != 6 || len(d.Buckets) != 2 || d.Stamp != "2001-09-09T01:46:40Z" || len(d.Labels) != 3 {
		t.Errorf("dump %+v", d)
	}
	b := d.Buckets[0]
	if b.Count != 5 || b.Class != ClassChanReceive || b.Leaked || len(b.Frames) != 5 {
		t.Errorf("bucket %+v", b)
	}
	if diff := cmp.Diff([]int{3, 4}, b.Shown); diff != "" {
		t.Errorf("the runtime's leading frames count (-want +got):\n%s", diff)
	}
}

func TestFromProfileGoroutineleakIsLeaked(t *testing.T) {
	if d := counted(map[string]int64{"main.f": 1}, true, time.Time{}); !d.Buckets[0].Leaked || d.Stamp != "" {
		t.Errorf("dump %+v", d)
	}
}

func TestFromProfileIgnoresNegativeCounts(t *testing.T) {
	d := counted(map[string]int64{"main.f": -4, "main.g": 1 << 62, "main.h": 1 << 62}, false, time.Time{})
	if d.Goroutines != maxCount {
		t.Errorf("%d goroutines", d.Goroutines)
	}
	for _, b := range d.Buckets {
		if b.Count <= 0 {
			t.Errorf("bucket of %d", b.Count)
		}
	}
}

func TestFromProfileBoundsAStack(t *testing.T) {
	d := counted(map[string]int64{strings.Repeat("main.f ", 2*maxCountedFrames): 1}, false, time.Time{})
	if n := len(d.Buckets[0].Frames); n != maxCountedFrames {
		t.Errorf("%d frames", n)
	}
}

func TestCorpusCountedProfilesAreReadWhole(t *testing.T) {
	root := os.Getenv("TRIAGE_CORPUS")
	if root == "" {
		t.Skip("TRIAGE_CORPUS is not set: no real profiles to read")
	}
	files, err := filepath.Glob(filepath.Join(root, "dumps/zoo/pprof-*-goroutine-debug1.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no profiles in the corpus: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := readSection(beginCounted, string(text))
		if d == nil || d.Truncated.Tail || d.UnparsedLines > 0 {
			t.Errorf("%s: %+v", name, d)
			continue
		}
		sum := 0
		for line := range strings.Lines(string(text)) {
			var n int
			if count, _, ok := strings.Cut(line, " @"); ok && !strings.HasPrefix(line, "#") {
				for _, c := range count {
					n = n*10 + int(c-'0')
				}
				sum += n
			}
		}
		if d.Goroutines != sum {
			t.Errorf("%s: %d goroutines, %d by the @ lines", name, d.Goroutines, sum)
		}
	}
}

func TestFromProfileListsGoroutinesWhoseLabelsShowThem(t *testing.T) {
	stack := []Frame{{Frame: frame.Frame{Func: "runtime.chanrecv"}}, {Frame: frame.Frame{Func: "main.wait", Line: 7}}}
	labels := func(id, parent, state, minutes string) []string {
		return []string{"go::goroutine: " + id, "go::goroutine_created_by: " + parent, "go::goroutine_state: " + state,
			"go::goroutine_wait_minutes: " + minutes, "queue: mail"}
	}
	listed := []CountedStack{
		{Frames: stack, Count: 1, Labels: labels("7", "1", "chan receive", "4 minutes")},
		{Frames: stack, Count: 1, Labels: labels("9", "1", "runnable", "0")},
	}
	d := FromProfile(slices.Values(listed), false, time.Time{})
	if !d.Listed || d.Counted() || d.Goroutines != 2 || len(d.Buckets) != 1 {
		t.Fatalf("dump %+v", d)
	}
	b := d.Buckets[0]
	if b.Class != ClassChanReceive || b.Active != 1 || b.MaxMinutes != 4 || len(b.Goroutines) != 2 {
		t.Errorf("bucket %+v", b)
	}
	g := b.Goroutines[0]
	if g.ID != 7 || g.Parent != 1 || g.Minutes != 4 || d.StateOf(&g) != "chan receive" || d.Labels[g.Labels] != "queue: mail" {
		t.Errorf("goroutine %+v of states %q, labels %q", g, d.States, d.Labels)
	}
	d = FromProfile(slices.Values(append(listed, CountedStack{Frames: stack, Count: 3})), false, time.Time{})
	if d.Listed || !d.Counted() || d.Goroutines != 5 || len(d.Buckets[0].Goroutines) != 0 || d.Buckets[0].Active != 0 {
		t.Errorf("a profile that shows some goroutines' labels only: %+v", d)
	}
}
