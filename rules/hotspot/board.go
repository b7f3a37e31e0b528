package hotspot

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// A Board holds the claimants of a set of rules with all their patterns, so that each function's name is looked up
// once for all of them. Goroutines may share it.
type Board struct {
	patterns *symbol.Patterns
	uses     []boardUse
	first    []int32 // by pattern: the index in uses of the newest use, -1 for none
	alts     []alternative
	rest     []*Claimant
	// claimants are all of them, in order.
	claimants []*Claimant
}

// An alternative is one StackMatch of a claimant.
type alternative struct {
	by    *Claimant
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

// A boardUse is a patternUse in the chain of those of its pattern; next is -1 at its end.
type boardUse struct {
	of   patternUse
	next int32
}

// NewBoard collects the rules of a set that claim stacks.
func NewBoard(all []*rules.Rule) *Board {
	var claimants []*Claimant
	for _, r := range all {
		if c, ok := r.Claims.(*Claimant); ok {
			claimants = append(claimants, c)
		}
	}
	return newBoard(claimants)
}

// newBoard makes a Board of claimants, which it sorts.
func newBoard(claimants []*Claimant) *Board {
	slices.SortStableFunc(claimants, func(x, y *Claimant) int {
		return cmp.Or(cmp.Compare(x.Order, y.Order), cmp.Compare(x.ID, y.ID))
	})
	uses := 0
	for _, c := range claimants {
		for i := range c.Stacks {
			for _, g := range c.Stacks[i].Groups() {
				uses += len(g.Texts)
			}
		}
	}
	b := &Board{
		patterns: symbol.NewPatterns(uses), uses: make([]boardUse, 0, uses), first: make([]int32, 0, uses),
		claimants: claimants,
	}
	for _, c := range claimants {
		if c.rest != "" {
			b.rest = append(b.rest, c)
		}
		for i := range c.Stacks {
			b.add(c, &c.Stacks[i])
		}
	}
	return b
}

// claimant is the rule of an id, nil where it isn't on the board.
func (b *Board) claimant(id string) *Claimant {
	i := slices.IndexFunc(b.claimants, func(c *Claimant) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return b.claimants[i]
}

// add adds a condition of c on stacks and its patterns.
func (b *Board) add(c *Claimant, s *match.StackMatch) {
	alt := int32(len(b.alts))
	b.alts = append(b.alts, alternative{by: c, under: len(s.Under) > 0, has: len(s.Has) > 0, noClosures: s.NoClosures})
	for _, g := range s.Groups() {
		for _, text := range g.Texts {
			id, err := b.patterns.Add(text)
			if err != nil {
				continue // patterns are checked when they are loaded; one that can't be used matches nothing
			}
			if int(id) == len(b.first) {
				b.first = append(b.first, -1)
			}
			b.uses = append(b.uses, boardUse{patternUse{alt, g.Use}, b.first[id]})
			b.first[id] = int32(len(b.uses) - 1)
		}
	}
}
