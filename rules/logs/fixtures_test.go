package logs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/fixtures"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

func gotLog(f *rules.Finding) string {
	object := "-"
	if f.Object != nil {
		object = objectTitle(*f.Object)
	}
	return fmt.Sprintf("%s %s/%s %s", f.Rule, f.Severity, f.Confidence, object)
}

func TestAllLogRulesOnAllLogFixtures(t *testing.T) {
	for _, fx := range fixtures.Logs(t) {
		t.Run(fx.Name, func(t *testing.T) {
			found := rulestest.ApplyAll(Rules(), fx.Pass)
			lines := []string{}
			for i := range found {
				lines = append(lines, gotLog(&found[i]))
				rulestest.CheckFinding(t, &found[i])
				rulestest.CheckTexts(t, &found[i])
				checkEvidence(t, fx.Pass.Logs, &found[i])
			}
			slices.Sort(lines)
			slices.Sort(fx.Want)
			if diff := gocmp.Diff(append([]string{}, fx.Want...), lines); diff != "" {
				t.Errorf("%s\nwant (-), got (+):\n%s", fx.Comment, diff)
			}
		})
	}
}

// checkEvidence holds that each piece points at a line of an input that was read.
func checkEvidence(t *testing.T, logs []*rules.LogInput, f *rules.Finding) {
	t.Helper()
	for _, e := range f.Evidence {
		i := slices.IndexFunc(logs, func(in *rules.LogInput) bool { return in.Input == e.Input })
		if i < 0 || e.Line < 1 || e.Line > logs[i].Log.(*logpattern.Log).Lines || e.Count < 1 || e.Text == "" {
			t.Errorf("%s: evidence points nowhere: %+v", f.Rule, e)
		}
	}
	for _, cmd := range f.Next {
		if !strings.HasPrefix(cmd.Command, "kubectl ") && !strings.HasPrefix(cmd.Command, "helm ") {
			t.Errorf("%s: not a command: %q", f.Rule, cmd.Command)
		}
	}
}

func TestEveryLogRuleHasAFixtureThatFiresAndANearMiss(t *testing.T) {
	all := fixtures.Logs(t)
	fixtures.CheckCoverage(t, Rules(), all)
	fixtures.CheckNearMisses(t, all)
}

func TestLogRulesAreOrderedAndValid(t *testing.T) {
	all := Rules()
	if err := rules.Validate(all); err != nil {
		t.Error(err)
	}
	if !slices.IsSortedFunc(all, func(a, b *rules.Rule) int { return cmp.Compare(a.ID, b.ID) }) {
		t.Error("not ordered by id")
	}
	for _, r := range all {
		if r.Needs != rules.NeedsLogs {
			t.Errorf("%s needs %s", r.ID, r.Needs)
		}
	}
}
