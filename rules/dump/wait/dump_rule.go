package wait

import "github.com/gotriage/triage/rules"

// A run looks for what a rule is about.
type run func(*rules.Pass) []rules.Finding

// dumpRule is a rule over dumps that report the states of goroutines.
func dumpRule(id, name string, category rules.Category, severity rules.Severity, run run) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: category, Severity: severity,
		Needs: rules.NeedsDump | rules.NeedsStates, Run: run}
}
