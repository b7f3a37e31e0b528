package waitgraph

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// Build makes the graph of d, a dump of program. idle reports whether the goroutines of a bucket (by index) may wait
// for ever; it may be nil. Of dumps that only count goroutines it knows no ids, addresses and ages: there a lock is
// that of the type whose methods take it.
func (m *Memory) Build(d *stackparse.Dump, program frame.Program, idle func(bucket int) bool) *Graph {
	g := &Graph{}
	if d.Format == stackparse.FormatRace {
		return g
	}
	s := m.solver(d, program, idle)
	s.test = s.isTest()
	s.collect()
	s.solve()
	g.Test, g.Working, g.Part = s.test, s.anyWorks(), isPart(d)
	g.Hidden = g.Part || slices.ContainsFunc(d.Buckets, func(b *stackparse.Bucket) bool {
		return len(b.Goroutines) > 0 && b.Goroutines[0].Flags&stackparse.FlagNoStack != 0
	})
	s.findOrphans()
	g.Objects, g.Blockages, g.Orphans, g.Cut = s.shown(), s.blockages, s.orphans, s.cut
	if d.Counted() {
		g.Objects = nil
	}
	return g
}

// shown are the objects that a report lists.
func (s *solver) shown() []Object {
	lone := func(o Object) bool { return o.Count < 2 && !isLock(o.Kind) }
	all := slices.DeleteFunc(slices.Concat(s.objects, s.others), lone)
	slices.SortStableFunc(all, func(a, b Object) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Addr, b.Addr)) })
	return all
}

// A solver finds the blockages and orphans of one dump.
type solver struct {
	holderFinder
	working map[string]bool // where a goroutine computes
	serving map[int32][]int // by the number of a type: two buckets at most that go on in its methods
	cut     bool            // locks are left unsolved
	// inPackage has two buckets at most of each package whose call goes on, or called the library that does.
	inPackage map[string][]int

	blockages []Blockage
	orphans   []Orphan
	blocked   []bool // of each bucket: a blockage explains it
}

func (m *Memory) solver(d *stackparse.Dump, program frame.Program, idle func(int) bool) *solver {
	return &solver{
		holderFinder: holderFinder{
			waits:  waits{stacks: m.stacks(d, program, idle), waitsOn: make([][]int32, len(d.Buckets))},
			family: family{d: d},
			words:  wordIndex{d: d},
		},
		blocked: make([]bool, len(d.Buckets)),
	}
}
