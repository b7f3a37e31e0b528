package waitgraph

import "slices"

// busy reports whether a goroutine computes in the package that takes the lock; in main, which has all sorts of code,
// in its file.
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

// served reports whether a goroutine that goes on works on the same thing as the holder: one of its children, or a
// goroutine in a method of the type whose method waits.
func (s *solver) served(h Holder) bool {
	g := GoroutineOf(s.d, h.Ref)
	if slices.ContainsFunc(s.family.childrenOf(g.ID), func(k Ref) bool { return s.alive[k.Bucket] }) {
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
