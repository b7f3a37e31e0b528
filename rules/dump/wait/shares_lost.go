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

// sharesLost judges a few that wait for long, all of them, in a method that takes a slot, whose name shows it. Who has
// one is in the code that they came through, or moves. A goroutine of other code that waits for its next work or tick
// may have one too, but has kept it for as long.
func (s *view) sharesLost(w *actor) verdict {
	if w.b.Active > 0 || w.site < 0 || w.root <= w.site || !w.own || w.role != nil || w.b.Count < fewWithoutHolder ||
		!rules.Blameable(w.class) || s.d.Truncated.Head || s.d.Truncated.Tail ||
		!s.begins(w.b.Frames[w.site].Func, slotTakes[:]) ||
		s.typeOf(w.b.Frames[w.site].Func) == "" || s.mayBeUnserved(w) {
		return verdict{} // requests-wait-for-nobody judges most requests
	}
	at := s.ownCall(w)
	if at <= w.site || s.heldBeside(w, w.b.Frames[at].Func) || s.servedBeside(w) || s.mayMove(w) {
		return verdict{}
	}
	v := guilty().but(s.rationed(w.b.Frames[w.site].Func), restsBetween)
	v.category, v.at = rules.Leak, at
	return v.with(account.Values{"pool": rules.PlaceText(rules.PlaceOf(w.b.Frames[w.site].Frame))}, "shares")
}

// poolLeft is the part of client-pool-exhausted (TR421) about a pool that nobody uses, and about a semaphore of which
// nobody in sight has had a share for minutes.
func (s *view) poolLeft(w *actor) verdict {
	if !givesSlots(w.b.Class) {
		return verdict{}
	}
	if v := s.poolWithoutHolders(w); v.guilty || waitingSince(w.b, sureMinutes) < w.b.Count &&
		waitingSince(w.b, forgottenMinutes) < fewWithoutHolder { // new ones come all the time
		return v
	}
	return s.sharesLost(w)
}

// slotClasses are how goroutines wait for something out of a pool.
var slotClasses = [...]stackparse.Class{stackparse.ClassChanReceive, stackparse.ClassSelect, stackparse.ClassCond,
	stackparse.ClassSemaphore}

// givesSlots reports whether goroutines of a class may wait for something out of a pool.
func givesSlots(c stackparse.Class) bool { return slices.Contains(slotClasses[:], c) }
