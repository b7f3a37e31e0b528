package hotspot

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/profile"
)

// Ids of the rules between which hotspots are split by what the whole of them shows.
const (
	channelRule      = "TR578"
	pollingRule      = "TR574"
	schedulerRule    = "TR580"
	matchRule        = "TR540"
	backtrackingRule = "TR549"
)

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
func (hs *Hotspots) splitPolling(board *kindBoard) {
	hot, by := hs.ByRule[channelRule], board.matcher(pollingRule)
	if hot == nil || by == nil || hs.ByRule[pollingRule] != nil {
		return
	}
	selects := func(h profile.Hit, st *profile.Stack) bool {
		return slices.ContainsFunc(st.Frames[:h.Outer+1], func(fr int32) bool {
			return hs.FuncAt(fr) == "runtime.selectgo"
		})
	}
	part := hot.Part(selects)
	var parks int64
	if s := hs.ByRule[schedulerRule]; s != nil {
		parks = s.Weight.Value
	}
	sends := hs.sumOf(func(fr int32) bool { return hs.FuncAt(fr) == "runtime.chansend" })
	total := float64(hs.sumOf(nil))
	if v := float64(part.Weight.Value); v >= minPolling*total && float64(parks) <= maxParking*v &&
		float64(sends) <= maxSending*v {
		share := v / float64(max(hot.Weight.Value, 1))
		moved := &Hotspot{by: by, Selection: *part, Allocating: int64(share * float64(hot.Allocating))}
		hs.ByRule[pollingRule] = moved
		hot.Selection = *hot.Part(func(h profile.Hit, st *profile.Stack) bool { return !selects(h, st) })
		hot.Allocating -= moved.Allocating
	}
}

// minBacktracking is the part of the time in package regexp that goes into what was tried before, from which an
// expression is slower than it need be, where a controller's Reconcile matches it: two programs that were made to waste
// time so have 0.25 and 0.35, an anchored expression that is matched in one pass has 0. What matches for a living has
// much of it too: filters and shippers of logs with two to four expressions have 0.15 to 0.22. So where expressions
// have most of the CPU, it takes livingBacktracking. Less than maxSideline is not what a program is for (chosen): a
// program that copies files has 0.42 in its filter, 0.18 of it in vain.
const (
	minBacktracking    = 1.0 / 6
	livingBacktracking = 0.3
	maxSideline        = 0.5
)

// splitBacktracking is regexp-backtracking (TR549).
// It moves the stacks of regular expressions to the rule about those that try many ways at each place: matching in one
// pass is work.
func (hs *Hotspots) splitBacktracking(board *kindBoard) {
	hot, by := hs.ByRule[matchRule], board.matcher(backtrackingRule)
	if hot == nil || by == nil {
		return
	}
	tried := hot.Part(func(h profile.Hit, st *profile.Stack) bool {
		return slices.ContainsFunc(st.Frames[:h.Outer+1], func(fr int32) bool {
			name := hs.FuncAt(fr)
			return name == "regexp.(*bitState).shouldVisit" || strings.HasPrefix(name, "regexp.(*machine).")
		})
	})
	least := livingBacktracking
	if hs.recurs(hot) || float64(hot.Weight.Value) < maxSideline*float64(hs.sumOf(nil)) {
		least = minBacktracking
	}
	if float64(tried.Weight.Value) >= least*float64(hot.Weight.Value) {
		hs.ByRule[by.ID] = &Hotspot{by: by, Selection: hot.Selection, Allocating: hot.Allocating}
		delete(hs.ByRule, matchRule)
	}
}
