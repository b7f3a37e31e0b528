package all

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
)

func TestBuiltinRulesAreCompleteAndUnique(t *testing.T) {
	all := Rules()
	if err := rules.Validate(all); err != nil {
		t.Error(err)
	}
	for _, r := range all {
		if !strings.HasPrefix(r.ID, "TR") {
			t.Errorf("rule %s (%s): built-in rules have ids TRnnn", r.ID, r.Name)
		}
	}
}

// retired are the ids of rules that are gone. Reports and configurations name them, so that no other rule gets one.
var retired = strings.Fields("TR416 TR432 TR435 TR437 TR440 TR447 TR452 TR453 TR454 TR455 TR456")

func TestIDsOfRetiredRulesAreNotUsedAgain(t *testing.T) {
	for _, r := range Rules() {
		if slices.Contains(retired, r.ID) {
			t.Errorf("%s (%s): the id was that of another rule", r.ID, r.Name)
		}
	}
}

func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		Rules()
	}
}

// A rule of the user must not be taken for one of triage's.
func TestTheDocumentedRulesAreUniqueBesideTheBuiltinOnes(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "own-rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(strings.ReplaceAll(string(doc), "\r\n", "\n"), "```yaml\n")
	example, _, _ = strings.Cut(example, "```\n")
	f, err := declared.Load("acme.yaml", []byte(example))
	if err != nil || len(f.Rules) == 0 {
		t.Fatalf("%v: %v", f, err)
	}
	if err := rules.Validate(append(Rules(), f.Rules...)); err != nil {
		t.Error(err)
	}
}
