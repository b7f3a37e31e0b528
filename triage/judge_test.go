package triage

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

func TestRuleCountsAddUp(t *testing.T) {
	fires := &rules.Rule{ID: "TR1", Needs: rules.NeedsDump, Run: func(*rules.Pass) []rules.Finding {
		return []rules.Finding{{Rule: "TR1", Severity: rules.Low, Evidence: []rules.Evidence{{Input: "a", Line: 1, Count: 1}}}}
	}}
	clear := &rules.Rule{ID: "TR2", Needs: rules.NeedsDump, Run: func(*rules.Pass) []rules.Finding { return nil }}
	lacks := &rules.Rule{ID: "TR3", Needs: rules.NeedsRace, Run: func(*rules.Pass) []rules.Finding { panic("must not run") }}
	fails := &rules.Rule{ID: "TR4", Name: "fails", Run: func(*rules.Pass) []rules.Finding { panic("a bug") }}
	r := schema.New("")
	applyRules(r, RuleBook{Rules: []*rules.Rule{fires, clear, lacks, fails}},
		&rules.Pass{Dumps: []*rules.DumpInput{{Dump: &stackparse.Dump{Goroutines: 1}}}})
	if want := (schema.RuleCounts{Checked: 4, Fired: 1, Clear: 1, NotApplicable: 2}); r.Rules != want {
		t.Errorf("counts %+v, want %+v", r.Rules, want)
	}
	if len(r.NotApplicable) != 2 || r.NotApplicable[0].Rule != "TR3" || r.NotApplicable[0].Needs == "" {
		t.Errorf("not applicable: %+v", r.NotApplicable)
	} else if !strings.Contains(r.NotApplicable[1].Needs, "a bug") {
		t.Errorf("the rule that failed is not reported: %+v", r.NotApplicable)
	}
	if len(r.Findings) != 1 {
		t.Errorf("%d findings, want 1: the failing rule took the other's", len(r.Findings))
	}
}
