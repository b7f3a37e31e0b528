package wait

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// bothSides finds objects that are passed things through, where those who put in and those who take out wait for a
// signal at once: it is full and empty. The receivers of both must be printed and equal: stages of a pipeline wait like
// that for each other's queues.
func bothSides(s *scene) []rules.Finding {
	var found []rules.Finding
	for i := range s.actors {
		putter := &s.actors[i]
		if !s.waitsForSignal(putter, putNames[:]) {
			continue
		}
		for k := range s.actors {
			if taker := &s.actors[k]; s.waitsForSignal(taker, takeNames[:]) && s.meet(putter, taker) {
				found = append(found, s.bothSidesFinding(putter, taker))
				break
			}
		}
	}
	return found
}

// putNames and takeNames are how the names of methods begin that put into and take out of a bounded object.
var (
	putNames = [...]string{"put", "push", "send", "write", "add", "enqueue", "submit", "offer", "publish", "append",
		"insert", "produce"}
	takeNames = [...]string{"take", "pop", "get", "read", "next", "recv", "receive", "dequeue", "poll", "consume",
		"fetch", "pull", "shift"}
)

// waitsForSignal reports whether goroutines wait for a sync.Cond in a method whose name begins so.
func (s *scene) waitsForSignal(a *actor, names []string) bool {
	if a.b.Class != stackparse.ClassCond || !unsignalled(a.b) || a.b.Active > 0 || a.site < 0 ||
		s.ageOf(a) == young || !a.own && !a.foreign {
		return false
	}
	fn := a.b.Frames[a.site].Func
	return s.typeOf(fn) != "" && s.begins(fn, names)
}

// unsignalled reports whether goroutines are in the part of Wait before the signal: behind it they wait for the lock.
func unsignalled(b *stackparse.Bucket) bool { return hasFunction(b, "sync.runtime_notifyListWait") }

// meet reports whether goroutines of two buckets are known to wait on one object, on which nobody else works.
func (s *scene) meet(a, b *actor) bool {
	typ := s.typeOf(a.b.Frames[a.site].Func)
	if s.typeOf(b.b.Frames[b.site].Func) != typ {
		return false
	}
	first, ok := s.receivers(a, typ)
	second, also := s.receivers(b, typ)
	if !ok || !also || !slices.ContainsFunc(first, func(r uint64) bool { return slices.Contains(second, r) }) {
		return false
	}
	return !s.anyIn(a, func(o *actor) bool { // who was woken waits for the lock of the Cond first
		waits := unsignalled(o.b) && o.b.Active == 0 && (s.sameSite(o, a) || s.sameSite(o, b))
		return !waits && s.worksInType(o, typ)
	})
}

// worksInType reports whether goroutines are in a method of a type now: who was only started there may be anywhere.
func (s *scene) worksInType(a *actor, typ string) bool {
	return slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
		return f.Elided == 0 && s.typeOf(f.Func) == typ
	})
}

func (s *scene) bothSidesFinding(putter, taker *actor) rules.Finding {
	v := medium().with(account.Values{
		"all":   waitsVerb(taker.b.Count),
		"there": symbol.ShortFunc(taker.b.Frames[taker.site].Func),
	}, "both sides")
	if s.ageOf(putter) == sure && s.ageOf(taker) == sure {
		v.severity = rules.High
	}
	v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, taker.b, "")}
	return s.finding("cond-missed-signal", putter, v)
}
