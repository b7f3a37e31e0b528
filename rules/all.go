package rules

import (
	"cmp"
	"slices"
)

// All returns the built-in rules, ordered by id. Each call returns new Rules, which share the definitions of the declarative
// ones.
func All() []*Rule { return allWith(embedded()) }

// allWith returns the rules written in Go and the declarative ones of b, ordered by id.
func allWith(b *builtins) []*Rule {
	all := b.rules()
	all = append(all, spinRules()...)
	all = append(all, crashRules()...)
	all = append(all, waitRules()...)
	all = append(all, profileRules()...)
	all = append(all, logRules()...)
	all = append(all, objectRules()...)
	all = append(all, auditRules()...)
	slices.SortStableFunc(all, func(a, b *Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
