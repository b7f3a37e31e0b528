package waitgraph

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/stackparse"
)

// A Strength is how much speaks for a goroutine's holding a lock.
type Strength int

// The strengths. From MinHolder on a goroutine is called a candidate.
const (
	// StrengthFile: it is in code of the file that takes the lock.
	StrengthFile Strength = 1
	// StrengthFamily: in that file, and of the waiters' family.
	StrengthFamily Strength = 2
	// StrengthType: it is in a method of the type whose method takes the lock.
	StrengthType Strength = 3
	// StrengthObject: in a method of that type and of the same family, in the function that takes the lock, behind the place
	// where it does, or at work on an object that the lock lies in.
	StrengthObject Strength = 4
	// StrengthSure: its call has the very receiver whose method takes the lock, or the lock's address as a word.
	StrengthSure Strength = 5

	MinHolder = StrengthFamily
)

// weaker is the strength of a loop that waits for its next work: the type alone makes it no candidate.
func (s Strength) weaker() Strength {
	if s == StrengthType {
		return StrengthFile
	}
	return s - 1
}

// A Holder is a candidate for holding an object.
type Holder struct {
	Ref
	// Frame is the call that speaks for it, an index into the bucket's Frames; -1 where its family does.
	Frame    int
	Strength Strength
}

// A lockCalls is what the waiters of an object tell about the lock: the calls that take it.
type lockCalls struct {
	object  int
	sites   []site
	codes   []int32 // of the sites' calls, and their types and files: sorted numbers of each
	types   []int32
	files   []int32
	offset  uint64 // of the lock behind its method's receiver
	known   bool   // offset is
	waiters []Ref  // some of them
}

func (s *solver) lockCallsOf(object int) lockCalls {
	c := lockCalls{object: object}
	o := &s.objects[object]
	for _, w := range o.Waiters {
		st := s.sites[w.Bucket]
		c.sites = append(c.sites, st)
		c.codes, c.types, c.files = append(c.codes, st.code.number), append(c.types, st.code.typNumber), append(c.files, st.code.fileNumber)
		for _, m := range w.Members {
			r := Ref{w.Bucket, m}
			if len(c.waiters) < maxMembers {
				c.waiters = append(c.waiters, r)
			}
			if c.known || o.Addr == 0 || !st.code.method {
				continue
			}
			if recv, ok := receiver(s.sampleOf(r), st.frame); ok && recv <= o.Addr && o.Addr-recv < maxInside && !s.manyLocks(r, recv) {
				c.offset, c.known = o.Addr-recv, true
			}
		}
	}
	c.codes, c.types, c.files = distinct(c.codes), distinct(c.types), distinct(c.files)
	return c
}

// manyLocks reports whether goroutines of r's bucket wait for other locks in the same call on the same receiver: then the
// lock is no field of it, and lies behind it by chance.
func (s *solver) manyLocks(r Ref, recv uint64) bool {
	own, _ := s.lockOf(r)
	for _, sample := range s.d.Buckets[r.Bucket].Samples {
		s.spend(1)
		if other, waits := s.lockOf(Ref{r.Bucket, sample.Index}); !waits || other == own {
			continue
		}
		if v, ok := receiver(sample.Words, s.sites[r.Bucket].frame); ok && v == recv {
			return true
		}
	}
	return false
}

func distinct(numbers []int32) []int32 {
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

func has(numbers []int32, n int32) bool {
	_, ok := slices.BinarySearch(numbers, n)
	return ok
}

// takes reports whether the call is one that takes the lock.
func (c *lockCalls) takes(o *owner) bool { return has(c.codes, o.number) }

// ranks how near the code of a call is to the code that takes the lock; 0 for nothing in common.
func (c *lockCalls) near(o *owner) Strength {
	switch {
	case c.takes(o):
		return StrengthObject
	case o.typ != "" && has(c.types, o.typNumber):
		return StrengthType
	case o.file != "" && has(c.files, o.fileNumber):
		return StrengthFile
	}
	return 0
}

// candidates returns who may hold an object, at most one goroutine a bucket, strongest first. Goroutines that wait for the
// object themselves are left out; self judges those.
func (s *solver) candidates(c lockCalls) []Holder {
	if s.objects[c.object].Kind == Once {
		return s.onceRunners(&c)
	}
	found := map[int]Holder{}
	better := func(h Holder) {
		old, ok := found[h.Bucket]
		if !ok || h.Strength > old.Strength {
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
	all := make([]Holder, 0, len(found))
	for _, h := range found {
		all = append(all, h)
	}
	slices.SortFunc(all, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), s.d.Buckets[a.Bucket].Count-s.d.Buckets[b.Bucket].Count, a.Bucket-b.Bucket)
	})
	return all
}

// onceRunners are the goroutines that run the function of a sync.Once whose Do others wait in: they are inside Do, called from
// the same line.
func (s *solver) onceRunners(c *lockCalls) []Holder {
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
func (s *solver) runs(c *lockCalls, bucket int) int {
	b := s.d.Buckets[bucket]
	inside := false
	for i := range b.Frames {
		f := &b.Frames[i]
		switch {
		case f.Func == "sync.(*Once).doSlow" || f.Func == "sync.(*Once).Do":
			inside = inside || i > s.sites[bucket].frame
		case inside:
			if slices.ContainsFunc(c.sites, func(st site) bool { return st.fn == f.Func && st.file == f.File && st.line == f.Line }) {
				return i
			}
			inside = false
		}
	}
	return -1
}

// oppositeOrder finds the other goroutine of two that stand in the same call, started by one parent, each waiting for a lock of its
// own: two arguments locked one after the other, in different orders. Three or more are as many separate faults.
func (s *solver) oppositeOrder(c *lockCalls) (Holder, bool) {
	if len(c.sites) != 1 || len(c.waiters) == 0 {
		return Holder{}, false
	}
	var found Holder
	n := 0
	at := s.locksAt(placeOf(&c.sites[0], s.objects[c.object].Kind))
	for i := range at {
		s.spend(1)
		if at[i].object == c.object || !s.related(at[i].first, c.waiters[0]) {
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
func (s *solver) byWords(c *lockCalls) []Holder {
	o := &s.objects[c.object]
	var all []Holder
	around := s.around(o.Addr)
	s.spend(len(around))
	for _, w := range around {
		if w.word.Uncertain() || s.waits(w.ref, c.object) {
			continue
		}
		off := o.Addr - w.word.Value()
		h := Holder{Ref: w.ref, Frame: w.word.Frame()}
		owner := s.ownerAt(w.ref.Bucket, w.word.Frame())
		if owner == nil {
			continue
		}
		near := c.near(owner)
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
			h.Strength = h.Strength.weaker()
		}
		all = append(all, h)
	}
	return all
}

// byCode finds the goroutine of a bucket whose calls are in the code that takes the lock.
func (s *solver) byCode(c *lockCalls, bucket int) (Holder, bool) {
	best := Holder{Frame: -1}
	if s.waitsHere(c.object, bucket) {
		return best, false // whoever stands there waits for a lock of that kind, not holds it
	}
	owners := s.ownersOf(bucket)
	s.spend(len(owners))
	for i := range owners {
		o := &owners[i]
		if n := c.near(o); n > best.Strength && !s.ownSite(bucket, o.frame, c) {
			best.Frame, best.Strength = o.frame, n
		}
	}
	if best.Strength == 0 {
		return best, false
	}
	if s.loops(bucket, best.Frame) {
		best.Strength = best.Strength.weaker()
	}
	ref, kin, ok := s.memberOf(c, bucket, best.Frame)
	if !ok {
		return best, false
	}
	best.Ref = ref
	if kin {
		best.Strength = min(best.Strength+1, StrengthObject)
	}
	if best.Strength <= StrengthFamily && s.rests(bucket) {
		return best, false // who shares no more than a file with the lock, and sleeps or reads, has work of its own
	}
	return best, best.Strength > 0
}

// rests reports whether the goroutines of a bucket sleep or wait for the outside world.
func (s *solver) rests(bucket int) bool {
	switch s.d.Buckets[bucket].Class {
	case stackparse.ClassSleep, stackparse.ClassIO, stackparse.ClassSyscall, stackparse.ClassCgo:
		return true
	}
	return false
}

// memberOf picks the goroutine of a bucket that goes best with the waiters: one of their family, failing that the first.
// Goroutines that wait for the same object, or are printed with another receiver than the lock's, are none.
func (s *solver) memberOf(c *lockCalls, bucket, frame int) (r Ref, kin, ok bool) {
	b := s.d.Buckets[bucket]
	told := s.tellsObject(c, bucket, frame)
	for m := range b.Goroutines[:min(len(b.Goroutines), maxMembers)] {
		at := Ref{bucket, m}
		s.spend(1 + len(c.waiters)/4)
		if s.waits(at, c.object) || told && s.contradicts(c, at, frame) {
			continue
		}
		if slices.ContainsFunc(c.waiters, func(w Ref) bool { return s.related(w, at) }) {
			return at, true, true
		}
		if !ok {
			r, ok = at, true
		}
	}
	return r, false, ok
}

// tellsObject reports whether the call at frame is a method of a type that the lock lies in, so that its receiver tells
// whether it works on the lock's object.
func (s *solver) tellsObject(c *lockCalls, bucket, frame int) bool {
	if !c.known || s.objects[c.object].Addr == 0 {
		return false
	}
	o := s.ownerAt(bucket, frame)
	return o != nil && o.method && has(c.types, o.typNumber)
}

// contradicts reports whether the call at frame was printed with the receiver of another object than the lock's.
func (s *solver) contradicts(c *lockCalls, r Ref, frame int) bool {
	recv, ok := receiver(s.sampleOf(r), frame)
	return ok && recv+c.offset != s.objects[c.object].Addr
}

// waits reports whether r waits for the object.
func (s *solver) waits(r Ref, object int) bool {
	i, ok := s.lockOf(r)
	return ok && i == object
}

// waitsHere reports whether goroutines of the bucket wait for the object.
func (s *solver) waitsHere(object, bucket int) bool {
	_, ok := slices.BinarySearchFunc(s.objects[object].Waiters, bucket, func(w Waiters, b int) int { return cmp.Compare(w.Bucket, b) })
	return ok
}

// ownSite reports whether frame is the call in which a bucket's goroutines wait to take a lock at the lockCalls's own place.
func (s *solver) ownSite(bucket, frame int, c *lockCalls) bool {
	st := &s.sites[bucket]
	kind, _, ok := modeOf(s.d.Buckets[bucket], *st)
	if !ok || !isLock(kind) || st.frame != frame {
		return false
	}
	o := s.ownerAt(bucket, frame)
	return o != nil && c.takes(o)
}

func (s *solver) ownerAt(bucket, frame int) *owner {
	owners := s.ownersOf(bucket)
	i, ok := slices.BinarySearchFunc(owners, frame, func(o owner, f int) int { return cmp.Compare(o.frame, f) })
	if !ok {
		return nil
	}
	return &owners[i]
}

// loops reports whether the call at frame is where a goroutine began and where it waits for its next work, or where it
// rests: loops take their locks round by round, and hold none while they wait.
func (s *solver) loops(bucket, frame int) bool {
	b := s.d.Buckets[bucket]
	switch b.Class {
	case stackparse.ClassSelect, stackparse.ClassChanReceive, stackparse.ClassSleep, stackparse.ClassIO, stackparse.ClassSyscall, stackparse.ClassCond:
	default:
		return false
	}
	if s.idle(bucket) {
		return true
	}
	owners := s.ownersOf(bucket)
	return len(owners) > 0 && owners[0].frame == frame && owners[len(owners)-1].typ == owners[0].typ && len(owners) <= 2
}

// self says how much speaks for a waiter's holding the lock already: its outer calls take it, or work on its object. What
// several waiters of one lock have in common tells less: at most one of them holds it.
func (s *solver) self(c lockCalls) Holder {
	best := Holder{Frame: -1}
	o := &s.objects[c.object]
	for _, w := range o.Waiters {
		for _, m := range w.Members[:min(len(w.Members), maxAlike)] {
			h := s.selfOf(&c, Ref{w.Bucket, m})
			if w.Count > 1 && w.Mode != ModeRLock && h.Strength > 0 {
				h.Strength--
			}
			if h.Strength > best.Strength {
				best = h
			}
		}
	}
	return best
}

func (s *solver) selfOf(c *lockCalls, r Ref) Holder {
	best := Holder{Ref: r, Frame: -1}
	o := &s.objects[c.object]
	if o.Kind == Once {
		if f := s.runs(c, r.Bucket); f >= 0 {
			best.Frame, best.Strength = f, StrengthSure
		}
		return best
	}
	words := s.sampleOf(r)
	owners := s.ownersOf(r.Bucket)
	s.spend(len(owners))
	for _, out := range owners {
		if out.frame <= s.sites[r.Bucket].frame {
			continue
		}
		if n := s.holdsAlready(c, &out, words, o.Addr); n > best.Strength {
			best.Frame, best.Strength = out.frame, n
		}
	}
	return best
}

func (s *solver) holdsAlready(c *lockCalls, o *owner, words []stackparse.Word, addr uint64) Strength {
	n := c.near(o)
	if n < StrengthType {
		return 0
	}
	if recv, ok := receiver(words, o.frame); ok && o.method && addr != 0 {
		off := addr - recv
		switch {
		case recv > addr || off >= maxInside || c.known && off != c.offset:
			return 0 // it works on another object
		case c.takes(o):
			return StrengthSure
		}
		return StrengthObject
	}
	if c.takes(o) && o.method {
		return StrengthObject
	}
	return StrengthType
}
