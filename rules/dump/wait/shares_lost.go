package wait

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// fewWithoutHolder is how many must wait for minutes for shares of a semaphore before it counts that nobody is in sight
// who has one. Chosen: of two, one may have had its share in another function.
const fewWithoutHolder = 3

// manyWithoutHolder is how many must wait for something of a pool before it counts that nobody uses any of it. Chosen:
// a few may come while the pool fills.
const manyWithoutHolder = 10

// poolLeft is the part of client-pool-exhausted (TR421) about pools of the program or of any library whose users have
// gone: nobody is past the call, in the program's function, in which goroutines ask for something out of it, nor in the
// pool.
//
// Either many wait in a method that takes something out of a pool, as its name shows, and nobody is in the middle of
// anything else. Or a few have waited for long, all of them, in a method that takes a slot, and nobody is in the code
// that they came through, nor moves: a goroutine of other code that waits for its next work or tick may have one too,
// but has kept it for as long.
func (s *view) poolLeft(w *actor) verdict {
	if !slices.Contains(slotClasses[:], w.b.Class) || !s.lasts(w) || w.root <= w.site || !w.own || w.role != nil ||
		!rules.Blameable(w.class) || s.mayBeUnserved(w) {
		return verdict{} // requests-wait-for-nobody judges most requests
	}
	at, fn := s.ownCall(w), w.b.Frames[w.site].Func
	if at <= w.site || s.heldBeside(w, w.b.Frames[at].Func) {
		return verdict{}
	}
	v, left := guilty().but(s.rationed(fn), restsBetween), "nobody"
	long := waitingSince(w.b, sureMinutes) >= w.b.Count || // new ones come all the time
		waitingSince(w.b, forgottenMinutes) >= fewWithoutHolder
	switch {
	case w.b.Count >= manyWithoutHolder && s.takesFromPool(fn) && s.nobodyNear(w):
		v = v.but(s.ageOf(w) != sure && !s.ofPool(fn), timerToCome)
	case long && w.b.Count >= fewWithoutHolder && s.typeOf(fn) != "" && s.begins(fn, slotTakes[:]) &&
		!s.servedBeside(w) && !s.mayMove(w):
		left = "shares"
	default:
		return verdict{}
	}
	v.category, v.at = rules.Leak, at
	return v.with(account.Values{"pool": rules.PlaceText(rules.PlaceOf(w.b.Frames[w.site].Frame))}, left)
}

// slotClasses are how goroutines wait for something out of a pool.
var slotClasses = [...]stackparse.Class{stackparse.ClassChanReceive, stackparse.ClassSelect, stackparse.ClassCond,
	stackparse.ClassSemaphore}
