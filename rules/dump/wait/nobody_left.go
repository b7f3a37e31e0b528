package wait

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// signalForNobody is the part of cond-missed-signal (TR411) about goroutines of the program that wait for a sync.Cond
// in a method which does not take work, while nobody else is in the type or its package, and nobody of the program is
// in the middle of anything: who drains a queue whose last worker has ended without a signal. A handler or a timer to
// come may signal, as it may in a queue without work, which is left out by the names of its methods; but not where the
// method ends something, which asks for nothing that is still to come, or has put for minutes into what nobody takes
// from.
func (s *view) signalForNobody(w *actor) verdict {
	if w.b.Class != stackparse.ClassCond || !unsignalled(w.b) || !s.lasts(w) || w.root <= w.site ||
		w.class != frame.ClassOwn || w.role != nil && !w.inMain() {
		return verdict{}
	}
	fn := w.b.Frames[w.site].Func
	if s.typeOf(fn) == "" || s.begins(fn, takeNames[:]) || s.besides(w) || s.mayMove(w) || s.mayBeUnserved(w) ||
		slices.ContainsFunc(s.d.Buckets, (*stackparse.Bucket).ForLock) {
		return verdict{} // requests-wait-for-nobody judges requests, and who waits with a lock holds others up
	}
	told := s.stops(fn) || s.ageOf(w) == sure && s.begins(fn, putNames[:])
	return guilty().but(!told, eventToCome).with(nil, "nobody")
}

// heldBeside reports whether another goroutine is in the pool for which w waits, or past the call in the program's
// function that asks it: in a library the whole of it counts.
func (s *view) heldBeside(w *actor, user string) bool {
	return s.otherIn(w, func(a *actor) bool {
		return hasFunction(a.b, user) || s.ofType(a, s.typeOf(w.b.Frames[w.site].Func)) ||
			w.class != frame.ClassOwn && s.inModule(a, w.module) && s.name(w.b.Frames[w.site].Func).Package != "main" &&
				s.inPackage(a, s.name(w.b.Frames[w.site].Func).Package)
	})
}

// stagesInSends is the part of closed-circle (TR445) about stages that feed each other: all goroutines of a package of
// the program wait to send, in two functions at least that they began with, and nobody else moves who may receive.
// A pipeline whose last stage is slow has that stage somewhere.
func (s *view) stagesInSends() []rules.Finding {
	byPackage := map[string][]*actor{}
	for i := range s.actors {
		a := &s.actors[i]
		if a.b.Class == stackparse.ClassChanSend && a.b.Active == 0 && a.site >= 0 && a.class == frame.ClassOwn &&
			a.role == nil && s.ageOf(a) != young && !inGroup(a) {
			pkg := s.name(a.b.Frames[a.site].Func).Package
			byPackage[pkg] = append(byPackage[pkg], a)
		}
	}
	var found []rules.Finding
	for _, pkg := range slices.Sorted(maps.Keys(byPackage)) {
		senders := byPackage[pkg]
		stages := s.stagesOf(senders)
		if pkg == "main" || len(stages) < 2 || s.anyIn(nil, func(a *actor) bool {
			return s.inPackage(a, pkg) && !slices.Contains(senders, a) && !(a.inMain() && s.aside(a, stages[0]))
		}) || s.moverBeside(stages[0], senders...) {
			continue
		}
		w := slices.MinFunc(stages, func(a, b *actor) int {
			return cmp.Or(a.b.Count-b.b.Count, strings.Compare(a.b.Frames[a.site].Func, b.b.Frames[b.site].Func))
		})
		other := stages[slices.IndexFunc(stages, func(a *actor) bool { return a != w })]
		v := guilty().but(true, streamStage).with(account.Values{"all": waitsVerb(other.b.Count), "package": pkg,
			"there": rules.PlaceText(rules.PlaceOf(other.b.Frames[other.site].Frame))}, "stages")
		v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, other.b, "")}
		found = append(found, s.finding("closed-circle", w, v))
	}
	return found
}

// stagesOf are those of some senders that began with a declared function of the program, one for each function.
func (s *view) stagesOf(senders []*actor) (stages []*actor) {
	for _, a := range senders {
		same := func(b *actor) bool { return b.b.Frames[b.root].Func == a.b.Frames[a.root].Func }
		if a.root >= 0 && !a.inMain() && s.d.Program.Class(a.b.Frames[a.root].Frame) == frame.ClassOwn &&
			s.name(a.b.Frames[a.root].Func).Closure == "" && !slices.ContainsFunc(stages, same) {
			stages = append(stages, a)
		}
	}
	return stages
}
