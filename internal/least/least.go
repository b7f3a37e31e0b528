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
		l.cut()
	}
}

// cut leaves the smallest.
func (l *Numbers) cut() {
	partition(l.all, l.most)
	l.all = l.all[:l.most]
	l.bound = l.all[l.most-1]
}

// Sorted returns the numbers in ascending order. None may be added after that.
func (l *Numbers) Sorted() []uint64 {
	if len(l.all) > l.most {
		l.cut()
	}
	slices.Sort(l.all)
	return slices.Clip(l.all)
}

// partition brings the k smallest numbers to the front, the largest of them last (Hoare's algorithm FIND).
func partition(all []uint64, k int) {
	low, high := 0, len(all)-1
	for low < high {
		pivot := median(all[low], all[(low+high)/2], all[high])
		i, j := low, high
		for i <= j {
			for all[i] < pivot {
				i++
			}
			for all[j] > pivot {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			high = j
		case k-1 >= i:
			low = i
		default:
			return
		}
	}
}

func median(a, b, c uint64) uint64 { return max(min(a, b), min(max(a, b), c)) }
