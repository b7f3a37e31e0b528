package wait

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// waitGroupStuck is waitgroup-stuck (TR410): held up by a lock, a crowd, or a few for whom nobody is left.
func waitGroupStuck() *rules.Rule {
	underLock := standstillRun(explainHeld, waitgraph.HeldInWaitGroup)
	crowds := orphanRun("waitgroup-stuck", func(o *waitgraph.Orphan) bool { return o.Kind == waitgraph.WaitGroup })
	few := actorRun("waitgroup-stuck", (*view).lone, stackparse.ClassWaitGroup)
	childless := actorRun("waitgroup-stuck", (*view).childless, stackparse.ClassWaitGroup)
	return waitRule("TR410", "waitgroup-stuck", rules.Deadlock, rules.High, func(p *rules.Pass) []rules.Finding {
		surest := few(p)
		for _, f := range slices.Concat(underLock(p), crowds(p), childless(p)) {
			if !slices.ContainsFunc(surest, func(g rules.Finding) bool {
				return g.Culprit == f.Culprit && g.Evidence[0].Input == f.Evidence[0].Input
			}) {
				surest = append(surest, f)
			}
		}
		return surest
	})
}

// lone judges goroutines that wait for a WaitGroup for which nobody is left to call Done, however few they are.
func (s *view) lone(w *actor) verdict {
	if w.b.Class != stackparse.ClassWaitGroup || !s.lasts(w) || !w.own || w.role != nil || s.someoneLeft(w) {
		return verdict{}
	}
	return s.surest(w).with(account.Values{"group": symbol.PackageOf(w.b.Frames[w.site].Func)}, "lone")
}

// childless judges goroutines that wait for a WaitGroup of the program's, where none of the goroutines that they
// started is left, and nobody else is in its code or in the middle of anything: those for which they wait have ended,
// it seems without Done. A timer's function may still call it. Main starts all sorts of things, which know nothing of
// another package's WaitGroup. Forms that count stacks show no starters: there nobody may be in the package, and
// several that wait may wait for what another caller has begun.
func (s *view) childless(w *actor) verdict {
	if w.b.Class != stackparse.ClassWaitGroup || !s.lasts(w) || w.role != nil || w.class != frame.ClassOwn ||
		w.inMain() || !s.d.Counted() && !s.parentsKnown(w) {
		return verdict{}
	}
	from := s.originOf(w)
	started := func(a *actor) bool {
		return s.started(&from, a) || slices.ContainsFunc(a.b.Goroutines, func(g stackparse.Goroutine) bool {
			return from.ids[g.Parent]
		})
	}
	group := symbol.PackageOf(w.b.Frames[w.site].Func)
	works := func(a *actor) bool {
		return s.goesOn(a, w) && (group == "main" || !s.onlyMain(a))
	}
	if s.d.Counted() && (group == "main" || w.b.Count > 1) || !s.d.Counted() && s.anyIn(w, started) ||
		s.besides(w) || s.anyIn(w, works) {
		return verdict{}
	}
	return guilty().but(true, doneByTimer).with(account.Values{"group": group}, "lone")
}

// onlyMain reports whether no code of the program but package main's is on a stack.
func (s *view) onlyMain(a *actor) bool {
	return a.own && !slices.ContainsFunc(s.ownPackages(a.b.Frames), func(pkg string) bool { return pkg != "main" })
}

// someoneLeft reports whether a goroutine may still call Done: one that comes from a function on the stack of who
// waits, one in the library that waits, or, where the program's own code waits, anyone at all; and, while no minutes
// show how long it waits, one that moves.
func (s *view) someoneLeft(w *actor) bool {
	from := s.originOf(w)
	for i := range s.actors {
		a := &s.actors[i]
		// The reads of a connection that net/http starts call no Done, nor does who waits in the same place.
		if a == w || !a.own && !a.foreign || s.sameSite(a, w) && a.b.Active == 0 {
			continue
		}
		for k := range a.b.Goroutines {
			if from.ids[a.b.Goroutines[k].Parent] {
				return true
			}
		}
		if s.started(&from, a) {
			return true
		}
	}
	switch w.class {
	case frame.ClassRuntime, frame.ClassStdlib:
		return true // it waits for goroutines of its own
	case frame.ClassOwn:
		// A timer may call Done (time.AfterFunc), which no stack shows.
		if !w.inMain() || s.anyIn(w, func(a *actor) bool { return a.own || a.foreign }) {
			return true
		}
	default:
		for _, module := range s.librariesOf(w) {
			if s.anyIn(w, func(a *actor) bool { return !s.sameSite(a, w) && s.inModule(a, module) }) {
				return true
			}
		}
		if w.b.Count >= manyWaiters {
			return false // the first of a crowd would have been let go long ago
		}
	}
	return s.ageOf(w) != sure && s.moverBeside(w)
}
