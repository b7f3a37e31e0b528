package hotspot

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/profile"
)

// Ids of the rules between which hotspots are split by what the whole of them shows.
const (
	channelRule   = "TR578"
	pollingRule   = "TR574"
	schedulerRule = "TR580"
	matchRule     = "TR540"
	ambiguousRule = "TR549"
)

// move gives a part of a hotspot to another rule.
func (c *Hotspots) move(from *Hotspot, to *Matcher, part *profile.Selection) {
	moved := map[int32]bool{}
	for _, h := range part.Hits {
		moved[h.Stack] = true
	}
	share := float64(part.Weight.Value) / float64(max(from.Weight.Value, 1))
	c.ByRule[to.ID] = &Hotspot{
		by: to, Index: from.Index, Selection: *part, Allocating: int64(share * float64(from.Allocating)),
	}
	from.Hits = slices.DeleteFunc(from.Hits, func(h profile.Hit) bool { return moved[h.Stack] })
	from.Weight.Value -= part.Weight.Value
	from.Weight.Samples -= part.Weight.Samples
	from.Allocating -= c.ByRule[to.ID].Allocating
}

// minPolling is the part of a profile from which selects that never wait are a loop, and maxParking what the scheduler
// may have beside them, as a part of theirs. Chosen: a select that waits goes through the scheduler, which then takes a
// third or more of what the channels do (22 to 60% on Go 1.20 to 1.26).
//
// maxSending is what sends may have beside them, as a part of theirs: selects that find something each time are at
// work. A queue that is filled in bursts has 0.15 to 0.18 (Go 1.22 and 1.26), a loop over a closed channel none.
const (
	minPolling = 0.4
	maxParking = 0.1
	maxSending = 0.05
)

// splitPolling moves the stacks of selects to the rule about polls where next to none of them ever waits and nothing is
// sent: a select of several cases with a default, or with a closed channel, is runtime.selectgo, as one that waits is,
// and shows no other difference.
func (c *Hotspots) splitPolling(board *table) {
	hot, by := c.ByRule[channelRule], board.matcher(pollingRule)
	if hot == nil || by == nil || c.ByRule[pollingRule] != nil {
		return
	}
	hot.View = c.view(hot.Index)
	part := hot.Part(func(h profile.Hit, st *profile.Stack) bool {
		return slices.ContainsFunc(st.Frames[:h.Outer+1], func(fr int32) bool {
			return c.FuncAt(fr) == "runtime.selectgo"
		})
	})
	var parks int64
	if s := c.ByRule[schedulerRule]; s != nil {
		parks = s.Weight.Value
	}
	sends := c.sumOf(hot.Index, func(fr int32) bool { return c.FuncAt(fr) == "runtime.chansend" })
	total := float64(c.sumOf(hot.Index, nil))
	if v := float64(part.Weight.Value); v >= minPolling*total && float64(parks) <= maxParking*v &&
		float64(sends) <= maxSending*v {
		c.move(hot, by, part)
	}
}

// minAmbiguous is the part of the time in package regexp that goes into what was tried before, from which an expression
// is slower than it need be, where a controller's Reconcile matches it: two programs that were made to waste time so
// have 0.25 and 0.35, an anchored expression that is matched in one pass has 0. What matches for a living has much of
// it too: filters and shippers of logs with two to four expressions have 0.15 to 0.22. So where expressions have most
// of the CPU, it takes livingAmbiguous. Less than maxSideline is not what a program is for (chosen): a program that
// copies files has 0.42 in its filter, 0.18 of it in vain.
const (
	minAmbiguous    = 1.0 / 6
	livingAmbiguous = 0.3
	maxSideline     = 0.5
)

// splitAmbiguous is regexp-backtracking (TR549).
// It moves the stacks of regular expressions to the rule about those that try many ways at each place: matching in one
// pass is work.
func (c *Hotspots) splitAmbiguous(board *table) {
	hot, by := c.ByRule[matchRule], board.matcher(ambiguousRule)
	if hot == nil || by == nil {
		return
	}
	hot.View = c.view(hot.Index)
	tried := hot.Part(func(h profile.Hit, st *profile.Stack) bool {
		return slices.ContainsFunc(st.Frames[:h.Outer+1], func(fr int32) bool {
			name := c.FuncAt(fr)
			return name == "regexp.(*bitState).shouldVisit" || strings.HasPrefix(name, "regexp.(*machine).")
		})
	})
	least := livingAmbiguous
	if c.recurs(hot) || float64(hot.Weight.Value) < maxSideline*float64(c.sumOf(hot.Index, nil)) {
		least = minAmbiguous
	}
	if float64(tried.Weight.Value) >= least*float64(hot.Weight.Value) {
		c.move(hot, by, hot.Part(func(profile.Hit, *profile.Stack) bool { return true }))
	}
}

// takeRest gives the stacks that no rule has to rules that ask which one function of the program has most of them, as
// far as that function asks for them.
func (c *Hotspots) takeRest(rest []*Matcher, given []uint64) {
	for _, by := range rest {
		index, ok := by.Takes(c.Profile)
		if !ok {
			continue
		}
		v := c.view(index)
		sel := v.Select(func(i int, st *profile.Stack) (inner, outer int, ok bool) {
			return 0, -1, given[i]&(1<<index) == 0 && st.Values[index] > 0
		})
		if who, _ := culpritOf(v.Blame(sel)); who != nil {
			c.ByRule[by.ID] = &Hotspot{by: by, Index: index, Selection: *through(sel, who.Func)}
		}
	}
}
