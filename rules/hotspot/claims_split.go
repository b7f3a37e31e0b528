package hotspot

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse/frame"
)

// Ids of the rules between which claims are split by what the whole of them shows.
const (
	jsonRule      = "TR533"
	comparingRule = "TR532"
	channelRule   = "TR578"
	pollingRule   = "TR574"
	schedulerRule = "TR580"
	textRule      = "TR559"
	rescanRule    = "TR597"
	matchRule     = "TR540"
	ambiguousRule = "TR549"
)

// comparing is how functions are called that find out whether something changed.
var comparing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(equal|same|chang|differ|diff|compar|dirty|drift|uptodate|needsupdate|matches|` +
		`stale|hash)`)
})

// minTwin is the least part of a function's marshalling that a line must have to be one of two sides of a comparison
// (chosen: both sides are of one kind, so that they cost about the same).
const minTwin = 0.2

// splitComparing is marshal-to-compare (TR532).
// It moves JSON's stacks to the rule about marshalling for comparison where the function that marshals, or
// the one that calls it, does so from two lines and compares, by its name or by what it calls.
func (c *Claims) splitComparing(board *table) {
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
func (c *Claims) splitPolling(board *table) {
	cl, by := c.ByRule[channelRule], board.claimant(pollingRule)
	if cl == nil || by == nil || c.ByRule[pollingRule] != nil {
		return
	}
	cl.View = c.view(cl.Index)
	part := cl.Part(func(h profile.Hit, st *profile.Stack) bool {
		return slices.ContainsFunc(st.Frames[:h.Outer+1], func(fr int32) bool {
			return c.FuncAt(fr) == "runtime.selectgo"
		})
	})
	var parks int64
	if s := c.ByRule[schedulerRule]; s != nil {
		parks = s.Weight.Value
	}
	sends := c.sumOf(cl.Index, func(fr int32) bool { return c.FuncAt(fr) == "runtime.chansend" })
	total := float64(c.sumOf(cl.Index, nil))
	if v := float64(part.Weight.Value); v >= minPolling*total && float64(parks) <= maxParking*v &&
		float64(sends) <= maxSending*v {
		c.move(cl, by, part)
	}
}

// minAmbiguous is the part of the time in package regexp that goes into what was tried before, from which an expression
// is slower than it need be. Three programs that were made to waste time so have 0.18 to 0.35; a filter of logs with
// four expressions has 0.15, and an anchored expression that is matched in one pass 0.
const minAmbiguous = 1.0 / 6

// splitAmbiguous is regexp-backtracking (TR549).
// It moves the stacks of regular expressions to the rule about those that try many ways at each place: matching in one
// pass is work.
func (c *Claims) splitAmbiguous(board *table) {
	cl, by := c.ByRule[matchRule], board.claimant(ambiguousRule)
	if cl == nil || by == nil {
		return
	}
	cl.View = c.view(cl.Index)
	tried := cl.Part(func(h profile.Hit, st *profile.Stack) bool {
		return slices.ContainsFunc(st.Frames[:h.Outer+1], func(fr int32) bool {
			name := c.FuncAt(fr)
			return name == "regexp.(*bitState).shouldVisit" || strings.HasPrefix(name, "regexp.(*machine).")
		})
	})
	if float64(tried.Weight.Value) >= minAmbiguous*float64(cl.Weight.Value) {
		c.move(cl, by, cl.Part(func(profile.Hit, *profile.Stack) bool { return true }))
	}
}

// minRescan is the part of a profile from which copies and searches of one library function are the cost of an
// algorithm and not of the text: what parses in one pass has its time in many functions. A parser that cuts a wrong
// part out by copying all that follows has 0.9; servers at work have 0.1 in all copies together.
const minRescan = 0.5

// splitRescans is copies-in-a-parser (TR597).
// It moves the stacks of text handling in which one function of a library copies or searches to the rule about that,
// where they have most of the profile.
func (c *Claims) splitRescans(board *table) {
	cl, by := c.ByRule[textRule], board.claimant(rescanRule)
	if cl == nil || by == nil {
		return
	}
	cl.View = c.view(cl.Index)
	sums := map[string]int64{}
	best := ""
	for _, h := range cl.Hits {
		st := &c.Stacks[h.Stack]
		if f := c.rescans(st); f != "" {
			if sums[f] += st.Values[cl.Index]; sums[f] > sums[best] {
				best = f
			}
		}
	}
	if best == "" || float64(sums[best]) < minRescan*float64(c.sumOf(cl.Index, nil)) {
		return
	}
	c.move(cl, by, cl.Part(func(_ profile.Hit, st *profile.Stack) bool { return c.rescans(st) == best }))
}

// rescans is the function of a library that was copying or searching, "" where the program's own code was, or where
// something else was done.
func (c *Claims) rescans(st *profile.Stack) string {
	leaf := true
	for _, fr := range st.Frames {
		fn := c.Frames[fr].Func
		name := c.FuncAt(fr)
		switch {
		case c.preempts[fn]:
		case leaf && !linear(name):
			return ""
		case leaf:
			leaf = false
		case c.Class[fn] == frame.ClassOwn:
			return ""
		case c.Class[fn] == frame.ClassDependency,
			c.Class[fn] == frame.ClassStdlib && !slices.ContainsFunc(helpers, func(pkg string) bool {
				return strings.HasPrefix(name, pkg)
			}):
			return name
		}
	}
	return ""
}

// helpers are what the functions of packages begin with that copy or search for their callers.
var helpers = []string{"strings.", "bytes.", "internal/", "slices."}

// linear reports a function whose time grows with the length of what it is given and that does nothing else.
func linear(name string) bool {
	switch name {
	case "runtime.memmove", "runtime.memclrNoHeapPointers", "runtime.memequal", "runtime.cmpstring", "memeqbody",
		"cmpbody", "indexbytebody", "countbody":
		return true
	}
	return strings.HasPrefix(name, "internal/bytealg.")
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
