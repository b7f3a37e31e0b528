package waitgraph

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A Reentry is a stack of a counted dump that waits for a lock below a call which most likely holds it: code that has a
// lock called back, and what it called wants the lock again. Such a dump has no addresses, so only the stack and those
// of the others speak for it: nobody else is in code that could hold the lock.
type Reentry struct {
	Bucket int
	// Site is the call that takes the lock, Callback the one that was called back and leads to it, Outer the one
	// further out that called back. All are indices into the bucket's Frames.
	Site, Callback, Outer int
	// Near is how near Outer is to Site: StrengthObject for the same function, StrengthType for the same type,
	// StrengthFile for the same package only.
	Near Strength
	// Sole reports that no two goroutines with this stack want one lock: only one has it, or readers wait behind a
	// writer.
	Sole bool
	// Busy reports that a goroutine goes on in a package that has a call on the stack: it may hold the lock outside of
	// the methods that take it, or have released it this moment.
	Busy bool
	// Once reports that the lock is that of a sync.Once, whose function the goroutine runs.
	Once bool
}

// reentries finds those of a dump.
func (s *stacks) reentries() []Reentry {
	var found []Reentry
	for i, b := range s.d.Buckets {
		kind, _, ok := modeOf(b, s.sites[i])
		if !ok || s.sites[i].frame < 0 || !isLock(kind) || !parked(b) {
			continue
		}
		if kind == Once {
			if r, ok := s.onceReentry(i); ok {
				found = append(found, r)
			}
			continue
		}
		r, ok := s.reentryOf(i)
		if !ok || s.heldElsewhere(&r, kind == RWMutex) {
			continue
		}
		r.Sole = b.Count == 1
		r.Busy = s.busyBeside(i)
		found = append(found, r)
	}
	return found
}

// reentryOf finds the call of a bucket that most likely holds the lock which its goroutines wait for, with a callback
// between the two. Where only the package is the same, the call that the goroutine began with does not count: workers
// of a library begin there.
func (s *stacks) reentryOf(bucket int) (Reentry, bool) {
	st := &s.sites[bucket]
	best, bestOwn := Reentry{Bucket: bucket, Site: st.frame}, false
	owners := s.ownersOf(bucket)
	for i, o := range owners {
		near := st.near(o.code)
		// Where a package calls itself through its types, other code that was called back further out says more.
		if o.frame <= st.frame || near < best.Near || near == best.Near && !bestOwn {
			continue
		}
		callback, own := s.callbackBetween(bucket, o.frame)
		if callback < 0 || near == best.Near && own ||
			near == StrengthFile && (own || i == len(owners)-1 || !s.mayBeLibrary(bucket)) {
			continue
		}
		best.Near, best.Outer, best.Callback, bestOwn = near, o.frame, callback, own
	}
	return best, best.Near > 0
}

// onceReentry finds the call of a bucket that runs the function of the Once which its goroutines wait for: they called
// Do from the same line. Another stack that runs it is more likely the one that they wait for.
func (s *stacks) onceReentry(bucket int) (Reentry, bool) {
	st := &s.sites[bucket]
	outer := s.runsOnce(st, bucket)
	if outer < 0 || s.d.Buckets[bucket].Count > 1 {
		return Reentry{}, false
	}
	for i := range s.d.Buckets {
		if i != bucket && s.runsOnce(st, i) >= 0 {
			return Reentry{}, false
		}
	}
	callback, _ := s.callbackBetween(bucket, outer)
	if callback < 0 {
		callback = st.frame + 1
	}
	return Reentry{Bucket: bucket, Site: st.frame, Callback: callback, Outer: outer, Near: StrengthObject, Sole: true,
		Once: true}, callback < outer
}

// runsOnce returns the call of a bucket that called Do from the line of a site and is past waiting for it; -1 for none.
func (s *stacks) runsOnce(st *site, bucket int) int {
	inside := false
	for i := range s.d.Buckets[bucket].Frames {
		f := &s.d.Buckets[bucket].Frames[i]
		switch {
		case strings.HasPrefix(f.Func, "sync.(*Once)."):
			inside = inside || i > s.sites[bucket].frame
		case inside && f.Func == st.fn && f.File == st.file && f.Line == st.line:
			return i
		default:
			inside = false
		}
	}
	return -1
}

// near ranks how near a call is to the one that takes the lock, like lockCalls.near, but by package instead of file.
func (st *site) near(o *code) Strength {
	switch {
	case o.number == st.code.number:
		return StrengthObject
	case o.typ != "" && o.typNumber == st.typNumber:
		return StrengthType
	case o.pkg == st.pkg:
		return StrengthFile
	}
	return 0
}

// mayBeLibrary reports whether the package that a bucket waits in is one whose other types say anything about the lock:
// neither the standard library nor main.
func (s *stacks) mayBeLibrary(bucket int) bool {
	st := &s.sites[bucket]
	return st.pkg != "main" && s.program.Class(s.d.Buckets[bucket].Frames[st.frame].Frame) != frame.ClassStdlib
}

// callbackBetween returns the call between the site of a bucket and an outer frame that was called back: the nearest to
// the site of another package, of the program itself where there is one; else the nearest of the same package that is
// none of the type's (inPackage). It is -1 where there is none.
func (s *stacks) callbackBetween(bucket, outer int) (callback int, inPackage bool) {
	st := &s.sites[bucket]
	other, near := -1, -1
	for _, o := range s.ownersOf(bucket) {
		switch {
		case o.frame <= st.frame || o.frame >= outer:
		case o.pkg != st.pkg:
			switch s.program.Class(s.d.Buckets[bucket].Frames[o.frame].Frame) {
			case frame.ClassOwn:
				return o.frame, false
			case frame.ClassRuntime, frame.ClassStdlib:
			default:
				if other < 0 {
					other = o.frame
				}
			}
		case near < 0 && st.typ != "" && o.typNumber != st.typNumber:
			near = o.frame
		}
	}
	if other >= 0 {
		return other, false
	}
	return near, near >= 0
}

// heldElsewhere reports whether another stack is in code that could hold the lock of r: in a method of its type, or in
// its package where that is all that is known. Those that wait there for a lock too hold none of it, and idle loops
// hold none between two rounds. A shared lock may have many readers.
func (s *stacks) heldElsewhere(r *Reentry, shared bool) bool {
	st := &s.sites[r.Bucket]
	byType := st.typ != "" && r.Near > StrengthFile
	for i, b := range s.d.Buckets {
		if i == r.Bucket {
			continue
		}
		kind, _, waits := modeOf(b, s.sites[i])
		for _, o := range s.ownersOf(i) {
			if near := st.near(o.code); near == 0 || near == StrengthFile && byType {
				continue
			}
			at := &s.sites[i]
			if waits && isLock(kind) && parked(b) && at.frame >= 0 && st.near(at.code) >= min(r.Near, StrengthType) {
				break // it waits for such a lock itself
			}
			if shared || !s.manyWait(i) {
				return true
			}
		}
	}
	return false
}

// manyAlikeWait goroutines of one stack that wait for others cannot all have a lock that excludes others. Chosen: two
// may be in the same method of an object each.
const manyAlikeWait = 3

// manyWait reports whether so many goroutines of a bucket wait for others, that none of them has the lock.
func (s *stacks) manyWait(bucket int) bool {
	return s.d.Buckets[bucket].Count >= manyAlikeWait && !s.mayGoOn(bucket)
}

// parked reports whether the goroutines of a counted stack wait in a lock. Those that are about to take it, or try a
// little longer, have Lock on top: that lock moves.
func parked(b *stackparse.Bucket) bool {
	if len(b.Frames) == 0 {
		return false
	}
	leaf := b.Frames[0].Func
	return leaf == "runtime.gopark" || strings.Contains(leaf, "emacquire")
}

// busyBeside reports whether a goroutine goes on by itself, or may, in a package of the code on a bucket's stack.
func (s *stacks) busyBeside(bucket int) bool {
	var packages []string
	for _, o := range s.ownersOf(bucket) {
		class := s.program.Class(s.d.Buckets[bucket].Frames[o.frame].Frame)
		if class != frame.ClassStdlib && !slices.Contains(packages, o.pkg) {
			packages = append(packages, o.pkg)
		}
	}
	for i, b := range s.d.Buckets {
		if !s.mayGoOn(i) || s.idle(i) || takesDump(b) {
			continue
		}
		if slices.ContainsFunc(s.ownersOf(i), func(o owner) bool { return slices.Contains(packages, o.pkg) }) {
			return true
		}
	}
	return false
}

// mayGoOn reports whether the goroutines of a bucket go on by themselves. A counted stack shows only of some that they
// do not: those that wait for others.
func (s *stacks) mayGoOn(bucket int) bool {
	b := s.d.Buckets[bucket]
	if len(b.Goroutines) > 0 {
		return s.alive[bucket]
	}
	switch b.Class {
	case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW:
		return !parked(b)
	case stackparse.ClassChanSend, stackparse.ClassChanReceive, stackparse.ClassSelect, stackparse.ClassNilChan,
		stackparse.ClassNoCases, stackparse.ClassWaitGroup, stackparse.ClassCond, stackparse.ClassIdle:
		return false
	}
	return true
}
