package hotspot

import (
	"github.com/gotriage/triage/profile"
)

// A restOf identifies which of the stacks that no other rule claims a rule claims.
type restOf string

// What is claimed of the rest.
const (
	restAll  restOf = "all"
	restOwns restOf = "own leaf" // where code of the program or a dependency was running itself
)

// claimRest gives the unclaimed stacks to rules that ask which one function of the program has most of them, as far
// as that function asks for them.
func (c *Claims) claimRest(rest []*Claimant, given []uint64) {
	for _, by := range rest {
		index, ok := by.Takes(c.Profile)
		if !ok {
			continue
		}
		v := c.view(index)
		sel := &profile.Selection{View: v}
		for i := range v.Stacks {
			st := &v.Stacks[i]
			if given[i]&(1<<index) != 0 || st.Values[index] <= 0 || by.rest == restOwns && !c.ownLeaf(st) {
				continue
			}
			sel.Hits = append(sel.Hits, profile.Hit{Stack: int32(i), Inner: 0, Outer: -1})
			sel.Weight.Value += st.Values[index]
			sel.Weight.Samples += st.Samples
		}
		who, _ := culpritOf(v.Blame(sel))
		if who == nil {
			continue
		}
		part := through(v, sel, who.Function)
		c.ByRule[by.ID] = &Claim{by: by, Index: index, Hits: part.Hits, Value: part.Weight.Value,
			Samples: part.Weight.Samples}
	}
}

// ownLeaf reports whether the function that was running is not the runtime's or the standard library's.
func (c *Claims) ownLeaf(st *profile.Stack) bool {
	for _, fr := range st.Frames {
		fn := c.Frames[fr].Func
		if !c.preempts[fn] {
			return !c.std(fn)
		}
	}
	return false
}
