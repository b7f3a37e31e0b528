package wait

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// manyForNobody is how many goroutines of a counted dump wait for a lock that nobody seems to hold before it is more
// than a remark. Of 24 profiles of a healthy program whose goroutines fight for a lock one was made when the next owner
// had been woken and had not run yet, which such a form does not show; so many are a pile-up in any case (TR661).
const manyForNobody = 100

// locksOfNobody finds locks of a counted dump for which several goroutines wait while nobody else is at work in their
// package: who took the lock has ended or gone on without releasing it, or is one of them.
func locksOfNobody(s *scene) (found []rules.Finding) {
	sets := map[string][]*actor{}
	for i := range s.actors {
		if a := &s.actors[i]; a.own && s.lockKey(a) != "" {
			pkg := placeOf(a).Package
			sets[pkg] = append(sets[pkg], a)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(sets)) {
		n := 0
		for _, a := range sets[pkg] {
			n += a.b.Count
		}
		if n < 2 || s.goesOnIn(pkg) {
			continue
		}
		first, many := sets[pkg][0], n >= manyForNobody
		again := slices.IndexFunc(sets[pkg], s.ownerAgain)
		if again >= 0 && !many {
			first = sets[pkg][again]
		}
		v := guilty().but(!many && again < 0, changedHands).but(s.mayMove(first) || s.besides(first), contended)
		f := s.finding("double-lock", first, v.with(account.Values{"all": waitsVerb(n),
			"type": symbol.ShortFunc(s.lockKey(first))}, "counted nobody"))
		f.Count = n
		found = append(found, f)
	}
	return found
}

// Forms that count goroutines show no addresses of locks: the type whose methods take a lock is used instead. Where
// goroutines wait for such a lock, and no goroutine of the program is in the middle of anything, the lock's owner waits
// too: the question is on which stack. The moment between one owner and the next looks the same (in one of 24 profiles
// of a program whose goroutines do nothing but fight for a lock), so the stack of the owner has to show more than that
// it waits. Measured on 28 programs that are stuck or leak and 28 that look like them, under two releases: eight of the
// first are named by their locks, none of the others.

// lockKey names the lock that a goroutine waits for by the type whose method takes it, or by the function; "" where
// neither is known.
func (s *scene) lockKey(a *actor) string {
	if !a.b.ForLock() || a.site < 0 || a.root < 0 || a.b.Active > 0 || a.class == frame.ClassStdlib {
		return ""
	}
	fn := a.b.Frames[a.site].Func
	return cmp.Or(s.typeOf(fn), s.enclosing(fn))
}

// lockWaiters are the stacks that wait for locks, and how many goroutines do so by the lock's key.
func (s *scene) lockWaiters() (waiters map[string]int, all []*actor) {
	waiters = map[string]int{}
	for i := range s.actors {
		if k := s.lockKey(&s.actors[i]); k != "" {
			waiters[k] += s.actors[i].b.Count
			all = append(all, &s.actors[i])
		}
	}
	return waiters, all
}

// within returns the outermost frame of a stack in the type or function that a lock is named by, at frame from or
// further out; -1 where there is none.
func (s *scene) within(a *actor, key string, from int) int {
	for i := a.root; i >= from && from >= 0; i-- {
		f := &a.b.Frames[i]
		if f.Elided == 0 && (s.typeOf(f.Func) == key || s.enclosing(f.Func) == key) {
			return i
		}
	}
	return -1
}

// quiet reports whether no goroutine of the program or its libraries is in the middle of anything but some, besides
// those that wait for locks: then the owner of a lock is one of those that wait.
func (s *scene) quiet(but ...*actor) bool {
	for i := range s.actors {
		a := &s.actors[i]
		if s.amid(a) && !slices.Contains(but, a) {
			return false
		}
	}
	return true
}

// busyIn reports whether a goroutine works, or may work, in the type or function that a lock is named by: it may own
// it.
func (s *scene) busyIn(key string, but ...*actor) bool {
	return slices.ContainsFunc(s.actors, func(a actor) bool {
		if a.b.ForLock() && a.b.Active == 0 || slices.ContainsFunc(but, func(b *actor) bool { return b.b == a.b }) {
			return false
		}
		in := slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
			return f.Elided == 0 && (s.typeOf(f.Func) == key || s.enclosing(f.Func) == key)
		})
		return in && (a.move == moves || a.move == asks || !s.idles(&a))
	})
}

// countedLocks runs a look at the locks of dumps that count goroutines.
func countedLocks(look func(*scene) []rules.Finding) run {
	return func(p *rules.Pass) (found []rules.Finding) {
		for _, d := range dumpsWithWaits(p) {
			if d.Counted() && !isTest(d) && len(d.Buckets) <= maxScene && !d.Truncated.Head && !d.Truncated.Tail &&
				len(parsed.Waits(d).Reentries) == 0 && slices.ContainsFunc(d.Buckets, (*stackparse.Bucket).ForLock) {
				found = append(found, look(newScene(d))...)
			}
		}
		return found
	}
}

// ownersThatWait finds goroutines of a counted dump that wait for others in a call of the type whose lock all the rest
// wait for: they have it most likely, since nobody else is in that type. Loops that rest have none.
func ownersThatWait(s *scene) []rules.Finding {
	waiters, all := s.lockWaiters()
	first := map[string]*actor{}
	for _, a := range all {
		first[s.lockKey(a)] = a
	}
	for i := range s.actors {
		h := &s.actors[i]
		if !s.mayOwn(h) {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(waiters)) {
			n := waiters[key]
			if h.b.Count > n {
				continue // so many cannot all have a lock that fewer want
			}
			at := s.within(h, key, h.site)
			if at < 0 && (len(waiters) > 1 || !s.handsOnBeside(h, first[key])) || s.busyIn(key, h) {
				continue
			}
			v := guilty().but(!s.quiet(h) && (at < 0 || n < manyForNobody), contended)
			v = v.with(account.Values{"all": waitsVerb(n), "class": string(h.b.Class), "type": symbol.ShortFunc(key),
				"there": rules.PlaceText(rules.PlaceOf(first[key].b.Frames[first[key].site].Frame))}, "counted")
			v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, first[key].b, "")}
			if at >= 0 && s.d.Program.Class(h.b.Frames[at].Frame) == frame.ClassOwn {
				v.at = s.ownCall(h) // the program's lock, held over a call of a library
			}
			f := s.finding("lock-channel-cycle", h, v)
			f.Count = n + h.b.Count
			return []rules.Finding{f}
		}
	}
	return nil
}

// mayOwn reports whether goroutines wait for others of the process where they may have a lock.
func (s *scene) mayOwn(h *actor) bool {
	switch h.b.Class {
	case stackparse.ClassChanSend, stackparse.ClassNilChan:
	case stackparse.ClassChanReceive:
		if s.idles(h) && (h.site < 0 || !s.stops(h.b.Frames[h.site].Func)) { // a method that ends something is no loop
			return false
		}
	case stackparse.ClassWaitGroup:
		if s.idles(h) && !h.inMain() { // main works on all sorts of objects
			return false
		}
	default:
		return false
	}
	return h.b.Active == 0 && h.site >= 0 && h.root >= 0 && (h.role == nil || h.inMain()) &&
		rules.Blameable(h.class) && !inGroup(h)
}

// handsOnBeside reports whether a goroutine that waits to send is alone in its package with those that wait for a lock
// there, of another type of that package.
func (s *scene) handsOnBeside(h, waiter *actor) bool {
	pkg := s.name(h.b.Frames[h.site].Func).Package
	return h.b.Class == stackparse.ClassChanSend && pkg != "main" &&
		s.name(waiter.b.Frames[waiter.site].Func).Package == pkg && !s.anyIn(h, func(a *actor) bool {
		return s.inPackage(a, pkg) && !a.b.ForLock() && !(a.inMain() && s.aside(a, h))
	})
}

// ownerAgain reports whether one goroutine of a counted dump waits for a lock below another method of the type whose
// lock it is, as no other does; or readers do behind a writer. A method that only locks for others is none.
func (s *scene) ownerAgain(a *actor) bool {
	key := s.lockKey(a)
	again := func(o *actor) bool {
		at := s.within(o, key, o.site+1)
		return s.lockKey(o) == key && at >= 0 && s.typeOf(o.b.Frames[o.site].Func) == key &&
			s.enclosing(o.b.Frames[at].Func) != s.enclosing(o.b.Frames[o.site].Func) &&
			!s.begins(o.b.Frames[o.site].Func, lockNames[:])
	}
	if key == "" || !again(a) {
		return false
	}
	if a.b.Class == stackparse.ClassRWMutexR {
		return s.anyIn(a, func(o *actor) bool { return o.b.Class == stackparse.ClassRWMutexW && s.lockKey(o) == key })
	}
	return a.b.Count == 1 && !s.anyIn(a, again)
}

// lockNames are how the names of methods begin that take a lock for their callers.
var lockNames = [...]string{"lock", "rlock", "wlock", "acquire", "enter"}
