package wait

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// manyRequests is how many requests must wait in one call before it counts that nobody serves them. Chosen: fewer may
// have come in a moment in which the one that serves them is away.
const manyRequests = 10

// requestsForNobody is requests-wait-for-nobody (TR448).
//
// Requests that wait for another goroutine of the process have someone who serves them: one that has what they wait
// for and is further on in the code that they came through, or one in a method of the type that they wait in. Idle
// workers wait like that for their next work, but they have not come as requests, whose clients wait as well.
//
// Requests that hand something over are served by who moves. Of 339 healthy programs of the lab and the corpus one had
// ten requests or more in a send, beside goroutines that moved; of 141 guilty ones three, two of them without.
func requestsForNobody() *rules.Rule {
	const name = "requests-wait-for-nobody"
	return waitRule("TR448", name, rules.Deadlock, rules.High, viewRun(func(s *view) (found []rules.Finding) {
		for i := range s.actors {
			w := &s.actors[i]
			if s.mayBeUnserved(w) && !s.servedBeside(w) || s.mayBeLeft(w) && s.takerStuck(w) {
				found = append(found, s.unservedFinding(name, w))
			}
		}
		return found
	}, stackparse.ClassChanReceive, stackparse.ClassCond, stackparse.ClassSelect, stackparse.ClassSemaphore,
		stackparse.ClassChanSend))
}

// mayBeUnserved reports whether many requests wait for another goroutine of the process in one place: in a receive, on
// a condition or in a semaphore, which is no select of the program's own: that has a second way out.
func (s *view) mayBeUnserved(w *actor) bool {
	if !s.manyRequestsIn(w) {
		return false
	}
	fn := w.b.Frames[w.site].Func
	switch w.b.Class {
	case stackparse.ClassChanReceive, stackparse.ClassCond:
		return w.class == frame.ClassOwn && s.typeOf(fn) != ""
	case stackparse.ClassSelect, stackparse.ClassSemaphore:
		return rules.PlainName(fn) == "golang.org/x/sync/semaphore.(*Weighted).Acquire"
	}
	return false
}

// mayBeLeft reports whether many requests wait in one place to hand something over.
func (s *view) mayBeLeft(w *actor) bool {
	return w.b.Class == stackparse.ClassChanSend && s.manyRequestsIn(w) && rules.Blameable(w.class) && !inGroup(w)
}

// takerStuck reports whether who should take what requests hand over is there, in a method of the type that they wait
// in, and nobody moves. Without such a one a request to come may take it, as in a relay.
func (s *view) takerStuck(w *actor) bool {
	typ := s.typeOf(w.b.Frames[w.site].Func)
	return s.nobodyNear(w) && s.otherIn(w, func(a *actor) bool { return s.ofType(a, typ) })
}

// nobodyNear reports whether nobody is in the middle of anything besides those of w, nor comes round to what they wait
// for: at a tick, or for work.
func (s *view) nobodyNear(w *actor) bool {
	return !s.mayMove(w) && !s.tickerNear(w, true)
}

// manyRequestsIn reports whether many requests wait for another goroutine in one call of the program's or of a library.
func (s *view) manyRequestsIn(w *actor) bool {
	return w.b.Count >= manyRequests && s.lasts(w) && w.root > w.site && w.own && w.role == nil &&
		servesRequest(w.b.Frames[w.root].Func)
}

// servedBeside reports whether another goroutine may bring what requests wait for: it is in a function of the program
// that is on their stack, or of a type that is, or was started there; or it moves in one of their packages.
//
// Package main connects the others: its own functions know nothing of another package's objects. A goroutine that waits
// for a signal in a method of the same type gives none.
func (s *view) servedBeside(w *actor) bool {
	types, functions := map[string]bool{}, map[string]bool{}
	connects := func(fn string) bool {
		return s.name(fn).Package == "main" && s.name(w.b.Frames[w.site].Func).Package != "main"
	}
	for i := w.site; i <= w.root; i++ {
		f := &w.b.Frames[i]
		if f.Elided != 0 || s.d.Program.Class(f.Frame) != frame.ClassOwn || s.d.Program.Framework(f.Frame) ||
			connects(f.Func) {
			continue
		}
		functions[s.enclosing(f.Func)] = true
		if typ := s.typeOf(f.Func); typ != "" {
			types[typ] = true
		}
	}
	packages := s.ownPackages(w.b.Frames)
	return s.otherIn(w, func(a *actor) bool {
		if a.inMain() && s.aside(a, w) || a.inMain() && a.b.Class == stackparse.ClassChanReceive ||
			s.cameRound(a, w) || s.awaitsToo(a, w) {
			return false
		}
		return a.has(func(f *frame.Frame) bool {
			return functions[s.enclosing(f.Func)] && !a.inMain() || types[s.typeOf(f.Func)] ||
				a.move == moves && slices.Contains(packages, s.name(f.Func).Package) && !connects(f.Func)
		})
	})
}

// awaitsToo reports whether goroutines wait for a signal, as those of w do, in methods of one type.
func (s *view) awaitsToo(a, w *actor) bool {
	return w.b.Class == stackparse.ClassCond && a.b.Class == stackparse.ClassCond && unsignalled(a.b) &&
		a.b.Active == 0 && a.site >= 0 && s.typeOf(a.b.Frames[a.site].Func) == s.typeOf(w.b.Frames[w.site].Func)
}

// mayAwaitEvent reports whether requests wait for a sync.Cond in a method that neither does anything and returns nor
// hands something in or takes a slot, as its name shows: they may wait for what is yet to happen, as in long polling,
// where another request brings it, or a timer's function.
func (s *view) mayAwaitEvent(w *actor) bool {
	fn := w.b.Frames[w.site].Func
	return w.b.Class == stackparse.ClassCond && !s.stops(fn) && !s.begins(fn, doingNames[:]) &&
		!s.begins(fn, putNames[:]) && !s.takesFromPool(fn) && !s.begins(fn, sectionNames[:])
}

func (s *view) unservedFinding(name string, w *actor) rules.Finding {
	v := guilty().but(w.b.Class == stackparse.ClassChanReceive || s.mayAwaitEvent(w), eventToCome).
		but(s.mayMove(w), workerGoesOn)
	v.at = s.ownCall(w)
	place := rules.BlameBucket(s.d, w.b).Culprit
	if v.at > 0 {
		place = rules.PlaceOf(w.b.Frames[v.at].Frame)
	}
	v = v.with(account.Values{"all": phrase.CountGoroutines(w.b.Count), "class": string(w.b.Class),
		"place": rules.PlaceText(place), "type": "the code that they came through"})
	if s.mayBeLeft(w) {
		v = v.also("still")
	}
	return s.finding(name, w, v)
}
