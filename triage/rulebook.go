package triage

import (
	"fmt"
	"io"
	"os"

	"github.com/gotriage/triage/rules"
)

// A RuleBook is what triage knows: rules in order of id, and the roles of goroutines that are where they should be.
type RuleBook struct {
	Rules []*rules.Rule
	Roles *rules.RoleSet
}

// LoadRules returns the built-in rules and roles with those of the YAML files. A file's roles come before the built-in
// ones, whose first match is a goroutine's role. Rules that contradict each other (one id twice) are an error.
func LoadRules(files []string) (RuleBook, error) {
	all := rules.All()
	var roles []rules.RoleDef
	for _, name := range files {
		f, err := loadFile(name)
		if err != nil {
			return RuleBook{}, fmt.Errorf("reading rules: %w", err)
		}
		all = append(all, f.Rules...)
		roles = append(roles, f.Roles...)
	}
	set, err := rules.BuiltinRoles()
	if err != nil {
		return RuleBook{}, fmt.Errorf("reading the built-in roles: %w", err)
	}
	if len(files) == 0 {
		return RuleBook{all, set}, nil
	}
	if err := rules.Validate(all); err != nil {
		return RuleBook{}, fmt.Errorf("reading rules: %w", err)
	}
	set, err = rules.NewRoleSet(append(roles, set.Defs...))
	if err != nil {
		return RuleBook{}, fmt.Errorf("reading roles: %w", err)
	}
	return RuleBook{all, set}, nil
}

func loadFile(name string) (*rules.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// One byte more than Load takes, so that it refuses what is longer instead of reading half of it.
	data, err := io.ReadAll(io.LimitReader(f, rules.MaxRuleFile+1))
	if err != nil {
		return nil, err
	}
	return rules.Load(name, data)
}
