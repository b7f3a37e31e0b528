package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// closeWaitsForItself is close-waits-for-itself (TR447): the goroutine of an object calls the method that ends the
// object, and the method waits until that goroutine has ended; or the object has no goroutine that the method could
// wait for.
func closeWaitsForItself() *rules.Rule {
	classes := []stackparse.Class{stackparse.ClassWaitGroup, stackparse.ClassChanReceive, stackparse.ClassChanSend,
		stackparse.ClassCond}
	const name = "close-waits-for-itself"
	return waitRule("TR447", name, rules.Deadlock, rules.High, actorRun(name, func(s *scene, w *actor) verdict {
		if s.shutsOwnServer(w) {
			return medium().with(nil, "server")
		}
		sel := w.b.Class == stackparse.ClassSelect
		if !sel && !slices.Contains(classes, w.b.Class) || s.ageOf(w) == young {
			return verdict{}
		}
		if !sel && s.closesItself(w) {
			return s.judgeSelfClose(w)
		}
		if one, ok := s.asksItself(w); ok || s.asksWhoWaits(w) {
			return s.judgeAnswer(w, one || !ok && !s.d.Counted())
		}
		if sel {
			return s.judgeSelectInCall(w)
		}
		if loop := s.waitsForEnder(w); loop != nil {
			return s.surest(w).with(account.Values{"loop": rules.PlaceText(rules.PlaceOf(loop.Frame))}, "callback")
		}
		if s.endsWhatRests(w) && !s.moverBeside(w, s.mains()...) {
			v := medium()
			v.confidence = rules.ConfLow
			if s.moverBeside(w) && w.b.Count < manyWaiters { // main may have what a few wait for
				v = low()
			}
			return v.with(nil, "rests")
		}
		if (w.role == nil || w.inMain()) && s.endsObject(w) {
			if v := s.judgeEndForNobody(w); v.severity != "" {
				return v
			}
		}
		if v := s.judgeEndOfWaiters(w); v.severity != "" || !s.stopsForLong(w) {
			return v
		}
		return low().with(nil, "late") // a batch queues its work first, and ends its pool for hours
	}, append(classes, stackparse.ClassSelect)...))
}

// shutsOwnServer reports whether a handler of net/http waits in Shutdown for the server that serves its request: the
// goroutine that accepted the connection has left Serve, which it does when its server is shut down. Where an admin's
// server ends another one, it serves on.
func (s *scene) shutsOwnServer(w *actor) bool {
	c := w.b.CreatedBy
	return w.b.Class == stackparse.ClassSelect && c != nil && rules.PlainName(c.Func) == "net/http.(*Server).Serve" &&
		w.own && hasFunction(w.b, "net/http.(*Server).Shutdown") && s.parentsKnown(w) && !s.servedOn(w)
}

// closesItself reports whether a goroutine that a type started waits in the type's method that ends it.
func (s *scene) closesItself(w *actor) bool {
	typ := s.loopType(w)
	if typ == "" || w.site < 0 || w.b.Active > 0 {
		return false
	}
	site := w.b.Frames[w.site].Func
	if s.typeOf(site) != typ || !s.stops(site) || s.name(site).Closure != "" {
		return false
	}
	// What lies further out of the type must be its loop, not Close that calls close.
	for i := w.root; i > w.site; i-- {
		fn := w.b.Frames[i].Func
		if s.typeOf(fn) == typ {
			return s.name(fn).Closure != "" && s.name(fn).Func != s.name(site).Func || !s.stops(fn)
		}
	}
	return false
}

// waitsForEnder is the frame of a library's goroutine that called the program back, which waits there for a goroutine
// that it started itself in a method that ends an object of the library: that one waits for the end of the library's
// goroutines, so for the one that called. nil for all others.
func (s *scene) waitsForEnder(w *actor) *stackparse.Frame {
	typ := s.loopType(w)
	if typ == "" || !w.own || w.b.Class != stackparse.ClassChanReceive || w.b.Active > 0 ||
		s.d.Program.Class(w.b.Frames[w.root].Frame) == frame.ClassOwn {
		return nil
	}
	if s.otherIn(w, func(a *actor) bool { return s.ofType(a, typ) && !s.isEnder(a, typ) }) {
		return nil // one of another object perhaps: a task of a pool that waits for the tasks of a pool of its own
	}
	for k := range w.b.Goroutines {
		if !s.anyIn(w, func(a *actor) bool { return s.endsFor(a, typ, w.b.Goroutines[k].ID) }) {
			return nil
		}
	}
	if len(w.b.Goroutines) == 0 && !s.onlyEnder(w, typ) {
		return nil
	}
	return &w.b.Frames[w.root]
}

// onlyEnder is for forms that show no parents: the one goroutine that waits in a function that ends something is a
// callback of the library's, and one waits for the end there.
func (s *scene) onlyEnder(w *actor, typ string) bool {
	ending := func(a *actor) bool {
		return a.site >= 0 && a.class == frame.ClassOwn && s.stops(a.b.Frames[a.site].Func)
	}
	return w.b.Count == 1 && ending(w) && !s.anyIn(w, ending) &&
		s.anyIn(w, func(a *actor) bool { return a.b.Count == 1 && s.isEnder(a, typ) })
}

// endsFor reports whether a goroutine was started by another in a type's method that ends something, and waits for a
// group there.
func (s *scene) endsFor(a *actor, typ string, parent uint64) bool {
	return s.isEnder(a, typ) &&
		slices.ContainsFunc(a.b.Goroutines, func(g stackparse.Goroutine) bool { return g.Parent == parent })
}

// isEnder reports whether a goroutine is a closure of a type's method that ends something, and waits for a group there.
func (s *scene) isEnder(a *actor, typ string) bool {
	if a.b.Class != stackparse.ClassWaitGroup || a.site < 0 || a.b.Active > 0 {
		return false
	}
	fn := a.b.Frames[a.site].Func
	return s.typeOf(fn) == typ && s.stops(fn) && s.name(fn).Closure != ""
}

// endsObject reports whether a goroutine called a method that ends an object, which waits for word that it has ended.
// Who sends or waits for a WaitGroup there is judged by send-without-reader and waitgroup-stuck.
func (s *scene) endsObject(w *actor) bool {
	if w.b.Class != stackparse.ClassChanReceive && w.b.Class != stackparse.ClassCond || w.b.Active > 0 || !w.own ||
		w.site < 0 || w.root <= w.site || s.d.Truncated.Head || s.d.Truncated.Tail {
		return false
	}
	typ := s.typeOf(w.b.Frames[w.site].Func)
	if typ == "" || s.loopType(w) == typ { // its own loop, which waits for its next work in a method
		return false
	}
	i := w.site
	for ; i < w.root && s.typeOf(w.b.Frames[i].Func) == typ; i++ { // Close may call wait
		if s.isStop(w.b.Frames[i].Func) {
			return w.role == nil || w.class != frame.ClassOwn
		}
	}
	// The program's own Stop may ask a library's object to end first, and then wait for that.
	return w.class != frame.ClassOwn && s.begins(w.b.Frames[w.site].Func, joinNames[:]) &&
		s.d.Program.Class(w.b.Frames[i].Frame) == frame.ClassOwn && s.isStop(w.b.Frames[i].Func)
}

// stopsForLong reports whether main waits in a function of the program that ends something, and has done so for a
// minute: no orchestrator waits that long for a process to end, and no operator. A process that listens to signals may
// have a function of such a name that waits for one first.
func (s *scene) stopsForLong(w *actor) bool {
	if !w.inMain() || w.class != frame.ClassOwn || w.root <= w.site || w.b.Active > 0 || s.ageOf(w) != sure {
		return false
	}
	if w.b.Class != stackparse.ClassWaitGroup && (w.b.Class != stackparse.ClassChanReceive || s.signals()) {
		return false
	}
	site := w.b.Frames[w.site].Func
	return s.isStop(site) && isStopWord(s.name(site).Func)
}

// isStopWord reports whether a name is a word for ending something, or one with an object behind it: "stop",
// "CloseAll", not "stopped".
func isStopWord(name string) bool {
	return slices.ContainsFunc(stopNames[:], func(word string) bool {
		if len(name) < len(word) || !strings.EqualFold(name[:len(word)], word) {
			return false
		}
		rest := name[len(word):]
		return rest == "" || rest[0] < 'a' || rest[0] > 'z'
	})
}

// joinNames are how the names of methods begin that return when an object has ended.
var joinNames = [...]string{"wait", "join", "await"}

// isStop reports whether a function, no closure, ends something, as its name states.
func (s *scene) isStop(fn string) bool {
	n := s.name(fn)
	return n.Closure == "" && s.stops(fn) && !waitsToStop(n.Func)
}

// notEnds are words in the names of functions that begin like those that end something, and take in what comes instead,
// or wait for the moment to end it.
var notEnds = [...]string{"Drain", "drain", "Finish", "finish", "Release", "release", "On", "When", "After", "Until",
	"Signal", "Notif", "Listen", "Loop", "Chan"}

// waitsToStop reports whether a function that is named like one that ends something only waits for something else.
func waitsToStop(name string) bool {
	return strings.HasSuffix(name, "er") ||
		slices.ContainsFunc(notEnds[:], func(word string) bool { return strings.Contains(name, word) })
}

// gracefulNames are how the names of methods begin that may give others time to go first, unlike those that stop.
var gracefulNames = [...]string{"shutdown", "close", "terminate", "teardown", "exit", "drain", "finish", "release"}

// judgeEndForNobody looks for someone who could report that an object has ended: in its library, or of its type where
// the program has written it; and, while no minutes show how long it waits, anyone who moves.
func (s *scene) judgeEndForNobody(w *actor) verdict {
	v := s.surest(w)
	switch w.class {
	case frame.ClassOwn:
		if s.besides(w) || s.mayMove(w) {
			return verdict{}
		}
		v.severity, v.confidence = rules.Medium, rules.ConfLow
	case frame.ClassDependency, frame.ClassVendored, frame.ClassUnknown:
		if s.hasCompany(w) || s.ageOf(w) != sure && s.moverBeside(w) {
			return verdict{}
		}
		if s.ageOf(w) != sure &&
			s.begins(w.b.Frames[w.site].Func, gracefulNames[:]) { // a timer's function may end it
			v = v.lowered()
		}
	default:
		return verdict{}
	}
	return v.with(nil, "nobody")
}

// judgeSelfClose looks for others whom the goroutines may wait for.
func (s *scene) judgeSelfClose(w *actor) verdict {
	typ := s.loopType(w)
	if w.class == frame.ClassOwn &&
		(s.workerBeside(w) || w.b.Class == stackparse.ClassChanReceive && s.ageOf(w) != sure) {
		return verdict{} // a worker that is no method, or a timer
	}
	if len(w.b.Goroutines) == 0 {
		if s.manyCloseThemselves(w) {
			// Low: a flusher that looks at its end only at each tick is waited for as well.
			loop := rules.PlaceText(rules.PlaceOf(w.b.Frames[w.root].Frame))
			return low().with(account.Values{"loop": loop}, "many")
		}
		if s.otherIn(w, func(a *actor) bool { return s.ofType(a, typ) && !s.queuesFor(a, typ) }) || s.workerBeside(w) {
			return verdict{}
		}
	} else {
		for j := range w.b.Goroutines {
			if s.waitsForRelative(w, j, typ) {
				return verdict{}
			}
		}
	}
	loop := w.b.Frames[w.root]
	return s.surest(w).with(account.Values{"loop": rules.PlaceText(rules.PlaceOf(loop.Frame))})
}

// queuesFor reports whether goroutines wait to hand something to an object of a type, from outside: the object's own
// take it, and who ends the object does not wait for them.
func (s *scene) queuesFor(a *actor, typ string) bool {
	if a.b.Class != stackparse.ClassChanSend || a.b.Active > 0 || a.site < 0 || s.loopType(a) == typ {
		return false
	}
	fn := a.b.Frames[a.site].Func
	return s.typeOf(fn) == typ && s.begins(fn, putNames[:])
}

// manySelves is how many goroutines of one stack must wait for the end of their object, in a form that only counts
// them, beside others of the type. Chosen: a close that waits for a loop which was asked to end takes no time, so that
// two or three at once are a chance.
const manySelves = 10

// manyCloseThemselves reports whether many goroutines of a library called a method that ends their object, each from
// the closure of a method of it, and wait for a WaitGroup there, while nobody of the type is in the middle of anything
// but what others of them do: each of those is of an object of its own.
func (s *scene) manyCloseThemselves(w *actor) bool {
	if w.b.Class != stackparse.ClassWaitGroup || w.own || w.class == frame.ClassStdlib || w.b.Count < manySelves ||
		s.name(w.b.Frames[w.root].Func).Closure == "" {
		return false
	}
	typ := s.loopType(w)
	return !s.otherIn(w, func(a *actor) bool {
		sameLoop := a.root >= 0 && a.b.Frames[a.root].Func == w.b.Frames[w.root].Func
		return s.ofType(a, typ) && !sameLoop && !a.own && a.move != still
	})
}

// workerBeside is moverBeside, but that the main goroutine is nobody whom a WaitGroup waits for. Nor is one outside of
// the package, after a quarter of an hour: a janitor of another package sleeps for an hour in every service.
func (s *scene) workerBeside(w *actor) bool {
	if w.b.Class != stackparse.ClassWaitGroup {
		return s.moverBeside(w)
	}
	others := s.mains()
	for i := range s.actors {
		if a := &s.actors[i]; w.b.MaxMinutes >= forgottenMinutes && !s.runsIn(a, w.module) {
			others = append(others, a)
		}
	}
	return s.moverBeside(w, others...)
}

// mains are the stacks of the main goroutine: one, or none.
func (s *scene) mains() (all []*actor) {
	for i := range s.actors {
		if a := &s.actors[i]; a.inMain() {
			all = append(all, a)
		}
	}
	return all
}

// waitsForRelative reports whether a goroutine that the j-th one of w may wait for is there: one that it started, one
// of the type that comes from the same parent, or one of the library from there that moves, or one in a method of the
// same object.
func (s *scene) waitsForRelative(w *actor, j int, typ string) bool {
	g := &w.b.Goroutines[j]
	self, known := receiverOf(w.b, j, w.site)
	for i := range s.actors {
		a := &s.actors[i]
		ofType := a != w && s.ofType(a, typ)
		for k := range a.b.Goroutines {
			o := &a.b.Goroutines[k]
			switch {
			case o.Parent != 0 && o.Parent == g.ID:
				return true
			case ofType && (g.Parent == 0 || o.Parent == g.Parent || o.ID == g.Parent):
				return true
			case g.Parent != 0 && o.Parent == g.Parent && a.move == moves && s.runsIn(a, w.module):
				return true
			}
		}
		if ofType && known && s.worksOn(a, typ, self) {
			return true
		}
	}
	return false
}

// worksOn reports whether a goroutine of a bucket is in a method of an object.
func (s *scene) worksOn(a *actor, typ string, object uint64) bool {
	for i := range a.b.Samples {
		for _, w := range a.b.Samples[i].Words {
			if w.Arg() == 0 && w.Value() == object && s.typeOf(a.b.Frames[w.Frame()].Func) == typ {
				return true
			}
		}
	}
	return false
}
