package profile

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/stackparse/frame"
)

// Bounds on what a Blame lists: what a reader takes in, and what a merged report stays small with.
const (
	maxPayers = 16
	maxLines  = 32
)

// A Payer is a function that asks for what a selection costs, with the closures in it.
type Payer struct {
	frame.Frame // its heaviest line, in the declared function or in a closure
	Class       frame.Class
	Weight      Weight
	// Lines are the lines at which calls leave it, the heaviest first; Sites is how many there are.
	Lines []LineWeight
	Sites int

	group int32
}

// A LineWeight is a line of a function with the part that leaves there.
type LineWeight struct {
	frame.Frame
	Weight Weight
}

// A Blame is the functions that cause a selection's cost.
type Blame struct {
	Weight Weight // of the selection
	// Culprit pays most: for each stack the nearest function of the program's own module outside the matched frames;
	// the nearest dependency where none is the program's own; the framework that runs it where there is no other. Nil
	// where no stack shows any of these.
	Culprit *Payer
	// Payers are all of them, the heaviest first; Own and Dependencies the nearest ones of the program's module and of
	// other modules, vendored or not.
	Payers, Own, Dependencies []Payer
	// Hidden is the part whose stacks show no code outside the runtime and the standard library: the scheduler's and
	// the collector's own stacks, and stacks that were cut.
	Hidden Weight

	v   *View
	sel *Selection
	at  []int // the payer's frame in each stack of the selection, -1 for none
}

// Blame blames the program for a selection's stacks, looking from the outermost matched frame towards the entry.
func (v *View) Blame(sel *Selection) *Blame {
	b := &Blame{Weight: sel.Weight, v: v, sel: sel, at: make([]int, len(sel.Hits))}
	all, own, deps := newPayers(v), newPayers(v), newPayers(v)
	for n, h := range sel.Hits {
		s := &v.Stacks[h.Stack]
		who := v.nearest(s.Frames, int(h.Outer))
		if who.own >= 0 {
			own.add(s, who.own)
		}
		if who.dependency >= 0 {
			deps.add(s, who.dependency)
		}
		if b.at[n] = who.payer(); b.at[n] >= 0 {
			all.add(s, b.at[n])
		} else {
			b.Hidden.add(s, v.Value)
		}
	}
	b.Payers, b.Own, b.Dependencies = all.ranked(), own.ranked(), deps.ranked()
	if len(b.Payers) > 0 {
		b.Culprit = &b.Payers[0]
	}
	return b
}

// Callers returns the functions that call the culprit, the heaviest first: for each stack the next function of the
// program's own towards the entry, or of a dependency where there is none of its own. Their lines are the culprit's
// call sites.
func (b *Blame) Callers() []Payer {
	callers := newPayers(b.v)
	for n, h := range b.sel.Hits {
		if b.at[n] < 0 {
			continue
		}
		s := &b.v.Stacks[h.Stack]
		if callers.groupOf(s.Frames[b.at[n]]) != b.Culprit.group {
			continue
		}
		out := near{own: -1, dependency: -1, framework: -1}
		for i := b.at[n] + 1; i < len(s.Frames) && out.own < 0; i++ {
			if callers.groupOf(s.Frames[i]) != b.Culprit.group {
				b.v.nominate(&out, s.Frames[i], i)
			}
		}
		if out.own < 0 {
			out.own = out.dependency
		}
		if out.own >= 0 {
			callers.add(s, out.own)
		}
	}
	return callers.ranked()
}

// Entries returns the functions with which the program's own code begins under what dispatches it, the heaviest first.
func (b *Blame) Entries() []Payer {
	entries := newPayers(b.v)
	for _, h := range b.sel.Hits {
		s := &b.v.Stacks[h.Stack]
		if at := b.v.entry(s.Frames); at >= 0 {
			entries.add(s, at)
		}
	}
	return entries.ranked()
}

// A near holds the frames of a stack that can be blamed, by position, -1 for none.
type near struct{ own, dependency, framework int }

// payer returns the frame that is blamed, -1 for none.
func (n near) payer() int {
	switch {
	case n.own >= 0:
		return n.own
	case n.dependency >= 0:
		return n.dependency
	}
	return n.framework
}

// Payer is the position of the frame that is blamed for a stack as a whole: the innermost of the program's own, of a
// dependency where there is none, of a framework where there is neither; -1 for none.
func (v *View) Payer(frames []int32) int { return v.nearest(frames, -1).payer() }

// nearest looks from a matched frame towards the entry. The matched frame itself is what is asked for; it is blamed
// only where nobody asks.
func (v *View) nearest(frames []int32, matched int) near {
	n := near{own: -1, dependency: -1, framework: -1}
	for i := matched + 1; i < len(frames) && (n.own < 0 || n.dependency < 0); i++ {
		v.nominate(&n, frames[i], i)
	}
	if n.payer() < 0 && matched >= 0 && matched < len(frames) {
		v.nominate(&n, frames[matched], matched)
	}
	return n
}

func (v *View) nominate(n *near, f int32, i int) {
	at := &n.own
	switch v.guilt[v.Frames[f].Func] {
	case guiltNone:
		return
	case guiltFramework:
		at = &n.framework
	case guiltDependency:
		at = &n.dependency
	}
	if *at < 0 {
		*at = i
	}
}

// A grouping counts functions by the declared one: closures, instances and vendored copies are of its group.
// Functions of the runtime, the standard library and C, which nobody asks for, are a group each.
type grouping struct {
	of    []int32 // by function
	names []string
}

func groupingOf(v *View) grouping {
	g := grouping{of: make([]int32, len(v.Functions))}
	ids := map[string]int32{}
	for i := range g.of {
		if v.same[i] != int32(i) {
			g.of[i] = g.of[v.same[i]]
			continue
		}
		name := v.Functions[i].Name
		if v.Class[i].Standard() {
			g.of[i] = int32(len(g.names))
			g.names = append(g.names, name)
			continue
		}
		name = symbol.Base(symbol.StripVendor(name))
		id, ok := ids[name]
		if !ok {
			id = int32(len(g.names))
			ids[name] = id
			g.names = append(g.names, name)
		}
		g.of[i] = id
	}
	return g
}

// payers adds up who pays, by declared function.
type payers struct {
	v      *View
	groups grouping
	of     map[int32]*payerSum // by group
}

type payerSum struct {
	group  int32
	class  frame.Class
	weight Weight
	lines  map[place]*Weight
}

// A place is a line of a function. One that calls in several ways (inlined or not) is one.
type place struct{ fn, line int32 }

func newPayers(v *View) *payers {
	return &payers{v: v, groups: v.grouping(), of: map[int32]*payerSum{}}
}

// groupOf is the group under which a frame's function is counted.
func (p *payers) groupOf(f int32) int32 { return p.groups.of[p.v.Frames[f].Func] }

// add counts a stack for its frame i.
func (p *payers) add(s *Stack, i int) {
	f := s.Frames[i]
	group := p.groupOf(f)
	sum := p.of[group]
	if sum == nil {
		sum = &payerSum{group: group, class: p.v.ClassAt(f), lines: map[place]*Weight{}}
		p.of[group] = sum
	}
	sum.weight.add(s, p.v.Value)
	at := place{p.v.fn(f), p.v.Frames[f].Line}
	line := sum.lines[at]
	if line == nil {
		line = &Weight{}
		sum.lines[at] = line
	}
	line.add(s, p.v.Value)
}

// ranked returns the first maxPayers by weight.
func (p *payers) ranked() []Payer {
	sums := slices.SortedFunc(maps.Values(p.of), func(a, b *payerSum) int {
		names := p.groups.names
		return cmp.Or(cmp.Compare(b.weight.Value, a.weight.Value), cmp.Compare(names[a.group], names[b.group]))
	})
	out := make([]Payer, min(len(sums), maxPayers))
	for i := range out {
		out[i] = p.payer(sums[i])
	}
	return out
}

// payer lists a payer's lines, the heaviest first.
func (p *payers) payer(sum *payerSum) Payer {
	lines := make([]LineWeight, 0, len(sum.lines))
	for at, w := range sum.lines {
		fn := &p.v.Functions[at.fn]
		lines = append(lines, LineWeight{frame.Frame{Func: fn.Name, File: fn.File, Line: int(at.line)}, *w})
	}
	slices.SortFunc(lines, func(a, b LineWeight) int {
		return cmp.Or(cmp.Compare(b.Weight.Value, a.Weight.Value), cmp.Compare(a.Func, b.Func),
			cmp.Compare(a.Line, b.Line))
	})
	return Payer{
		Frame: lines[0].Frame, Class: sum.class, Weight: sum.weight, group: sum.group,
		Sites: len(lines), Lines: lines[:min(len(lines), maxLines)],
	}
}
