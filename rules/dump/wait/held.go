package wait

import (
	"slices"
	"sync"

	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
)

// held are the calls that hold for the buckets of one dump.
type held struct {
	index map[*stackparse.Bucket]int // of buckets for which a call holds, into the dump's
	all   []int                      // the same, in order
	progs bitRows                    // aligned with the dump's buckets
}

// buckets are the indexes of those for which one of some conditions holds, in order.
func (h *held) buckets(progs numbers) []int {
	var found []int
	for _, i := range h.all {
		if h.progs.at(i).overlaps(progs) {
			found = append(found, i)
		}
	}
	return found
}

// A sharedIndex is the index of a program's functions, for the dumps of that program one by one.
type sharedIndex struct {
	sync.Mutex
	x *match.Index
}

// numbers are a set of small numbers, a bit for each.
type numbers []uint64

// with returns the set with n.
func (s numbers) with(n int) numbers {
	s = slices.Clone(s)
	for len(s) <= n/64 {
		s = append(s, 0)
	}
	s.set(n)
	return s
}

func (s numbers) set(n int) { s[n/64] |= 1 << (n % 64) }

func (s numbers) union(o numbers) numbers {
	if len(s) < len(o) {
		s, o = o, s
	}
	s = slices.Clone(s)
	for i, w := range o {
		s[i] |= w
	}
	return s
}

func (s numbers) overlaps(o numbers) bool {
	for i := range min(len(s), len(o)) {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// bitRows are sets of numbers below a bound.
type bitRows struct {
	words []uint64
	width int // of a row, in words
}

func newBitRows(rows, bound int) bitRows {
	width := (bound + 63) / 64
	return bitRows{words: make([]uint64, rows*width), width: width}
}

func (r bitRows) at(row int) numbers { return numbers(r.words[row*r.width : (row+1)*r.width]) }
