package declared

import (
	_ "embed"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// builtinBlob holds a builtins, made from *.yaml and ../match/roles.yaml by `make docs`. Reading their YAML takes 40
// ms, many times as long as a small profile; reading the whole blob 0.4.
//
//go:embed builtin.bin
var builtinBlob string

// builtins are the rules and roles of the built-in files, in order of files.
type builtins struct {
	Rules []builtinRule
	Roles string // a blob of []match.RoleDef
}

// A builtinRule is a declarative rule, of which a run without anything for it to look at needs the head alone.
type builtinRule struct {
	Head ruleHead
	Def  string // a blob of its RuleDef
}

// fromBlob reads a value when it is first needed. A blob that was made for another type than T holds the zero value;
// TestBuiltinRulesAreFresh rules that out.
func fromBlob[T any](blob string) func() *T {
	return sync.OnceValue(func() *T {
		v := new(T)
		if err := readBlob(blob, v); err != nil {
			return new(T)
		}
		return v
	})
}

// embedded are the built-in rules and roles.
var embedded = fromBlob[builtins](builtinBlob)

// rules makes Rules of the declarative ones.
func (b *builtins) rules() []*rules.Rule {
	all := make([]*rules.Rule, len(b.Rules))
	for i := range b.Rules {
		all[i] = declarative(&b.Rules[i].Head, fromBlob[RuleDef](b.Rules[i].Def))
	}
	return all
}

// Roles returns the roles that triage knows. They are read and compiled for the first dump; TestBuiltinFilesLoad
// proves that they can be.
func Roles() *match.RoleSet {
	defs := fromBlob[[]match.RoleDef](embedded().Roles)
	return match.LazyRoleSet(func() []match.RoleDef { return *defs() })
}

// Rules returns the declarative rules that triage knows.
func Rules() []*rules.Rule { return embedded().rules() }
