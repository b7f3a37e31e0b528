package waitgraph

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/stackparse"
)

// findOrphans looks at the buckets that wait for channels, WaitGroups, Conds and semaphores.
func (s *solver) findOrphans() {
	for i, b := range s.d.Buckets {
		if s.idle(i) || s.sites[i].frame < 0 || s.blocked[i] {
			continue
		}
		o := Orphan{Bucket: i, Mode: ModeWait, Minutes: b.MaxMinutes}
		switch b.Class {
		case stackparse.ClassSelect:
			o.Kind, o.Select = Channel, true
		case stackparse.ClassChanSend, stackparse.ClassChanReceive, stackparse.ClassWaitGroup, stackparse.ClassCond,
			stackparse.ClassSemaphore:
			o.Kind, o.Mode, _ = s.modeOf(i)
		default:
			continue
		}
		s.count(&o, b)
		if o.Count == 0 {
			continue
		}
		s.relate(&o, b)
		s.orphans = append(s.orphans, o)
	}
}

// count counts a bucket's waiting goroutines and what they wait for.
func (s *solver) count(o *Orphan, b *stackparse.Bucket) {
	addrs := make([]uint64, 0, len(b.Goroutines))
	for j := range b.Goroutines {
		g := &b.Goroutines[j]
		if stackparse.Runnable(s.d.StateOf(g)) {
			continue
		}
		o.Count++
		if g.Wait != 0 {
			addrs = append(addrs, g.Wait)
		}
	}
	slices.Sort(addrs)
	run := 0
	for j, a := range addrs {
		if j == 0 || a != addrs[j-1] {
			o.Objects++
			run = 0
		}
		run++
		o.Most = max(o.Most, run)
	}
}

// relate looks at the relatives of a bucket's goroutines.
func (s *solver) relate(o *Orphan, b *stackparse.Bucket) {
	looked, served, explained := 0, 0, 0
	returned := map[int]bool{} // by the parent's bucket
	owners := map[uint64]bool{}
	for j := range b.Goroutines {
		g := &b.Goroutines[j]
		if stackparse.Runnable(s.d.StateOf(g)) {
			continue
		}
		if g.Parent != 0 {
			o.Parents++
			p, alive := s.family.parentOf(g.Parent)
			if _, known := returned[p.Bucket]; alive && !known {
				returned[p.Bucket] = !s.inside(p.Bucket, b.CreatedBy)
			}
			switch {
			case !alive:
				o.Gone++
			case returned[p.Bucket]:
				o.Returned++
			}
			if alive {
				owners[g.Parent] = true
			}
		}
		if looked >= maxMembers {
			continue
		}
		looked++
		serve, explain := s.relativesOf(g, o.Bucket)
		if serve {
			served++
		}
		if explain {
			explained++
		}
	}
	o.Owners = len(owners)
	o.Served = served
	if looked > 0 && o.Count > looked {
		o.Served = served * o.Count / looked
	}
	o.Explained = explained > 0 && 2*explained >= looked
}

// inside reports whether the goroutines of a bucket are still in the function that started others.
func (s *solver) inside(bucket int, creator *stackparse.Frame) bool {
	isCreator := func(f stackparse.Frame) bool { return f.Func == creator.Func }
	return creator == nil || slices.ContainsFunc(s.d.Buckets[bucket].Frames, isCreator)
}

// relativesOf reports whether a relative of g can still do something for it, and whether one is stuck that g waits
// for: a child, or a parent behind a lock.
func (s *solver) relativesOf(g *stackparse.Goroutine, bucket int) (served, stuck bool) {
	for _, k := range s.family.childrenOf(g.ID) {
		switch {
		case s.alive[k.Bucket]:
			served = true
		case k.Bucket != bucket && !s.idle(k.Bucket) && s.stops(k.Bucket, bucket):
			stuck = true
		}
	}
	if p, ok := s.family.parentOf(g.Parent); ok {
		served = served || s.alive[p.Bucket] && s.inside(p.Bucket, s.d.Buckets[bucket].CreatedBy)
		stuck = stuck || s.blocked[p.Bucket]
	}
	// Who waits in a WaitGroup waits for its siblings, most likely, whatever these wait for.
	awaits := s.d.Buckets[bucket].Class == stackparse.ClassWaitGroup
	for _, k := range s.family.childrenOf(g.Parent) {
		if g.Parent == 0 || k.Bucket == bucket || !s.alive[k.Bucket] && !s.blocked[k.Bucket] && !awaits {
			continue
		}
		if s.sameCreator(k.Bucket, bucket) {
			served = served || s.alive[k.Bucket] || awaits
			stuck = stuck || s.blocked[k.Bucket]
		}
	}
	return served, stuck
}

// stops reports whether a child that waits explains why its parent does: one that waits for its next work, in a
// receive or a select, only does where the parent waits until it has ended.
func (s *solver) stops(child, parent int) bool {
	c := s.d.Buckets[child].Class
	return c != stackparse.ClassChanReceive && c != stackparse.ClassSelect ||
		s.d.Buckets[parent].Class == stackparse.ClassWaitGroup
}

// sameCreator reports whether one function started both buckets' goroutines: main starts all sorts of things.
func (s *solver) sameCreator(a, b int) bool {
	x, y := starterOf(s.d.Buckets[a]), starterOf(s.d.Buckets[b])
	return x != "" && x == y
}

// starterOf is the function that started a bucket's goroutines: of those that sync.(*WaitGroup).Go started (since Go
// 1.25) the one around the closure that they run. "" where that is not to be seen.
func starterOf(b *stackparse.Bucket) string {
	switch {
	case b.CreatedBy == nil:
		return ""
	case b.CreatedBy.Func != "sync.(*WaitGroup).Go":
		return b.CreatedBy.Func
	}
	for _, f := range slices.Backward(b.Frames) {
		if f.Func == "runtime.goexit" || strings.HasPrefix(f.Func, "sync.(*WaitGroup).Go.") {
			continue
		}
		if i := strings.LastIndex(f.Func, ".func"); i > 0 {
			return f.Func[:i]
		}
		break
	}
	return b.CreatedBy.Func
}
