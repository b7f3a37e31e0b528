package declared

import (
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// A builtinRule is a declarative rule with its documentation, so that its templates are parsed for findings only.
// builtinRules and builtinRoles are those of *.yaml and ../match/roles.yaml in order of files, written as Go by `make
// docs`: data that the linker lays out, where reading the YAML takes 40 ms, many times as long as a small profile.
// Nothing changes them.
type builtinRule struct {
	def RuleDef
	doc rules.Doc
}

// Roles returns the roles that triage knows. They are compiled for the first dump; TestBuiltinFilesLoad proves
// that they can be.
func Roles() *match.RoleSet { return match.LazyRoleSet(builtinRoles) }

// Rules returns the declarative rules that triage knows.
func Rules() []*rules.Rule {
	all := make([]*rules.Rule, len(builtinRules))
	for i := range builtinRules {
		all[i] = declarative(&builtinRules[i].def, builtinRules[i].doc)
	}
	return all
}
