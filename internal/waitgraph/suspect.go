package waitgraph

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// farMore is how many times as many must wait in a function before they show that it is called most. Chosen: of a lock
// that a few wait for, the order of their coming decides.
const farMore = 10

// suspect is a waiter of the stack that most likely took a lock that nobody is seen to hold, of those that have waited
// the longest. Where a stack came to the lock through another function of the program, that one may have taken it
// before: then it is that of the stack with the fewest waiters, since a lock has one holder, and those behind it come
// in numbers. Where none did, the lock was left locked by a call that has returned, and most likely by one of the
// function that is called most, if the numbers show which that is.
func (s *solver) suspect(o *Object) Ref {
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
	return slices.ContainsFunc(s.ownersOf(bucket), func(o owner) bool {
		return o.frame > s.sites[bucket].frame && s.program.Class(b.Frames[o.frame].Frame) == frame.ClassOwn &&
			symbol.ParseName(o.fn).Closure == ""
	})
}

// calledFromLock reports whether an outer call of another type works on the very lock that its goroutine waits for, in
// the package that takes it, and has called other code back.
func (s *holderFinder) calledFromLock(bucket int, o *owner, words []stackparse.Word, addr uint64) bool {
	if addr == 0 || !o.method || o.pkg != s.sites[bucket].pkg {
		return false
	}
	if recv, ok := receiver(words, o.frame); !ok || recv != addr {
		return false
	}
	callback, inPackage := s.callbackBetween(bucket, o.frame)
	return callback > 0 && !inPackage
}
