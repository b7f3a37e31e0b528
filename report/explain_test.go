package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
)

func someRules() []*rules.Rule {
	return []*rules.Rule{
		{ID: "TR202", Name: "lock-cycle", Category: rules.Deadlock, Severity: rules.High, Needs: rules.NeedsDump, Docs: func() rules.Doc {
			return rules.Doc{
				Title: "goroutines that hold what the other waits for", Why: "Nobody of them can go on.", Fix: "Lock in one order.", FalsePositives: "A holder is inferred."}
		}},
		{ID: "TR101", Name: "busy-wait", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsDump, Docs: func() rules.Doc {
			return rules.Doc{
				Title: "a goroutine that yields in a loop instead of waiting",
				Why: "A goroutine that yields with runtime.Gosched and is runnable again at once polls instead of waiting: it takes a whole CPU for as long as " +
					"what it polls for doesn't come.",
				Fix:            "Wait on a channel, a sync.Cond or a context; if it must poll, sleep between the checks.",
				FalsePositives: "A test that yields to let others run.",
				Refs:           []string{"https://pkg.go.dev/runtime#Gosched", "https://go.dev/doc/faq"}}
		}},
		{ID: "TR151", Name: "spin-in-two-dumps", Category: rules.Spin, Severity: rules.Critical, Needs: rules.NeedsDumps, Docs: func() rules.Doc {
			return rules.Doc{
				Title: "a goroutine that runs in the same frame of two dumps that were taken some seconds apart, and so not by chance"}
		}},
	}
}

func TestRules_ListsByIDInOneLineEach(t *testing.T) {
	var b bytes.Buffer
	roles := []rules.Role{{Name: "workqueue-worker", Doc: "waits for the next key of a work queue"}, {Name: "gc-worker", Doc: "collects garbage"}}
	if err := report.Rules(&b, someRules(), roles, report.TextOptions{Width: 80}); err != nil {
		t.Fatal(err)
	}
	golden(t, "rules.80.txt", b.String())
}

func TestExplain_TellsAllThatIsKnown(t *testing.T) {
	var b bytes.Buffer
	r := someRules()[1]
	if err := report.Explain(&b, r, report.TextOptions{Width: 80}); err != nil {
		t.Fatal(err)
	}
	golden(t, "explain.80.txt", b.String())
	doc := r.Doc()
	for _, s := range append([]string{r.ID, r.Name, doc.Title, doc.Why, doc.Fix, doc.FalsePositives, r.Needs.String()}, doc.Refs...) {
		if !strings.Contains(collapse(b.String()), s) {
			t.Errorf("doesn't tell %q", s)
		}
	}
}

func TestRules_AreEscapedToo(t *testing.T) {
	var b bytes.Buffer
	hostile := &rules.Rule{ID: nasty, Name: nasty, Category: nasty, Severity: nasty, Docs: func() rules.Doc {
		return rules.Doc{Title: nasty, Why: nasty, Refs: []string{nasty}}
	}}
	if err := report.Rules(&b, []*rules.Rule{hostile}, []rules.Role{{Name: nasty, Doc: nasty}}, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := report.Explain(&b, hostile, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\x07\r\x00\u202e\u009b") {
		t.Errorf("%q", b.String())
	}
}

func TestExplainListsWhatTheDocumentationLists(t *testing.T) {
	r := &rules.Rule{ID: "TR901", Name: "listed", Category: rules.Spin, Severity: rules.Low, Docs: func() rules.Doc {
		return rules.Doc{Title: "It lists", Why: "One of these, of which the second is longer than the line:\n- this\n" +
			"- that, which takes more columns than one line of the terminal has\nThen more.", Fix: "Fix it."}
	}}
	var b bytes.Buffer
	if err := report.Explain(&b, r, report.TextOptions{Width: 60}); err != nil {
		t.Fatal(err)
	}
	golden(t, "explain-list.60.txt", b.String())
}
