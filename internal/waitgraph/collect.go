package waitgraph

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/gotriage/triage/stackparse"
)

// waits are what the goroutines of a dump wait for.
type waits struct {
	stacks
	objects []Object // locks with waiters
	others  []Object // channels, WaitGroups, Conds, semaphores
	// waitsOn holds, of each bucket whose goroutines wait for locks, of each member 1 + the index into objects, 0 for
	// none.
	waitsOn   [][]int32
	lockTypes map[fileLock]string // the type whose methods take locks there
}

// An objectKey is what goroutines that wait for one object have in common. kind is the number of the kind's name, typ
// that of the code's where the address is unknown.
type objectKey struct {
	addr      uint64
	kind, typ int32
}

// A collector groups the goroutines that wait by what they wait for.
type collector struct {
	*waits
	// offsets are those of the RWMutex in a type, by the number of its name.
	offsets map[int32]uint64
	shared  seenTwice
	index   map[objectKey]int // into objects or others
}

func (s *waits) collect() {
	c := collector{waits: s, index: map[objectKey]int{}}
	c.findOffsets()
	c.findShared()
	for i := range s.d.Buckets {
		if kind, mode, ok := s.modeOf(i); ok {
			c.take(i, kind, mode)
		}
	}
	s.indexWaiters()
}

// findShared marks the addresses that several goroutines wait for and that are no locks.
func (c *collector) findShared() {
	waiting := 0
	for i, b := range c.d.Buckets {
		if kind, _, ok := c.modeOf(i); ok && !isLock(kind) {
			waiting += len(b.Goroutines)
		}
	}
	size := bits.Len(uint(8 * waiting))
	c.shared = seenTwice{marks: make([]uint8, 1<<size), shift: 64 - size}
	for i, b := range c.d.Buckets {
		if kind, _, ok := c.modeOf(i); ok && !isLock(kind) {
			for j := range b.Goroutines {
				c.shared.add(b.Goroutines[j].Wait)
			}
		}
	}
}

// A seenTwice reports which addresses were added more than once: all of them, and a few others, without a table of
// them all. Most goroutines wait for something of their own.
type seenTwice struct {
	marks []uint8 // by hash: how often, up to 2
	shift int
}

func (s *seenTwice) mark(addr uint64) *uint8 { return &s.marks[addr*0x9E3779B97F4A7C15>>s.shift] }

func (s *seenTwice) add(addr uint64) {
	if m := s.mark(addr); *m < 2 {
		*m++
	}
}

func (s *seenTwice) has(addr uint64) bool { return *s.mark(addr) > 1 }

// findOffsets finds where the RWMutex of a type lies in it, if all writers that queue for one agree: dumps have the
// address of what these wait for, and not of what readers and the writer at the head wait for.
func (c *collector) findOffsets() {
	c.offsets = map[int32]uint64{}
	for i, b := range c.d.Buckets {
		st := &c.sites[i]
		if b.Class != stackparse.ClassRWMutexW || st.frame < 0 || !st.code.method {
			continue
		}
		for _, sample := range b.Samples {
			addr := b.Goroutines[sample.Index].Wait
			recv, ok := receiver(sample.Words, st.frame)
			if !ok || addr == 0 {
				continue
			}
			off := addr - recv
			if old, known := c.offsets[st.typNumber]; recv > addr || off >= maxInside || known && old != off {
				off = unknownOffset
			}
			c.offsets[st.typNumber] = off
		}
	}
}

// unknownOffset marks types whose waiters disagree about where their lock lies.
const unknownOffset = ^uint64(0)

// addrOf returns the address of the lock that a goroutine waits for: as the dump contains it, else by the receiver of
// the method that takes it; 0 where neither is known.
func (c *collector) addrOf(r Ref, kind Kind) uint64 {
	g, st := GoroutineOf(c.d, r), &c.sites[r.Bucket]
	if g.Wait != 0 || kind != RWMutex || !st.code.method {
		return g.Wait
	}
	off, ok := c.offsets[st.typNumber]
	if !ok || off == unknownOffset {
		return 0
	}
	recv, ok := receiver((&wordIndex{d: c.d}).sampleOf(r), st.frame)
	if !ok {
		return 0
	}
	return recv + off
}

// take groups the goroutines of a bucket by what they wait for. Of what is no lock, only what several wait for counts.
func (c *collector) take(bucket int, kind Kind, mode Mode) {
	list, number, small := &c.others, c.codes.name(string(kind)), 0
	if isLock(kind) {
		list = &c.objects
	}
	for j := range members(c.d.Buckets[bucket]) {
		k := objectKey{addr: c.addrOf(Ref{bucket, j}, kind), kind: number}
		switch {
		case !isLock(kind) && (k.addr == 0 || !c.shared.has(k.addr)):
			continue
		case k.addr == 0:
			k.typ = c.codes.name(c.lockTypeOf(bucket))
		}
		at, ok := c.index[k]
		if !ok {
			if small++; small > maxSmall {
				continue
			}
			at = len(*list)
			c.index[k] = at
			*list = append(*list, Object{Addr: k.addr, Kind: kind})
		}
		c.add(&(*list)[at], Ref{bucket, j}, mode)
	}
}

// add adds a waiter to an object. A counted one that is about to take a lock, or tries a little longer, has Lock on
// top.
func (c *collector) add(o *Object, r Ref, mode Mode) {
	b, n := c.d.Buckets[r.Bucket], 1
	woken := !parked(b)
	if len(b.Goroutines) == 0 {
		n = b.Count
	} else {
		woken = stackparse.Runnable(c.d.StateOf(&b.Goroutines[r.Member]))
	}
	if woken {
		o.Woken += n
		return
	}
	if last := len(o.Waiters) - 1; last < 0 || o.Waiters[last].Bucket != r.Bucket {
		o.Waiters = append(o.Waiters, Waiters{Bucket: r.Bucket, Mode: mode})
	}
	w := &o.Waiters[len(o.Waiters)-1]
	w.Count += n
	o.Count += n
	o.Minutes = max(o.Minutes, GoroutineOf(c.d, r).Minutes)
	if len(w.Members) < maxMembers {
		w.Members = append(w.Members, r.Member)
	}
}

// lockTypeOf names a lock without an address by the code that takes it: its type, or that of the other code in the
// file that takes such a lock.
func (s *waits) lockTypeOf(bucket int) string {
	st := &s.sites[bucket]
	if st.typ != "" {
		return st.typ
	}
	if s.lockTypes == nil {
		s.indexLockTypes()
	}
	class := s.d.Buckets[bucket].Class
	return cmp.Or(s.lockTypes[fileLock{st.file, class}], s.lockTypes[fileLock{file: st.file}], st.file)
}

// A fileLock is what goroutines of a class wait for in a file; class "" is any lock.
type fileLock struct {
	file  string
	class stackparse.Class
}

// indexLockTypes finds the first type in each file whose method waits.
func (s *waits) indexLockTypes() {
	s.lockTypes = map[fileLock]string{}
	for i, b := range s.d.Buckets {
		st := &s.sites[i]
		if st.typ == "" {
			continue
		}
		for _, k := range []fileLock{{st.file, b.Class}, {file: st.file}} {
			if _, ok := s.lockTypes[k]; !ok && (k.class != "" || isLock(modes[b.Class].kind)) {
				s.lockTypes[k] = st.typ
			}
		}
	}
}

func (s *waits) indexWaiters() {
	s.objects = slices.DeleteFunc(s.objects, func(o Object) bool { return o.Count == 0 })
	slices.SortStableFunc(s.objects, func(a, b Object) int { return b.Count - a.Count })
	for i := range s.objects {
		for _, w := range s.objects[i].Waiters {
			if s.waitsOn[w.Bucket] == nil {
				s.waitsOn[w.Bucket] = make([]int32, members(s.d.Buckets[w.Bucket]))
			}
			for _, m := range w.Members {
				s.waitsOn[w.Bucket][m] = int32(i) + 1
			}
		}
	}
}

// lockOf returns the lock that a goroutine waits for.
func (s *waits) lockOf(r Ref) (object int, waits bool) {
	objects := s.waitsOn[r.Bucket]
	if objects == nil {
		return 0, false
	}
	return int(objects[r.Member]) - 1, objects[r.Member] != 0
}
