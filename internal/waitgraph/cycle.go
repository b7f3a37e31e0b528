package waitgraph

import "slices"

// cycle follows holders that wait for other locks until it comes back to the object; nil where it does not. The
// evidence for each holder must be stronger than that for a waiter of the lock; where both are sure, a cycle explains
// both locks.
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
			if others[0].Passed && !h.Passed {
				break
			}
			if h.Strength < MinHolder || h.Strength <= self && h.Strength < StrengthSure {
				break
			}
			next, waits := s.lockOf(h.Ref)
			if !waits {
				continue
			}
			if h.Strength < StrengthSure && s.elsewhereAmong(others, h.Strength) {
				break // an equally likely holder waits for no lock, or goes on, and may release it
			}
			if h.Strength <= StrengthType && slices.ContainsFunc(others, asleep) {
				break // that one may hold what both wait for
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
		// In a test all of them hang, and the circle explains it. Where types stand for locks it is all there is.
		p.holder.Doubt = p.holder.Doubt && !s.test && !s.d.Counted()
		links = append(links, Link{Object: s.objects[p.object], Waiter: waiter, Holder: p.holder})
		objects = append(objects, p.object)
	}
	return links, objects
}

// elsewhereAmong reports whether a candidate of that strength or more waits for no lock.
func (s *solver) elsewhereAmong(hs []Holder, strength Strength) bool {
	return slices.ContainsFunc(hs, func(h Holder) bool {
		_, waits := s.lockOf(h.Ref)
		return h.Strength >= strength && !waits
	})
}

func asleep(h Holder) bool { return h.Asleep }

// aliveBeside reports whether a candidate of that strength or more, in another bucket, goes on by itself.
func (s *solver) aliveBeside(hs []Holder, strength Strength, bucket int) bool {
	return slices.ContainsFunc(hs, func(h Holder) bool {
		return h.Bucket != bucket && h.Strength >= strength && s.alive[h.Bucket]
	})
}

// maxCycle bounds the locks in a cycle. Chosen: cycles of more than three are hardly ever seen.
const maxCycle = 6

// dropVictims leaves out locks whose holder is itself a victim of another blockage: the cause is the other one, and its
// waiters are those of both. explained maps each object to its blockage, -1 for none.
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
	at := make([]int, len(s.blockages))
	for i, b := range s.blockages {
		if at[i] = -1; rootOf(cause, i) == i {
			at[i] = len(kept)
			kept = append(kept, b)
		}
	}
	for i, b := range s.blockages {
		if root := rootOf(cause, i); root != i {
			k := &kept[at[root]]
			k.Waiters += b.Waiters
			k.Victims += b.Waiters
			k.addAddrs(b.Addrs)
			k.Behind = append(k.Behind, b.Links[0])
		}
	}
	s.blockages = kept
}

// rootOf follows causes to the last; i where they lead into a circle, or far.
func rootOf(cause []int, i int) int {
	at := i
	for range maxCauses {
		if cause[at] == at {
			return at
		}
		at = cause[at]
	}
	return i
}

// maxCauses bounds a way of causes. Chosen: far more than any at hand.
const maxCauses = 64
