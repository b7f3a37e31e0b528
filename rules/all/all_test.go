package all

import (
	"os"
	"path/filepath"
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
