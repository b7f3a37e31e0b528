package wait

import (
	"slices"
	"unicode"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// fewAsking is how many calls must wait for an answer before it counts that none comes: one or two may have asked
// one who answers tomorrow, such as an operator who is to confirm something. Chosen, as fewChildless.
const fewAsking = 3

// callStuck is call-stuck (TR455): what request-stuck is for requests, for calls that the program's own loops make.
// A service has goroutines that rest for hours. A call that waits for goroutines which it has started, or for the
// answer to what it has handed in, is over before others have come round many times: a quarter of an hour later nobody
// is there who could end it. Of 27 healthy programs of that age, and 2,260 captures of younger ones, none has one.
func callStuck() *rules.Rule {
	const name = "call-stuck"
	return waitRule("TR455", name, rules.Deadlock, rules.Medium, actorRun(name, func(s *scene, w *actor) verdict {
		if w.b.MaxMinutes < forgottenMinutes || w.b.Active > 0 || w.site < 0 || w.root <= w.site ||
			w.class != frame.ClassOwn || w.role != nil && !w.inMain() || s.d.Truncated.Head ||
			s.d.Truncated.Tail || w.b.Class != stackparse.ClassWaitGroup && w.b.Class != stackparse.ClassChanReceive ||
			servesRequest(w.b.Frames[w.root].Func) || !s.waitsInCall(w) || !s.deserted(w) ||
			s.anyIn(w, func(a *actor) bool { return s.goesOn(a, w) && !s.listensElsewhere(a, w) }) {
			return verdict{}
		}
		v := medium().with(account.Values{"calls": phrase.Count(w.b.Count, "call"),
			"verb": verb(w.b.Count, "waits", "wait")})
		v.confidence = rules.ConfLow
		if w.b.Class == stackparse.ClassWaitGroup {
			return v.also("waitgroup")
		}
		if w.b.Count < fewAsking {
			return v.lowered()
		}
		return v
	}, stackparse.ClassWaitGroup, stackparse.ClassChanReceive))
}

// waitsInCall reports whether goroutines wait in a call that is meant to return: for a WaitGroup in a function that is
// not named like one which lasts as long as the program, or to receive in a method that asks for something or hands it
// in. What takes work is no such method.
func (s *scene) waitsInCall(w *actor) bool {
	fn := w.b.Frames[w.site].Func
	if w.b.Class == stackparse.ClassWaitGroup {
		return !s.named(fn, lastingNames[:]) && s.name(fn).Closure == "" && (w.inMain() || !s.idles(w))
	}
	return s.typeOf(fn) != "" && s.name(fn).Closure == "" && asksOrHandsIn(s.name(fn).Func)
}

// listensElsewhere reports whether goroutines of the program have read from a connection for long that nothing comes
// from, and have no package of the program in common with those of w.
func (s *scene) listensElsewhere(a, w *actor) bool {
	return a.own && a.b.Class == stackparse.ClassIO && a.b.Active == 0 && a.b.MaxMinutes >= forgottenMinutes &&
		s.apart(a, w)
}

// lastingNames are words in the names of functions that return when the program ends, or one of its services.
var lastingNames = [...]string{"wait", "run", "serve", "loop", "listen", "main", "start", "join", "block", "work",
	"consume", "watch", "monitor", "exec", "daemon", "stop", "close", "shutdown", "done", "forever", "supervis"}

// asksOrHandsIn reports whether the first word of a method's name is one of replyNames: Set and setAll, but not settle.
func asksOrHandsIn(name string) bool {
	return slices.ContainsFunc(replyNames[:], func(word string) bool {
		if !beginsWithAny(name, []string{word}) {
			return false
		}
		rest := name[len(word):]
		return rest == "" || !unicode.IsLower(rune(rest[0]))
	})
}

// replyNames are the first words in names of methods that ask for something, or hand it in and wait for an answer. A
// loop is not named so.
var replyNames = [...]string{"call", "ask", "request", "query", "ping", "invoke", "lookup", "find", "resolve", "send",
	"submit", "set", "add", "remove", "delete", "insert", "save", "put", "push", "enqueue", "commit", "acquire", "lock",
	"reserve"}
