package rules

import (
	_ "embed"
	"sync"

	"github.com/gotriage/triage/internal/frame"
)

// builtinBlob holds a builtins, made from builtin/*.yaml and roles.yaml by `make docs`. Reading their YAML takes 40
// ms, many times as long as a small profile; reading the blob takes 0.4.
//
//go:embed builtin.bin
var builtinBlob string

// builtins are the rules and roles of the built-in files, in order of files.
type builtins struct {
	Rules []builtinRule
	Roles []RoleDef
}

// A builtinRule is a declarative rule with its documentation, so that its templates are parsed for findings only.
type builtinRule struct {
	Def RuleDef
	Doc Doc
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
func (b *builtins) rules() []*Rule {
	all := make([]*Rule, len(b.Rules))
	for i := range b.Rules {
		all[i] = declarative(&b.Rules[i].Def, b.Rules[i].Doc)
	}
	return all
}

// BuiltinRoles returns the roles that triage knows. They are compiled for the first dump; TestBuiltinFilesLoad proves
// that they can be.
func BuiltinRoles() *RoleSet {
	defs := embedded().Roles
	return &RoleSet{Defs: defs, compiled: sync.OnceValue(func() *roleProgs {
		p, err := compileRoles(defs)
		if err != nil {
			return &roleProgs{m: frame.NewPatterns(0)}
		}
		return p
	})}
}
