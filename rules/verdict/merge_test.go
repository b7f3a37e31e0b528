package verdict

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gotriage/triage/rules"
)

func finding(rule, print string, s rules.Severity, c rules.Confidence, count int, input string) rules.Finding {
	return rules.Finding{
		Rule: rule, Fingerprint: print, Severity: s, Confidence: c, Count: count,
		Evidence: []rules.Evidence{{Input: input, Line: 1, Count: count, Time: "2026-11-20T18:05:32Z"}},
	}
}

func TestFindingsRankByAlarmThenSeverityThenConfidenceThenCountThenInput(t *testing.T) {
	order := map[string]int{"a": 0, "b": 1}
	want := []rules.Finding{
		finding("TR1", "1", rules.Critical, rules.ConfMedium, 1, "b"),
		finding("TR2", "2", rules.High, rules.ConfHigh, 1, "b"),
		finding("TR3", "3", rules.High, rules.ConfMedium, 9, "b"),
		finding("TR4", "4", rules.High, rules.ConfMedium, 2, "a"),
		finding("TR5", "5", rules.High, rules.ConfMedium, 2, "b"),
		finding("TR6", "6", rules.High, rules.ConfLow, 900, "a"),
		finding("TR7", "7", rules.Info, rules.ConfHigh, 900, "a"),
	}
	got := Rank([]rules.Finding{want[4], want[6], want[2], want[5], want[0], want[3], want[1]}, order)
	for i := range want {
		if got[i].Rule != want[i].Rule {
			t.Fatalf("place %d: %s, want %s", i+1, got[i].Rule, want[i].Rule)
		}
	}
}

func TestEqualFingerprintsAreOneFindingWithSeveralSources(t *testing.T) {
	a := finding("TR1", "same", rules.High, rules.ConfMedium, 3, "pod-a.log")
	b := finding("TR1", "same", rules.High, rules.ConfHigh, 4, "pod-b.log")
	b.Title, b.Evidence[0].Time = "the surer one", "2026-11-20T17:00:00Z"
	c := finding("TR1", "other", rules.High, rules.ConfHigh, 1, "pod-a.log")
	got := Merge([]rules.Finding{a, b, c})
	if len(got) != 2 {
		t.Fatalf("%d findings, want 2", len(got))
	}
	f := got[0]
	if f.Title != "the surer one" || f.Confidence != rules.ConfHigh || f.Count != 7 || len(f.Evidence) != 2 {
		t.Errorf("merged to %+v", f)
	}
	if want := []string{"pod-b.log", "pod-a.log"}; !slices.Equal(f.Sources, want) {
		t.Errorf("sources %q, want %q", f.Sources, want)
	}
	if f.FirstSeen != "2026-11-20T17:00:00Z" || f.LastSeen != "2026-11-20T18:05:32Z" {
		t.Errorf("seen from %s to %s", f.FirstSeen, f.LastSeen)
	}
}

func TestFindingsWithoutFingerprintStayApart(t *testing.T) {
	a := finding("TR1", "", rules.High, rules.ConfLow, 1, "a")
	if got := Merge([]rules.Finding{a, a}); len(got) != 2 {
		t.Errorf("%d findings, want 2", len(got))
	}
}

func TestMergedEvidenceIsBounded(t *testing.T) {
	var all []rules.Finding
	for i := range 3 * maxEvidence {
		all = append(all, finding("TR1", "same", rules.High, rules.ConfLow, 1, fmt.Sprintf("pod-%d.log", i)))
	}
	f := Merge(all)[0]
	if len(f.Evidence) != maxEvidence || len(f.Sources) != 3*maxEvidence || f.Count != 3*maxEvidence {
		t.Errorf("%d pieces of evidence, %d sources, count %d", len(f.Evidence), len(f.Sources), f.Count)
	}
}
