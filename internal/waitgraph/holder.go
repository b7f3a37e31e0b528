package waitgraph

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// weaker is the strength of a loop that waits for its next work: the type alone makes it no candidate.
func (s Strength) weaker() Strength {
	if s == StrengthType {
		return StrengthFile
	}
	return s - 1
}

// A holderFinder finds the goroutines that may hold a lock.
type holderFinder struct {
	waits
	family family
	words  wordIndex
	named  [][]int // by the number of a type or file: the buckets that have a call of it
	places map[place][]placedLock
	fields map[int32]lockFields // by the number of a type
	test   bool                 // the process is a test binary
}

// candidates returns the goroutines that may hold an object, at most one a bucket, strongest first. Those that wait
// for the object themselves are left out; self ranks them.
func (s *holderFinder) candidates(c lockCalls) []Holder {
	if s.objects[c.object].Kind == Once {
		return s.onceRunners(&c)
	}
	found := map[int]Holder{}
	better := func(h Holder) {
		if old, ok := found[h.Bucket]; !ok || h.Strength > old.Strength {
			found[h.Bucket] = h
		}
	}
	for _, h := range s.byWords(&c) {
		better(h)
	}
	for _, i := range s.nearby(&c) {
		if h, ok := s.byCode(&c, i); ok {
			better(h)
		}
	}
	if h, ok := s.oppositeOrder(&c); ok {
		better(h)
	}
	s.sift(&c, found)
	for bucket, h := range found {
		if s.wasBefore(&c, &h) {
			h.Strength = min(h.Strength, StrengthObject)
		}
		h.Doubt = s.doubt(&c, &h)
		found[bucket] = h
	}
	return slices.SortedFunc(maps.Values(found), func(a, b Holder) int {
		rarer := s.d.Buckets[a.Bucket].Count - s.d.Buckets[b.Bucket].Count
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), rarer, a.Bucket-b.Bucket)
	})
}

// onceRunners are the goroutines that run the function of a sync.Once whose Do others wait in: they are inside Do,
// called from the same line.
func (s *holderFinder) onceRunners(c *lockCalls) []Holder {
	var all []Holder
	s.spend(len(s.d.Buckets))
	for i := range s.d.Buckets {
		if f := s.runs(c, i); f >= 0 {
			if r, _, ok := s.memberOf(c, i, f); ok {
				all = append(all, Holder{Ref: r, Frame: f, Strength: StrengthSure})
			}
		}
	}
	return all
}

// runs returns the call of a bucket that called Do of the Once and is past waiting for it; -1 where there is none.
func (s *holderFinder) runs(c *lockCalls, bucket int) int {
	b := s.d.Buckets[bucket]
	inside := false
	for i := range b.Frames {
		f := &b.Frames[i]
		switch {
		case f.Func == "sync.(*Once).doSlow" || f.Func == "sync.(*Once).Do":
			inside = inside || i > s.sites[bucket].frame
		case inside:
			here := func(st site) bool { return st.fn == f.Func && st.file == f.File && st.line == f.Line }
			if slices.ContainsFunc(c.sites, here) {
				return i
			}
			inside = false
		}
	}
	return -1
}

// oppositeOrder finds the other goroutine of two in the same call, started by one parent, each waiting for a lock of
// its own: two arguments locked one after the other, in different orders. Three or more are as many separate faults.
func (s *holderFinder) oppositeOrder(c *lockCalls) (Holder, bool) {
	if len(c.sites) != 1 || len(c.waiters) == 0 {
		return Holder{}, false
	}
	var found Holder
	n := 0
	at := s.locksAt(placeOf(&c.sites[0], s.objects[c.object].Kind))
	for i := range at {
		s.spend(1)
		if at[i].object == c.object || !s.family.related(at[i].first, c.waiters[0]) {
			continue
		}
		if n++; n > 1 {
			return Holder{}, false
		}
		found = Holder{Ref: at[i].first, Frame: s.sites[at[i].first.Bucket].frame, Strength: StrengthType}
	}
	return found, n == 1
}

// byWords finds the goroutines one of whose calls was printed with an address that the lock lies at or behind.
func (s *holderFinder) byWords(c *lockCalls) []Holder {
	o := &s.objects[c.object]
	var all []Holder
	around := s.words.around(o.Addr)
	s.spend(len(around))
	for _, w := range around {
		if w.word.Uncertain() || s.waitsFor(w.ref, c.object) {
			continue
		}
		off := o.Addr - w.word.Value()
		h := Holder{Ref: w.ref, Frame: w.word.Frame()}
		cf := s.codeFrameAt(w.ref.Bucket, w.word.Frame())
		if cf == nil {
			continue
		}
		near := c.near(cf)
		switch {
		case c.known && off == c.offset && near >= StrengthType, off == 0 && near >= StrengthType:
			h.Strength = StrengthSure
		case off == 0 && near >= StrengthFile:
			h.Strength = StrengthObject
		case off == 0:
			h.Strength = StrengthFamily // it may have been handed the object for anything
		case c.known && off == c.offset:
			h.Strength = StrengthObject
		case !c.known && near >= StrengthType && !s.waitsHere(c.object, w.ref.Bucket):
			h.Strength = StrengthType // a neighbour's address lies before the lock too
		default:
			continue
		}
		if s.loops(w.ref.Bucket, w.word.Frame()) {
			if s.restsBetween(&h, c) {
				continue
			}
			h.Asleep = s.sleeps(w.ref.Bucket)
			h.Strength = h.Strength.weaker()
		}
		if s.naps(w.ref.Bucket, c) {
			h.Strength = min(h.Strength, StrengthType)
		}
		if s.signalled(w.ref.Bucket, w.word.Frame()) {
			h.Strength = min(h.Strength, StrengthObject)
		}
		all = append(all, h)
	}
	return all
}

// byCode finds the goroutine of a bucket whose calls are in the code that takes the lock.
func (s *holderFinder) byCode(c *lockCalls, bucket int) (Holder, bool) {
	best := Holder{Frame: -1}
	if s.waitsHere(c.object, bucket) {
		return best, false // its goroutines wait for such a lock and do not hold it
	}
	frames := s.codeFramesOf(bucket)
	s.spend(len(frames))
	for i := range frames {
		cf := &frames[i]
		if n := c.near(cf); n > best.Strength && !s.ownSite(bucket, cf.frame, c) {
			best.Frame, best.Strength = cf.frame, n
		}
	}
	if best.Strength == 0 || s.hasNoRoom(bucket) {
		return best, false
	}
	if s.loops(bucket, best.Frame) {
		if s.restsBetween(&Holder{Ref: Ref{Bucket: bucket}, Frame: best.Frame}, c) {
			return best, false
		}
		best.Asleep = best.Strength >= StrengthType && s.sleeps(bucket)
		best.Strength = best.Strength.weaker()
	}
	ref, kin, ok := s.memberOf(c, bucket, best.Frame)
	if !ok {
		return best, false
	}
	best.Ref = ref
	// Where its goroutines wait to take another lock in that call itself, others may have a stack like theirs and hold
	// nothing yet. In a test that timed out all of them hang.
	here := s.sites[bucket].frame == best.Frame && isLock(modes[s.d.Buckets[bucket].Class].kind)
	if kin && (s.test || !here) {
		best.Strength = min(best.Strength+1, StrengthObject)
	}
	if best.Strength <= StrengthFamily && s.rests(bucket) {
		best.Strength = StrengthFile // a sleeper or reader that shares only a file with the lock does other work
		return best, best.Asleep
	}
	return best, best.Strength > 0
}

// hasNoRoom reports whether the goroutines of a bucket wait on the very line that started them, in a closure of one
// line, for something other than a lock: go func() { wg.Wait(); close(done) }().
func (s *holderFinder) hasNoRoom(bucket int) bool {
	frames, creator := s.codeFramesOf(bucket), s.d.Buckets[bucket].CreatedBy
	if len(frames) != 1 || creator == nil || isLock(modes[s.d.Buckets[bucket].Class].kind) {
		return false
	}
	f := &s.d.Buckets[bucket].Frames[frames[0].frame]
	return f.Line == creator.Line && f.File == creator.File && f.Line > 0
}

// signalled reports whether the call at a frame itself waits in sync.(*Cond).Wait, which gives the Cond's lock up until
// it returns. No dump shows which lock that is: nothing proves that the goroutine holds one.
func (s *holderFinder) signalled(bucket, at int) bool {
	if s.d.Buckets[bucket].Class != stackparse.ClassCond {
		return false
	}
	frames := s.codeFramesOf(bucket)
	return len(frames) > 0 && frames[0].frame == at
}

// rests reports whether the goroutines of a bucket sleep or wait for what the outside world does next.
func (s *holderFinder) rests(bucket int) bool {
	b := s.d.Buckets[bucket]
	return !writes(b) && slices.Contains([]stackparse.Class{stackparse.ClassSleep, stackparse.ClassIO,
		stackparse.ClassSyscall, stackparse.ClassCgo}, b.Class)
}

// writes reports whether the goroutines of a bucket wait until they can write, or have connected: no loop waits so
// between two rounds.
func writes(b *stackparse.Bucket) bool {
	return slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
		return f.Func == "internal/poll.(*pollDesc).waitWrite" || f.Func == "internal/poll.(*FD).WaitWrite"
	})
}

// sleeps reports whether the goroutines of a bucket sleep in code of unknown purpose.
func (s *holderFinder) sleeps(bucket int) bool {
	return s.d.Buckets[bucket].Class == stackparse.ClassSleep && !s.idle(bucket)
}

// memberOf picks the goroutine of a bucket that goes best with the waiters: one of their family, failing that the
// first. Goroutines that wait for the same object, or are printed with another receiver than the lock's, are none.
func (s *holderFinder) memberOf(c *lockCalls, bucket, frame int) (r Ref, kin, ok bool) {
	b, cf, addr := s.d.Buckets[bucket], s.codeFrameAt(bucket, frame), s.objects[c.object].Addr
	// Of a method of a type that the lock lies in, the receiver shows whether the call works on the lock's object.
	shown := c.known && addr != 0 && cf != nil && cf.method && has(c.types, cf.typNumber)
	for m := range min(members(b), maxMembers) {
		at := Ref{bucket, m}
		s.spend(1 + len(c.waiters)/4)
		if s.waitsFor(at, c.object) {
			continue
		}
		if recv, ok := receiver(s.words.sampleOf(at), frame); shown && ok && recv+c.offset != addr {
			continue
		}
		if slices.ContainsFunc(c.waiters, func(w Ref) bool { return s.family.related(w, at) }) {
			return at, true, true
		}
		if !ok {
			r, ok = at, true
		}
	}
	return r, false, ok
}

// waitsFor reports whether r waits for the object, as far as the dump shows.
func (s *holderFinder) waitsFor(r Ref, object int) bool {
	i, ok := s.lockOf(r)
	return ok && (i == object || s.mayBeOne(i, object))
}

// mayBeOne reports whether two objects may be one RWMutex: readers wait for another word of it than writers that queue,
// and RLock is inlined, so that the dump does not show whose it is. Who takes it in methods of one type most likely
// takes one.
func (s *holderFinder) mayBeOne(a, b int) bool {
	x, y := &s.objects[a], &s.objects[b]
	if a == b || x.Kind != RWMutex || y.Kind != RWMutex || x.Addr != 0 && y.Addr != 0 {
		return false
	}
	if len(x.Waiters) == 0 || len(y.Waiters) == 0 || x.has(ModeRLock) == y.has(ModeRLock) {
		return false
	}
	first, second := &s.sites[x.Waiters[0].Bucket], &s.sites[y.Waiters[0].Bucket]
	return first.typ != "" && first.typNumber == second.typNumber
}

// waitsHere reports whether goroutines of the bucket wait for the object.
func (s *holderFinder) waitsHere(object, bucket int) bool {
	byBucket := func(w Waiters, b int) int { return cmp.Compare(w.Bucket, b) }
	_, ok := slices.BinarySearchFunc(s.objects[object].Waiters, bucket, byBucket)
	return ok
}

// ownSite reports whether frame is the call in which a bucket's goroutines wait to take the lock of c.
func (s *holderFinder) ownSite(bucket, frame int, c *lockCalls) bool {
	kind, _, _ := s.modeOf(bucket)
	cf := s.codeFrameAt(bucket, frame)
	return isLock(kind) && s.sites[bucket].frame == frame && cf != nil && c.takes(cf)
}

// loops reports whether the call at a frame is where a goroutine began and where it waits for its next work, or where
// it rests: loops take their locks round by round, and hold none while they wait.
func (s *holderFinder) loops(bucket, at int) bool {
	b := s.d.Buckets[bucket]
	switch b.Class {
	case stackparse.ClassSelect, stackparse.ClassChanReceive, stackparse.ClassCond, stackparse.ClassNoCases:
		return s.idle(bucket) || s.isLoop(s.codeFramesOf(bucket), at)
	case stackparse.ClassSleep, stackparse.ClassIO, stackparse.ClassSyscall:
		return s.idle(bucket) || !writes(b) && s.isLoop(s.calledByLibrary(bucket), at)
	}
	return false
}

// isLoop reports whether the first of frames is the call at a frame, and perhaps a call of the same type the only one
// further out.
func (s *holderFinder) isLoop(frames []codeFrame, at int) bool {
	n := len(frames)
	return 0 < n && n <= 2 && frames[0].frame == at && frames[n-1].typ == frames[0].typ
}

// naps reports whether the goroutines of a bucket began in a method of a type, which may have called another one, and
// sleep or read there. Most such loops do that between two rounds, so that nothing but a call that takes such a lock
// shows that they hold one.
func (s *holderFinder) naps(bucket int, c *lockCalls) bool {
	if !s.rests(bucket) {
		return false
	}
	frames := s.calledByLibrary(bucket)
	if len(frames) == 0 || frames[0].typ == "" || !s.isLoop(frames, frames[0].frame) {
		return false
	}
	return !slices.ContainsFunc(frames, func(cf codeFrame) bool { return c.takes(&cf) })
}

// calledByLibrary returns the frames of a bucket that can hold a lock without those of the standard library at the
// leaf: time.Sleep, or a read; and without what the go statement itself became at the root.
func (s *holderFinder) calledByLibrary(bucket int) []codeFrame {
	frames := s.codeFramesOf(bucket)
	if n := len(frames); n > 0 && strings.Contains(frames[n-1].fn, ".gowrap") {
		frames = frames[:n-1]
	}
	for i, cf := range frames {
		if s.program.Class(s.d.Buckets[bucket].Frames[cf.frame].Frame) != frame.ClassStdlib {
			return frames[i:]
		}
	}
	return nil
}

// restsBetween reports whether a loop waits for its next work in a select or a receive, so that it holds nothing: it is
// no loop where it was called, and takes such a lock itself. In a test, where every goroutine should end, nothing is
// sure to be one.
func (s *holderFinder) restsBetween(h *Holder, c *lockCalls) bool {
	switch s.d.Buckets[h.Bucket].Class {
	case stackparse.ClassSelect, stackparse.ClassChanReceive, stackparse.ClassNoCases:
		frames := s.codeFramesOf(h.Bucket)
		cf := s.codeFrameAt(h.Bucket, h.Frame)
		called := cf != nil && cf.frame != frames[len(frames)-1].frame
		return !s.test && (!called || !c.takes(cf))
	}
	return false
}

// self returns the waiter that is the most likely to hold the lock already: its outer calls take it, or work on its
// object. What several waiters of one lock have in common weighs less: at most one of them holds it.
func (s *holderFinder) self(c lockCalls) Holder {
	best := Holder{Frame: -1}
	o := &s.objects[c.object]
	for _, w := range o.Waiters {
		for _, m := range w.Members[:min(len(w.Members), maxAlike)] {
			h := s.selfOf(&c, Ref{w.Bucket, m})
			if w.Count > 1 && (w.Mode != ModeRLock || !o.has(ModePending)) && h.Strength > 0 {
				h.Strength--
			}
			if h.Strength > best.Strength && !s.cameLater(o, &h, w.Mode) {
				best = h
			}
		}
	}
	return best
}

// cameLater reports whether another goroutine waited for the lock before the candidate among the waiters did: who takes
// a lock twice does so at once, as a rule, unless it called other code in between. Of readers the second lock may come
// late. Minutes are too few by up to a cycle of the collector, but those of who came first are never fewer.
func (s *holderFinder) cameLater(o *Object, h *Holder, mode Mode) bool {
	if h.Strength == StrengthSure || mode == ModeRLock || GoroutineOf(s.d, h.Ref).Minutes >= o.Minutes {
		return false
	}
	callback, inPackage := s.callbackBetween(h.Bucket, h.Frame)
	return callback < 0 || inPackage
}

func (s *holderFinder) selfOf(c *lockCalls, r Ref) Holder {
	best := Holder{Ref: r, Frame: -1}
	o := &s.objects[c.object]
	if o.Kind == Once {
		if f := s.runs(c, r.Bucket); f >= 0 {
			best.Frame, best.Strength = f, StrengthSure
			if s.d.Counted() {
				best.Strength = StrengthObject // nothing shows that both calls are about one Once
			}
		}
		return best
	}
	words := s.words.sampleOf(r)
	frames := s.codeFramesOf(r.Bucket)
	s.spend(len(frames))
	for _, cf := range frames {
		if cf.frame <= s.sites[r.Bucket].frame {
			continue
		}
		n := s.holdsAlready(c, r.Bucket, &cf, words)
		if n == 0 && s.calledFromLock(r.Bucket, &cf, words, o.Addr) {
			n = StrengthObject
		}
		if s.d.Counted() {
			n = s.byStack(r.Bucket, &cf, n)
		}
		if n > best.Strength {
			best.Frame, best.Strength = cf.frame, n
		}
	}
	return best
}

func (s *holderFinder) holdsAlready(c *lockCalls, bucket int, cf *codeFrame, words []stackparse.Word) Strength {
	n, addr := c.near(cf), s.objects[c.object].Addr
	if n < StrengthType {
		return 0
	}
	if recv, ok := receiver(words, cf.frame); ok && cf.method && addr == 0 {
		// The lock's address is not printed, but the objects of the two calls may be.
		st := &s.sites[bucket]
		if inner, ok := receiver(words, st.frame); ok && st.method && st.typNumber == cf.typNumber {
			if inner != recv {
				return 0
			}
			return StrengthObject
		}
	} else if ok && cf.method {
		off := addr - recv
		switch {
		case recv > addr || off >= maxInside || c.known && off != c.offset:
			return 0 // it works on another object
		case c.takes(cf):
			return StrengthSure
		}
		return StrengthObject
	}
	if c.takes(cf) && cf.method {
		return StrengthObject
	}
	return StrengthType
}
