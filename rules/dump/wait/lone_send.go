package wait

import (
	"maps"
	"slices"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// sendWithoutReader is send-without-reader (TR443).
//
// Two shapes of it are certain enough for few goroutines. The program calls a library that hands something to a
// goroutine of its own, and nobody else is in that library: a second Stop, a reader that left. Or the program itself
// sends, in main or in a method that stops something, and nobody is left who moves. Other senders of the program
// (generators, pools at their limit, semaphores) wait like that in good health.
func sendWithoutReader() *rules.Rule {
	const name = "send-without-reader"
	return waitRule("TR443", name, rules.Deadlock, rules.High, actorRun(name, func(s *view, w *actor) verdict {
		if v := fullOfOwn(s, w); v.guilty {
			return v
		}
		if w.b.Class != stackparse.ClassChanSend || w.b.Active > 0 || w.site < 0 || !w.own || w.root < 0 ||
			w.role != nil || inGroup(w) {
			return verdict{}
		}
		return s.judgeSend(w)
	}, stackparse.ClassChanSend, stackparse.ClassSelect))
}

// judgeSend decides whether a send of the program's, or of a library that it calls, has lost its reader.
func (s *view) judgeSend(w *actor) verdict {
	age := s.ageOf(w)
	if age == young {
		return verdict{}
	}
	fn := w.b.Frames[w.site].Func
	v := s.surest(w).with(account.Values{})
	switch w.class {
	case frame.ClassOwn:
		typ := s.typeOf(fn)
		switch {
		case s.begins(fn, sectionNames[:]) && s.deserted(w) && s.slotsLost(w):
			v = v.but(w.b.MaxMinutes < forgottenMinutes, slotBack).but(s.mayMove(w), workerGoesOn)
			v.values["who"] = "No other goroutine is past that call"
			return v
		case typ != "" && w.b.Count >= manyHandingIn && w.root > w.site && s.loopGone(w) && !s.mayMove(w) &&
			w.b.MaxMinutes < staleMinutes: // what waits for longer is channel-send-leak
			v = v.but(age != sure, timerToCome)
			v.values["who"] = "Only goroutines that also send are in " + s.name(fn).Package + " or were started " +
				"there, and nobody else makes progress"
			return v
		case s.moverBeside(w), s.otherIn(w, func(a *actor) bool { return s.ofType(a, typ) }):
			return verdict{}
		case s.stops(fn):
			v.cases = []string{"stop"}
		case !w.inMain():
			return verdict{}
		default:
			v = v.but(age != sure, timerToCome)
		}
		v.values["who"] = "No other goroutine of the program makes progress"
	case frame.ClassStdlib, frame.ClassRuntime:
		return verdict{}
	default:
		return s.judgeSendToLibrary(w, v)
	}
	return v
}

// judgeSendToLibrary decides whether what a library would receive from the program has nobody left who does.
func (s *view) judgeSendToLibrary(w *actor, v verdict) verdict {
	age, pkg := s.ageOf(w), symbol.PackageOf(w.b.Frames[w.site].Func)
	if takers := s.askForMore(w); len(takers) > 0 && !s.moverBeside(w, takers...) {
		v.values["taker"] = rules.PlaceText(rules.PlaceOf(takers[0].b.Frames[takers[0].site].Frame))
		v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, takers[0].b, "")}
		return v.also("beside")
	}
	alone := !s.hasCompany(w)
	if !alone && !s.leftToKeepers(w) || age == unknown && s.moverBeside(w) || age == sure && s.slowBeside(w) {
		return verdict{}
	}
	v.values["who"] = "No other goroutine is in " + pkg + " or was started there"
	if !alone {
		v.values["who"] = "All that is left of " + pkg + " looks after idle things, judging by its name"
		return v
	}
	// One that sleeps between two may take it, while the last in a row waits on.
	fn := w.b.Frames[w.site].Func
	handsIn := !s.stops(fn) && (w.b.Count > 1 || s.begins(fn, putNames[:]) || s.begins(fn, sectionNames[:]))
	return v.but(handsIn && age != sure, timerToCome).but(handsIn && w.b.Count > 1 && s.moverBeside(w), workerGoesOn)
}

// manyHandingIn is how many goroutines must wait to send in one call, in a package where nobody receives. Chosen: as
// many as wait for one channel for minutes before that is a finding.
const manyHandingIn = 10

// loopGone reports whether nobody else is in the package of the program in which goroutines wait to send, or was
// started there, but for others who wait to send, and main while it waits for a signal elsewhere: no loop is left
// that takes what they send.
func (s *view) loopGone(w *actor) bool {
	pkg := s.name(w.b.Frames[w.site].Func).Package
	return len(w.b.Goroutines) > 0 && pkg != "main" && !s.anyIn(w, func(a *actor) bool {
		return s.inPackage(a, pkg) && (a.b.Class != stackparse.ClassChanSend || a.b.Active > 0) &&
			!a.b.ForLock() && !(a.inMain() && s.aside(a, w))
	})
}

// sectionNames are how the names of methods begin that take a slot: what they send stays in the channel until who holds
// the slot gives it back. Other senders may have a reader that comes by at every tick.
var sectionNames = [...]string{"acquire", "enter", "lock", "reserve", "take", "borrow", "checkout", "lease", "admit",
	"grab"}

// deserted reports whether nobody else is in the code of the program in which a goroutine waits, or was started there:
// its package, and its type, which package main needs for that.
func (s *view) deserted(w *actor) bool {
	site := w.b.Frames[w.site].Func
	if s.typeOf(site) == "" && s.name(site).Package == "main" {
		return false
	}
	return !s.besides(w)
}

// slotsLost reports whether nobody seems to have the slots for which goroutines wait: nobody is in the middle of
// anything, or many wait, and nobody is in the code that they came through.
func (s *view) slotsLost(w *actor) bool {
	if !s.mayMove(w) {
		return s.ageOf(w) == sure || w.b.Count > 1 && len(w.b.Goroutines) > 0
	}
	return w.b.Count >= manyHandingIn && w.root > w.site && !s.servedBeside(w)
}

// slowBeside reports whether a goroutine that the program began is as late as the send, and waits for what comes from
// outside: it may be a slow reader. Those that have moved since would have come round.
func (s *view) slowBeside(w *actor) bool {
	for i := range s.actors {
		a := &s.actors[i]
		if a != w && a.own && a.move == moves && !s.sameSite(a, w) && a.role == nil && s.ageOf(a) == sure {
			return true
		}
	}
	return false
}

// librariesOf are the modules between a wait and the program's code that asked for it.
func (s *view) librariesOf(w *actor) []string {
	var all []string
	for i := w.site; i < len(w.b.Frames); i++ {
		f := &w.b.Frames[i]
		switch s.d.Program.Class(f.Frame) {
		case frame.ClassOwn:
			return all
		case frame.ClassDependency, frame.ClassVendored, frame.ClassUnknown:
			if m := moduleOf(&f.Frame); len(all) == 0 || all[len(all)-1] != m {
				all = append(all, m)
			}
		}
	}
	return all
}

// otherIn is anyIn without those who wait for the same, or for a lock: they cannot end the wait.
func (s *view) otherIn(w *actor, is func(*actor) bool) bool {
	return s.anyIn(w, func(a *actor) bool { return !s.sameSite(a, w) && !a.b.ForLock() && is(a) })
}

// anyIn reports whether a goroutine of another bucket than w satisfies a condition.
func (s *view) anyIn(w *actor, is func(*actor) bool) bool {
	for i := range s.actors {
		if a := &s.actors[i]; a != w && is(a) {
			return true
		}
	}
	return false
}

// besides reports whether another goroutine is in the code in which a goroutine waits, or was started there: its
// type's, or its package's, which is too much of a program where it is main.
func (s *view) besides(w *actor) bool {
	site := w.b.Frames[w.site].Func
	typ, pkg := s.typeOf(site), s.name(site).Package
	return s.otherIn(w, func(a *actor) bool {
		return (s.ofType(a, typ) || pkg != "main" && s.inPackage(a, pkg)) && !(a.inMain() && s.aside(a, w))
	})
}

// hasCompany reports whether another goroutine is in one of the libraries through which a goroutine waits, or was
// started there; or the goroutine is the library's own, which called the program back.
func (s *view) hasCompany(w *actor) bool {
	root := moduleOf(&w.b.Frames[w.root].Frame)
	return slices.ContainsFunc(s.librariesOf(w), func(module string) bool {
		return module == root || s.otherIn(w, func(a *actor) bool { return s.inModule(a, module) })
	})
}

// finding writes a verdict about the goroutines of a bucket up.
func (s *view) finding(rule string, w *actor, v verdict) rules.Finding {
	bl := rules.BlameBucket(s.d, w.b)
	if v.at > 0 {
		bl.Index, bl.Culprit = v.at, rules.PlaceOf(w.b.Frames[v.at].Frame)
	}
	values := account.Values{"in": rules.PlaceText(bl.Culprit),
		"waits": account.Who(w.b.Count, w.b) + " " + waitVerb(w.b.Count, w.b.MaxMinutes),
		"span":  spanOf(w.b.Count, w.b.MaxMinutes), "count": phrase.CountGoroutines(w.b.Count)}
	maps.Copy(values, v.values)
	waits := parsed.Waits(s.d)
	v = v.but(waits != nil && waits.Part, partOfDump)
	facts := account.Facts{Cases: v.cases, Values: values, Target: s.d.StepTarget(), Doubt: v.doubt}
	facts.OfLibrary(bl)
	text := findings().Account(rule, facts)
	if text.Next == nil {
		text.Next = nextAt("locks", s.d, false, w.b, bl.Index)
	}
	return rules.Finding{
		Category: v.category, Severity: v.severity, Confidence: v.confidence(), Against: text.Against,
		Title:   waitTitle(bl.Culprit, text.Act),
		Culprit: bl.Culprit, Path: bl.Path, Creator: bl.Creator, Count: w.b.Count,
		Why: text.Why, Fix: text.Fix, Next: text.Next,
		Evidence: append([]rules.Evidence{rules.EvidenceOf(s.d, w.b, "")}, v.evidence...),
	}
}

// fullOfOwn is the part of send-without-reader (TR443) about loops that wait for room in what they take from: each came
// from a method of a type, called a task, and that waits in another method of the type, as callers from outside do,
// while none of the type's goroutines takes anything. Without such callers all of the type's goroutines must be there.
func fullOfOwn(s *view, w *actor) verdict {
	sends := w.b.Class == stackparse.ClassChanSend || w.b.Class == stackparse.ClassSelect
	if !sends || !s.lasts(w) || !w.own || inGroup(w) {
		return verdict{}
	}
	typ := s.loopType(w)
	fn := w.b.Frames[w.site].Func
	if typ == "" || s.typeOf(fn) != typ || s.name(fn).Closure != "" || !s.callsTask(w, typ) {
		return verdict{}
	}
	callers, elsewhere, ok := s.inQueueOf(w, typ)
	if !ok {
		return verdict{}
	}
	alone := callers == 0 && (elsewhere || w.b.Class != stackparse.ClassChanSend || s.otherObject(w, w.site))
	if alone || s.mayMove(w) {
		return verdict{}
	}
	v := guilty()
	v.at = s.taskOf(w, typ)
	loop := symbol.ShortFunc(rules.PlainName(w.b.Frames[w.root].Func))
	others := "No"
	if callers > 0 {
		others = waitsVerb(callers) + " there as well, and no"
	}
	return v.with(account.Values{"loop": loop, "site": rules.PlaceText(rules.PlaceOf(w.b.Frames[w.site].Frame)),
		"callers": others}, "full")
}

// inQueueOf counts the callers that wait for room in the queue of a type where a loop of the type, w, does too;
// elsewhere reports that another loop of the type waits to send something else. ok is false where anyone may take.
func (s *view) inQueueOf(w *actor, typ string) (callers int, elsewhere, ok bool) {
	for i := range s.actors {
		a := &s.actors[i]
		switch {
		case a == w || !s.worksInType(a, typ):
			continue
		case a.b.Active > 0 || s.ageOf(a) == young || !s.mayBeOne(w, a, typ):
			return 0, false, false
		case s.sameSite(a, w):
			if s.loopType(a) != typ {
				callers += a.b.Count
			}
		case a.b.Class != stackparse.ClassChanSend:
			return 0, false, false
		case s.loopType(a) == typ:
			elsewhere = true // it comes back when what it waits for goes on
		}
	}
	return callers, elsewhere, true
}

// taskOf is the innermost call of the program's between a loop of a type and the method of it in which it waits; 0 for
// none.
func (s *view) taskOf(w *actor, typ string) int {
	for i := w.site + 1; i < w.root; i++ {
		f := &w.b.Frames[i]
		if f.Elided == 0 && s.typeOf(f.Func) != typ && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			return i
		}
	}
	return 0
}

// callsTask reports whether a loop of a type has called code of the program that is none of the type's.
func (s *view) callsTask(w *actor, typ string) bool { return s.taskOf(w, typ) > 0 }

// sendersOfPackage are the goroutines of a counted dump that wait to send in the package in which w waits for a
// WaitGroup, if nobody else is in that package, and nobody of the program is in the middle of anything: such a form
// shows no parents. nil otherwise.
func (s *view) sendersOfPackage(w *actor) []*actor {
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

// keeperWords are words in the names of loops that look after an object's idle parts. They take nothing from callers.
var keeperWords = [...]string{"purge", "clean", "evict", "janitor", "sweep", "expire", "reap", "monitor", "prune",
	"tidy", "heartbeat", "keepalive"}

// isKeeper reports whether goroutines of a library wait for the next tick of a loop that only looks after things.
func (s *view) isKeeper(a *actor) bool {
	return a.b.Active == 0 && !a.own && a.site >= 0 && a.root >= 0 && a.move == still &&
		s.idles(a) && s.named(a.b.Frames[a.root].Func, keeperWords[:])
}

// leftToKeepers reports whether all that is left of the library in which a goroutine waits to hand something in are
// loops that look after things, and others who wait to hand in: what would take it has ended.
func (s *view) leftToKeepers(w *actor) bool {
	call := s.ownCall(w) - 1
	if call < w.site || s.typeOf(w.b.Frames[call].Func) == "" || s.begins(w.b.Frames[call].Func, sectionNames[:]) ||
		moduleOf(&w.b.Frames[w.root].Frame) == w.module || s.isQueue(w.b.Frames[call].Func) || s.tickerNear(w, false) {
		return false
	}
	return !slices.ContainsFunc(s.librariesOf(w), func(module string) bool {
		return s.otherIn(w, func(a *actor) bool { return s.inModule(a, module) && !s.isKeeper(a) })
	})
}
