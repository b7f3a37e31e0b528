package wait

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// loopCalledOut finds callbacks that wait for another goroutine of the program, below a method of an object whose own
// goroutine waits to send: what would receive from it is the method, which comes back when the callback returns. An
// elector whose callback waits for the loss of the lease is one, an informer whose handler fills a queue another.
func loopCalledOut(s *scene) []rules.Finding {
	var found []rules.Finding
	for i := range s.actors {
		c := &s.actors[i]
		waits := c.b.Class == stackparse.ClassChanSend || c.b.Class == stackparse.ClassChanReceive
		if !waits || c.class != frame.ClassOwn || c.b.Active > 0 || c.site < 0 || s.ageOf(c) == young {
			continue
		}
		for k := range s.actors {
			l := &s.actors[k]
			at := s.calledOut(c, l)
			if at < 0 {
				continue
			}
			v := s.judgeCalledOut(c, l)
			if v.severity == "" {
				continue
			}
			v.values = account.Values{"role": symbol.ShortFunc(rules.PlainName(c.b.Frames[at].Func)),
				"wait": string(c.b.Class), "effect": "nothing is received from " +
					rules.PlaceText(rules.BlameBucket(s.d, l.b).Culprit) + ", which waits to send"}
			v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, l.b, "")}
			found = append(found, s.finding("callback-blocked", c, v))
			break
		}
	}
	return found
}

// judgeCalledOut looks for others who may end the wait of a callback, or receive from the loop.
func (s *scene) judgeCalledOut(c, l *actor) verdict {
	typ := s.loopType(l)
	inType := func(a *actor) bool { return a != l && a.move != still && s.worksInType(a, typ) }
	if s.anyIn(c, inType) {
		return verdict{}
	}
	crews := s.crews()
	if !s.moverBeside(c, append(crews, l)...) {
		if s.ageOf(c) != sure && c.b.Class == stackparse.ClassChanReceive {
			return low() // of a timer perhaps: a handler that lets time pass before it tries again
		}
		return s.surest(c)
	}
	// What has waited for as long as the callback was no help in that time. A rarer tick would refute it.
	late := append(s.asLate(c), crews...)
	if s.ageOf(c) != sure || s.moverBeside(c, append(late, l)...) {
		return verdict{}
	}
	v := medium()
	v.confidence = rules.ConfLow
	return v
}

// manyInCrew is how many goroutines in one receive share a queue most likely: each of them would need a ticker of its
// own to go on by itself. Chosen.
const manyInCrew = 3

// crews are the goroutines that wait in numbers in one receive of a function that they began with: for work, or for
// others to be ready. In a form that only counts them one may have been woken.
func (s *scene) crews() (all []*actor) {
	for i := range s.actors {
		a := &s.actors[i]
		if a.b.Class == stackparse.ClassChanReceive && a.b.Count >= manyInCrew && len(a.b.Goroutines) > 0 &&
			a.b.Active == 0 && s.idles(a) {
			all = append(all, a)
		}
	}
	return all
}

// asLate are the goroutines that wait for work since before w waits.
func (s *scene) asLate(w *actor) (all []*actor) {
	lately := func(g stackparse.Goroutine) bool { return g.Minutes < w.b.MaxMinutes }
	for i := range s.actors {
		a := &s.actors[i]
		if a != w && a.move == paced && s.idles(a) && len(a.b.Goroutines) > 0 &&
			!slices.ContainsFunc(a.b.Goroutines, lately) {
			all = append(all, a)
		}
	}
	return all
}

// withCallbacks lets a rule report callbacks that wait while others wait for the goroutine that called them.
func withCallbacks(r *rules.Rule) *rules.Rule {
	r.Run = joined(r.Run, sceneRun(loopCalledOut, stackparse.ClassChanSend))
	return r
}

// asksItself reports whether the loop of a library's object called the program back, which called a method of the same
// type that waits for an answer, of the other side of a connection for example: what brings answers is a loop of the
// object, and this one waits. sure reports that both are known to be of one object. Otherwise they may be the two sides
// of a proxy: then none of the goroutines that run this loop may be reading.
func (s *scene) asksItself(w *actor) (sure, ok bool) {
	switch w.b.Class {
	case stackparse.ClassChanReceive, stackparse.ClassSelect, stackparse.ClassCond:
	default:
		return false, false
	}
	typ := s.loopType(w)
	if typ == "" || !w.own || w.site < 0 || w.b.Active > 0 || s.d.Truncated.Head || s.d.Truncated.Tail ||
		!s.calledBack(w) {
		return false, false
	}
	call := s.askedIn(w, typ)
	if call < 0 {
		return false, false
	}
	same, differ := s.objectOf(w, call)
	vain := s.anyIn(w, func(a *actor) bool { return s.asksToo(a, w) })
	return same, !differ && !s.answersBeside(w, typ, same, vain) && (same || !s.anyIn(w, func(a *actor) bool {
		return s.goesOn(a, w) && !(vain && a.inMain())
	}))
}

// askedIn is the call of a type's method in which a callback of the type's loop waits: any that receives, as that may
// only be an answer, or the one that the program made, if its name states that it asks for something; -1 for none.
func (s *scene) askedIn(w *actor, typ string) int {
	site, call := w.b.Frames[w.site].Func, s.ownCall(w)-1
	switch {
	case w.b.Class == stackparse.ClassChanReceive && s.typeOf(site) == typ && s.name(site).Closure == "":
		return w.site
	case call >= w.site && s.typeOf(w.b.Frames[call].Func) == typ && s.begins(w.b.Frames[call].Func, askingNames[:]):
		return call
	}
	return -1
}

// askingNames are how the names of methods begin that ask the other side of a connection and wait for its answer.
var askingNames = [...]string{"call", "request", "invoke", "ask", "do", "exec", "query", "roundtrip", "send", "publish",
	"subscribe", "ping", "rpc", "command"}

// objectOf compares the object for which a loop runs with that of a call further in: the same for all goroutines of a
// bucket, or known to differ for one.
func (s *scene) objectOf(w *actor, call int) (same, differ bool) {
	same = len(w.b.Goroutines) > 0
	for j := range w.b.Goroutines {
		inner, ok := receiverOf(w.b, j, call)
		outer, also := receiverOf(w.b, j, s.loopOf(w))
		if ok && also && inner != outer {
			return false, true
		}
		same = same && ok && also
	}
	return same, false
}

// answersBeside reports whether another goroutine may read the answer that w waits for: one of the object's, where
// objects are known; otherwise any that runs the same loop and does not wait to write, nor in code that it called
// back, or any of the library that moves. Where others ask in vain too, only one that moves may, or one of the type.
func (s *scene) answersBeside(w *actor, typ string, known, vain bool) bool {
	loop := s.enclosing(w.b.Frames[s.loopOf(w)].Func)
	return s.anyIn(w, func(a *actor) bool {
		switch {
		case a.root < 0 || !s.inModule(a, w.module):
			return false
		case known && !s.mayBeOne(w, a, typ):
			return false
		case a.own: // a caller, or another callback
			return a.b.Active > 0 || a.move == moves || a.move == asks && a.module != w.module
		case s.enclosing(a.b.Frames[s.loopOf(a)].Func) == loop:
			return !s.waitsToWrite(a)
		case vain && s.loopType(a) != typ:
			return a.move != still
		}
		return a.move != still || !s.named(a.b.Frames[s.loopOf(a)].Func, writerNames[:]) &&
			!s.named(w.b.Frames[s.loopOf(w)].Func, readerNames[:])
	})
}

// asksToo reports whether goroutines of the program have called a library for the same as a callback of its loop, and
// wait as well: none of the loops that rest there answers them.
func (s *scene) asksToo(a, w *actor) bool {
	return a != w && s.sameSite(a, w) && a.own && a.b.Active == 0 && s.ageOf(a) != young && a.b.Count >= manyInCrew &&
		s.ownCall(a) == a.site+1
}

// readerNames and writerNames are words in the names of loops that read from a connection, and of those that do not.
var (
	readerNames = [...]string{"read", "recv", "receive", "listen", "serve"}
	writerNames = [...]string{"write", "send", "flush", "ping", "heartbeat", "keepalive", "timeout"}
)

// waitsToWrite reports whether goroutines wait until someone takes what they send or write.
func (s *scene) waitsToWrite(a *actor) bool {
	if a.b.Active > 0 || a.site < 0 {
		return false
	}
	return a.b.Class == stackparse.ClassChanSend || s.named(a.b.Frames[a.site].Func, []string{"write", "send"})
}

// asksWhoWaits reports whether a goroutine of a library called the program back, which waits in the library again,
// while none of the library's goroutines moves and one waits to send: what reads for all hands over to the one that
// waits, so that no answer is read. A form that only counts goroutines shows one that was answered as if it waited
// still: there several must wait to send in a row, each for the one before it.
func (s *scene) asksWhoWaits(w *actor) bool {
	if !w.own || w.site < 0 || w.root < 0 || w.b.Active > 0 || w.b.Class != stackparse.ClassChanReceive ||
		!s.calledBack(w) {
		return false
	}
	pkg, behind := s.name(w.b.Frames[w.root].Func).Package, 0
	for i := range s.actors {
		a := &s.actors[i]
		ours := a.root >= 0 && moduleOf(&a.b.Frames[a.root].Frame) == w.module
		switch {
		case a == w || !ours && !s.inPackage(a, pkg):
		case a.move != still && !(a.own && s.sameSite(a, w)):
			return false
		case ours && !a.own && a.b.Class == stackparse.ClassChanSend:
			behind++
		}
	}
	return behind >= inARow || behind > 0 && len(w.b.Goroutines) > 0
}

// inARow is how many places of a library must wait to send. Chosen: two may do so for a moment while what they send to
// is busy.
const inARow = 3

// calledBack reports whether a goroutine began in a library, went through the program's code, and waits in that library
// again.
func (s *scene) calledBack(w *actor) bool {
	if s.d.Program.Class(w.b.Frames[w.root].Frame) == frame.ClassOwn || w.class == frame.ClassStdlib ||
		w.class == frame.ClassOwn || moduleOf(&w.b.Frames[w.root].Frame) != w.module {
		return false
	}
	return slices.ContainsFunc(w.b.Frames[w.site:w.root], func(f stackparse.Frame) bool {
		return f.Elided == 0 && s.d.Program.Class(f.Frame) == frame.ClassOwn
	})
}

// judgeAnswer is the verdict about goroutines that ask whom they keep from reading.
func (s *scene) judgeAnswer(w *actor, sure bool) verdict {
	v := s.surest(w)
	if !sure {
		v.confidence = rules.ConfLow
	}
	if w.b.Class != stackparse.ClassChanReceive { // a select may be another one's, further in
		v.at = s.ownCall(w)
	}
	for i := range s.actors {
		if a := &s.actors[i]; s.asksToo(a, w) && len(v.evidence) < maxUsers {
			v.at = s.ownCall(w)
			if !sure {
				v.severity = rules.Medium
			}
			v.evidence = append(v.evidence, rules.EvidenceOf(s.d, a.b, waitsVerb(a.b.Count)+" there too"))
		}
	}
	return v.with(account.Values{"loop": rules.PlaceText(rules.PlaceOf(w.b.Frames[s.loopOf(w)].Frame))}, "answer")
}
