package triage

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/gotriage/triage/rules"
)

// A RuleBook is what triage knows: rules in order of id, and the roles of goroutines that are where they should be.
type RuleBook struct {
	Rules []*rules.Rule
	Roles *rules.RoleSet
	board func() *rules.Board // made for the first profile; nil where the book wasn't loaded
}

// newBook is a book of these rules and roles.
func newBook(all []*rules.Rule, roles *rules.RoleSet) RuleBook {
	return RuleBook{all, roles, sync.OnceValue(func() *rules.Board { return rules.NewBoard(all) })}
}

// profileBoard is where profiles are held against the rules.
func (b RuleBook) profileBoard() *rules.Board {
	if b.board == nil {
		return rules.NewBoard(b.Rules)
	}
	return b.board()
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
	set := rules.BuiltinRoles()
	if len(files) == 0 {
		return newBook(all, set), nil
	}
	if err := rules.Validate(all); err != nil {
		return RuleBook{}, fmt.Errorf("reading rules: %w", err)
	}
	set, err := rules.NewRoleSet(append(roles, set.Defs...))
	if err != nil {
		return RuleBook{}, fmt.Errorf("reading roles: %w", err)
	}
	return newBook(all, set), nil
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
