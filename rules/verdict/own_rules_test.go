package verdict

import (
	"testing"

	"github.com/gotriage/triage/rules"
)

func TestWhatARuleOfTheUserFindsStaysAFindingOfItsOwn(t *testing.T) {
	pod := &rules.Object{API: "v1", Kind: "Pod", Namespace: "shop", Name: "web-0"}
	for id, want := range map[string]int{"ACME001": 2, "TR999": 1} {
		set := []*rules.Rule{{ID: "TR731", Needs: rules.NeedsObjects}, {ID: id, Needs: rules.NeedsObjects}}
		var found []rules.Finding
		for _, r := range set {
			found = append(found, rules.Finding{Rule: r.ID, Category: rules.Crash, Severity: rules.High,
				Confidence: rules.ConfMedium, Object: pod, Fingerprint: r.ID})
		}
		if got := OneCause(set, found, &rules.Pass{}); len(got) != want {
			t.Errorf("with a finding of %s: %d findings, want %d", id, len(got), want)
		}
	}
}
