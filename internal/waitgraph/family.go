package waitgraph

import (
	"cmp"
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

// A placedWord is a word of some goroutine's call.
type placedWord struct {
	word stackparse.Word
	ref  Ref
}

// maxInside is how far behind an object's address its lock may lie. Chosen: locks are mostly near the start of a
// struct; four KiB is a page and larger than nearly all types with a lock.
const maxInside = 4096

// A wordIndex finds the sampled words of a dump by their value and by their goroutine.
type wordIndex struct {
	d      *stackparse.Dump
	sorted []placedWord // by value; nil until the first lookup
}

// sort sorts all sampled words by value.
func (x *wordIndex) sort() {
	if x.sorted != nil {
		return
	}
	n := 0
	for _, b := range x.d.Buckets {
		for i := range b.Samples {
			n += len(b.Samples[i].Words)
		}
	}
	x.sorted = make([]placedWord, 0, n)
	for i, b := range x.d.Buckets {
		for _, sample := range b.Samples {
			for _, w := range sample.Words {
				x.sorted = append(x.sorted, placedWord{w, Ref{i, sample.Index}})
			}
		}
	}
	slices.SortFunc(x.sorted, func(a, b placedWord) int { return cmp.Compare(a.word.Value(), b.word.Value()) })
}

// around returns the sampled words that may be the address of what addr lies in.
func (x *wordIndex) around(addr uint64) []placedWord {
	if addr == 0 {
		return nil
	}
	x.sort()
	low := addr - min(addr, maxInside)
	byValue := func(w placedWord, v uint64) int { return cmp.Compare(w.word.Value(), v) }
	from, _ := slices.BinarySearchFunc(x.sorted, low, byValue)
	to := from
	for to < len(x.sorted) && x.sorted[to].word.Value() <= addr {
		to++
	}
	return x.sorted[from:to]
}

// sampleOf returns the words of one goroutine, nil where it was not sampled.
func (x *wordIndex) sampleOf(r Ref) []stackparse.Word {
	samples := x.d.Buckets[r.Bucket].Samples
	byIndex := func(a stackparse.Sample, m int) int { return cmp.Compare(a.Index, m) }
	i, ok := slices.BinarySearchFunc(samples, r.Member, byIndex)
	if !ok {
		return nil
	}
	return samples[i].Words
}

// receiver returns the receiver that a method's call was printed with, for sure.
func receiver(words []stackparse.Word, frame int) (uint64, bool) {
	for _, w := range words {
		switch {
		case w.Frame() > frame:
			return 0, false
		case w.Frame() == frame && w.Arg() == 0:
			return w.Value(), !w.Uncertain()
		}
	}
	return 0, false
}
