package hotspot

import (
	"regexp"
	"slices"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
)

// Ids of the rules between which claims are split by what the whole of them shows.
const (
	jsonRule      = "TR533"
	comparingRule = "TR532"
	channelRule   = "TR578"
	pollingRule   = "TR574"
	schedulerRule = "TR580"
)

// comparing is how functions are called that find out whether something changed.
var comparing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(equal|same|chang|differ|diff|compar|dirty|drift|uptodate|needsupdate|matches|stale|hash)`)
})

// minTwin is the least part of a function's marshalling that a line must have to be one of two sides of a comparison
// (chosen: both sides are of one kind, so that they cost about the same).
const minTwin = 0.2

// splitComparing moves JSON's stacks to the rule about marshalling for comparison where the function that marshals, or
// the one that calls it, does so from two lines and compares, by its name or by what it calls.
func (c *Claims) splitComparing(board *Board) {
	cl, by := c.ByRule[jsonRule], board.claimant(comparingRule)
	if cl == nil || by == nil {
		return
	}
	cl.View = c.view(cl.Index)
	sel := cl.Part(c.marshals)
	b := cl.View.Blame(sel)
	if len(b.Own) == 0 {
		return
	}
	who := &b.Own[0]
	mine := through(sel, who.Func)
	twins := []*profile.Payer{who}
	if callers := cl.View.Blame(mine).Callers(); len(callers) > 0 {
		twins = append(twins, &callers[0])
	}
	for _, f := range twins {
		if twoSides(f) && (comparing().MatchString(symbol.ParseName(f.Func).Func) || c.compares(f.Func)) {
			c.move(cl, by, mine)
			return
		}
	}
}

// marshals reports whether a stack is in encoding/json's Marshal.
func (c *Claims) marshals(h profile.Hit, st *profile.Stack) bool {
	return slices.ContainsFunc(st.Frames[:h.Outer+1], func(fr int32) bool {
		name := c.FuncAt(fr)
		return name == "encoding/json.Marshal" || name == "encoding/json.MarshalIndent"
	})
}

func twoSides(f *profile.Payer) bool {
	n := 0
	for _, l := range f.Lines {
		if float64(l.Weight.Value) >= minTwin*float64(f.Weight.Value) {
			n++
		}
	}
	return n >= 2
}

// compares reports whether a function of the program calls a comparison.
func (c *Claims) compares(function string) bool {
	name := symbol.Base(rules.PlainName(function))
	for i := range c.Stacks {
		frames := c.Stacks[i].Frames
		for k := 1; k < len(frames); k++ {
			switch c.FuncAt(frames[k-1]) {
			case "bytes.Equal", "bytes.Compare", "runtime.memequal", "memeqbody", "reflect.DeepEqual",
				"strings.Compare":
				if symbol.Base(rules.PlainName(c.FuncAt(frames[k]))) == name {
					return true
				}
			}
		}
	}
	return false
}

// move gives a part of a claim to another rule.
func (c *Claims) move(from *Claim, to *Claimant, part *profile.Selection) {
	moved := map[int32]bool{}
	for _, h := range part.Hits {
		moved[h.Stack] = true
	}
	share := float64(part.Weight.Value) / float64(max(from.Weight.Value, 1))
	c.ByRule[to.ID] = &Claim{
		by: to, Index: from.Index, Selection: *part, Allocating: int64(share * float64(from.Allocating)),
	}
	from.Hits = slices.DeleteFunc(from.Hits, func(h profile.Hit) bool { return moved[h.Stack] })
	from.Weight.Value -= part.Weight.Value
	from.Weight.Samples -= part.Weight.Samples
	from.Allocating -= c.ByRule[to.ID].Allocating
}

// minPolling is the part of a profile from which selects that never wait are a loop, and maxParking what the scheduler
// may have beside them, as a part of theirs. Chosen: a select that waits goes through the scheduler, which then takes a
// third or more of what the channels do (22 to 60 % on Go 1.20 to 1.26).
const (
	minPolling = 0.4
	maxParking = 0.1
)

// splitPolling moves the stacks of selects to the rule about polls where next to none of them ever waits: a select of
// several cases with a default is runtime.selectgo, as one without is, and shows no other difference.
func (c *Claims) splitPolling(board *Board) {
	cl, by := c.ByRule[channelRule], board.claimant(pollingRule)
	if cl == nil || by == nil || c.ByRule[pollingRule] != nil {
		return
	}
	cl.View = c.view(cl.Index)
	part := cl.Part(func(h profile.Hit, st *profile.Stack) bool {
		return slices.ContainsFunc(st.Frames[:h.Outer+1], func(fr int32) bool { return c.FuncAt(fr) == "runtime.selectgo" })
	})
	var parks int64
	if s := c.ByRule[schedulerRule]; s != nil {
		parks = s.Weight.Value
	}
	total := float64(c.sumOf(cl.Index, nil))
	if v := float64(part.Weight.Value); v >= minPolling*total && float64(parks) <= maxParking*v {
		c.move(cl, by, part)
	}
}

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
		sel := v.Select(func(i int, st *profile.Stack) (inner, outer int, ok bool) {
			return 0, -1, given[i]&(1<<index) == 0 && st.Values[index] > 0 && (by.rest != restOwns || c.ownLeaf(st))
		})
		if who, _ := culpritOf(v.Blame(sel)); who != nil {
			c.ByRule[by.ID] = &Claim{by: by, Index: index, Selection: *through(sel, who.Func)}
		}
	}
}

// ownLeaf reports whether the function that was running is not the runtime's or the standard library's.
func (c *Claims) ownLeaf(st *profile.Stack) bool {
	i := slices.IndexFunc(st.Frames, func(fr int32) bool { return !c.preempts[c.Frames[fr].Func] })
	return i >= 0 && !c.std(c.Frames[st.Frames[i]].Func)
}
