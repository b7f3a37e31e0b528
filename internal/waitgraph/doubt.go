package waitgraph

import "github.com/gotriage/triage/stackparse"

// Evidence that is as good for another lock, or for another goroutine, names nobody. The population: 428 holders that
// were named in 1,265 inputs whose holders are known, a program under several releases counted as often. Without doubt
// 23 of 160 of high confidence were found wrong, 27 of 189 of medium and 35 of 79 of low; with it 0 of 136, 0 of 157
// and 3 of 47. By the file and the family alone (StrengthFamily) 11 of 14 were wrong: they count in tests only, where
// all hang.

// doubt reports whether a candidate may as well hold another lock, or none: a report then names no holder.
func (s *holderFinder) doubt(c *lockCalls, h *Holder) bool {
	cf := s.codeFrameAt(h.Bucket, h.Frame)
	if cf == nil {
		return true // its family alone
	}
	return h.Strength <= StrengthFamily && !s.test ||
		s.signalled(h.Bucket, h.Frame) ||
		s.manyAlike(c, h) ||
		!h.Passed && !c.takes(cf) && s.hasOtherLock(c, cf)
}

// manyAlike reports whether several goroutines are in the very call in which a candidate waits, and nothing shows that
// they work on other objects: a lock that excludes all others has one holder.
func (s *holderFinder) manyAlike(c *lockCalls, h *Holder) bool {
	obj := &s.objects[c.object]
	if obj.has(ModePending) || s.d.Buckets[h.Bucket].Count < 2 {
		return false // readers may be many
	}
	if len(s.d.Buckets[h.Bucket].Goroutines) == 0 {
		return s.d.Buckets[h.Bucket].Count > obj.Count // as many locks of the type may have a holder each
	}
	own, shown := receiver(s.words.sampleOf(h.Ref), h.Frame)
	for m := range s.d.Buckets[h.Bucket].Goroutines[:min(s.d.Buckets[h.Bucket].Count, maxMembers)] {
		other := Ref{h.Bucket, m}
		s.spend(1)
		// Goroutines of different families may have a lock of their own each.
		kin := GoroutineOf(s.d, other).Parent == GoroutineOf(s.d, h.Ref).Parent
		if other == h.Ref || !kin || s.waitsFor(other, c.object) {
			continue
		}
		recv, ok := receiver(s.words.sampleOf(other), h.Frame)
		if !shown || ok && recv == own {
			return true
		}
	}
	return false
}

// hasOtherLock reports whether goroutines wait for another lock of the type whose lock is in question, in its methods:
// a Mutex beside a RWMutex, or one at another offset.
func (s *holderFinder) hasOtherLock(c *lockCalls, cf *codeFrame) bool {
	if cf.typ == "" || !has(c.types, cf.typNumber) {
		return false
	}
	if s.fields == nil {
		s.indexFields()
	}
	f, kind := s.fields[cf.typNumber], s.objects[c.object].Kind
	if kind == RWMutex {
		return f.mutex
	}
	return f.rwmutex || f.many || c.known && f.known && f.offset != c.offset
}

// lockFields are the locks of a type that goroutines wait for in its methods.
type lockFields struct {
	mutex, rwmutex bool
	known          bool // the Mutex is at offset, behind its method's receiver
	offset         uint64
	many           bool // Mutexes at several offsets
}

// indexFields finds the locks of each type. Only stacks whose samples agree about where the lock lies show its offset:
// locks that are no fields lie anywhere.
func (s *holderFinder) indexFields() {
	s.fields = map[int32]lockFields{}
	for i := range s.d.Buckets {
		st := &s.sites[i]
		kind, _, ok := s.modeOf(i)
		if !ok || st.typNumber == 0 || kind != Mutex && kind != RWMutex {
			continue
		}
		f := s.fields[st.typNumber]
		f.rwmutex = f.rwmutex || kind == RWMutex
		if kind == Mutex {
			f.mutex = true
			if off, ok := s.offsetOf(s.d.Buckets[i], st); ok {
				f.many = f.many || f.known && f.offset != off
				f.known, f.offset = true, off
			}
		}
		s.fields[st.typNumber] = f
	}
}

// offsetOf returns where the lock lies behind the receiver of the method in which goroutines of a bucket take it.
func (s *holderFinder) offsetOf(b *stackparse.Bucket, st *site) (offset uint64, ok bool) {
	if !st.code.method {
		return 0, false
	}
	for _, sample := range b.Samples {
		addr := b.Goroutines[sample.Index].Wait
		recv, known := receiver(sample.Words, st.frame)
		if !known || addr < recv || addr-recv >= maxInside || ok && addr-recv != offset {
			return 0, false
		}
		offset, ok = addr-recv, true
	}
	return offset, ok
}
