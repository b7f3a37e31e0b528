package hotspot

import (
	"cmp"
	"slices"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// A Board holds the matchers of a set of rules, by the kind of profile that they look at. Goroutines may share it.
type Board struct {
	kinds map[profile.Kind]func() *table
}

// NewBoard collects the rules of a set that take stacks.
func NewBoard(all []*rules.Rule) *Board {
	of := map[profile.Kind][]*Matcher{}
	for _, r := range all {
		if c, ok := r.Hotspots.(*Matcher); ok {
			of[c.Kind] = append(of[c.Kind], c)
		}
	}
	b := &Board{kinds: make(map[profile.Kind]func() *table, len(of))}
	for kind, matchers := range of {
		b.kinds[kind] = sync.OnceValue(func() *table { return newTable(matchers) })
	}
	return b
}

// Prepare makes what Hotspots needs for profiles of a kind, if it isn't made yet.
func (b *Board) Prepare(kind profile.Kind) { b.table(kind) }

// table is the part of the board for profiles of a kind, an empty one where no rule looks at them.
func (b *Board) table(kind profile.Kind) *table {
	if made := b.kinds[kind]; made != nil {
		return made()
	}
	return &table{}
}

// Hotspots gives each stack of the profile to a rule, or to none.
func (b *Board) Hotspots(in *rules.ProfileInput) *Hotspots { return b.table(in.Kind).hotspots(in) }

// A table holds matchers with all their patterns, so that each function's name is looked up once for all of them.
type table struct {
	patterns *symbol.Patterns
	uses     [][]patternUse // by pattern
	alts     []alternative
	rest     []*Matcher
	// matchers are all of them, in order.
	matchers []*Matcher
}

// An alternative is one StackMatch of a matcher.
type alternative struct {
	by    *Matcher
	under bool // asks for Under
	has   bool // asks for Has
	// noClosures: see match.StackMatch.
	noClosures bool
}

// A patternUse is the part that a pattern plays in an alternative.
type patternUse struct {
	alt int32
	use uint8
}

// newTable makes a table of matchers, which it sorts.
func newTable(matchers []*Matcher) *table {
	slices.SortStableFunc(matchers, func(x, y *Matcher) int {
		return cmp.Or(cmp.Compare(x.Order, y.Order), cmp.Compare(x.ID, y.ID))
	})
	t := &table{patterns: symbol.NewPatterns(0), matchers: matchers}
	for _, c := range matchers {
		if c.rest {
			t.rest = append(t.rest, c)
		}
		for i := range c.Stacks {
			t.add(c, &c.Stacks[i])
		}
	}
	return t
}

// matcher is the rule of an id, nil where it isn't in the table.
func (t *table) matcher(id string) *Matcher {
	i := slices.IndexFunc(t.matchers, func(c *Matcher) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return t.matchers[i]
}

// add adds a condition of c on stacks and its patterns.
func (t *table) add(c *Matcher, s *match.StackMatch) {
	alt := int32(len(t.alts))
	t.alts = append(t.alts, alternative{by: c, under: len(s.Under) > 0, has: len(s.Has) > 0, noClosures: s.NoClosures})
	for _, g := range s.Groups() {
		for _, text := range g.Texts {
			id, err := t.patterns.Add(text)
			if err != nil {
				continue // patterns are checked when they are loaded; one that can't be used matches nothing
			}
			if int(id) == len(t.uses) {
				t.uses = append(t.uses, nil)
			}
			t.uses[id] = append(t.uses[id], patternUse{alt, g.Use})
		}
	}
}
