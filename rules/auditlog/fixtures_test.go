package auditlog

import (
	"testing"

	"github.com/gotriage/triage/rules/internal/fixtures"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

func TestAuditRulesOnAllAuditFixtures(t *testing.T) {
	for _, fx := range fixtures.Audit(t) {
		t.Run(fx.Name, func(t *testing.T) {
			found := rulestest.ApplyAll(Rules(), fx.Pass)
			for i := range found {
				rulestest.CheckFinding(t, &found[i])
			}
			wantAudit(t, found, fx.Want...)
		})
	}
}

func TestTitlesAboutLongNamesAreWholeSentences(t *testing.T) {
	seen := map[string]bool{"TR763": true} // its claims' names end in their pod's, which the prefix parts
	for _, fx := range fixtures.AuditWithLongNames(t) {
		for _, f := range rulestest.ApplyAll(Rules(), fx.Pass) {
			seen[f.Rule] = true
			rulestest.CheckLongTitle(t, &f)
		}
	}
	for _, r := range Rules() {
		if !seen[r.ID] {
			t.Errorf("%s (%s) reports nothing with long names", r.ID, r.Name)
		}
	}
}
