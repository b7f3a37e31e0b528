package waitgraph

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/stackparse"
)

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
