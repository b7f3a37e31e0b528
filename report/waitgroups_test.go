package report_test

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// sectionOf is a section of a report's text, "" where it has none.
func sectionOf(text, name string) string {
	_, rest, found := strings.Cut("\n"+text, "\n"+name+"  ")
	if !found {
		return ""
	}
	section, _, _ := strings.Cut(rest, "\n\n")
	return section
}

// waitingReport is a dump without a culprit: its goroutines wait, each group for something of another kind.
func waitingReport() *schema.Report {
	r := schema.New("")
	bucket := func(id uint64, wait, state, function string, line int, by *schema.Frame) schema.Bucket {
		return schema.Bucket{State: state, Wait: wait, Count: 1, Goroutines: []uint64{id}, CreatedBy: by,
			Frames: []schema.Frame{fn("example.com/app."+function, "/src/app.go", line, "own")}}
	}
	start := fn("example.com/app.run", "/src/app.go", 10, "own")
	r.Inputs = []schema.Input{{Path: "dump.txt", Kind: "text-log", Lines: 90, Bytes: 9000}}
	r.Dumps = []schema.Dump{{Input: "dump.txt", Line: 1, EndLine: 90, Format: "signal", Goroutines: 6, Seen: 1, Unparsed: 2,
		UnparsedLines: []schema.UnparsedLine{{Line: 30, Text: "## waits   for orders"},
			{Line: 31, Text: "## waits for orders"}},
		Buckets: []schema.Bucket{
			bucket(2, "sleep", "sleep", "tick", 20, &start), bucket(3, "io", "IO wait", "read", 30, &start),
			bucket(4, "chan receive", "chan receive", "orders", 40, &start), bucket(5, "waitgroup", "sync.WaitGroup.Wait", "run", 50, nil),
			bucket(6, "waitgroup", "sync.WaitGroup.Wait", "drain", 60, &start), bucket(7, "chan send", "chan send", "give", 70, &start),
		}}}
	return r
}

func TestOthersBesideACulpritAreNotCalledFaultless(t *testing.T) {
	got := sectionOf(text(t, spinReport(), report.TextOptions{Width: 100}), "OTHERS")
	if got == "" || strings.Contains(got, "no fault") || strings.Contains(got, "normal") {
		t.Errorf("%s", got)
	}
}

func TestWaitersOfALockWithACandidateHolderAreNotAmongTheOthers(t *testing.T) {
	dir := captures.Unpack(t, fixtureDir+"dumps/go1.26.tar.zst", "zoo-crash-signal.txt")
	r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	got := text(t, r, report.TextOptions{Width: 200})
	locks, others := sectionOf(got, "WHO BLOCKS WHOM"), sectionOf(got, "OTHERS")
	for _, at := range []string{"main.(*depot).take", "main.(*depot).restock"} {
		if !strings.Contains(locks, at) || strings.Contains(others, at) {
			t.Errorf("%s belongs to the locks:\n%s\n%s", at, locks, others)
		}
	}
}

func TestGoroutinesOfASuspectInALibrarysCallerAreNotAmongTheOthers(t *testing.T) {
	for caller, left := range map[string]string{
		"example.com/app.order": "5 goroutines in 5 more groups", "example.com/app.main": "6 goroutines in 6 more groups",
	} {
		r := waitingReport()
		b := &r.Dumps[0].Buckets[5]
		b.Frames = []schema.Frame{fn("example.org/queue.(*Queue).Put", "/mod/queue.go", 5, "dependency"),
			fn("example.com/app.order", "/src/app.go", 71, "own"), fn("example.com/app.main", "/src/app.go", 9, "own")}
		r.Leads = []schema.Lead{{Rank: 1, Certainty: schema.OnlySuspect, Title: "goroutine 7 waits to send",
			Culprit: &rules.Place{Function: caller}}}
		if others := sectionOf(text(t, r, report.TextOptions{Width: 100}), "OTHERS"); !strings.Contains(others, left) {
			t.Errorf("beside a suspect in %s, want %s:\n%s", caller, left, others)
		}
	}
}

func TestCopiesAndEmptyLogsAreNoLogsThatWereNotRead(t *testing.T) {
	r := schema.New("")
	for _, in := range []schema.Input{{Path: "b/a.log", First: "2026-03-01T10:00:00Z", Last: "2026-03-01T10:01:00Z", Lines: 9, Bytes: 90},
		{Path: "b/a.log.1", Lines: 9, Bytes: 90}, {Path: "b/empty.log"}, {Path: "b/plain.log", Lines: 2, Bytes: 40}} {
		in.Kind = "text-log"
		r.Inputs = append(r.Inputs, in)
	}
	r.Skipped = []schema.Skipped{schema.SkippedCopy("b/a.log.1", "b/a.log")}
	r.Rules = schema.RuleCounts{Checked: 3, Clear: 1, NotApplicable: 2}
	if got := text(t, r, report.TextOptions{Width: 100}); !strings.Contains(got, "nothing stands out in 1 of 2 logs") {
		t.Errorf("%s", got)
	}
}

func TestAFindingOfTwoInputsOfDifferentTimesHasNoSpan(t *testing.T) {
	r := waitingReport()
	r.Findings = []rules.Finding{{Rule: "X001", Name: "x", Severity: rules.High, Category: rules.Memory, Title: "it runs out of memory",
		FirstSeen: "2026-03-06T11:57:00Z", LastSeen: "2026-11-21T06:30:07Z", Sources: []string{"pods.yaml", "heap.pb.gz"},
		Evidence: []rules.Evidence{{Input: "pods.yaml", Time: "2026-03-06T11:57:00Z", Text: "killed"},
			{Input: "heap.pb.gz", Time: "2026-11-21T06:30:07Z", Text: "96% of the heap"}}}}
	got := collapse(text(t, r, report.TextOptions{Width: 100}))
	if want := "at 2026-03-06 11:57:00 and, in another input, at 2026-11-21 06:30:07 (259 days later)"; !strings.Contains(got, want) {
		t.Errorf("no %q in %s", want, got)
	}
	r.Findings[0].Evidence[1].Input = "pods.yaml" // one log over 259 days is a span
	if got := collapse(text(t, r, report.TextOptions{Width: 100})); !strings.Contains(got, "(259 days)") {
		t.Errorf("no span in %s", got)
	}
}
