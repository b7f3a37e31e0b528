package objects

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/fixtures"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// applyObjects applies the rules about objects.
func applyObjects(c *kube.Cluster) []rules.Finding {
	return rulestest.ApplyAll(Rules(), &rules.Pass{Cluster: c})
}

// gotObject is a finding as `want` writes it.
func gotObject(f *rules.Finding) string {
	name := f.Object.Name
	if f.Object.Namespace != "" {
		name = f.Object.Namespace + "/" + name
	}
	return fmt.Sprintf("%s %s/%s %s %s %s", f.Rule, f.Severity, f.Confidence, f.Category, f.Object.Kind, name)
}

func TestObjectRulesOnAllObjectFixtures(t *testing.T) {
	all := fixtures.Objects(t)
	for _, fx := range all {
		t.Run(fx.Name, func(t *testing.T) {
			found := rulestest.ApplyAll(Rules(), fx.Pass)
			lines := []string{}
			for i := range found {
				f := &found[i]
				lines = append(lines, gotObject(f))
				rulestest.CheckFinding(t, f)
				rulestest.CheckTexts(t, f)
				checkObjectFinding(t, f)
			}
			if diff := cmp.Diff(append([]string{}, fx.Want...), lines); diff != "" {
				t.Errorf("%s\nwant (-), got (+):\n%s", fx.Comment, diff)
				for _, f := range found {
					t.Logf("%s\n  %s\n  %v", f.Title, f.Why, f.Evidence)
				}
			}
		})
	}
	fixtures.CheckCoverage(t, Rules(), all)
	fixtures.CheckNearMisses(t, all)
}

func TestTitlesAboutLongNamesAreWholeSentences(t *testing.T) {
	fixtures.CheckLongTitles(t, Rules(), fixtures.ObjectsWithLongNames(t))
}

// checkObjectFinding holds what every report relies on for findings about objects.
func checkObjectFinding(t *testing.T, f *rules.Finding) {
	t.Helper()
	if f.Object == nil || f.Object.Kind == "" || f.Object.Name == "" {
		t.Fatalf("%s names no object: %+v", f.Rule, f.Object)
	}
	if !strings.Contains(f.Title, f.Object.Name) && len(f.Object.Name) < 40 {
		t.Errorf("%s: the title does not name %s: %q", f.Rule, f.Object.Name, f.Title)
	}
	for _, e := range f.Evidence {
		if e.Input == "" || e.Line <= 0 || e.Text == "" {
			t.Errorf("%s: evidence without its place: %+v", f.Rule, e)
		}
	}
	if len(f.Next) == 0 {
		t.Errorf("%s: no command to go on with", f.Rule)
	}
}
