package verdict

import (
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

func waiting(rule string, severity rules.Severity, function string, line int, creator string, id uint64) rules.Finding {
	return rules.Finding{
		Rule: rule, Name: "stuck", Category: rules.Deadlock, Severity: severity, Confidence: rules.ConfHigh,
		Title: function + " waits", Culprit: rules.Place{Function: function, Line: line}, Creator: creator,
		Path:     []rules.PathFrame{{Function: function, Line: line}},
		Evidence: []rules.Evidence{{Input: "1.log", Goroutines: []uint64{id}, Count: 1}}, Sources: []string{"1.log"},
	}
}

func TestOneWaitIsOneFinding(t *testing.T) {
	exact := waiting("TR216", rules.High, "a.Next", 12, "a.Start", 7)
	for name, c := range map[string]struct {
		other rules.Finding
		joins bool
	}{
		"the same goroutine in the same line":     {waiting("TR401", rules.Medium, "a.Next", 12, "a.Start", 7), true},
		"who waits for the goroutine to end":      {waiting(waitGroupRule, rules.Medium, "a.Start", 30, "main.main", 1), true},
		"another goroutine in the same line":      {waiting("TR401", rules.Medium, "a.Next", 12, "a.Start", 8), false},
		"the same goroutine in another line":      {waiting("TR401", rules.Medium, "a.Next", 13, "a.Start", 7), false},
		"the same goroutine, of the same rule":    {waiting("TR216", rules.Medium, "b.Register", 30, "a.Start", 7), true},
		"another goroutine, of the same rule":     {waiting("TR216", rules.Medium, "b.Register", 30, "a.Start", 8), false},
		"who waits for goroutines of its own":     {waiting(waitGroupRule, rules.Medium, "b.Start", 30, "main.main", 1), false},
		"who started it, and waits for a channel": {waiting("TR413", rules.Medium, "a.Start", 30, "main.main", 1), false},
	} {
		for _, found := range [][]rules.Finding{{exact, c.other}, {c.other, exact}} {
			got := OneWait(found, &rules.Pass{})
			if joined := len(got) == 1; joined != c.joins {
				t.Errorf("%s: joined is %t, want %t", name, joined, c.joins)
			}
			if c.joins && (got[0].Rule != exact.Rule || len(got[0].Notes) != 1) {
				t.Errorf("%s: %s with notes %q stays", name, got[0].Rule, got[0].Notes)
			}
		}
	}
}

// A goroutine that waits with a lock of its own and one of a library is one finding, about the program: what the library
// holds it gives back when the call ends, however many wait for it.
func TestOneWaitUnderTwoLocksIsAboutTheProgram(t *testing.T) {
	own := waiting("TR409", rules.High, "app.(*jobs).add", 52, "http.Serve", 7)
	own.Path[0].Class = frame.ClassOwn.String()
	library := waiting("TR409", rules.High, "lib.(*Registry).Register", 290, "http.Serve", 7)
	library.Path[0].Class, library.Count = frame.ClassDependency.String(), 12
	surer := own
	surer.Confidence = rules.ConfMedium
	for name, c := range map[string]struct{ a, b, first rules.Finding }{
		"equally sure":          {own, library, own},
		"the library is surer":  {surer, library, library},
		"another's wait beside": {own, waiting("TR409", rules.High, "app.(*jobs).add", 52, "http.Serve", 8), own},
	} {
		for _, found := range [][]rules.Finding{{c.a, c.b}, {c.b, c.a}} {
			got := OneWait(found, &rules.Pass{})
			if name == "another's wait beside" {
				if len(got) != 2 {
					t.Errorf("%s: %d findings", name, len(got))
				}
				continue
			}
			if len(got) != 1 || got[0].Culprit != c.first.Culprit {
				t.Errorf("%s: %d findings, the first is about %s", name, len(got), got[0].Culprit.Function)
			}
		}
	}
	both := func(f rules.Finding) rules.Finding {
		f.Sources = []string{"1.log", "2.log"}
		return f
	}
	if got := OneWait([]rules.Finding{both(library), both(own)}, &rules.Pass{}); len(got) != 1 {
		t.Errorf("seen in two dumps: %d findings", len(got))
	}
}

func TestEqualIdsOfTwoProcessesAreNotOneWait(t *testing.T) {
	a, b := waiting("TR216", rules.High, "a.Next", 12, "a.Start", 7), waiting("TR216", rules.Medium, "b.Next", 30,
		"a.Start", 7)
	a.Evidence[0].Line, b.Evidence[0].Line = 3, 13
	dump := func(line int64) *rules.DumpInput {
		return &rules.DumpInput{Dump: &stackparse.Dump{Line: line, EndLine: line + 9}, Input: "1.log"}
	}
	for _, tt := range []struct {
		dumps []*rules.DumpInput
		want  int
	}{{[]*rules.DumpInput{dump(1), dump(11)}, 2}, {[]*rules.DumpInput{dump(1)}, 1}} {
		if got := OneWait([]rules.Finding{a, b}, &rules.Pass{Dumps: tt.dumps}); len(got) != tt.want {
			t.Errorf("%d dumps: %d findings, want %d", len(tt.dumps), len(got), tt.want)
		}
	}
}
