package wait

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// manyCountedSlots is how many goroutines of a form that only counts them must wait for a slot: there one that was
// woken looks as if it waited still. Chosen: ten that are seen at once in that moment are no chance.
const manyCountedSlots = 10

// slotInSlot finds goroutines that have a slot of a pool and wait for another one, while all users of the pool wait: a
// function that takes a slot waits on some stacks in the call that takes it, and is past that call on others, which
// wait in the same call again. Nobody who is past it does anything else, and nobody of the program moves, who could
// give a slot back.
func (s *scene) slotInSlot() []rules.Finding {
	var found []rules.Finding
	for i := range s.actors {
		w := &s.actors[i]
		if !s.takesSlot(w) || s.mayMove(w) {
			continue
		}
		user, outer := s.userAround(w)
		if user == nil || len(w.b.Goroutines) == 0 && w.b.Count+user.b.Count < manyCountedSlots {
			continue
		}
		v := s.surest(w).with(account.Values{
			"all": waitsVerb(user.b.Count), "outer": rules.PlaceText(rules.PlaceOf(w.b.Frames[outer].Frame)),
		}, "slots")
		v.confidence = rules.ConfMedium
		v.at = s.ownCall(w)
		v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, user.b, "")}
		found = append(found, s.finding("closed-circle", w, v))
	}
	return found
}

// takesSlot reports whether goroutines wait in memory in a call that the program made of a method of its own or of a
// library: what takes a value out of a queue looks the same, and is left out by its name.
func (s *scene) takesSlot(w *actor) bool {
	switch w.b.Class {
	case stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect, stackparse.ClassCond,
		stackparse.ClassSemaphore:
	default:
		return false
	}
	return w.b.Active == 0 && w.site >= 0 && w.root > w.site && w.own && w.role == nil && s.ageOf(w) != young &&
		w.class != frame.ClassStdlib && w.class != frame.ClassRuntime &&
		(s.ageOf(w) == sure || !s.begins(w.b.Frames[w.site].Func, takeNames[:]))
}

// userAround finds the goroutines that wait in a function of the program for what w has taken there: the function calls
// what w waits in, from another line than that where w is past it. It is nil where a goroutine is in that function that
// waits for something else.
func (s *scene) userAround(w *actor) (user *actor, outer int) {
	for i := w.site + 1; i <= w.root; i++ {
		f := &w.b.Frames[i]
		if f.Elided != 0 || s.d.Program.Class(f.Frame) != frame.ClassOwn {
			continue
		}
		direct := func(a *actor) bool { // it waits in the call that f makes elsewhere; where f makes both, before
			return s.sameSite(a, w) && a.b.Active == 0 && a.site+1 < len(a.b.Frames) &&
				a.b.Frames[a.site+1].Func == f.Func && a.b.Frames[a.site+1].Line != f.Line &&
				(i > w.site+1 || a.b.Frames[a.site+1].Line < f.Line)
		}
		k := slices.IndexFunc(s.actors, func(a actor) bool { return &a != w && direct(&a) })
		if k < 0 {
			continue
		}
		if s.anyIn(w, func(a *actor) bool { return !s.sameSite(a, w) && hasFunction(a.b, f.Func) }) {
			return nil, 0
		}
		return &s.actors[k], i
	}
	return nil, 0
}

// ownCall is the innermost call of the program's, where a library's waits: what takes a slot of a semaphore is right,
// who takes two is not. 0 where there is none.
func (s *scene) ownCall(w *actor) int {
	for i := w.site; i <= w.root; i++ {
		f := &w.b.Frames[i]
		if f.Elided == 0 && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			return i
		}
	}
	return 0
}
