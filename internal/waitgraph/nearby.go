package waitgraph

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

func (s *holderFinder) indexNames() {
	for i := range s.d.Buckets {
		s.ownersOf(i)
	}
	s.named = make([][]int, len(s.codes.names))
	add := func(number int32, bucket int) {
		if list := s.named[number]; number != 0 && (len(list) == 0 || list[len(list)-1] != bucket) {
			s.named[number] = append(list, bucket)
		}
	}
	for i := range s.d.Buckets {
		for _, o := range s.owners[i] {
			add(o.typNumber, i)
			add(o.fileNumber, i)
		}
	}
}
