package hotspot

import (
	"regexp"
	"slices"
	"sync"

	"github.com/gotriage/triage/internal/frame"
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
	v := c.view(cl.Index)
	sel := &profile.Selection{View: v}
	for _, h := range cl.Hits {
		if c.marshals(h) {
			sel.Hits = append(sel.Hits, h)
			sel.Weight.Value += v.Stacks[h.Stack].Values[cl.Index]
			sel.Weight.Samples += v.Stacks[h.Stack].Samples
		}
	}
	b := v.Blame(sel)
	if len(b.Own) == 0 {
		return
	}
	who := &b.Own[0]
	mine := through(v, sel, who.Function)
	twins := []*profile.Payer{who}
	if callers := v.Blame(mine).Callers(); len(callers) > 0 {
		twins = append(twins, &callers[0])
	}
	for _, f := range twins {
		if twoSides(f) && (comparing().MatchString(frame.ParseName(f.Function).Func) || c.compares(f.Function)) {
			c.move(cl, by, mine)
			return
		}
	}
}

// marshals reports whether a stack is in encoding/json's Marshal.
func (c *Claims) marshals(h profile.Hit) bool {
	for _, fr := range c.Stacks[h.Stack].Frames[:h.Outer+1] {
		if name := c.FuncAt(fr); name == "encoding/json.Marshal" || name == "encoding/json.MarshalIndent" {
			return true
		}
	}
	return false
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
	name := frame.Base(rules.PlainName(function))
	for i := range c.Stacks {
		frames := c.Stacks[i].Frames
		for k := 1; k < len(frames); k++ {
			switch c.FuncAt(frames[k-1]) {
			case "bytes.Equal", "bytes.Compare", "runtime.memequal", "memeqbody", "reflect.DeepEqual",
				"strings.Compare":
				if frame.Base(rules.PlainName(c.FuncAt(frames[k]))) == name {
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
	share := float64(part.Weight.Value) / float64(max(from.Value, 1))
	c.ByRule[to.ID] = &Claim{
		by: to, Index: from.Index, Hits: part.Hits, Value: part.Weight.Value, Samples: part.Weight.Samples,
		Allocating: int64(share * float64(from.Allocating)),
	}
	from.Hits = slices.DeleteFunc(from.Hits, func(h profile.Hit) bool { return moved[h.Stack] })
	from.Value -= part.Weight.Value
	from.Samples -= part.Weight.Samples
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
	cl := c.ByRule[channelRule]
	if cl == nil {
		return
	}
	by := board.claimant(pollingRule)
	if by == nil {
		return
	}
	part := &profile.Selection{View: c.View}
	var total int64
	for i := range c.Stacks {
		total += c.Stacks[i].Values[cl.Index]
	}
	for _, h := range cl.Hits {
		st := &c.Stacks[h.Stack]
		if slices.ContainsFunc(st.Frames[:h.Outer+1],
			func(fr int32) bool { return c.FuncAt(fr) == "runtime.selectgo" }) {
			part.Hits = append(part.Hits, h)
			part.Weight.Value += st.Values[cl.Index]
			part.Weight.Samples += st.Samples
		}
	}
	var parks int64
	if s := c.ByRule[schedulerRule]; s != nil {
		parks = s.Value
	}
	if v := float64(part.Weight.Value); v >= minPolling*float64(total) && float64(parks) <= maxParking*v &&
		c.ByRule[pollingRule] == nil {
		c.move(cl, by, part)
	}
}
