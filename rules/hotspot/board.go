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
	kinds map[profile.Kind]func() *kindBoard
}

// NewBoard collects the rules of a set that take stacks.
func NewBoard(all []*rules.Rule) *Board {
	of := map[profile.Kind][]*Matcher{}
	for _, r := range all {
		if m, ok := r.Hotspots.(*Matcher); ok {
			of[m.Kind] = append(of[m.Kind], m)
		}
	}
	b := &Board{kinds: make(map[profile.Kind]func() *kindBoard, len(of))}
	for kind, matchers := range of {
		b.kinds[kind] = sync.OnceValue(func() *kindBoard { return newKindBoard(matchers) })
	}
	return b
}

// Prepare makes what Hotspots needs for profiles of a kind, if it isn't made yet.
func (b *Board) Prepare(kind profile.Kind) { b.ofKind(kind) }

// ofKind is the part of the board for profiles of a kind, an empty one where no rule looks at them.
func (b *Board) ofKind(kind profile.Kind) *kindBoard {
	if made := b.kinds[kind]; made != nil {
		return made()
	}
	return &kindBoard{}
}

// Hotspots gives each stack of the profile to a rule, or to none.
func (b *Board) Hotspots(in *rules.ProfileInput) *Hotspots { return b.ofKind(in.Kind).hotspots(in) }

// A kindBoard holds the matchers for one kind of profile, and looks a function's name up once for all of them.
type kindBoard struct {
	patterns *symbol.Patterns
	uses     [][]patternUse // by pattern
	alts     []alternative
	rest     []*Matcher
	matchers []*Matcher // all of them, by Order
}

// An alternative is one StackMatch of a matcher.
type alternative struct {
	by         *Matcher
	under      bool // asks for Under
	has        bool // asks for Has
	noClosures bool // see match.StackMatch
}

// A patternUse is the part that a pattern plays in an alternative.
type patternUse struct {
	alt int32
	use uint8
}

// newKindBoard makes a board of matchers, which it sorts.
func newKindBoard(matchers []*Matcher) *kindBoard {
	slices.SortStableFunc(matchers, func(x, y *Matcher) int {
		return cmp.Or(cmp.Compare(x.Order, y.Order), cmp.Compare(x.ID, y.ID))
	})
	b := &kindBoard{patterns: symbol.NewPatterns(0), matchers: matchers}
	for _, m := range matchers {
		if m.rest {
			b.rest = append(b.rest, m)
		}
		for i := range m.Stacks {
			b.add(m, &m.Stacks[i])
		}
	}
	return b
}

// matcher is the rule of an id, nil where it isn't on the board.
func (b *kindBoard) matcher(id string) *Matcher {
	for _, m := range b.matchers {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// add adds a condition of m on stacks and its patterns.
func (b *kindBoard) add(m *Matcher, s *match.StackMatch) {
	alt := int32(len(b.alts))
	b.alts = append(b.alts, alternative{by: m, under: len(s.Under) > 0, has: len(s.Has) > 0, noClosures: s.NoClosures})
	for _, g := range s.Groups() {
		for _, text := range g.Texts {
			id, err := b.patterns.Add(text)
			if err != nil {
				continue // patterns are checked when they are loaded; one that can't be used matches nothing
			}
			if int(id) == len(b.uses) {
				b.uses = append(b.uses, nil)
			}
			b.uses[id] = append(b.uses[id], patternUse{alt, g.Use})
		}
	}
}
