package rules_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

func zoo(t *testing.T, copies int) []*rules.DumpInput {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "dumps", "go1.26", "zoo-signal.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var log []byte
	for range copies {
		log = append(log, text...)
	}
	p := frame.Program{Module: "example.com/zoo"}
	var dumps []*rules.DumpInput
	for _, d := range dumptest.ParseDumps(log) {
		dumps = append(dumps, &rules.DumpInput{Dump: d, Input: "dump.txt", Program: p})
	}
	if len(dumps) != copies {
		t.Fatalf("%d dumps of %d copies", len(dumps), copies)
	}
	return dumps
}

func TestWhatIsKnownOfAStackIsWhatItsFramesSay(t *testing.T) {
	plain, known := zoo(t, 2), zoo(t, 2)
	rules.Know(known[0].Program, known)
	for n, d := range plain {
		for i, b := range d.Buckets {
			k := known[n].Buckets[i]
			if want, got := rules.BlameBucket(d, b), rules.BlameBucket(known[n], k); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
			if want, got := rules.BlameBelow(d, b, 1), rules.BlameBelow(known[n], k, 1); !reflect.DeepEqual(got, want) {
				t.Errorf("below its leaf: %+v, want %+v", got, want)
			}
			want, got := d.CodeOf(b), known[n].CodeOf(k)
			for f := range b.Frames {
				if got.Class(f) != want.Class(f) || got.Framework(f) != want.Framework(f) {
					t.Errorf("%s: %s, want %s", b.Frames[f].Func, got.Class(f), want.Class(f))
				}
			}
		}
	}
}

func TestWhatRulesDeriveIsMadeOnceForADump(t *testing.T) {
	made := 0
	perDump := rules.DerivedOfDump(func(d *rules.DumpInput) int { made++; return d.Goroutines })
	perProgram := rules.DerivedOfProgram(func(p frame.Program) string { made++; return p.Module })
	dumps := zoo(t, 2)
	rules.Know(dumps[0].Program, dumps)
	for range 2 {
		for _, d := range dumps {
			if n, module := perDump.Of(d), perProgram.Of(d); n != d.Goroutines || module != "example.com/zoo" {
				t.Errorf("derived %d and %q", n, module)
			}
		}
	}
	if made != 3 {
		t.Errorf("made %d times, want twice for two dumps and once for their program", made)
	}
	perDump.Of(zoo(t, 1)[0])
	if made != 4 {
		t.Error("a dump that shares nothing has its own")
	}
}

func TestWhatFollowsFromAStackIsMadeOnceForAllDumps(t *testing.T) {
	made := 0
	leaf := rules.DerivedOfStack(func(_ *rules.DumpInput, b *stackparse.Bucket) string {
		made++
		return b.Frames[0].Func
	})
	dumps := zoo(t, 3)
	rules.Know(dumps[0].Program, dumps)
	stacks := 0
	for range 2 {
		for _, d := range dumps {
			for _, b := range d.Buckets {
				if len(b.Frames) == 0 {
					continue
				}
				if d == dumps[0] {
					stacks++
				}
				if got := leaf.Of(d, b); got != b.Frames[0].Func {
					t.Fatalf("%q, want %q", got, b.Frames[0].Func)
				}
			}
		}
	}
	if stacks /= 2; made != stacks {
		t.Errorf("made %d times for %d stacks of three dumps", made, stacks)
	}
	apart := zoo(t, 1)[0]
	if leaf.Of(apart, apart.Buckets[0]); made != stacks+1 {
		t.Error("a dump that shares nothing has its own")
	}
}
