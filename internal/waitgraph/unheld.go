package waitgraph

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/stackparse/frame"
)

// farMore is how many times as many must wait in a function before they show that it is called most. Chosen: of a lock
// that a few wait for, the order of their coming decides.
const farMore = 10

// likelyTaker is a waiter of the stack that most likely took a lock that nobody is seen to hold: of those that waited
// longest. Where a stack came to the lock through another function of the program, that one may have taken it
// before: then it is that of the stack with the fewest waiters, since a lock has one holder, and those behind it come
// in numbers. Where none did, the lock was left locked by a call that has returned, and most likely by one of the
// function that is called most, if the numbers show which that is.
func (s *solver) likelyTaker(o *Object) Ref {
	later := func(w Waiters) int { return int(o.Minutes - min(o.Minutes, s.d.Buckets[w.Bucket].MaxMinutes)) }
	w := slices.MinFunc(o.Waiters, func(a, b Waiters) int {
		return cmp.Or(cmp.Compare(later(a), later(b)), a.Count-b.Count)
	})
	if !s.nests(w.Bucket) {
		most := slices.MaxFunc(o.Waiters, func(a, b Waiters) int { return a.Count - b.Count })
		if most.Count >= farMore*w.Count {
			w = most
		}
	}
	return Ref{w.Bucket, w.Members[0]}
}

// nests reports whether goroutines came to their lock through another function of the program, which may hold it. A
// closure that a goroutine or a handler begins with only calls the function that takes the lock.
func (s *solver) nests(bucket int) bool {
	b := s.d.Buckets[bucket]
	return slices.ContainsFunc(s.codeFramesOf(bucket), func(cf codeFrame) bool {
		return cf.frame > s.sites[bucket].frame && s.program.Class(b.Frames[cf.frame].Frame) == frame.ClassOwn &&
			symbol.ParseName(cf.fn).Closure == ""
	})
}
