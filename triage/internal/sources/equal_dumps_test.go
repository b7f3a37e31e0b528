package sources

import (
	"fmt"
	"testing"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/internal/identity"
)

// panicDump is a panic of one goroutine in the stack that key names.
func panicDump(line int64, key uint64, text string) *stackparse.Dump {
	return &stackparse.Dump{
		Format: stackparse.FormatSignal, Line: line, EndLine: line + 9, Goroutines: 1,
		Cause:   &stackparse.Cause{Kind: stackparse.CauseLoggedPanic, Text: text, Panics: []stackparse.Panic{{Text: text}}},
		Buckets: []*stackparse.Bucket{{Key: key, Count: 1, Goroutines: []stackparse.Goroutine{{ID: uint64(line), Line: uint32(line)}}}},
	}
}

func TestCollapseCountsARepeatedPanicOnce(t *testing.T) {
	c := newDumpKeeper(maxDistinct)
	for i := range 100_000 {
		c.add(panicDump(int64(10*i+1), 7, fmt.Sprintf("request %d at 0xc%05x: index out of range [%d]", i, i, i%7)), 0)
	}
	if len(c.dumps) != 1 {
		t.Fatalf("kept %d dumps, want 1", len(c.dumps))
	}
	d := c.dumps[0].Dump
	if d.Seen != 100_000 || d.Line != 1 || d.LastLine != 999_991 {
		t.Errorf("seen %d, line %d, last line %d; want 100000, 1, 999991", d.Seen, d.Line, d.LastLine)
	}
}

func TestCollapseKeepsApartWhatDiffers(t *testing.T) {
	plain := func() *stackparse.Dump { return panicDump(1, 7, "nil map") }
	for name, other := range map[string]struct {
		change func(*stackparse.Dump)
		stream int32
	}{
		"another stack":       {func(d *stackparse.Dump) { d.Buckets[0].Key = 8 }, 0},
		"another text":        {func(d *stackparse.Dump) { d.Cause.Text = "nil pointer" }, 0},
		"another kind":        {func(d *stackparse.Dump) { d.Cause.Kind = stackparse.CausePanic }, 0},
		"another stream":      {func(*stackparse.Dump) {}, 1},
		"cut":                 {func(d *stackparse.Dump) { d.Truncated.Tail = true }, 0},
		"another chain":       {func(d *stackparse.Dump) { d.Cause.Panics = append(d.Cause.Panics, stackparse.Panic{Text: "again"}) }, 0},
		"more of the process": {func(d *stackparse.Dump) { d.Goroutines = identity.MaxCollapsed + 1 }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := newDumpKeeper(maxDistinct)
			c.add(plain(), 0)
			d := plain()
			other.change(d)
			c.add(d, other.stream)
			if len(c.dumps) != 2 {
				t.Errorf("kept %d dumps, want 2", len(c.dumps))
			}
		})
	}
}

func TestCollapseKeepsWholeDumpsApartHoweverAlike(t *testing.T) {
	c := newDumpKeeper(maxDistinct)
	for range 3 {
		d := panicDump(1, 7, "")
		d.Goroutines = 40
		c.add(d, 0)
	}
	if len(c.dumps) != 3 {
		t.Errorf("kept %d dumps, want 3", len(c.dumps))
	}
}

func TestCollapseMergesRaceReportsOfThePlaces(t *testing.T) {
	race := func(line int, goroutine string) *stackparse.Dump {
		at := func(n int) []stackparse.Frame {
			return []stackparse.Frame{{Frame: frame.Frame{Func: "example.com/a.F", File: "a.go", Line: n}}}
		}
		return &stackparse.Dump{
			Format: stackparse.FormatRace, Line: 1, Cause: &stackparse.Cause{Kind: stackparse.CauseRace},
			Races: []stackparse.Race{{Op: "Write", Frames: at(line)}, {Op: "Goroutine " + goroutine + " (running) created at", Frames: at(3)}},
		}
	}
	c := newDumpKeeper(maxDistinct)
	c.add(race(10, "8"), 0)
	c.add(race(10, "9"), 0)
	c.add(race(11, "8"), 0)
	if len(c.dumps) != 2 || c.dumps[0].Dump.Seen != 2 {
		t.Errorf("kept %d reports, the first seen %d times; want 2 and 2", len(c.dumps), c.dumps[0].Dump.Seen)
	}
}

func TestCollapseBoundsTheTextsOfOneStack(t *testing.T) {
	c := newDumpKeeper(maxDistinct)
	names := 0
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			c.add(panicDump(int64(names+1), 7, "no user "+string([]rune{a, b})), 0)
			names++
		}
	}
	if len(c.dumps) != maxTexts {
		t.Errorf("kept %d dumps, want %d", len(c.dumps), maxTexts)
	}
	seen := 0
	for _, d := range c.dumps {
		seen += d.Dump.Seen
	}
	if seen != names || c.cut != 0 {
		t.Errorf("counted %d and lost %d of %d", seen, c.cut, names)
	}
}

func TestCollapseBoundsTheDumpsAndCountsWhatIsCut(t *testing.T) {
	c := newDumpKeeper(5)
	for i := range 12 {
		c.add(panicDump(int64(i+1), uint64(i), "x"), 0)
	}
	c.add(panicDump(99, 3, "x"), 0) // one that is kept already still counts
	if len(c.dumps) != 5 || c.cut != 7 || c.dumps[3].Dump.Seen != 2 {
		t.Errorf("kept %d, cut %d, the fourth seen %d times; want 5, 7, 2", len(c.dumps), c.cut, c.dumps[3].Dump.Seen)
	}
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"", "0x", "0xc000", "12a", "a12", "0x1g"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := number(s)
		if n < 0 || n > len(s) {
			t.Fatalf("number(%q) = %d", s, n)
		}
		if n > 0 && !digit(s[0]) {
			t.Fatalf("number(%q) = %d, but it begins with no digit", s, n)
		}
	})
}
