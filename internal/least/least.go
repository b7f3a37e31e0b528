// Package least finds the smallest of many numbers.
package least

import (
	"math"
	"slices"
)

// Numbers are the smallest of those that were added, at most as many as New takes. Most of the others cost one
// comparison.
type Numbers struct {
	most  int
	bound uint64   // numbers from here on are none of the smallest
	all   []uint64 // the smallest so far are among them
}

// roomFor is how many times most numbers are collected before the smallest of them are found.
const roomFor = 2

// New returns Numbers that keep most at most, one at least, of so many as are expected to come.
func New(most, expected int) Numbers {
	return Numbers{most: most, bound: math.MaxUint64, all: make([]uint64, 0, min(expected, roomFor*most))}
}

// Add takes a number.
func (l *Numbers) Add(n uint64) {
	if n < l.bound || len(l.all) < l.most {
		l.put(n)
	}
}

func (l *Numbers) put(n uint64) {
	if l.all = append(l.all, n); len(l.all) == roomFor*l.most {
		slices.Sort(l.all)
		l.all = l.all[:l.most]
		l.bound = l.all[l.most-1]
	}
}

// Sorted returns the numbers in ascending order. None may be added after that.
func (l *Numbers) Sorted() []uint64 {
	slices.Sort(l.all)
	return slices.Clip(l.all[:min(len(l.all), l.most)])
}
