package declared

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// builtinRules and builtinRoles are *.yaml and ../match/roles.yaml as JSON, made by `make docs`: reading YAML takes
// many times as long as a small profile.
var (
	//go:embed builtin-rules.json
	builtinRules []byte
	//go:embed builtin-roles.json
	builtinRoles []byte
)

// read reads JSON when it is first needed. TestBuiltinRulesAreFresh rules out that it holds anything else than a T.
func read[T any](data []byte) func() T {
	return sync.OnceValue(func() (v T) {
		if err := json.Unmarshal(data, &v); err != nil {
			return *new(T)
		}
		return v
	})
}

// Roles returns the roles that triage knows. They are read and compiled for the first dump.
func Roles() *match.RoleSet { return match.LazyRoleSet(read[[]match.RoleDef](builtinRoles)) }

// Rules returns the declarative rules that triage knows.
func Rules() []*rules.Rule {
	defs := read[[]*RuleDef](builtinRules)()
	all := make([]*rules.Rule, len(defs))
	for i, def := range defs {
		all[i] = declarative(def)
	}
	return all
}
