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

// maxInside is how far behind an object's address its lock may lie. Chosen: locks stand in front of structs by habit;
// four KiB is a page and larger than nearly all types with a lock.
const maxInside = 4096

// indexWords sorts all sampled words by value.
func (s *solver) indexWords() {
	if s.words != nil {
		return
	}
	n := 0
	for _, b := range s.d.Buckets {
		for i := range b.Samples {
			n += len(b.Samples[i].Words)
		}
	}
	s.words = make([]placedWord, 0, n)
	for i, b := range s.d.Buckets {
		for _, sample := range b.Samples {
			for _, w := range sample.Words {
				s.words = append(s.words, placedWord{w, Ref{i, sample.Index}})
			}
		}
	}
	slices.SortFunc(s.words, func(a, b placedWord) int { return cmp.Compare(a.word.Value(), b.word.Value()) })
}

// around returns the sampled words that may be the address of what addr lies in.
func (s *solver) around(addr uint64) []placedWord {
	if addr == 0 {
		return nil
	}
	s.indexWords()
	low := addr - min(addr, maxInside)
	from, _ := slices.BinarySearchFunc(s.words, low, func(w placedWord, v uint64) int { return cmp.Compare(w.word.Value(), v) })
	to := from
	for to < len(s.words) && s.words[to].word.Value() <= addr {
		to++
	}
	return s.words[from:to]
}

// sampleOf returns the words of one goroutine, nil where it was not sampled.
func (s *solver) sampleOf(r Ref) []stackparse.Word {
	samples := s.d.Buckets[r.Bucket].Samples
	i, ok := slices.BinarySearchFunc(samples, r.Member, func(a stackparse.Sample, m int) int { return cmp.Compare(a.Index, m) })
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
