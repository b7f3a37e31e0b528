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

	view      *View
	selection *Selection
	payerAt   []int // the payer's frame in each stack of the selection, -1 for none
}

// Blame blames the program for a selection's stacks, looking from the outermost matched frame towards the entry.
func (v *View) Blame(sel *Selection) *Blame {
	b := &Blame{Weight: sel.Weight, view: v, selection: sel, payerAt: make([]int, len(sel.Hits))}
	all, own, deps := newPayers(v), newPayers(v), newPayers(v)
	for n, h := range sel.Hits {
		s := &v.Stacks[h.Stack]
		who := v.blamableFrames(s.Frames, int(h.Outer))
		if who.own >= 0 {
			own.add(s, who.own)
		}
		if who.dependency >= 0 {
			deps.add(s, who.dependency)
		}
		if b.payerAt[n] = who.position(); b.payerAt[n] >= 0 {
			all.add(s, b.payerAt[n])
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
	callers := newPayers(b.view)
	for n, h := range b.selection.Hits {
		if b.payerAt[n] < 0 {
			continue
		}
		s := &b.view.Stacks[h.Stack]
		if callers.groupOf(s.Frames[b.payerAt[n]]) != b.Culprit.group {
			continue
		}
		out := blamable{own: -1, dependency: -1, framework: -1}
		for i := b.payerAt[n] + 1; i < len(s.Frames) && out.own < 0; i++ {
			if callers.groupOf(s.Frames[i]) != b.Culprit.group {
				b.view.nominate(&out, s.Frames[i], i)
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
	entries := newPayers(b.view)
	for _, h := range b.selection.Hits {
		s := &b.view.Stacks[h.Stack]
		if at := b.view.entryFrame(s.Frames); at >= 0 {
			entries.add(s, at)
		}
	}
	return entries.ranked()
}

// A blamable holds the frames of a stack that can be blamed, by their places in it, -1 for none.
type blamable struct{ own, dependency, framework int }

// position returns the place of the frame that is blamed, -1 for none.
func (found blamable) position() int {
	switch {
	case found.own >= 0:
		return found.own
	case found.dependency >= 0:
		return found.dependency
	}
	return found.framework
}

// Payer is the position of the frame that is blamed for a stack as a whole: the innermost of the program's own, of a
// dependency where there is none, of a framework where there is neither; -1 for none.
func (v *View) Payer(frames []int32) int { return v.blamableFrames(frames, -1).position() }

// blamableFrames looks from a matched frame towards the entry. The matched frame itself is what is asked for; it is
// blamed only where nobody asks.
func (v *View) blamableFrames(frames []int32, matched int) blamable {
	found := blamable{own: -1, dependency: -1, framework: -1}
	for i := matched + 1; i < len(frames) && (found.own < 0 || found.dependency < 0); i++ {
		v.nominate(&found, frames[i], i)
	}
	if found.position() < 0 && matched >= 0 && matched < len(frames) {
		v.nominate(&found, frames[matched], matched)
	}
	return found
}

func (v *View) nominate(found *blamable, f int32, i int) {
	at := &found.own
	switch v.guilt[v.Frames[f].Func] {
	case guiltNone:
		return
	case guiltFramework:
		at = &found.framework
	case guiltDependency:
		at = &found.dependency
	}
	if *at < 0 {
		*at = i
	}
}

// functionGroups count functions by the declared one: closures, instances and vendored copies are of its group.
// Functions of the runtime, the standard library and C, which nobody asks for, are a group each.
type functionGroups struct {
	of    []int32 // by function
	names []string
}

func functionGroupsOf(v *View) functionGroups {
	g := functionGroups{of: make([]int32, len(v.Functions))}
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

// payerTable adds up who pays, by declared function.
type payerTable struct {
	view    *View
	groups  functionGroups
	byGroup map[int32]*payerSum // by group
}

type payerSum struct {
	group  int32
	class  frame.Class
	weight Weight
	lines  map[functionLine]*Weight
}

// A functionLine is a line of a function. One that calls in several ways (inlined or not) is one.
type functionLine struct{ fn, line int32 }

func newPayers(v *View) *payerTable {
	return &payerTable{view: v, groups: v.groups(), byGroup: map[int32]*payerSum{}}
}

// groupOf is the group under which a frame's function is counted.
func (p *payerTable) groupOf(f int32) int32 { return p.groups.of[p.view.Frames[f].Func] }

// add counts a stack for its frame i.
func (p *payerTable) add(s *Stack, i int) {
	f := s.Frames[i]
	group := p.groupOf(f)
	sum := p.byGroup[group]
	if sum == nil {
		sum = &payerSum{group: group, class: p.view.ClassAt(f), lines: map[functionLine]*Weight{}}
		p.byGroup[group] = sum
	}
	sum.weight.add(s, p.view.Value)
	at := functionLine{p.view.functionOf(f), p.view.Frames[f].Line}
	line := sum.lines[at]
	if line == nil {
		line = &Weight{}
		sum.lines[at] = line
	}
	line.add(s, p.view.Value)
}

// ranked returns the first maxPayers by weight.
func (p *payerTable) ranked() []Payer {
	sums := slices.SortedFunc(maps.Values(p.byGroup), func(a, b *payerSum) int {
		names := p.groups.names
		return cmp.Or(cmp.Compare(b.weight.Value, a.weight.Value), cmp.Compare(names[a.group], names[b.group]))
	})
	out := make([]Payer, min(len(sums), maxPayers))
	for i := range out {
		out[i] = p.withLines(sums[i])
	}
	return out
}

// withLines lists a payer's lines, the heaviest first.
func (p *payerTable) withLines(sum *payerSum) Payer {
	lines := make([]LineWeight, 0, len(sum.lines))
	for at, w := range sum.lines {
		fn := &p.view.Functions[at.fn]
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
