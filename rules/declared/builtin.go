package declared

import (
	_ "embed"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// builtinBlob holds a builtins, made from *.yaml and ../match/roles.yaml by `make docs`. Reading their YAML takes 40
// ms, many times as long as a small profile; reading the blob takes 0.4.
//
//go:embed builtin.bin
var builtinBlob string

// builtins are the rules and roles of the built-in files, in order of files.
type builtins struct {
	Rules []builtinRule
	Roles []match.RoleDef
}

// A builtinRule is a declarative rule with its documentation, so that its templates are parsed for findings only.
type builtinRule struct {
	Def RuleDef
	Doc rules.Doc
}

// embedded reads the blob when it is first needed. A blob that was made for other types than these holds nothing;
// TestBuiltinRulesAreFresh rules that out.
var embedded = sync.OnceValue(func() *builtins {
	var b builtins
	if err := readBlob(builtinBlob, &b); err != nil {
		return &builtins{}
	}
	return &b
})

// rules makes Rules of the declarative ones.
func (b *builtins) rules() []*rules.Rule {
	all := make([]*rules.Rule, len(b.Rules))
	for i := range b.Rules {
		all[i] = declarative(&b.Rules[i].Def, b.Rules[i].Doc)
	}
	return all
}

// Roles returns the roles that triage knows. They are compiled for the first dump; TestBuiltinFilesLoad proves
// that they can be.
func Roles() *match.RoleSet { return match.LazyRoleSet(embedded().Roles) }

// Rules returns the declarative rules that triage knows.
func Rules() []*rules.Rule { return embedded().rules() }
