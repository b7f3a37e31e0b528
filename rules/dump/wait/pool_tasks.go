package wait

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// handOverClasses are how a call waits that hands something over to other goroutines.
var handOverClasses = [...]stackparse.Class{stackparse.ClassChanSend, stackparse.ClassSelect, stackparse.ClassCond,
	stackparse.ClassSemaphore, stackparse.ClassChanReceive}

// fewWorkers is how many workers of a pool must wait for it in a form that only counts goroutines: there one that was
// woken looks as if it waited still. Chosen.
const fewWorkers = 3

// tasksAskPool is the part of closed-circle (TR445) about the workers of a library's pool, each of which called a task
// of the program that asks the library to run a further one, and waits there. No worker does anything else, none is
// idle, and nobody else of the library is in the middle of anything: none will ever be free.
func (s *view) tasksAskPool() (found []rules.Finding) {
	for i := range s.actors {
		w := &s.actors[i]
		if !s.asksForWorker(w) || slices.ContainsFunc(s.actors[:i], func(a actor) bool { return s.sameLoop(&a, w) }) {
			continue
		}
		workers, ok := s.workersLike(w)
		if !ok || workers < 2 || s.d.Counted() && workers < fewWorkers || s.ageOf(w) != sure && s.mayMove(w) ||
			fullOfOwn(s, w).guilty {
			continue
		}
		v := guilty()
		v.at = s.ownCall(w)
		v = v.with(account.Values{"loop": rules.PlaceText(rules.PlaceOf(w.b.Frames[w.root].Frame))}, "workers")
		found = append(found, s.finding("closed-circle", w, v))
	}
	return found
}

// asksForWorker reports whether the goroutines of a library's loop called the program back, which asked the library to
// run or to keep something, and wait there.
func (s *view) asksForWorker(w *actor) bool {
	if !slices.Contains(handOverClasses[:], w.b.Class) || !w.own || !s.lasts(w) || inGroup(w) || !s.calledBack(w) {
		return false
	}
	call := s.ownCall(w) - 1
	if call < w.site || !s.begins(w.b.Frames[call].Func, taskNames[:]) || s.limits(w.b.Frames[call].Func) {
		return false
	}
	typ := s.typeOf(w.b.Frames[call].Func)
	if typ == s.loopType(w) {
		return !s.otherObject(w, call) // else a pool of the same type, whose workers are elsewhere
	}
	return typ != ""
}

// taskNames are how the names of methods begin that hand a task to a pool.
var taskNames = [...]string{"submit", "go", "schedule", "execute", "exec", "enqueue", "invoke", "process", "spawn",
	"dispatch", "post", "run", "start", "addtask", "addjob", "queue"}

// limitWords are words in the names of types that let so many through at a time, or in a span of time. They have no
// workers: a timer's function, on no stack, may make room.
var limitWords = [...]string{"limit", "throttle", "semaphore", "bucket", "window", "pacer"}

// limits reports whether a function is a method of a type that only limits how much is done, as its name shows.
func (s *view) limits(fn string) bool {
	return s.typeNamed(fn, limitWords[:])
}

// sameLoop reports whether goroutines of two buckets began in one declared function.
func (s *view) sameLoop(a, w *actor) bool {
	return a.root >= 0 && w.root >= 0 &&
		s.enclosing(a.b.Frames[a.root].Func) == s.enclosing(w.b.Frames[w.root].Func)
}

// workersLike counts the goroutines that run the same loop as w. It is not ok where one of them does anything but wait
// in the same place, or another one of the library does anything but wait for others of the process, or call in from
// outside; nor where they are known to ask different pools.
func (s *view) workersLike(w *actor) (n int, ok bool) {
	typ := s.typeOf(w.b.Frames[w.site].Func)
	n = w.b.Count
	for i := range s.actors {
		a := &s.actors[i]
		switch {
		case a == w || !s.inModule(a, w.module):
		case s.sameLoop(a, w):
			if !s.asksForWorker(a) || !s.sameSite(a, w) || !s.mayBeOne(a, w, typ) {
				return 0, false
			}
			n += a.b.Count
		case s.sameSite(a, w) && a.b.Active == 0:
		case a.own || a.move != still || a.module != w.module:
			return 0, false
		}
	}
	return n, true
}

// otherObject reports whether a loop is known to run for another object than that of a call further in.
func (s *view) otherObject(w *actor, call int) bool {
	for j := range w.b.Goroutines {
		inner, ok := receiverOf(w.b, j, call)
		outer, also := receiverOf(w.b, j, w.root)
		if ok && also && inner != outer {
			return true
		}
	}
	return false
}

// calledBack reports whether a goroutine began in a library, went through the program's code, and waits in that library
// again.
func (s *view) calledBack(w *actor) bool {
	if s.d.Program.Class(w.b.Frames[w.root].Frame) == frame.ClassOwn || w.class == frame.ClassStdlib ||
		w.class == frame.ClassOwn || moduleOf(&w.b.Frames[w.root].Frame) != w.module {
		return false
	}
	return slices.ContainsFunc(w.b.Frames[w.site:w.root], func(f stackparse.Frame) bool {
		return f.Elided == 0 && s.d.Program.Class(f.Frame) == frame.ClassOwn
	})
}
