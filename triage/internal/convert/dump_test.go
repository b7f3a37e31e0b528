package convert

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// An export with its newest line first has a dump's first line below its last.
func TestEvidenceIsWithinADumpWhoseLinesFall(t *testing.T) {
	found := []rules.Finding{{Rule: "TR204", Evidence: []rules.Evidence{
		{Input: "a.jsonl", Line: 5, Goroutines: []uint64{27}},
		{Input: "a.jsonl", Line: 9, Goroutines: []uint64{1}},
	}}}
	d := &rules.DumpInput{Input: "a.jsonl", Dump: &stackparse.Dump{Line: 7, EndLine: 1},
		Locate: func(line int64) (string, int64) { return "a.jsonl", line }}
	got := IndexEvidence(found).Within(d)
	if len(got) != 1 || got[0].Evidence[0].Line != 5 {
		t.Errorf("findings within lines 7 to 1: %+v", got)
	}
}

// A program's main goroutine may wait for anything: the report names the call instead of guessing what for.
func TestARoleThatDependsOnThePlaceIsDescribedByIt(t *testing.T) {
	main := &rules.Role{Name: "main", Doc: "waits for a signal", Place: true}
	const header = "goroutine 1 [chan receive, 30 minutes]:\n"
	const own = "main.drive()\n\t/app/main.go:36 +0x26\nmain.main()\n\t/app/main.go:22 +0x185\n"
	const library = "example.org/clock.(*Fake).Block(0xc000010000, 0x2)\n\t/go/pkg/mod/example.org/clock@v1.0.0/clock.go:194 +0x135\n"
	for _, test := range []struct{ dump, want string }{
		{header + own, "waits in main.drive (main.go:36)"},
		{header + library + own, "waits in clock.(*Fake).Block, called at main.go:36"},
		{header + own + "\n" + "goroutine 2 [chan receive]:\n" + library + own, "waits for a signal"},
		{header + "os/signal.loop()\n\t/usr/local/go/src/os/signal/signal_unix.go:23 +0x13\n", "waits for a signal"},
	} {
		dumps, err := stackparse.Parse(strings.NewReader(test.dump))
		if err != nil || len(dumps) != 1 {
			t.Fatalf("%d dumps, %v", len(dumps), err)
		}
		in := &rules.DumpInput{Dump: dumps[0], Program: frame.Program{}}
		for range in.Buckets {
			in.Roles = append(in.Roles, main)
		}
		if got := rolesOf(in); len(got) != 1 || got[0].Doc != test.want {
			t.Errorf("%q\ngot  %+v\nwant %q", test.dump, got, test.want)
		}
	}
}

func TestMoreOfARoleThanAProcessUsuallyHasAreInExcess(t *testing.T) {
	starter := func(name string) *stackparse.Frame {
		return &stackparse.Frame{Frame: frame.Frame{Func: name}}
	}
	role := &rules.Role{Name: "scheduler", Usual: 4}
	in := &rules.DumpInput{Dump: &stackparse.Dump{Buckets: []*stackparse.Bucket{
		{Count: 3, CreatedBy: starter("main.start")}, {Count: 2, CreatedBy: starter("main.start")},
		{Count: 4, CreatedBy: starter("main.main")}, {Count: 90, CreatedBy: starter("main.work")},
	}}, Roles: []*rules.Role{role, role, role, nil}}
	excess := excessOf(in)
	for i, want := range []bool{true, true, false, false} {
		if got := excess[startedRole(in.Buckets[i], in.Roles[i])]; got != want {
			t.Errorf("bucket %d: excess %v, want %v", i, got, want)
		}
	}
}
