package meters

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gotriage/triage/rules/internal/fixtures"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

func TestMeterRulesOnAllMeterFixtures(t *testing.T) {
	for _, fx := range fixtures.Meters(t) {
		t.Run(fx.Name, func(t *testing.T) {
			got := []string{}
			for _, f := range rulestest.ApplyAll(Rules(), fx.Pass) {
				rulestest.CheckFinding(t, &f)
				rulestest.CheckTexts(t, &f)
				who, _, _ := strings.Cut(f.Title, " ")
				got = append(got, fmt.Sprintf("%s %s/%s %s %s", f.Rule, f.Severity, f.Confidence, f.Category, who))
				t.Logf("%s: %s", f.Title, f.Evidence[0].Text)
			}
			if diff := cmp.Diff(fx.Want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s\nwant (-), got (+):\n%s", fx.Comment, diff)
			}
		})
	}
	fixtures.CheckCoverage(t, Rules(), fixtures.Meters(t))
}
