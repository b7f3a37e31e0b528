package triage

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/all"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/triage/config"
	"github.com/gotriage/triage/triage/internal/sources"
)

// A RuleBook is what triage knows: rules in order of id, and the roles of goroutines that are where they should be.
type RuleBook struct {
	Rules []*rules.Rule
	Roles *match.RoleSet
	board func() *hotspot.Board // made for the first profile; nil where the book wasn't loaded
	team  *config.Config        // nil for none
	files []*declared.File      // of the user and the team
}

// newBook is a book of these rules and roles.
func newBook(all []*rules.Rule, roles *match.RoleSet, team *config.Config) RuleBook {
	board := sync.OnceValue(func() *hotspot.Board { return hotspot.NewBoard(all) })
	return RuleBook{Rules: all, Roles: roles, board: board, team: team}
}

// profileBoard is where profiles are held against the rules.
func (b RuleBook) profileBoard() *hotspot.Board {
	if b.board == nil {
		return hotspot.NewBoard(b.Rules)
	}
	return b.board()
}

// LoadRules returns the built-in rules and roles with those of the YAML files: LoadBook without a config.
func LoadRules(files []string) (RuleBook, error) { return LoadBook(files, nil) }

// LoadBook returns the built-in rules and roles with those of the YAML files and of a team's config, which may be nil.
// A file's roles come before the built-in ones, whose first match is a goroutine's role. Rules that contradict each
// other (one id twice) are an error, and so are names in the config that nothing has.
func LoadBook(files []string, team *config.Config) (RuleBook, error) {
	all := all.Rules()
	set := declared.Roles()
	if len(files) == 0 && team == nil {
		return newBook(all, set, nil), nil
	}
	var own []*declared.File
	if team != nil {
		own = slices.Clone(team.Files)
	}
	for _, name := range files {
		f, err := loadFile(name)
		if err != nil {
			return RuleBook{}, fmt.Errorf("reading rules: %w", err)
		}
		own = append(own, f)
	}
	var roles []match.RoleDef
	for _, f := range own {
		all = append(all, f.Rules...)
		roles = append(roles, f.Roles...)
	}
	if err := rules.Validate(all); err != nil {
		return RuleBook{}, fmt.Errorf("reading rules: %w", err)
	}
	roles = append(roles, set.Defs()...)
	if err := team.Adjust(all, roles); err != nil {
		return RuleBook{}, fmt.Errorf("reading the config: %w", err)
	}
	set, err := match.NewRoleSet(roles)
	if err != nil {
		return RuleBook{}, fmt.Errorf("reading roles: %w", err)
	}
	book := newBook(all, set, team)
	book.files = own
	return book, nil
}

// keepForRules has readers keep what rules of the user ask for besides.
func (b RuleBook) keepForRules(o *sources.Options) {
	asks := func(needs rules.Needs, words ...string) bool {
		return slices.ContainsFunc(b.files, func(f *declared.File) bool { return f.Asks(needs, words...) })
	}
	keeps := func(seen any, input string, t rules.Target) bool {
		return slices.ContainsFunc(b.files, func(f *declared.File) bool { return f.Keeps(seen, input, t) })
	}
	if asks(rules.NeedsLogs) {
		o.KeepPattern = func(p *logpattern.Pattern, input string, t rules.Target) bool { return keeps(p, input, t) }
	}
	if asks(rules.NeedsMetrics) {
		o.KeepSample = func(s *metrics.Sample, input string, t rules.Target) bool { return keeps(s, input, t) }
	}
	o.KeepLabels = asks(rules.NeedsObjects, "labels", "annotations")
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
