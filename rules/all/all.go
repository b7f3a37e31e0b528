package all

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/auditlog"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/dump/coded"
	"github.com/gotriage/triage/rules/dump/crash"
	"github.com/gotriage/triage/rules/dump/spin"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/logs"
	"github.com/gotriage/triage/rules/meters"
	"github.com/gotriage/triage/rules/objects"
)

// Rules returns the built-in rules, ordered by id. Each call returns new Rules, which share the definitions of the
// declarative ones.
func Rules() []*rules.Rule {
	all := slices.Concat(declared.Rules(), spin.Rules(), crash.Rules(), wait.Rules(), coded.Rules(), hotspot.Rules(),
		logs.Rules(), objects.Rules(), auditlog.Rules(), meters.Rules())
	slices.SortStableFunc(all, func(a, b *rules.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
