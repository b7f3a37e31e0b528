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

// A lockLine is a line of a function at which goroutines wait for locks.
type lockLine struct {
	line  int
	locks map[uint64]bool // by address
	at    *actor          // those with the most goroutines
	n     int
}

// secondLocks finds functions that take two locks of one kind, in an order that differs from call to call, whatever
// map, slice or pointer the locks come from: goroutines wait at one line for different locks, and others at an earlier
// line of the function for some of the same. Those further on have passed the earlier line, so that each holds one of
// the locks that it takes. No goroutine may be on its way through the function.
func secondLocks(s *scene) (found []rules.Finding) {
	waits := parsed.Waits(s.d)
	if waits == nil || s.d.Counted() {
		return nil
	}
	functions := s.lockLines(waits)
	for _, fn := range slices.Sorted(maps.Keys(functions)) {
		lines := functions[fn]
		slices.SortFunc(lines, func(a, b *lockLine) int { return b.line - a.line })
		second, first := lines[0], lockedBefore(lines)
		if len(second.locks) < 2 || first == nil || s.busyIn(s.enclosing(fn)) {
			continue
		}
		values := account.Values{
			"n": strconv.Itoa(second.n), "m": strconv.Itoa(first.n), "locks": strconv.Itoa(len(second.locks)),
			"spot": spot(placeOf(second.at)), "before": spot(placeOf(first.at)),
		}
		v := guilty().with(values, "second lock")
		v.at, v.evidence = second.at.site, []rules.Evidence{rules.EvidenceOf(s.d, first.at.b, "")}
		f := s.finding("lock-cycle", second.at, v)
		f.Count = second.n + first.n
		found = append(found, f)
	}
	return found
}

// withoutSecondLocks are what look finds but for findings about functions of which secondLocks shows who holds the
// locks: that nobody can release them is not true there.
func withoutSecondLocks(look run) run {
	return func(p *rules.Pass) []rules.Finding {
		found := look(p)
		if len(found) == 0 {
			return nil
		}
		known := map[string]bool{}
		for _, f := range sceneRun(secondLocks, forLocks...)(p) {
			known[f.Culprit.Function] = true
		}
		return slices.DeleteFunc(found, func(f rules.Finding) bool { return known[f.Culprit.Function] })
	}
}

// lockLines are the lines at which goroutines wait for locks, by function.
func (s *scene) lockLines(waits *waitgraph.Graph) map[string][]*lockLine {
	functions := map[string][]*lockLine{}
	for i := range waits.Objects {
		o := &waits.Objects[i]
		if o.Kind != waitgraph.Mutex && o.Kind != waitgraph.RWMutex || o.Addr == 0 || o.Woken > 0 {
			continue
		}
		for _, w := range o.Waiters {
			a := &s.actors[w.Bucket]
			if a.site < 0 || !a.own || !a.b.ForLock() {
				continue
			}
			f := a.b.Frames[a.site]
			at := slices.IndexFunc(functions[f.Func], func(l *lockLine) bool { return l.line == f.Line })
			if at < 0 {
				at = len(functions[f.Func])
				functions[f.Func] = append(functions[f.Func], &lockLine{line: f.Line, locks: map[uint64]bool{}, at: a})
			}
			l := functions[f.Func][at]
			l.locks[o.Addr], l.n = true, l.n+w.Count
			if a.b.Count > l.at.b.Count {
				l.at = a
			}
		}
	}
	return functions
}

// lockedBefore is the nearest line before the first, which is the furthest on, at which goroutines wait for a lock that
// others want there.
func lockedBefore(lines []*lockLine) *lockLine {
	for _, l := range lines[1:] {
		for lock := range l.locks {
			if lines[0].locks[lock] {
				return l
			}
		}
	}
	return nil
}

func placeOf(a *actor) rules.Place { return rules.PlaceOf(a.b.Frames[a.site].Frame) }

// forLocks are the classes of waits for locks.
var forLocks = []stackparse.Class{stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW,
	stackparse.ClassSemaphore}

// lockKey names the lock that a goroutine waits for by the type whose method takes it, or by the function; "" where
// neither is known.
func (s *scene) lockKey(a *actor) string {
	if !a.b.ForLock() || a.site < 0 || a.root < 0 || a.b.Active > 0 || a.class == frame.ClassStdlib {
		return ""
	}
	fn := a.b.Frames[a.site].Func
	return cmp.Or(s.typeOf(fn), s.enclosing(fn))
}

// busyIn reports whether a goroutine works, or may work, in the type or function that a lock is named by: it may own
// it.
func (s *scene) busyIn(key string) bool {
	return slices.ContainsFunc(s.actors, func(a actor) bool {
		if a.b.ForLock() && a.b.Active == 0 {
			return false
		}
		in := slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
			return f.Elided == 0 && (s.typeOf(f.Func) == key || s.enclosing(f.Func) == key)
		})
		return in && (a.move == moves || a.move == asks || !s.idles(&a))
	})
}
