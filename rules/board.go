package rules

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/internal/frame"
)

// A Board holds the claimants of a set of rules with all their patterns, so that a function's name is looked at once for
// all of them. Goroutines may share it.
type Board struct {
	boardTable
	alts []alternative
	rest []*claimant
	// claimants are all of them, in order.
	claimants []*claimant
}

// A boardTable is the part of a Board that is data alone. That of the built-in rules is written down in board_gen.go: making
// it takes longer than reading a small profile.
type boardTable struct {
	patterns *frame.Patterns
	uses     []boardUse
	first    []int32 // by pattern: into uses
}

// An alternative is one StackMatch of a claimant.
type alternative struct {
	by    *claimant
	under bool // asks for Under
	has   bool // asks for Has
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
func NewBoard(all []*Rule) *Board {
	claimants := claimantsOf(all)
	if !slices.EqualFunc(claimants, builtinBoardRules, func(c *claimant, id string) bool { return c.id == id }) {
		return makeBoard(claimants)
	}
	b := &Board{boardTable: boardTable{&frame.Patterns{Table: builtinBoardPatterns}, builtinBoardUses, builtinBoardFirst}}
	for _, c := range claimants {
		b.take(c)
	}
	return b
}

// claimantsOf are the rules that claim stacks, in order.
func claimantsOf(all []*Rule) []*claimant {
	var claimants []*claimant
	for _, r := range all {
		if r.claims != nil {
			claimants = append(claimants, r.claims)
		}
	}
	slices.SortStableFunc(claimants, func(x, y *claimant) int {
		return cmp.Or(cmp.Compare(x.order, y.order), cmp.Compare(x.id, y.id))
	})
	return claimants
}

// makeBoard makes a Board of claimants in order.
func makeBoard(claimants []*claimant) *Board {
	b := &Board{boardTable: boardTable{patterns: frame.NewPatterns(0)}}
	for _, c := range claimants {
		n := len(b.alts)
		b.take(c)
		for i := range c.stacks {
			b.add(int32(n+i), &c.stacks[i])
		}
	}
	return b
}

// take gives a claimant its alternatives.
func (b *Board) take(c *claimant) {
	b.claimants = append(b.claimants, c)
	if c.rest != "" {
		b.rest = append(b.rest, c)
	}
	for i := range c.stacks {
		s := &c.stacks[i]
		b.alts = append(b.alts, alternative{by: c, under: len(s.Under) > 0, has: len(s.Has) > 0})
	}
}

// claimant is the rule of an id, nil where it isn't on the board.
func (b *Board) claimant(id string) *claimant {
	i := slices.IndexFunc(b.claimants, func(c *claimant) bool { return c.id == id })
	if i < 0 {
		return nil
	}
	return b.claimants[i]
}

// add adds the patterns of an alternative.
func (b *Board) add(alt int32, s *StackMatch) {
	for _, g := range s.groups() {
		for _, text := range g.texts {
			id, err := b.patterns.Add(text)
			if err != nil {
				continue // patterns were checked when they were loaded; one that can't be used matches nothing
			}
			if int(id) == len(b.first) {
				b.first = append(b.first, -1)
			}
			b.uses = append(b.uses, boardUse{patternUse{alt, g.use}, b.first[id]})
			b.first[id] = int32(len(b.uses) - 1)
		}
	}
}
