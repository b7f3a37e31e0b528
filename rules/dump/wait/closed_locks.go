package wait

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A lockLine is a line of the program at which goroutines wait for locks.
type lockLine struct {
	locks map[uint64]bool // by address
	at    *actor          // those with the most goroutines
	n     int
}

// A lockSet is the lines of one package at which goroutines wait for locks.
type lockSet struct {
	lines map[rules.Place]*lockLine
	locks map[uint64]bool
	n     int
	moves bool // one of the locks was just released
}

// closedLocks finds packages in which several locks are waited for while nobody else is in the middle of anything
// there: those that wait hold the locks for each other, or a call left them locked, since a holder has to come back to
// that code. Dining philosophers, two locks in two orders and a second lock of one kind all look so, whatever map,
// slice or pointer the locks come from. Where no function shows a first and a second lock, code elsewhere may have been
// handed one.
func closedLocks(s *view) (found []rules.Finding) {
	waits := parsed.Waits(s.d)
	if waits == nil || s.d.Counted() || s.d.Truncated.Head || s.d.Truncated.Tail {
		return nil
	}
	sets := s.lockSets(waits)
	for _, pkg := range slices.Sorted(maps.Keys(sets)) {
		set := sets[pkg]
		if set.moves || len(set.locks) < 2 || s.goesOnIn(pkg) {
			continue
		}
		l := set.culprit()
		values := account.Values{"all": waitsVerb(set.n), "locks": strconv.Itoa(len(set.locks)), "package": pkg}
		handed := func(a *actor) bool { return s.mayHaveBeenHanded(a, l.at) }
		v := guilty().but(set.aged() < 2, noAge).but(!set.nested() && s.anyIn(l.at, handed), mayBeOutside)
		v = v.with(values, "closed")
		v.at = l.at.site
		for _, o := range set.lines {
			if o != l && len(v.evidence) < maxUsers {
				v.evidence = append(v.evidence, rules.EvidenceOf(s.d, o.at.b, ""))
			}
		}
		f := s.finding("lock-cycle", l.at, v)
		f.Count = set.n
		found = append(found, f)
	}
	return found
}

// lockSets are the lines at which goroutines of the program wait for locks with an address, by package.
func (s *view) lockSets(waits *waitgraph.Graph) map[string]*lockSet {
	sets := map[string]*lockSet{}
	for i := range waits.Objects {
		o := &waits.Objects[i]
		if o.Kind != waitgraph.Mutex && o.Kind != waitgraph.RWMutex || o.Addr == 0 {
			continue
		}
		for _, w := range o.Waiters {
			a := &s.actors[w.Bucket]
			if a.site < 0 || !a.own || !a.b.ForLock() || s.ageOf(a) == young ||
				s.begins(a.b.Frames[a.site].Func, lockNames[:]) {
				continue // who locks for its callers has gone on to them
			}
			place := placeOf(a)
			set := sets[place.Package]
			if set == nil {
				set = &lockSet{lines: map[rules.Place]*lockLine{}, locks: map[uint64]bool{}}
				sets[place.Package] = set
			}
			l := set.lines[place]
			if l == nil {
				l = &lockLine{locks: map[uint64]bool{}, at: a}
				set.lines[place] = l
			}
			l.locks[o.Addr], set.locks[o.Addr] = true, set.locks[o.Addr] || a.b.MaxMinutes >= stuckMinutes
			l.n, set.n = l.n+w.Count, set.n+w.Count
			set.moves = set.moves || o.Woken > 0
			if a.b.Count > l.at.b.Count {
				l.at = a
			}
		}
	}
	return sets
}

// aged counts the locks for which goroutines have waited for a minute or more.
func (set *lockSet) aged() (n int) {
	for _, old := range set.locks {
		if old {
			n++
		}
	}
	return n
}

// culprit is the line at which goroutines wait for most locks. Among equals it is the line with the fewest
// goroutines, since the others queue, then the one furthest on.
func (set *lockSet) culprit() *lockLine {
	return slices.MinFunc(slices.Collect(maps.Values(set.lines)), func(a, b *lockLine) int {
		return cmp.Or(len(b.locks)-len(a.locks), a.n-b.n, placeOf(b.at).Line-placeOf(a.at).Line)
	})
}

// nested reports whether goroutines at one line of a function wait for a lock that others want at another line of it:
// those further on have passed the first line, and hold a lock.
func (set *lockSet) nested() bool {
	for _, a := range set.lines {
		for _, b := range set.lines {
			x, y := placeOf(a.at), placeOf(b.at)
			if x.Function != y.Function || x.Line >= y.Line || len(b.locks) < 2 {
				continue
			}
			for lock := range a.locks {
				if b.locks[lock] {
					return true
				}
			}
		}
	}
	return false
}

// mayHaveBeenHanded reports whether goroutines of the program are in a call, or compute, so that they may hold a lock
// for which those of w wait and which other code took for them. A loop that sleeps for less than they wait has none.
func (s *view) mayHaveBeenHanded(a, w *actor) bool {
	comesRound := a.b.Class == stackparse.ClassSleep && s.atRoot(a) && a.b.MaxMinutes < w.b.MaxMinutes
	return a.own && !a.b.ForLock() && (a.b.Active > 0 || !s.idles(a) && !comesRound)
}

// goesOnIn reports whether a goroutine is in a package that neither waits for a lock of the package nor for work in the
// function that it began with.
func (s *view) goesOnIn(pkg string) bool {
	return slices.ContainsFunc(s.actors, func(a actor) bool {
		queues := a.b.ForLock() && a.b.Active == 0 && a.site >= 0 && s.name(a.b.Frames[a.site].Func).Package == pkg
		return !queues && s.inPackage(&a, pkg) && s.atWork(&a)
	})
}

func placeOf(a *actor) rules.Place { return rules.PlaceOf(a.b.Frames[a.site].Frame) }

// forLocks are the classes of waits for locks.
var forLocks = []stackparse.Class{stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW,
	stackparse.ClassSemaphore}

// lockKey names the lock that a goroutine waits for by the type whose method takes it, or by the function; "" where
// neither is known.
func (s *view) lockKey(a *actor) string {
	if !a.b.ForLock() || a.site < 0 || a.root < 0 || a.b.Active > 0 || a.class == frame.ClassStdlib {
		return ""
	}
	fn := a.b.Frames[a.site].Func
	return cmp.Or(s.typeOf(fn), s.enclosing(fn))
}

// busyIn reports whether a goroutine works, or may work, in the type or function that a lock is named by: it may own
// it.
func (s *view) busyIn(key string) bool {
	return slices.ContainsFunc(s.actors, func(a actor) bool {
		if a.b.ForLock() && a.b.Active == 0 {
			return false
		}
		in := slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
			return f.Elided == 0 && (s.typeOf(f.Func) == key || s.enclosing(f.Func) == key)
		})
		return in && s.atWork(&a)
	})
}

// atWork reports whether goroutines go on by themselves, or wait in a call that they made.
func (s *view) atWork(a *actor) bool { return a.move == moves || !s.idles(a) }

// lockNames begin the names of methods that take a lock for their callers.
var lockNames = [...]string{"lock", "rlock", "wlock", "acquire", "enter"}
