package waitgraph

import (
	"slices"

	"github.com/gotriage/triage/stackparse"
)

// Parents of goroutines (printed since Go 1.21): those of one request, session or test have one in common, which
// separates the instances of a fault where no address does.

// A family is the goroutines of a dump that started others, as far as they are in it, and those that they started.
type family struct {
	d        *stackparse.Dump
	numbers  map[uint64]int32 // by id: of those that started others
	parents  []Ref            // by number; Bucket -1 where that one has ended
	children []Ref            // of all, those of one parent together: the first maxMembers of each
	first    []int32          // by number, into children; one more than there are parents
}

// build makes the tables of parents and children. They take some bytes a goroutine: one allocation each, however many
// parents there are.
func (f *family) build() {
	if f.numbers != nil {
		return
	}
	f.numbers = map[uint64]int32{}
	counts := f.countChildren()
	f.first = make([]int32, len(counts)+1)
	for n, count := range counts {
		f.first[n+1] = f.first[n] + count
	}
	f.parents = slices.Repeat([]Ref{{Bucket: -1}}, len(counts))
	f.children = make([]Ref, f.first[len(counts)])
	free := slices.Clone(f.first)
	for i, b := range f.d.Buckets {
		for j := range b.Goroutines {
			g := &b.Goroutines[j]
			if g.ID == 0 {
				continue
			}
			if n, ok := f.numbers[g.ID]; ok {
				f.parents[n] = Ref{i, j}
			}
			if g.Parent == 0 {
				continue
			}
			if n := f.numbers[g.Parent]; free[n] < f.first[n+1] {
				f.children[free[n]] = Ref{i, j}
				free[n]++
			}
		}
	}
}

// countChildren numbers the parents and counts what they started, up to maxMembers each.
func (f *family) countChildren() []int32 {
	var counts []int32
	for _, b := range f.d.Buckets {
		for j := range b.Goroutines {
			g := &b.Goroutines[j]
			if g.ID == 0 || g.Parent == 0 {
				continue
			}
			n, ok := f.numbers[g.Parent]
			if !ok {
				n = int32(len(counts))
				f.numbers[g.Parent] = n
				counts = append(counts, 0)
			}
			counts[n] = min(counts[n]+1, maxMembers)
		}
	}
	return counts
}

// childrenOf returns the first goroutines that the one with an id started.
func (f *family) childrenOf(id uint64) []Ref {
	f.build()
	n, ok := f.numbers[id]
	if !ok {
		return nil
	}
	return f.children[f.first[n]:f.first[n+1]]
}

// parentOf returns the goroutine that has an id, and has started others.
func (f *family) parentOf(id uint64) (Ref, bool) {
	f.build()
	n, ok := f.numbers[id]
	if !ok || f.parents[n].Bucket < 0 {
		return Ref{}, false
	}
	return f.parents[n], true
}

// related reports whether one of a and b started the other, or both were started by one goroutine.
func (f *family) related(a, b Ref) bool {
	x, y := GoroutineOf(f.d, a), GoroutineOf(f.d, b)
	return x.Parent != 0 && (x.Parent == y.Parent || x.Parent == y.ID) || y.Parent != 0 && y.Parent == x.ID
}
