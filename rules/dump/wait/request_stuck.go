package wait

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// streamNames are words in the names of functions in which a request waits for hours in good health: for the next
// event that it passes on.
var streamNames = [...]string{"stream", "watch", "subscri", "listen", "event", "follow", "tail", "poll", "next", "recv",
	"receive", "pump", "relay", "proxy", "wait", "serve", "tunnel", "attach", "session", "socket", "notif", "feed",
	"live", "lease", "heartbeat", "keepalive", "read", "write", "copy", "loop", "run", "consume", "iterate", "range"}

// requestStuck is request-stuck (TR454). Proxies and clients give up after a minute or a few; the longest usual long
// poll is one of ten minutes (Consul): behind forgottenMinutes nobody waits for an answer any more. Of 54 guilty
// programs that were 26 minutes old it is about nine, of 75 healthy ones about none.
func requestStuck() *rules.Rule {
	const name = "request-stuck"
	return waitRule("TR454", name, rules.Leak, rules.Medium, actorRun(name, func(s *scene, w *actor) verdict {
		if w.b.MaxMinutes < forgottenMinutes || w.b.Active > 0 || w.site < 0 || w.root <= w.site || !w.own ||
			w.role != nil || w.class == frame.ClassStdlib || !slices.Contains(awaitingClasses, w.b.Class) ||
			!servesRequest(w.b.Frames[w.root].Func) {
			return verdict{}
		}
		return s.judgeRequest(w)
	}, awaitingClasses...))
}

// judgeRequest is the verdict about requests that have waited for long.
func (s *scene) judgeRequest(w *actor) verdict {
	v := medium()
	v.at = s.ownCall(w)
	n := waitingSince(w.b, forgottenMinutes)
	v.values = account.Values{"requests": phrase.Count(n, "request"), "verb": verb(n, "has waited", "have waited")}
	if w.b.Class == stackparse.ClassWaitGroup {
		if !s.hasNoChild(w) {
			return verdict{}
		}
		return v.also("waitgroup")
	}
	if !s.hasNoChild(w) || s.workedFor(w) {
		v = v.lowered()
	}
	awaits := s.mayStream(w) || !s.meansToReturn(w.b.Frames[w.site].Func)
	switch {
	case w.b.Class == stackparse.ClassChanSend || !awaits:
		return v
	case w.b.Class == stackparse.ClassChanReceive:
		return v.lowered()
	}
	return verdict{} // a select may have a way out of its own, and a condition may be that of an event
}

// hasNoChild reports whether none of the goroutines that some started is left; false where parents are not printed.
// What reads on from a connection is net/http's.
func (s *scene) hasNoChild(w *actor) bool {
	from := s.originOf(w)
	return s.parentsKnown(w) && !s.anyIn(w, func(a *actor) bool {
		return (a.own || a.foreign) && slices.ContainsFunc(a.b.Goroutines, func(g stackparse.Goroutine) bool {
			return from.ids[g.Parent]
		})
	})
}

// workedFor reports whether a goroutine goes on in a package of the program, or the library, that requests wait in: it
// may do what they wait for, for as long as that takes.
func (s *scene) workedFor(w *actor) bool {
	packages := s.ownPackages(w.b.Frames)
	return s.otherIn(w, func(a *actor) bool {
		return a.move == moves && !a.inMain() && slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
			return f.Elided == 0 &&
				(moduleOf(&f.Frame) == w.module || slices.Contains(packages, s.name(f.Func).Package))
		})
	})
}

// mayStream reports whether requests wait for the next event that they pass on, as a name on the way to the wait shows,
// or in the handler itself.
func (s *scene) mayStream(w *actor) bool {
	calls := 0
	for i := w.site; i < w.root; i++ {
		f := &w.b.Frames[i]
		if f.Elided != 0 || !rules.Blameable(s.d.Program.Class(f.Frame)) || s.d.Program.Framework(f.Frame) {
			continue
		}
		if calls++; s.named(f.Func, streamNames[:]) {
			return true
		}
	}
	return calls < 2
}

// meansToReturn reports whether a function does something and returns, hands something in or takes something, as its
// name shows.
func (s *scene) meansToReturn(fn string) bool {
	return s.stops(fn) || s.begins(fn, doingNames[:]) || s.begins(fn, putNames[:]) || s.begins(fn, sectionNames[:]) ||
		s.begins(fn, poolTakes[:]) || s.begins(fn, askNames[:])
}

// askNames are how the names of functions begin that answer a question.
var askNames = [...]string{"do", "ask", "fetch", "load", "find", "look", "search", "convert", "resolve", "render",
	"compute", "build", "create", "make", "list", "count", "check", "allow", "admit", "charge", "book", "order",
	"process"}
