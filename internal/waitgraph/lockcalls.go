package waitgraph

import "slices"

// lockCalls are the calls in which the waiters of an object take the lock, with what they show about it.
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

func (s *holderFinder) lockCallsOf(object int) lockCalls {
	c := lockCalls{object: object}
	o := &s.objects[object]
	for _, w := range o.Waiters {
		st := s.sites[w.Bucket]
		c.sites = append(c.sites, st)
		c.codes = append(c.codes, st.number)
		c.types = append(c.types, st.typNumber)
		c.files = append(c.files, st.fileNumber)
		for _, m := range w.Members {
			r := Ref{w.Bucket, m}
			if len(c.waiters) < maxMembers {
				c.waiters = append(c.waiters, r)
			}
			if c.known || o.Addr == 0 || !st.code.method {
				continue
			}
			recv, ok := receiver(s.words.sampleOf(r), st.frame)
			if ok && recv <= o.Addr && o.Addr-recv < maxInside {
				c.offset, c.known = o.Addr-recv, true
			}
		}
	}
	c.codes, c.types, c.files = distinct(c.codes), distinct(c.types), distinct(c.files)
	return c
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
func (c *lockCalls) takes(cf *codeFrame) bool { return has(c.codes, cf.number) }

// near ranks how close the code of a call is to the code that takes the lock; 0 for nothing in common.
func (c *lockCalls) near(cf *codeFrame) Strength {
	switch {
	case c.takes(cf):
		return StrengthObject
	case cf.typ != "" && has(c.types, cf.typNumber):
		return StrengthType
	case cf.file != "" && has(c.files, cf.fileNumber):
		return StrengthFile
	}
	return 0
}

// A place is the line of code in which a kind of lock is taken.
type place struct {
	kind Kind
	code int32
	line int
}

func placeOf(st *site, kind Kind) place { return place{kind, st.code.number, st.line} }

// A placedLock is a lock with the first waiter at some place.
type placedLock struct {
	object int
	first  Ref
}

// locksAt returns the locks that goroutines wait for at a place.
func (s *holderFinder) locksAt(p place) []placedLock {
	if s.places == nil {
		s.places = map[place][]placedLock{}
		for i := range s.objects {
			for _, w := range s.objects[i].Waiters {
				at := placeOf(&s.sites[w.Bucket], s.objects[i].Kind)
				if list := s.places[at]; len(list) == 0 || list[len(list)-1].object != i {
					s.places[at] = append(list, placedLock{i, Ref{w.Bucket, w.Members[0]}})
				}
			}
		}
	}
	return s.places[p]
}

// nearby returns the buckets that have a call of a type or file in common with those that take a lock.
func (s *holderFinder) nearby(c *lockCalls) []int {
	if s.named == nil {
		s.indexNames()
	}
	seen := make([]bool, len(s.d.Buckets))
	var all []int
	for _, numbers := range [][]int32{c.types, c.files} {
		for _, n := range numbers {
			s.spend(1)
			if n == 0 {
				continue
			}
			for _, bucket := range s.named[n] {
				if !seen[bucket] {
					seen[bucket] = true
					all = append(all, bucket)
				}
			}
		}
	}
	return all
}

// indexNames finds the buckets that have a call of a type or file.
func (s *holderFinder) indexNames() {
	for i := range s.d.Buckets {
		s.codeFramesOf(i)
	}
	s.named = make([][]int, len(s.codes.names))
	for i, frames := range s.codeFrames {
		for _, cf := range frames {
			for _, number := range []int32{cf.typNumber, cf.fileNumber} {
				if list := s.named[number]; len(list) == 0 || list[len(list)-1] != i {
					s.named[number] = append(list, i)
				}
			}
		}
	}
}
