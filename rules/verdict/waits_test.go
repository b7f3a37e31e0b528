package verdict

import (
	"testing"

	"github.com/gotriage/triage/rules"
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
		"who waits for goroutines of its own":     {waiting(waitGroupRule, rules.Medium, "b.Start", 30, "main.main", 1), false},
		"who started it, and waits for a channel": {waiting("TR413", rules.Medium, "a.Start", 30, "main.main", 1), false},
	} {
		for _, found := range [][]rules.Finding{{exact, c.other}, {c.other, exact}} {
			got := OneWait(found)
			if joined := len(got) == 1; joined != c.joins {
				t.Errorf("%s: joined is %t, want %t", name, joined, c.joins)
			}
			if c.joins && (got[0].Rule != exact.Rule || len(got[0].Notes) != 1) {
				t.Errorf("%s: %s with notes %q stays", name, got[0].Rule, got[0].Notes)
			}
		}
	}
}
