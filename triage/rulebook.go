package triage

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/all"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/match"
)

// A RuleBook is what triage knows: rules in order of id, and the roles of goroutines that are where they should be.
type RuleBook struct {
	Rules []*rules.Rule
	Roles *match.RoleSet
	board func() *hotspot.Board // made for the first profile; nil where the book wasn't loaded
}

// newBook is a book of these rules and roles.
func newBook(all []*rules.Rule, roles *match.RoleSet) RuleBook {
	return RuleBook{all, roles, sync.OnceValue(func() *hotspot.Board { return hotspot.NewBoard(all) })}
}

// profileBoard is where profiles are held against the rules.
func (b RuleBook) profileBoard() *hotspot.Board {
	if b.board == nil {
		return hotspot.NewBoard(b.Rules)
	}
	return b.board()
}

// LoadRules returns the built-in rules and roles with those of the YAML files. A file's roles come before the built-in
// ones, whose first match is a goroutine's role. Rules that contradict each other (one id twice) are an error.
func LoadRules(files []string) (RuleBook, error) {
	all := all.Rules()
	var roles []match.RoleDef
	for _, name := range files {
		f, err := loadFile(name)
		if err != nil {
			return RuleBook{}, fmt.Errorf("reading rules: %w", err)
		}
		all = append(all, f.Rules...)
		roles = append(roles, f.Roles...)
	}
	set := declared.Roles()
	if len(files) == 0 {
		return newBook(all, set), nil
	}
	if err := rules.Validate(all); err != nil {
		return RuleBook{}, fmt.Errorf("reading rules: %w", err)
	}
	set, err := match.NewRoleSet(append(roles, set.Defs()...))
	if err != nil {
		return RuleBook{}, fmt.Errorf("reading roles: %w", err)
	}
	return newBook(all, set), nil
}

func loadFile(name string) (*declared.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// One byte more than Load takes, so that it refuses what is longer instead of reading half of it.
	data, err := io.ReadAll(io.LimitReader(f, declared.MaxRuleFile+1))
	if err != nil {
		return nil, err
	}
	return declared.Load(name, data)
}
