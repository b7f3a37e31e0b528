package stackparse

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestDump_BucketsAreOrderedByCountThenByLine(t *testing.T) {
	var text strings.Builder
	for i, fn := range []string{"a", "b", "c", "b", "d", "c", "c"} {
		text.WriteString(goroutineText(fmt.Sprint(i+1), "select", "main."+fn+"()"))
	}
	if got, want := summary(parseOne(t, text.String())), "3*main.c 2*main.b 1*main.a 1*main.d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDump_StateTextsAreKept(t *testing.T) {
	d := parseOne(t, goroutineText("1", "chan receive (nil chan)", "main.f()")+goroutineText("2", "select", "main.f()")+goroutineText("3", "chan receive (nil chan)", "main.f()"))
	var got []string
	for i := range d.Buckets[0].Goroutines {
		got = append(got, d.StateOf(&d.Buckets[0].Goroutines[i]))
	}
	if want := "chan receive (nil chan),select,chan receive (nil chan)"; strings.Join(got, ",") != want || len(d.States) != 2 {
		t.Errorf("got %v of %v", got, d.States)
	}
}

func TestDump_StatesOfOneLengthAreNotMixedUp(t *testing.T) {
	var text strings.Builder
	states := []string{"select", "aaaaaa", "select", "bbbbbb", "aaaaaa", "select"}
	for i, s := range states {
		text.WriteString(goroutineText(fmt.Sprint(i+1), s, "main.f()"))
	}
	d := parseOne(t, text.String())
	for i := range states {
		if got := d.StateOf(&d.Buckets[0].Goroutines[i]); got != states[i] {
			t.Errorf("goroutine %d: %s, want %s", i+1, got, states[i])
		}
	}
}

func TestDump_HostileStatesAndLabelsAreBounded(t *testing.T) {
	var text strings.Builder
	const n = 6000
	for i := range n {
		fmt.Fprintf(&text, "goroutine %d [state %d %s] {k: %d, long: %s}:\nmain.f()\n\t/a.go:1\n\n", i+1, i, strings.Repeat("s", 100), i, strings.Repeat("v", 3000))
	}
	d := parseOne(t, text.String())
	if len(d.States) > maxStates+1 || len(d.Labels) != maxLabelSets+1 || d.LabelsCut != n-maxLabelSets {
		t.Errorf("%d states, %d label sets, %d cut", len(d.States), len(d.Labels), d.LabelsCut)
	}
	for _, s := range d.States {
		if len(s) > 64 {
			t.Fatalf("a state of %d bytes", len(s))
		}
	}
	for _, s := range d.Labels {
		if len(s) > maxLabelText {
			t.Fatalf("a label set of %d bytes", len(s))
		}
	}
	if d.Goroutines != n || d.Buckets[0].Count != n {
		t.Errorf("%d goroutines", d.Goroutines)
	}
}

func TestDump_GoroutineZeroIsMarkedAndCounted(t *testing.T) {
	d := parseOne(t, goroutineText("0", "idle", "runtime.futex(0x1)")+goroutineText("1", "select", "main.main()")+goroutineText("0", "idle", "runtime.futex(0x1)"))
	if d.Goroutines != 3 || d.Buckets[0].Count != 2 || d.Buckets[0].Goroutines[1].Flags&FlagG0 == 0 || d.Buckets[1].Goroutines[0].Flags&FlagG0 != 0 {
		t.Errorf("got %s", summary(d))
	}
}

func TestDump_ThePreemptedAreMarked(t *testing.T) {
	d := parseOne(t, goroutineText("1", "runnable", "runtime.asyncPreempt2()", "runtime.asyncPreempt()", "main.main()")+goroutineText("2", "runnable", "main.main()"))
	if len(d.Buckets) != 1 {
		t.Fatalf("got %s", summary(d))
	}
	if g := d.Buckets[0].Goroutines; g[0].Flags&FlagPreempted == 0 || g[1].Flags&FlagPreempted != 0 {
		t.Errorf("flags %b and %b", g[0].Flags, g[1].Flags)
	}
}

func TestDump_ActiveCountsTheRunningAndTheRunnable(t *testing.T) {
	d := parseOne(t, goroutineText("1", "running", "main.f()")+goroutineText("2", "select", "main.f()")+goroutineText("3", "runnable", "main.f()"))
	if got := d.Buckets[0].Active; got != 2 {
		t.Errorf("%d active", got)
	}
}

func TestIDSet_HasWhatWasAddedUpToItsBound(t *testing.T) {
	var s idSet
	if s.has(1) || s.has(math.MaxUint64) {
		t.Error("an empty set has an id")
	}
	for id := uint64(1); id <= 1000; id++ {
		s.add(id * 256)
	}
	for id := uint64(1); id <= 1000; id++ {
		if got, want := s.has(id*256), id <= maxIDs; got != want {
			t.Fatalf("id %d: %v", id*256, got)
		}
		if s.has(id*256 + 1) {
			t.Fatalf("id %d was never added", id*256+1)
		}
	}
}

func TestInterner_ForgetsNothingAndIsBounded(t *testing.T) {
	in := make(interner)
	for i := range maxNames + 100 {
		if name := fmt.Sprint(i); in.string([]byte(name)) != name {
			t.Fatal(name)
		}
	}
	if len(in) != maxNames {
		t.Errorf("%d names kept", len(in))
	}
}
