package rules

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

func TestCulpritIsTheNearestFrameThatIsNotPlumbing(t *testing.T) {
	for _, tt := range []struct {
		claim, want string
		creator     string
		stack       []string
	}{
		{"own code under the standard library", "example.com/a.(*Q).Push", "example.com/a.Run",
			[]string{"sync.(*Mutex).Lock", "example.com/a.(*Q).Push", "example.com/a.serve"}},
		{"a vendored dependency can be guilty", "example.com/a/vendor/example.org/dep.(*L).Wrap.func1",
			"example.com/a.Run", []string{"runtime.Gosched", "example.com/a/vendor/example.org/dep.(*L).Wrap.func1"}},
		{"a framework is not", "example.com/a.work", "x.y", []string{"k8s.io/apimachinery/pkg/util/wait.BackoffUntil",
			"example.com/a.work"}},
		{"a framework alone is", "k8s.io/apimachinery/pkg/util/wait.BackoffUntil", "x.y",
			[]string{"time.Sleep", "k8s.io/apimachinery/pkg/util/wait.BackoffUntil"}},
		{"the creator where the stack names nobody", "example.com/a.Run", "example.com/a.Run",
			[]string{"net.(*conn).Read"}},
		{"the leaf where there is no creator either", "net.(*conn).Read", "", []string{"net.(*conn).Read"}},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			d := dumptest.DumpOf(stackparse.ClassSelect, tt.creator, tt.stack...)
			in := &DumpInput{Dump: d, Program: frame.Program{Module: "example.com/a"}}
			bl := BlameBucket(in, d.Buckets[0])
			if bl.Culprit.Function != tt.want {
				t.Errorf("culprit %q, want %q", bl.Culprit.Function, tt.want)
			}
			if bl.Creator != tt.creator {
				t.Errorf("creator %q", bl.Creator)
			}
		})
	}
}

func TestPathRunsFromTheEntryToTheLeafAndIsBounded(t *testing.T) {
	var stack []string
	for i := range 120 {
		stack = append(stack, fmt.Sprintf("example.com/a.f%d", i))
	}
	d := dumptest.DumpOf(stackparse.ClassSelect, "", stack...)
	p := BlameBucket(&DumpInput{Dump: d}, d.Buckets[0]).Path
	if len(p) != MaxPath || p[0].Function != stack[119] || p[MaxPath-1].Function != stack[0] {
		t.Errorf("%d frames from %q to %q", len(p), p[0].Function, p[len(p)-1].Function)
	}
}

func TestBlameBelowLooksPastTheFramesAbove(t *testing.T) {
	d := dumptest.DumpOf(stackparse.ClassRunning, "", "example.com/a.recovered", "panic", "example.com/a.guilty",
		"example.com/a.main")
	in := &DumpInput{Dump: d, Program: frame.Program{Module: "example.com/a"}}
	bl := BlameBelow(in, d.Buckets[0], 2)
	if bl.Culprit.Function != "example.com/a.guilty" || bl.Index != 2 {
		t.Errorf("culprit %q at %d", bl.Culprit.Function, bl.Index)
	}
}

func TestBlameOfAnEmptyStackIsEmpty(t *testing.T) {
	bl := BlameBucket(&DumpInput{Dump: &stackparse.Dump{}}, &stackparse.Bucket{})
	if bl.Culprit != (Place{}) || bl.Index != -1 || len(bl.Path) != 0 {
		t.Errorf("%+v", bl)
	}
}

func TestEvidenceKeepsTheSmallestIDsAndTheWholeCount(t *testing.T) {
	d := dumptest.DumpOf(stackparse.ClassSelect, "", "example.com/a.f")
	b := d.Buckets[0]
	b.Goroutines = nil
	for id := uint64(500); id > 0; id-- {
		b.Goroutines = append(b.Goroutines, stackparse.Goroutine{ID: id, Line: uint32(600 - id)})
	}
	b.Count = 500
	before := slices.Clone(b.Goroutines)
	e := EvidenceOf(&DumpInput{Dump: d, Input: "x", Locate: func(n int64) (string, int64) { return "0.log", n - 50 }},
		b, "")
	if e.Count != 500 || len(e.Goroutines) != MaxEvidenceIDs || e.Goroutines[0] != 1 || e.Goroutines[99] != 100 {
		t.Errorf("count %d, ids %v", e.Count, e.Goroutines)
	}
	if e.Input != "0.log" || e.Line != 50 || e.Text != "goroutine 500 [select], 500 goroutines" {
		t.Errorf("%s:%d %q", e.Input, e.Line, e.Text)
	}
	if !slices.Equal(before, b.Goroutines) {
		t.Error("the bucket was changed")
	}
}

func TestFingerprintIgnoresWhatBuildsAndRunsChange(t *testing.T) {
	place := func(fn, file string, line int) Place { return Place{Function: fn, File: file, Line: line} }
	base := Fingerprint("TR101", place("example.org/dep.(*L[...]).Wrap.func1", "/src/dep/listener.go", 168),
		"example.org/dep.(*L[...]).Wrap")
	same := Fingerprint("TR101", place("example.com/a/vendor/example.org/dep.(*L[int]).Wrap.func1",
		`C:\go\vendor\dep\listener.go`, 168), "example.com/a/vendor/example.org/dep.(*L[int]).Wrap")
	if base != same || len(base) != 16 {
		t.Errorf("%s and %s", base, same)
	}
	for claim, other := range map[string]string{
		"another rule": Fingerprint("TR102", place("example.org/dep.(*L).Wrap.func1", "listener.go", 168),
			"example.org/dep.(*L).Wrap"),
		"another line": Fingerprint("TR101", place("example.org/dep.(*L).Wrap.func1", "listener.go", 169),
			"example.org/dep.(*L).Wrap"),
		"another creator": Fingerprint("TR101", place("example.org/dep.(*L).Wrap.func1", "listener.go", 168),
			"example.org/dep.New"),
	} {
		if other == base {
			t.Errorf("%s has the same fingerprint", claim)
		}
	}
}

func TestApplyCompletesAFinding(t *testing.T) {
	r := &Rule{
		ID: "TR999", Name: "x", Category: Leak, Severity: Medium, Needs: NeedsDump,
		Docs: func() Doc { return Doc{Why: "w", Fix: "f", Refs: []string{"r"}} },
		Run:  func(*Pass) []Finding { return []Finding{{Title: "t", Evidence: []Evidence{{Count: 7}}}} },
	}
	if found := r.Apply(&Pass{}); found != nil {
		t.Errorf("%d findings over a Pass without a dump", len(found))
	}
	f := r.Apply(&Pass{Dumps: []*DumpInput{{Dump: &stackparse.Dump{Goroutines: 1}}}})[0]
	if f.Rule != "TR999" || f.Severity != Medium || f.Why != "w" || f.Count != 7 || f.Fingerprint == "" ||
		f.Actors == nil || f.Path == nil || f.Next == nil || f.Sources == nil || f.Evidence[0].Goroutines == nil {
		t.Errorf("%+v", f)
	}
}

func TestSmallestIDsAreThoseOfAFullSort(t *testing.T) {
	for _, n := range []int{0, 1, 99, 100, 101, 399, 400, 401, 5000} {
		gs := make([]stackparse.Goroutine, n)
		want := make([]uint64, n)
		for i := range gs {
			gs[i].ID = uint64(i)*7919%10007 + math.MaxUint64 - 20000 // neither sorted nor small
			want[i] = gs[i].ID
		}
		slices.Sort(want)
		if got := SmallestIDs(gs); !slices.Equal(got, want[:min(n, MaxEvidenceIDs)]) {
			t.Errorf("of %d goroutines: %v", n, got)
		}
	}
}

func TestMissingSaysWhatARuleLacks(t *testing.T) {
	one := &DumpInput{Dump: &stackparse.Dump{Goroutines: 1}, Process: "p"}
	other := &DumpInput{Dump: &stackparse.Dump{Goroutines: 1}, Process: "q"}
	headless := &DumpInput{Dump: &stackparse.Dump{Goroutines: 1, Truncated: stackparse.Truncation{Head: true}}}
	caused := &DumpInput{Dump: &stackparse.Dump{Cause: &stackparse.Cause{}}}
	raced := &DumpInput{Dump: &stackparse.Dump{Races: make([]stackparse.Race, 1)}}
	counted := func(class stackparse.Class) *DumpInput {
		return &DumpInput{Dump: &stackparse.Dump{Goroutines: 1, Format: stackparse.FormatDebug1,
			Buckets: []*stackparse.Bucket{{Count: 1, Class: class}}}}
	}
	for _, tt := range []struct {
		needs Needs
		dumps []*DumpInput
		want  string
	}{
		{NeedsDump, nil, "a goroutine dump"},
		{NeedsDump, []*DumpInput{one}, ""},
		{NeedsDumps, []*DumpInput{one, other}, "two dumps of one process"},
		{NeedsDumps, []*DumpInput{one, other, one}, ""},
		{NeedsDump | NeedsCause, []*DumpInput{caused}, "a goroutine dump"},
		{NeedsCause, []*DumpInput{caused}, ""},
		{NeedsRace, []*DumpInput{raced}, ""},
		{NeedsCause, []*DumpInput{one}, ""}, // a dump that begins without a cause says that the process did not crash
		{NeedsCause | NeedsRace, []*DumpInput{headless}, "a panic or a fatal error and a race detector's report"},
		{NeedsStates | NeedsWaits, []*DumpInput{one}, ""},
		{NeedsStates, []*DumpInput{counted(stackparse.ClassMutex)},
			"goroutine states (a signal's dump, or goroutine?debug=2)"},
		{NeedsWaits, []*DumpInput{counted(stackparse.ClassMutex)}, ""},
		{NeedsWaits, []*DumpInput{counted(stackparse.ClassOther)}, "the reasons why goroutines wait"},
	} {
		r := Rule{Needs: tt.needs}
		if got := r.Missing(&Pass{Dumps: tt.dumps}).String(); got != tt.want {
			t.Errorf("%v over %d dumps: %q, want %q", tt.needs, len(tt.dumps), got, tt.want)
		}
	}
}
