package where

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/triage/schema"
)

func raft() *schema.Bucket {
	return &schema.Bucket{
		State: "select", Wait: "select", Count: 12, Minutes: schema.Minutes{Min: 3, Max: 14}, Role: "",
		Labels: []string{"request: 17"}, CreatedBy: &schema.Frame{Function: "example.com/raft.(*Node).Start"},
		Frames: []schema.Frame{{Function: "runtime.gopark"}, {Elided: 3}, {Function: "example.com/raft.(*Node).run"}},
	}
}

func TestAConditionSelectsGroupsByTheWordsOfTheReport(t *testing.T) {
	for condition, want := range map[string]bool{
		`state == "select" and minutes > 10`:           true,
		`state == "select" and minutes > 14`:           false,
		`count >= 12 && role == ""`:                    true,
		`wait in ["mutex", "rwmutex"]`:                 false,
		`function contains "raft"`:                     true,
		`function == "example.com/raft.(*Node).run"`:   true,
		`function == "example.com/raft.(*Node)"`:       false,
		`function != "main.main"`:                      true,
		`package == "example.com/raft"`:                true,
		`package startsWith "example.com/"`:            true,
		`function endsWith ".run"`:                     true,
		`label == "request: 17"`:                       true,
		`label contains "user"`:                        false,
		`created_by matches "Start$"`:                  true,
		`any(function, # matches "^runtime\\.go.*k$")`: true,
		`not locked`: true,
	} {
		f, err := Compile(condition)
		if err != nil {
			t.Errorf("%s: %v", condition, err)
			continue
		}
		if got, err := f.Match(raft()); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", condition, got, err, want)
		}
	}
}

func TestACondition_ThatIsWrongPointsToItsPlace(t *testing.T) {
	for condition, want := range map[string]string{
		`stat == "select"`: "unknown name stat", `count +`: "column", `count`: "bool", `state == 3`: "",
		`not function contains "x"`: "not needs brackets",
		strings.Repeat("(", 5000):   "longer than 4096 bytes",
	} {
		if _, err := Compile(condition); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", condition, err, want)
		}
	}
}

func TestAConditionThatCannotBeComputedIsAnError(t *testing.T) {
	f, err := Compile(`split(state, "")[count] == "x"`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Match(raft()); err == nil {
		t.Error("no error")
	}
}
