package waitgraph

import (
	"slices"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/stackparse"
)

// A BlockKind says why goroutines can't go on.
type BlockKind string

// The kinds of blockages.
const (
	// DoubleLock: a goroutine waits for a lock that it holds itself, or that nobody holds who could release it.
	DoubleLock BlockKind = "double lock"
	// LockCycle: goroutines wait for locks that others of them hold.
	LockCycle BlockKind = "lock cycle"
	// ReaderRecursion: readers wait behind a writer that waits until the first readers are gone, which wait for the others.
	ReaderRecursion BlockKind = "reader recursion"
	// HeldInChannel: the holder waits for a channel.
	HeldInChannel BlockKind = "held in channel"
	// HeldInWaitGroup, HeldInCond: the holder waits for others to finish, or to be signalled.
	HeldInWaitGroup BlockKind = "held in waitgroup"
	HeldInCond      BlockKind = "held in cond"
	// Held: the holder sleeps, reads, writes or computes, and may go on.
	Held BlockKind = "held"
)

// A Blockage is one reason why goroutines wait for locks.
type Blockage struct {
	Kind BlockKind
	// Links are the locks that take part, each with some of its waiters and its holder. A cycle has one link a lock, so that
	// each holder is a waiter of the next link.
	Links []Link
	// Waiters counts all that wait for the locks of all instances, and for those of victims.
	Waiters int
	// Addrs are the addresses of these locks, at most maxAddrs.
	Addrs []uint64
	// Instances counts the locks in which the same buckets stand in each other's way.
	Instances int
	// Minutes is the longest wait that a header tells.
	Minutes uint32
	// Moves says that a candidate computes, or that somebody was just woken from waiting for a lock: it may be released at any time.
	Moves bool
	// Busy says that somebody computes in the package that takes the lock.
	Busy bool
	// Served says that somebody who may bring what the holder waits for is at work or waits for the outside world.
	Served bool
}

// A Link is a lock with one of its waiters and its holder.
type Link struct {
	Object Object
	Waiter Ref
	// Holder is the candidate; Strength 0 where nobody is seen who could hold it.
	Holder Holder
	// Self says that Holder is a waiter of the same object.
	Self bool
}

// solve finds a blockage for every lock with waiters, as far as there are steps left.
func (s *solver) solve() {
	seen := map[string]int{} // by the buckets that take part → index into blockages
	shapes := map[string]*lockGroup{}
	explained := make([]int, len(s.objects)) // by which blockage, -1 for none so far
	for i := range explained {
		explained[i] = -1
	}
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
			s.cut = true // it was not looked at to the end
			continue
		}
		objects = slices.DeleteFunc(objects, func(o int) bool { return explained[o] >= 0 }) // two cycles may share a lock
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
	b.Addrs = append(b.Addrs, other.Addrs[:min(len(other.Addrs), maxAddrs-min(len(b.Addrs), maxAddrs))]...)
	b.Minutes = max(b.Minutes, other.Minutes)
	b.Moves = b.Moves && other.Moves
	b.Busy = b.Busy && other.Busy
	b.Served = b.Served && other.Served
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

// countSkipped counts a lock that is not looked at: one more of those with waiters in the same buckets.
func (s *solver) countSkipped(a *lockGroup, object int) {
	if a.blockage < 0 {
		return
	}
	o := &s.objects[object]
	other := Blockage{Waiters: o.Count, Addrs: []uint64{o.Addr}, Minutes: o.Minutes, Moves: true, Busy: true, Served: true}
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

// judge says why the waiters of an object can't go on, and which objects that explains.
func (s *solver) judge(object int) (Blockage, []int) {
	c := s.lockCallsOf(object)
	o := &s.objects[object]
	others := s.candidates(c)
	self := s.self(c)
	b := Blockage{Moves: o.Woken > 0 || s.firstComputing(others) != nil, Busy: s.busy(&c)}
	waiter := c.waiters[0]
	link := Link{Object: *o, Waiter: waiter, Holder: self, Self: true}

	if links, objects := s.cycle(object, others, self.Strength); links != nil {
		b.Kind, b.Links = LockCycle, links
		return b, objects
	}
	if h, ok := s.other(others, self.Strength); ok {
		link.Holder, link.Self = h, false
		b.Links = []Link{link}
		b.Kind = s.kindOf(object, h)
		b.Served = s.served(h)
		return b, []int{object}
	}
	link.Waiter = o.fewest()
	if self.Strength > 0 {
		link.Waiter = self.Ref
	}
	b.Kind = DoubleLock
	if o.has(ModePending) && o.has(ModeRLock) && (self.Strength == 0 || o.modeOf(self.Bucket) != ModePending) {
		b.Kind = ReaderRecursion
		if self.Strength == 0 {
			link.Waiter = o.first(ModeRLock)
		}
	}
	b.Links = []Link{link}
	return b, []int{object}
}

// fewest is a waiter of the stack with the fewest waiters: a lock has one holder, and those behind it come in numbers.
func (o *Object) fewest() Ref {
	w := slices.MinFunc(o.Waiters, func(a, b Waiters) int { return a.Count - b.Count })
	return Ref{w.Bucket, w.Members[0]}
}

// modeOf is how the goroutines of a bucket wait for the object.
func (o *Object) modeOf(bucket int) Mode {
	i := slices.IndexFunc(o.Waiters, func(w Waiters) bool { return w.Bucket == bucket })
	if i < 0 {
		return ""
	}
	return o.Waiters[i].Mode
}

func (o *Object) has(m Mode) bool {
	return slices.ContainsFunc(o.Waiters, func(w Waiters) bool { return w.Mode == m })
}

func (o *Object) first(m Mode) Ref {
	i := slices.IndexFunc(o.Waiters, func(w Waiters) bool { return w.Mode == m })
	return Ref{o.Waiters[i].Bucket, o.Waiters[i].Members[0]}
}

// kindOf says what the holder of an object waits for.
func (s *solver) kindOf(object int, h Holder) BlockKind {
	b := s.d.Buckets[h.Bucket]
	if s.computes(h.Ref) {
		return Held
	}
	o := &s.objects[object]
	if s.inLibrary(h.Bucket) {
		return Held
	}
	switch b.Class {
	case stackparse.ClassChanSend, stackparse.ClassChanReceive, stackparse.ClassNilChan, stackparse.ClassNoCases:
		return HeldInChannel
	case stackparse.ClassSelect:
		return HeldInChannel
	case stackparse.ClassWaitGroup:
		return HeldInWaitGroup
	case stackparse.ClassCond:
		if o.has(ModePending) && o.has(ModeRLock) {
			return ReaderRecursion
		}
		return HeldInCond
	}
	return Held
}

// inLibrary reports whether the goroutines of a bucket wait inside the standard library: for a response, a connection, a
// process. What comes from outside is not the program's other half.
func (s *solver) inLibrary(bucket int) bool {
	at := s.sites[bucket].frame
	return at >= 0 && s.program.Class(s.d.Buckets[bucket].Frames[at].Frame) == frame.ClassStdlib
}

// other picks the holder among the candidates that do not wait for the object themselves, if one is told more clearly than
// that a waiter holds it already. Of equals one that computes comes first: then the lock moves.
func (s *solver) other(others []Holder, self Strength) (Holder, bool) {
	if len(others) == 0 || others[0].Strength < max(MinHolder, self) || self == StrengthSure && !s.computes(others[0].Ref) {
		return Holder{}, false
	}
	if _, waits := s.lockOf(others[0].Ref); waits && others[0].Strength == self {
		return Holder{}, false // it would have closed a cycle
	}
	if w := s.firstComputing(others); w != nil && w.Strength >= others[0].Strength {
		return *w, true
	}
	return others[0], true
}

func (s *solver) firstComputing(hs []Holder) *Holder {
	for i := range hs {
		if s.computes(hs[i].Ref) {
			return &hs[i]
		}
	}
	return nil
}

// busy reports whether somebody computes in the package that takes the lock; in main, which has all sorts of code, in its
// file.
func (s *solver) busy(c *lockCalls) bool {
	if s.working == nil {
		s.working = map[workplace]bool{}
		for i := range s.d.Buckets {
			if !s.works(i) {
				continue
			}
			for _, o := range s.ownersOf(i) {
				s.working[workplaceOf(o.code)] = true
			}
		}
	}
	return slices.ContainsFunc(c.sites, func(st site) bool { return s.working[workplaceOf(st.code)] })
}

// A workplace is a package, in main a file.
type workplace struct{ pkg, file string }

func workplaceOf(c *code) workplace {
	if c.pkg == "main" {
		return workplace{c.pkg, c.file}
	}
	return workplace{pkg: c.pkg}
}

// served reports whether somebody who goes on works on the same thing as the holder: one of its children, or a goroutine
// in a method of the type whose method waits.
func (s *solver) served(h Holder) bool {
	g := GoroutineOf(s.d, h.Ref)
	if slices.ContainsFunc(s.childrenOf(g.ID), func(k Ref) bool { return s.alive[k.Bucket] }) {
		return true
	}
	if s.serving == nil {
		s.indexServing()
	}
	return s.serving[s.sites[h.Bucket].code.typNumber].other(h.Bucket)
}

// A bucketPair is up to two buckets, as 1 + the index: enough to tell whether there is another one than a given one.
type bucketPair [2]int

func (v bucketPair) other(bucket int) bool { return v[0] != 0 && v[0] != bucket+1 || v[1] != 0 }

func (v bucketPair) with(bucket int) bucketPair {
	switch {
	case v[0] == 0:
		v[0] = bucket + 1
	case v[0] != bucket+1:
		v[1] = bucket + 1
	}
	return v
}

func (s *solver) indexServing() {
	s.serving = map[int32]bucketPair{}
	for i, b := range s.d.Buckets {
		if !s.alive[i] || takesDump(b) {
			continue
		}
		for _, o := range s.ownersOf(i) {
			if o.typ != "" {
				s.serving[o.typNumber] = s.serving[o.typNumber].with(i)
			}
		}
	}
}

// takesDump reports whether a goroutine is the one that asked for the dump: it runs because of that.
func takesDump(b *stackparse.Bucket) bool {
	return slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
		switch f.Func {
		case "runtime.Stack", "runtime/pprof.writeGoroutineStacks", "syscall.Kill", "os.(*Process).Signal", "syscall.Tgkill":
			return true
		}
		return false
	})
}

// cycle follows holders that wait for other locks until it comes back to the object; nil where it does not. Each holder must
// be told more clearly than that a waiter of the lock holds it itself; where both are sure, a cycle explains both locks.
func (s *solver) cycle(object int, others []Holder, self Strength) ([]Link, []int) {
	type step struct {
		object int
		holder Holder
	}
	var path []step
	tried := map[int]bool{object: true}
	var follow func(at int, others []Holder, self Strength, depth int) bool
	follow = func(at int, others []Holder, self Strength, depth int) bool {
		for _, h := range others {
			if h.Strength < MinHolder || h.Strength <= self && h.Strength < StrengthSure {
				break
			}
			next, waits := s.lockOf(h.Ref)
			if !waits {
				continue
			}
			if h.Strength < StrengthSure && s.aliveAmong(others, h.Strength) {
				break // somebody as likely goes on, and will release it
			}
			path = append(path, step{at, h})
			if next == object {
				return true
			}
			if !tried[next] && depth < maxCycle && s.steps > 0 {
				tried[next] = true
				c := s.lockCallsOf(next)
				if follow(next, s.candidates(c), s.self(c).Strength, depth+1) {
					return true
				}
			}
			path = path[:len(path)-1]
		}
		return false
	}
	if !follow(object, others, self, 1) || len(path) < 2 {
		return nil, nil
	}
	var links []Link
	var objects []int
	for i, p := range path {
		waiter := path[(i+len(path)-1)%len(path)].holder.Ref
		links = append(links, Link{Object: s.objects[p.object], Waiter: waiter, Holder: p.holder})
		objects = append(objects, p.object)
	}
	return links, objects
}

// aliveAmong reports whether a candidate of that strength or more goes on by itself.
func (s *solver) aliveAmong(hs []Holder, strength Strength) bool {
	return slices.ContainsFunc(hs, func(h Holder) bool { return h.Strength >= strength && s.alive[h.Bucket] })
}

// maxAddrs bounds the locks that a blockage names.
const maxAddrs = 1024

// maxCycle bounds the locks in a cycle. Chosen: cycles of more than three are hardly ever seen.
const maxCycle = 6

// dropVictims leaves out locks whose holder is itself a victim of another blockage: the cause is the other one, and its
// waiters are those of both. explained tells of each object the blockage that it is in, -1 for none.
func (s *solver) dropVictims(explained []int) {
	cause := make([]int, len(s.blockages)) // of each blockage: the one that its holder waits in, itself mostly
	for i := range s.blockages {
		cause[i] = i
		b := &s.blockages[i]
		if b.Kind != Held {
			continue
		}
		h := b.Links[0].Holder
		if object, waits := s.lockOf(h.Ref); waits && explained[object] >= 0 {
			cause[i] = explained[object]
		}
	}
	kept := make([]Blockage, 0, len(s.blockages))
	at, roots := make([]int, len(s.blockages)), rootsOf(cause)
	for i, b := range s.blockages {
		at[i] = -1
		if roots[i] == i {
			at[i] = len(kept)
			kept = append(kept, b)
		}
	}
	for i, b := range s.blockages {
		if root := roots[i]; root != i {
			k := &kept[at[root]]
			k.Waiters += b.Waiters
			k.Addrs = append(k.Addrs, b.Addrs[:min(len(b.Addrs), maxAddrs-min(len(k.Addrs), maxAddrs))]...)
		}
	}
	s.blockages = kept
}

// rootsOf follows each cause to the last; what leads into a circle of causes stays where it is.
func rootsOf(cause []int) []int {
	roots, seen := make([]int, len(cause)), make([]int, len(cause))
	for i := range roots {
		roots[i] = -1
	}
	var path []int
	for i := range cause {
		path = path[:0]
		at := i
		for roots[at] < 0 && seen[at] != i+1 && cause[at] != at {
			seen[at] = i + 1
			path = append(path, at)
			at = cause[at]
		}
		if cause[at] == at {
			roots[at] = at
		}
		for _, p := range path {
			if roots[p] = roots[at]; roots[at] < 0 || cause[roots[at]] != roots[at] {
				roots[p] = p
			}
		}
	}
	return roots
}
