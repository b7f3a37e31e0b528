package verdict

import (
	"fmt"

	"github.com/gotriage/triage/internal/parallel"
	"github.com/gotriage/triage/rules"
)

// An Answer is what one rule returned: its findings, or the evidence that it lacks.
type Answer struct {
	Rule    *rules.Rule
	Found   []rules.Finding
	Missing string // "" where the rule applies
}

// AskAll applies each rule of a set, as many at a time as there are processors; answers are in order of the set.
func AskAll(set []*rules.Rule, pass *rules.Pass) []Answer {
	answers := make([]Answer, len(set))
	parallel.Each(len(set), func(i int) { answers[i] = Ask(set[i], pass) })
	return answers
}

// Ask applies one rule. A rule that panics over a hostile input does not cost the others' findings, and it is not clear
// either: what it would have found is unknown.
func Ask(rule *rules.Rule, pass *rules.Pass) (a Answer) {
	if missing := rule.Missing(pass); missing != 0 {
		return Answer{Rule: rule, Missing: missing.String()}
	}
	defer func() {
		if p := recover(); p != nil {
			a = Answer{Rule: rule, Missing: fmt.Sprintf("a triage without this fault: %v", p)}
		}
	}()
	return Answer{Rule: rule, Found: rule.Apply(pass)}
}
