package waitgraph

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/stackparse"
)

// solve finds a blockage for every lock with waiters, as far as there are steps left.
func (s *solver) solve() {
	seen := map[string]int{} // by the buckets that take part → index into blockages
	shapes := map[string]*lockGroup{}
	explained := slices.Repeat([]int{-1}, len(s.objects)) // by which blockage, -1 for none so far
	half := s.steps / 2
	for i := range s.objects {
		a := s.groupOf(shapes, i)
		a.count++
		switch {
		case explained[i] >= 0:
			continue
		case a.count > maxAlike, a.count > 1 && s.steps < half:
			s.countSkipped(a, i)
			explained[i] = a.blockage
			continue
		case s.steps <= 0:
			s.cut = true
			continue
		}
		b, objects := s.judge(i)
		if s.steps <= 0 {
			s.cut = true // the comparisons ended before a result
			continue
		}
		// Two cycles may share a lock.
		objects = slices.DeleteFunc(objects, func(o int) bool { return explained[o] >= 0 })
		at := s.keep(seen, b, objects)
		for n, o := range objects {
			explained[o] = at
			if a := s.groupOf(shapes, o); a.blockage < 0 || n == 0 && !a.first {
				a.blockage, a.first = at, n == 0
			}
		}
	}
	s.dropVictims(explained)
	slices.SortStableFunc(s.blockages, func(a, b Blockage) int { return b.Waiters - a.Waiters })
}

// keep adds a blockage by objects to those of the same stacks, and returns its index.
func (s *solver) keep(seen map[string]int, b Blockage, objects []int) int {
	for _, o := range objects {
		b.Waiters += s.objects[o].Count
		b.Minutes = max(b.Minutes, s.objects[o].Minutes)
		b.Addrs = append(b.Addrs, s.objects[o].Addr)
	}
	b.Instances = 1
	for _, l := range b.Links {
		s.blocked[l.Waiter.Bucket] = true
		if l.Holder.Strength > 0 {
			s.blocked[l.Holder.Bucket] = true
		}
	}
	sign := b.sign()
	at, ok := seen[sign]
	if ok {
		s.blockages[at].join(&b)
		return at
	}
	seen[sign] = len(s.blockages)
	s.blockages = append(s.blockages, b)
	return seen[sign]
}

func (b *Blockage) join(other *Blockage) {
	b.Instances += other.Instances
	b.Waiters += other.Waiters
	b.addAddrs(other.Addrs)
	b.Minutes = max(b.Minutes, other.Minutes)
	b.Moves = b.Moves && other.Moves
	b.Busy = b.Busy && other.Busy
	b.Served = b.Served && other.Served
	b.Rival = b.Rival && other.Rival
	b.Started = b.Started && other.Started
	b.Alike, b.Either = b.Alike && other.Alike, b.Either || other.Either
	b.Beside = b.Beside && other.Beside
	if other.Sleeper.Strength == 0 {
		b.Sleeper = Holder{}
	}
}

func (b *Blockage) addAddrs(addrs []uint64) {
	b.Addrs = append(b.Addrs, addrs[:min(len(addrs), max(0, maxAddrs-len(b.Addrs)))]...)
}

// A lockGroup is what is known of the locks with waiters in the same buckets.
type lockGroup struct {
	count    int  // so far
	blockage int  // that one of them is in, -1 for none so far
	first    bool // in its first link: a cycle of two locks is one instance
}

func (s *solver) groupOf(shapes map[string]*lockGroup, object int) *lockGroup {
	var room [64]byte
	key := s.shapeOf(room[:0], object)
	if a := shapes[string(key)]; a != nil {
		return a
	}
	a := &lockGroup{blockage: -1}
	shapes[string(key)] = a
	return a
}

// countSkipped counts a lock that is not solved: one more of those with waiters in the same buckets.
func (s *solver) countSkipped(a *lockGroup, object int) {
	if a.blockage < 0 {
		return
	}
	o := &s.objects[object]
	other := Blockage{
		Waiters: o.Count, Addrs: []uint64{o.Addr}, Minutes: o.Minutes, Moves: true, Busy: true, Served: true,
		Rival: true, Alike: true, Beside: true, Started: true, Sleeper: s.blockages[a.blockage].Sleeper,
	}
	if a.first {
		other.Instances = 1
	}
	s.blockages[a.blockage].join(&other)
}

// shapeOf names the buckets that wait for an object, so that the same fault on many locks is seen as one.
func (s *solver) shapeOf(key []byte, object int) []byte {
	key = append(key, s.objects[object].Kind...)
	for _, w := range s.objects[object].Waiters {
		key = append(key, byte(w.Bucket), byte(w.Bucket>>8), byte(w.Bucket>>16))
	}
	return key
}

// sign names a blockage's kind and the stacks that take part.
func (b *Blockage) sign() string {
	key := []byte(b.Kind)
	buckets := []int{}
	for _, l := range b.Links {
		buckets = append(buckets, l.Waiter.Bucket)
		if l.Holder.Strength > 0 && !l.Self {
			buckets = append(buckets, l.Holder.Bucket)
		}
	}
	slices.Sort(buckets)
	for _, n := range slices.Compact(buckets) {
		key = append(key, byte(n), byte(n>>8), byte(n>>16))
	}
	return string(key)
}

// judge returns why the waiters of an object can't go on, and which objects that explains.
func (s *solver) judge(object int) (Blockage, []int) {
	c := s.lockCallsOf(object)
	o := &s.objects[object]
	others := s.candidates(c)
	self := s.self(c)
	b := Blockage{Moves: o.Woken > 0 || s.firstComputing(others) != nil, Busy: s.busy(&c)}
	link := Link{Object: *o, Waiter: c.waiters[0], Holder: self, Self: true}
	if links, objects := s.cycle(object, others, self.Strength); links != nil {
		b.Kind, b.Links = LockCycle, links
		return b, objects
	}
	h, ok := s.other(others, self.Strength)
	if !ok {
		h, ok = s.calledOut(&c, others, self.Strength)
		b.Either = ok
	}
	if ok {
		link.Holder, link.Self = h, false
		b.Links = []Link{link}
		b.Kind = s.kindOf(object, h)
		b.Served, b.Rival = s.served(h), s.aliveBeside(others, h.Strength, h.Bucket)
		if starter, ok := s.starterAmong(object, h); ok && !b.Served {
			link.Waiter, b.Started = starter, true
			b.Links = []Link{link}
		}
		return b, []int{object}
	}
	link.Waiter = s.likelyTaker(o)
	if self.Strength > 0 {
		link.Waiter = self.Ref
		callback, inPackage := s.callbackBetween(self.Bucket, self.Frame)
		if callback > 0 && (!inPackage || s.d.Counted()) {
			link.Callback = callback
		}
		b.Rival, b.Beside = s.aliveBeside(others, StrengthType, -1), s.busyBeside(self.Bucket)
		b.Alike = s.elsewhereAmong(others, self.Strength)
	} else if i := slices.IndexFunc(others, asleep); i >= 0 {
		b.Sleeper = others[i]
	}
	panics := slices.IndexFunc(o.Waiters, func(w Waiters) bool { return s.panicked(w.Bucket) > 0 })
	if panics >= 0 && self.Strength == 0 {
		link.Waiter = Ref{o.Waiters[panics].Bucket, o.Waiters[panics].Members[0]}
	}
	link.Site, link.Panic = s.sites[link.Waiter.Bucket].frame, s.panicked(link.Waiter.Bucket)
	b.Kind = DoubleLock
	if o.has(ModePending) && o.has(ModeRLock) && (self.Strength == 0 || o.ModeOf(self.Bucket) != ModePending) {
		b.Kind = ReaderRecursion
		if self.Strength == 0 {
			link.Waiter = o.first(ModeRLock)
		}
	}
	b.Links = []Link{link}
	return b, []int{object}
}

// panicked returns the call of a bucket that panicked first, where its goroutines wait in what was deferred before; 0
// for none.
func (s *stacks) panicked(bucket int) int {
	at, raised := 0, false
	for i := s.sites[bucket].frame + 1; i < len(s.d.Buckets[bucket].Frames); i++ {
		switch fn := s.d.Buckets[bucket].Frames[i].Func; {
		case fn == "panic" || fn == "runtime.gopanic" || fn == "runtime.panic":
			raised = true
		case raised && !symbol.WaitsForOthers(fn):
			at, raised = i, false
		}
	}
	return at
}

// ModeOf is how the goroutines of a bucket wait for the object.
func (o *Object) ModeOf(bucket int) Mode {
	for _, w := range o.Waiters {
		if w.Bucket == bucket {
			return w.Mode
		}
	}
	return ""
}

func (o *Object) has(m Mode) bool {
	return slices.ContainsFunc(o.Waiters, func(w Waiters) bool { return w.Mode == m })
}

func (o *Object) first(m Mode) Ref {
	i := slices.IndexFunc(o.Waiters, func(w Waiters) bool { return w.Mode == m })
	return Ref{o.Waiters[i].Bucket, o.Waiters[i].Members[0]}
}

// kindOf returns what the holder of an object waits for.
func (s *solver) kindOf(object int, h Holder) BlockKind {
	if s.computes(h.Ref) || s.inLibrary(h.Bucket) {
		return Held
	}
	switch s.d.Buckets[h.Bucket].Class {
	case stackparse.ClassChanSend, stackparse.ClassChanReceive, stackparse.ClassNilChan, stackparse.ClassNoCases,
		stackparse.ClassSelect:
		return HeldInChannel
	case stackparse.ClassWaitGroup:
		return HeldInWaitGroup
	case stackparse.ClassCond:
		if o := &s.objects[object]; o.has(ModePending) && o.has(ModeRLock) {
			return ReaderRecursion
		}
		return HeldInCond
	}
	return Held
}

// other picks the holder among the candidates that do not wait for the object themselves, if the evidence for it is
// stronger than that for a waiter. Of equals one that computes comes first: then the lock moves.
func (s *solver) other(others []Holder, self Strength) (Holder, bool) {
	if len(others) == 0 || others[0].Strength < max(MinHolder, self) {
		return Holder{}, false
	}
	if self == StrengthSure && !s.computes(others[0].Ref) {
		return Holder{}, false
	}
	if _, waits := s.lockOf(others[0].Ref); waits && others[0].Strength == self {
		return Holder{}, false // it would have closed a cycle
	}
	if w := s.firstComputing(others); w != nil && w.Strength >= others[0].Strength {
		return *w, true
	}
	for _, h := range others {
		if !h.Doubt && h.Strength == others[0].Strength {
			return h, true
		}
	}
	if others[0].Strength == self && !s.alive[others[0].Bucket] {
		return Holder{}, false // one of several alike, or one that may have another lock
	}
	return others[0], true
}

// calledOut picks, of candidates that are as likely to hold the lock as a waiter of it, the one that waits in other
// code which a method of the lock's object has called: for as long as the others wait for the lock, and alone. A method
// that calls what it was given while it has its lock is how such a lock stays taken; that a waiter's outer call works
// on the same object is so of every library whose methods call each other.
func (s *solver) calledOut(c *lockCalls, others []Holder, self Strength) (found Holder, ok bool) {
	for _, h := range others {
		if h.Strength != StrengthObject || self != h.Strength || s.alive[h.Bucket] {
			continue
		}
		cf := s.codeFrameAt(h.Bucket, h.Frame)
		_, waits := s.lockOf(h.Ref)
		if waits || cf == nil || cf.pkg == s.sites[h.Bucket].pkg || s.manyAlike(c, &h) ||
			s.signalled(h.Bucket, h.Frame) || GoroutineOf(s.d, h.Ref).Minutes+1 < s.objects[c.object].Minutes {
			continue
		}
		if ok {
			return Holder{}, false
		}
		found, ok = h, true
		found.Doubt = false
	}
	return found, ok
}

func (s *solver) firstComputing(hs []Holder) *Holder {
	for i := range hs {
		if s.computes(hs[i].Ref) {
			return &hs[i]
		}
	}
	return nil
}

// busy reports whether a goroutine computes in the package that takes the lock; in main, which has all sorts of code,
// in its file.
func (s *solver) busy(c *lockCalls) bool {
	if s.working == nil {
		s.working = map[string]bool{}
		for i := range s.d.Buckets {
			if !s.works(i) {
				continue
			}
			for _, cf := range s.codeFramesOf(i) {
				s.working[workplaceOf(cf.code)] = true
			}
		}
	}
	return slices.ContainsFunc(c.sites, func(st site) bool { return s.working[workplaceOf(st.code)] })
}

// workplaceOf is the package of a call, in main its file.
func workplaceOf(c *code) string {
	if c.pkg == "main" {
		return c.file
	}
	return c.pkg
}

// served reports whether a goroutine that goes on may end what the holder waits for: one of its children, one in a
// method of the type whose method waits, or one whose own call is in the package that waits. In a test that is the
// test's watchdog mostly.
func (s *solver) served(h Holder) bool {
	g := GoroutineOf(s.d, h.Ref)
	if slices.ContainsFunc(s.family.childrenOf(g.ID), func(k Ref) bool { return s.alive[k.Bucket] }) {
		return true
	}
	if s.serving == nil {
		s.indexServing()
	}
	others := func(b int) bool { return b != h.Bucket }
	st := &s.sites[h.Bucket]
	return slices.ContainsFunc(s.serving[st.typNumber], others) ||
		!s.test && slices.ContainsFunc(s.inPackage[st.pkg], others)
}

// starterAmong returns the waiter of an object that started its holder, where all else that it started waits for others
// too: what the holder waits for would have to come from the one that waits for the holder.
func (s *solver) starterAmong(object int, h Holder) (Ref, bool) {
	parent, ok := s.family.parentOf(GoroutineOf(s.d, h.Ref).Parent)
	if !ok || !s.waitsFor(parent, object) {
		return Ref{}, false
	}
	children := s.family.childrenOf(GoroutineOf(s.d, parent).ID)
	if len(children) >= maxMembers {
		return Ref{}, false // only the first are known
	}
	return parent, !slices.ContainsFunc(children, func(k Ref) bool {
		switch s.d.Buckets[k.Bucket].Class {
		case stackparse.ClassChanSend, stackparse.ClassWaitGroup, stackparse.ClassMutex, stackparse.ClassRWMutexR,
			stackparse.ClassRWMutexW, stackparse.ClassCond:
			return s.alive[k.Bucket]
		}
		return k != h.Ref && !s.idle(k.Bucket)
	})
}

// indexServing finds the goroutines that go on, by the types and the package of their calls: two of each at most.
func (s *solver) indexServing() {
	s.serving, s.inPackage = map[int32][]int{}, map[string][]int{}
	for i, b := range s.d.Buckets {
		if !s.alive[i] || takesDump(b) {
			continue
		}
		for _, cf := range s.codeFramesOf(i) {
			if list := s.serving[cf.typNumber]; cf.typ != "" && len(list) < 2 && !slices.Contains(list, i) {
				s.serving[cf.typNumber] = append(list, i)
			}
		}
		if own := s.calledByLibrary(i); len(own) > 0 && !s.idle(i) && len(s.inPackage[own[0].pkg]) < 2 {
			s.inPackage[own[0].pkg] = append(s.inPackage[own[0].pkg], i)
		}
	}
}
