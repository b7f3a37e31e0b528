package wait

import (
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// fullOfOwn is the part of send-without-reader (TR443) about loops that wait for room in what they take from: each came
// from a method of a type, called a task, and that waits in another method of the type, as callers from outside do,
// while none of the type's goroutines takes anything.
func fullOfOwn(s *scene, w *actor) verdict {
	if w.b.Class != stackparse.ClassChanSend && w.b.Class != stackparse.ClassSelect || w.b.Active > 0 || w.site < 0 ||
		w.root < 0 || !w.own || inGroup(w) || s.ageOf(w) == young || s.d.Truncated.Head || s.d.Truncated.Tail {
		return verdict{}
	}
	typ := s.loopType(w)
	fn := w.b.Frames[w.site].Func
	if typ == "" || s.typeOf(fn) != typ || s.name(fn).Closure != "" || !s.callsTask(w, typ) {
		return verdict{}
	}
	callers := 0
	for i := range s.actors {
		a := &s.actors[i]
		switch {
		case a == w || !s.worksInType(a, typ):
			continue
		case a.b.Active > 0 || s.ageOf(a) == young || !s.mayBeOne(w, a, typ):
			return verdict{}
		case s.sameSite(a, w):
			if s.loopType(a) != typ {
				callers += a.b.Count
			}
		case a.b.Class != stackparse.ClassChanSend:
			return verdict{}
		}
	}
	if callers == 0 || s.mayMove(w) {
		return verdict{}
	}
	v := s.surest(w)
	if w.b.Class == stackparse.ClassSelect {
		v = medium() // it has a second way out
	}
	v.confidence = rules.ConfLow
	v.at = s.taskOf(w, typ)
	loop := symbol.ShortFunc(rules.PlainName(w.b.Frames[w.root].Func))
	return v.with(account.Values{"loop": loop, "site": rules.PlaceText(rules.PlaceOf(w.b.Frames[w.site].Frame)),
		"callers": waitsVerb(callers)}, "full")
}

// taskOf is the innermost call of the program's between a loop of a type and the method of it in which it waits; 0 for
// none.
func (s *scene) taskOf(w *actor, typ string) int {
	for i := w.site + 1; i < w.root; i++ {
		f := &w.b.Frames[i]
		if f.Elided == 0 && s.typeOf(f.Func) != typ && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			return i
		}
	}
	return 0
}

// callsTask reports whether a loop of a type has called code of the program that is none of the type's.
func (s *scene) callsTask(w *actor, typ string) bool { return s.taskOf(w, typ) > 0 }

// sendersOfPackage are the goroutines of a counted dump that wait to send in the package in which w waits for a
// WaitGroup, if nobody else is in that package, and nobody of the program is in the middle of anything: such a form
// shows no parents. nil otherwise.
func (s *scene) sendersOfPackage(w *actor) []*actor {
	pkg := s.name(w.b.Frames[w.site].Func).Package
	if !s.d.Counted() || w.class != frame.ClassOwn || pkg == "main" || s.mayMove(w) {
		return nil
	}
	var senders []*actor
	for i := range s.actors {
		a := &s.actors[i]
		if a == w || s.sameSite(a, w) || !s.inPackage(a, pkg) || a.inMain() && s.aside(a, w) {
			continue
		}
		if a.b.Class != stackparse.ClassChanSend || a.b.Active > 0 || a.site < 0 || a.class != frame.ClassOwn ||
			s.enclosing(a.b.Frames[a.root].Func) != s.enclosing(a.b.Frames[a.site].Func) {
			return nil
		}
		senders = append(senders, a)
	}
	return senders
}

// endsWhatRests reports whether a goroutine waits in a library's method that ends an object, for goroutines of that
// library all of which wait for work: nobody else is in the library who could close what they take it from. Where
// minutes are shown, loop-stuck judges such a loop.
func (s *scene) endsWhatRests(w *actor) bool {
	if w.b.Class != stackparse.ClassWaitGroup || w.b.Active > 0 || !w.own || w.site < 0 || w.root <= w.site ||
		s.d.Truncated.Head || s.d.Truncated.Tail || w.role != nil || s.ageOf(w) != unknown {
		return false
	}
	switch w.class {
	case frame.ClassDependency, frame.ClassVendored, frame.ClassUnknown:
	default:
		return false
	}
	if s.typeOf(w.b.Frames[w.site].Func) == "" || !s.isStop(w.b.Frames[w.site].Func) {
		return false
	}
	resting := 0
	for i := range s.actors {
		a := &s.actors[i]
		if a == w || s.sameSite(a, w) || !s.inModule(a, w.module) {
			continue
		}
		if a.b.Class != stackparse.ClassChanReceive || a.b.Active > 0 || a.own || !s.restsInModule(a, w.module) {
			return false
		}
		resting += a.b.Count
	}
	return resting > 0
}

// restsInModule reports whether goroutines of a module wait in the function that they began with.
func (s *scene) restsInModule(a *actor, module string) bool {
	return a.site >= 0 && a.site == a.root && a.module == module ||
		a.root > a.site && a.site >= 0 && s.idles(a) && a.module == module
}
