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
var retired = strings.Fields(`
	TR416 TR422 TR427 TR428 TR429 TR430 TR431 TR432 TR434 TR435 TR436 TR437 TR438 TR439 TR440 TR447
	TR451 TR452 TR453 TR454 TR455 TR456 TR457 TR462 TR466 TR467 TR505 TR511 TR521 TR523 TR531 TR532 TR534 TR538 TR542
	TR543 TR547 TR548 TR559 TR562 TR563 TR595 TR596 TR597 TR609 TR621 TR643 TR644 TR651 TR671 TR672
	TR701 TR702 TR703 TR704 TR708 TR709 TR733 TR735 TR738 TR739 TR740 TR741 TR742 TR745 TR746 TR749
	TR750 TR752 TR754 TR755 TR756 TR757 TR759 TR763 TR765 TR766 TR767 TR768 TR769 TR770 TR771 TR775
	TR776 TR777 TR778 TR780 TR781 TR782 TR783 TR784 TR785 TR786 TR787 TR788 TR789
`)

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
