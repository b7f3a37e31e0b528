package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// bothSides finds objects that are passed things through, where those who put in and those who take out wait for a
// signal at once: it is full and empty. A receiver of both must be printed and equal, of a crowd one of those that the
// dump prints: stages of a pipeline wait like that for each other's queues.
func bothSides(s *scene) []rules.Finding {
	var found []rules.Finding
	for i := range s.actors {
		putter := &s.actors[i]
		if !s.waitsForSignal(putter, putNames[:]) {
			continue
		}
		for k := range s.actors {
			if taker := &s.actors[k]; s.waitsForSignal(taker, takeNames[:]) && s.meet(putter, taker) {
				found = append(found, s.bothSidesFinding(putter, taker))
				break
			}
		}
	}
	return found
}

// putNames and takeNames are how the names of methods begin that put into and take out of a bounded object.
var (
	putNames = [...]string{"put", "push", "send", "write", "add", "enqueue", "submit", "offer", "publish", "append",
		"insert", "produce"}
	takeNames = [...]string{"take", "pop", "get", "read", "next", "recv", "receive", "dequeue", "poll", "consume",
		"fetch", "pull", "shift"}
)

// waitsForSignal reports whether goroutines wait for a sync.Cond in a method whose name begins so.
func (s *scene) waitsForSignal(a *actor, names []string) bool {
	if a.b.Class != stackparse.ClassCond || !unsignalled(a.b) || a.b.Active > 0 || a.site < 0 ||
		s.ageOf(a) == young || !a.own && !a.foreign {
		return false
	}
	fn := a.b.Frames[a.site].Func
	return s.typeOf(fn) != "" && s.begins(fn, names)
}

// unsignalled reports whether goroutines are in the part of Wait before the signal: behind it they wait for the lock.
func unsignalled(b *stackparse.Bucket) bool { return hasFunction(b, "sync.runtime_notifyListWait") }

// meet reports whether goroutines of two buckets are known to wait on one object, on which nobody else works.
func (s *scene) meet(a, b *actor) bool {
	typ := s.typeOf(a.b.Frames[a.site].Func)
	if s.typeOf(b.b.Frames[b.site].Func) != typ {
		return false
	}
	first, _ := s.receivers(a, typ)
	second, _ := s.receivers(b, typ)
	if !slices.ContainsFunc(first, func(r uint64) bool { return slices.Contains(second, r) }) {
		return false
	}
	return !s.anyIn(a, func(o *actor) bool { // who was woken waits for the lock of the Cond first
		waits := unsignalled(o.b) && o.b.Active == 0 && (s.sameSite(o, a) || s.sameSite(o, b))
		return !waits && s.worksInType(o, typ)
	})
}

// worksInType reports whether goroutines are in a method of a type now: who was only started there may be anywhere.
func (s *scene) worksInType(a *actor, typ string) bool {
	return slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
		return f.Elided == 0 && s.typeOf(f.Func) == typ
	})
}

func (s *scene) bothSidesFinding(putter, taker *actor) rules.Finding {
	v := medium().with(account.Values{
		"all":   waitsVerb(taker.b.Count),
		"there": symbol.ShortFunc(taker.b.Frames[taker.site].Func),
	}, "both sides")
	if s.ageOf(putter) == sure && s.ageOf(taker) == sure {
		v.severity = rules.High
	}
	v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, taker.b, "")}
	return s.finding("cond-missed-signal", putter, v)
}

// askForMore is the part of send-without-reader (TR443) about a library's object that has both ends: one goroutine of
// the program waits in a method of it to hand something in, and another one waits in a method of the same object to
// get something out. If both were about one channel neither would wait. So the send is to one who has gone: a listener
// that gave up, a slot that was handed to nobody. The result are the goroutines that wait to get something out, if
// nobody else is in the library, and nil else.
//
// A queue of the library's with a goroutine of its own between its ends has that goroutine in the library. Where
// receivers are not printed, those who get something out must have come after the send began to wait, and there must
// be one sender alone: of several in a row one may have been served meanwhile.
func (s *scene) askForMore(w *actor) (takers []*actor) {
	site := w.b.Frames[w.site].Func
	typ := s.typeOf(site)
	if typ == "" || w.root <= w.site || len(w.b.Goroutines) == 0 || s.d.Truncated.Head || s.d.Truncated.Tail {
		return nil
	}
	for i := range s.actors {
		a := &s.actors[i]
		if a == w || s.sameSite(a, w) || !s.inModule(a, w.module) {
			continue
		}
		if !s.getsOut(a, typ) || s.enclosing(a.b.Frames[a.site].Func) == s.enclosing(site) ||
			!s.oneOf(w, a) && (s.ageOf(w) != sure || s.ageOf(a) != young || w.b.Count > 1) {
			return nil
		}
		takers = append(takers, a)
	}
	return takers
}

// getsOut reports whether goroutines of the program wait to receive in a method of a type that they called.
func (s *scene) getsOut(a *actor, typ string) bool {
	return (a.b.Class == stackparse.ClassChanReceive || a.b.Class == stackparse.ClassSelect) && a.b.Active == 0 &&
		a.own && a.site >= 0 && a.root > a.site && s.typeOf(a.b.Frames[a.site].Func) == typ
}

// oneOf reports whether all goroutines of w have on their stacks the word that is the receiver of those of a.
func (s *scene) oneOf(w, a *actor) bool {
	object, known := receiverOf(a.b, 0, a.site)
	if !known || len(w.b.Samples) == 0 {
		return false
	}
	for i := range w.b.Samples {
		has := false
		for _, word := range w.b.Samples[i].Words {
			has = has || word.Value() == object
		}
		if !has {
			return false
		}
	}
	return true
}

// judgeEndOfWaiters judges a goroutine of the program that called a library's method which ends an object, and waits
// there while all others of the library wait as well, for others of the process: what it waits for cannot come from
// them. Before a minute has passed one of them may be about to look, where it waits for several things at once, a tick
// perhaps; and in forms that only count goroutines one may have been woken. After a minute other methods that do
// something and return count too, if nobody of the program moves.
func (s *scene) judgeEndOfWaiters(w *actor) verdict {
	if !w.own || w.site < 0 || w.root <= w.site || w.b.Active > 0 || w.role != nil && !w.inMain() ||
		s.d.Truncated.Head || s.d.Truncated.Tail {
		return verdict{}
	}
	ending, doing := s.inCallOfLibrary(w)
	late := s.ageOf(w) == sure
	if !late || w.b.Class == stackparse.ClassChanSend { // which send-without-reader judges
		doing = false
	}
	if !ending && !doing {
		return verdict{}
	}
	company, looks, ok := s.waitsToo(w)
	switch {
	case !ok, ending && len(company) == 0, late && ending && s.slowBeside(w):
		return verdict{}
	case slices.ContainsFunc(company, s.isStuckLoop), s.lockedOut(w) != nil: // what others find says more
		return verdict{}
	case !late && s.moverBeside(w, append(company, s.mains()...)...), !ending && s.moverBeside(w, company...):
		return verdict{}
	}
	v, n := medium(), 0
	// A call that does something may be a loop of its own, which a request to come will wake. What has no age beside
	// one that has waited for minutes has moved in between.
	moved := slices.ContainsFunc(company, func(a *actor) bool { return late && s.ageOf(a) == young })
	switch {
	case !ending:
		v = s.judgeStuckCall(w, company, moved)
	case looks && !late || moved:
		v = low()
	}
	v.confidence = rules.ConfLow
	for _, a := range company {
		n += a.b.Count
	}
	if len(company) > 0 {
		v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, company[0].b, "")}
	}
	v = v.with(account.Values{"others": phrase.CountGoroutines(n), "wait": verb(n, "waits", "wait")}, "company")
	if !ending {
		v.cases = []string{"doing"}
	}
	return v
}

// isStuckLoop reports whether loop-stuck has a finding about goroutines.
func (s *scene) isStuckLoop(a *actor) bool {
	switch {
	case a.site < 0 || a.root < 0 || a.role != nil || inGroup(a):
		return false
	case a.b.Class == stackparse.ClassChanReceive:
		return s.judgeLoopReceive(a, s.isSure).severity != ""
	case a.b.Class == stackparse.ClassChanSend:
		return s.judgeLoopSend(a).severity != ""
	}
	return false
}

// waitsToo are the goroutines of a library besides one that waits in it; looks reports that one of them may look at
// something else soon. It is not ok where one of them goes on, or is in code of the program.
func (s *scene) waitsToo(w *actor) (company []*actor, looks, ok bool) {
	for i := range s.actors {
		a := &s.actors[i]
		if a == w || s.sameSite(a, w) || !s.inModule(a, w.module) {
			continue
		}
		if a.b.Active > 0 || a.move == moves || a.module != w.module {
			return nil, false, false
		}
		looks = looks || a.b.Class == stackparse.ClassSelect ||
			s.d.Counted() && a.b.Class == stackparse.ClassChanReceive
		company = append(company, a)
	}
	return company, looks, true
}

// inCallOfLibrary reports whether a goroutine waits in a library: in a method which ends something, or that such a
// function of the program asked to wait for the end; or in a method that the program called to do something.
func (s *scene) inCallOfLibrary(w *actor) (ending, doing bool) {
	switch w.class {
	case frame.ClassDependency, frame.ClassVendored, frame.ClassUnknown:
	default:
		return false, false
	}
	i := w.site
	for ; i < w.root && s.d.Program.Class(w.b.Frames[i].Frame) != frame.ClassOwn; i++ {
		ending = ending || s.isStop(w.b.Frames[i].Func)
	}
	ending = ending || s.begins(w.b.Frames[w.site].Func, joinNames[:]) && s.isStop(w.b.Frames[i].Func)
	return ending, i > w.site && s.begins(w.b.Frames[i-1].Func, doingNames[:])
}

// doingNames are how the names of methods begin that do something and return: what they wait for is at hand. Those that
// get something, or run for as long as an object lives, wait for what is to come.
var doingNames = [...]string{"flush", "publish", "emit", "dispatch", "notify", "broadcast", "commit", "set", "add",
	"remove", "delete", "register", "update", "insert", "submit", "reset", "sync", "save", "store", "begin", "put",
	"push", "enqueue", "send", "call", "exec", "ping", "query", "pause", "resume", "restart", "reload", "refresh",
	"open", "write", "append"}

// lockedOut are those who could call Done for a goroutine that waits for a WaitGroup in a method, if all of them wait
// for a lock in methods of the same type and nobody else is there who could hold it: the one who waits does. Those who
// could are in its library or come from there; where the program has written it, of its type.
func (s *scene) lockedOut(w *actor) []*actor {
	typ := s.typeOf(w.b.Frames[w.site].Func)
	if typ == "" || w.b.Count > 1 || w.class == frame.ClassStdlib || s.d.Truncated.Head || s.d.Truncated.Tail ||
		w.class == frame.ClassOwn && s.mayMove(w) { // the program may lock elsewhere than in methods
		return nil
	}
	from := s.originOf(w)
	var behind []*actor
	for i := range s.actors {
		a := &s.actors[i]
		near := s.ofType(a, typ) || w.class != frame.ClassOwn && s.inModule(a, w.module) ||
			s.started(&from, a) && !w.inMain()
		if a == w || !near {
			continue
		}
		if !a.b.ForLock() || a.b.Active > 0 || a.site < 0 || s.typeOf(a.b.Frames[a.site].Func) != typ ||
			!s.mayBeOne(w, a, typ) {
			if a.move == still && !s.worksInType(a, typ) {
				continue // another object of the library, at rest
			}
			return nil
		}
		behind = append(behind, a)
	}
	// One of them at least is a goroutine of the object's, not a caller.
	if !slices.ContainsFunc(behind, func(a *actor) bool { return s.loopType(a) == typ }) {
		return nil
	}
	return behind
}

// judgeStuckCall judges a goroutine of the program that has waited for minutes in a method of a library which does
// something and returns. judgeEndOfWaiters has seen that nobody of the library or of the program moves. What remains
// are calls that a program makes to run a loop, and queues whose taker comes from outside, which their names show. The
// object itself must have goroutines, all of which wait for work, so that none is about to serve the call. One that has
// moved meanwhile would have served a caller who is the only one.
func (s *scene) judgeStuckCall(w *actor, company []*actor, moved bool) verdict {
	call := s.ownCall(w) - 1
	if call < w.site || s.d.Program.Class(w.b.Frames[call].Frame) == frame.ClassOwn {
		return low()
	}
	fn := w.b.Frames[call].Func
	typ := s.typeOf(fn)
	served := slices.ContainsFunc(company, func(a *actor) bool {
		return s.loopType(a) == typ && s.restsInModule(a, w.module) && s.mayBeOne(w, a, typ)
	})
	alone := w.b.Count == 1 && !s.anyIn(w, func(a *actor) bool { return s.sameSite(a, w) })
	if typ == "" || !served || moved && !alone || !s.begins(fn, returningNames[:]) || s.isQueue(fn) ||
		waitsToStop(s.name(fn).Func) || s.tickerNear(w) {
		return low()
	}
	return medium()
}

// tickerNear reports whether a goroutine of the program other than main waits for work or for a tick, and has to do
// with the code of w: at its next tick it may take what w hands in.
func (s *scene) tickerNear(w *actor) bool {
	return s.anyIn(w, func(a *actor) bool {
		return a.move == paced && !a.inMain() && !s.sameSite(a, w) && !s.aside(a, w)
	})
}

// returningNames are how the names of methods begin that change something and return. Nobody calls them to wait, as in
// Sync, Notify or Register, which some libraries run for as long as an object lives.
var returningNames = [...]string{"put", "set", "add", "insert", "update", "delete", "remove", "commit", "write",
	"submit", "begin", "open", "save", "store", "append", "flush"}

// isQueue reports whether a method is of what others take from, which may be far away: a queue, as its name shows; or
// of a type that is named after the method, as a Pusher that pushes as long as it lives.
func (s *scene) isQueue(fn string) bool {
	n := s.name(fn)
	receiver, verb := strings.ToLower(strings.TrimPrefix(n.Receiver, "*")), strings.ToLower(n.Func)
	return strings.HasPrefix(receiver, verb) ||
		s.typeNamed(fn, queueWords[:])
}

var queueWords = [...]string{"queue", "buffer", "mailbox", "pipe", "topic", "chan", "stream", "batch"}

// judgeSelectInCall is judgeEndOfWaiters for selects, which may have a way out of their own: only of calls that change
// something and return.
func (s *scene) judgeSelectInCall(w *actor) verdict {
	if w.site < 0 || w.root < 0 || s.ageOf(w) != sure {
		return verdict{}
	}
	if ending, doing := s.inCallOfLibrary(w); ending || !doing {
		return verdict{}
	}
	if v := s.judgeEndOfWaiters(w); v.severity == rules.Medium {
		return v
	}
	return verdict{}
}
