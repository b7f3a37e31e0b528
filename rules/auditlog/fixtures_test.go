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
				rulestest.CheckTexts(t, &found[i])
			}
			wantAudit(t, found, fx.Want...)
		})
	}
}

func TestTitlesAboutLongNamesAreWholeSentences(t *testing.T) {
	fixtures.CheckLongTitles(t, Rules(), fixtures.AuditWithLongNames(t))
}
