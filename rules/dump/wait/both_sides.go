package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// bothSides finds objects that are passed things through, where those who put in and those who take out wait for a
// signal at once: it is full and empty. A receiver of both must be printed and equal, of a crowd one of those that the
// dump prints: stages of a pipeline wait like that for each other's queues.
func bothSides(s *view) (found []rules.Finding) {
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
func (s *view) waitsForSignal(a *actor, names []string) bool {
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
func (s *view) meet(a, b *actor) bool {
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
func (s *view) worksInType(a *actor, typ string) bool {
	return slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
		return f.Elided == 0 && s.typeOf(f.Func) == typ
	})
}

func (s *view) bothSidesFinding(putter, taker *actor) rules.Finding {
	v := guilty().with(account.Values{
		"all":   waitsVerb(taker.b.Count),
		"there": symbol.ShortFunc(taker.b.Frames[taker.site].Func),
	}, "both sides")
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
func (s *view) askForMore(w *actor) (takers []*actor) {
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
func (s *view) getsOut(a *actor, typ string) bool {
	return (a.b.Class == stackparse.ClassChanReceive || a.b.Class == stackparse.ClassSelect) && a.b.Active == 0 &&
		a.own && a.site >= 0 && a.root > a.site && s.typeOf(a.b.Frames[a.site].Func) == typ
}

// oneOf reports whether all goroutines of w have on their stacks the word that is the receiver of those of a.
func (s *view) oneOf(w, a *actor) bool {
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

// doingNames are how the names of methods begin that do something and return: what they wait for is at hand. Those that
// get something, or run for as long as an object lives, wait for what is to come.
var doingNames = [...]string{"flush", "publish", "emit", "dispatch", "notify", "broadcast", "commit", "set", "add",
	"remove", "delete", "register", "update", "insert", "submit", "reset", "sync", "save", "store", "begin", "put",
	"push", "enqueue", "send", "call", "exec", "ping", "query", "pause", "resume", "restart", "reload", "refresh",
	"open", "write", "append"}

// tickerNear reports whether a goroutine waits for work or for a tick, and has to do with the code of w: at its next
// tick it may take what w hands in, fill a pool, or read one pipe after the other.
func (s *view) tickerNear(w *actor, orMain bool) bool {
	return s.anyIn(w, func(a *actor) bool {
		return a.move == paced && (orMain || !a.inMain()) && !s.sameSite(a, w) && !s.aside(a, w)
	})
}

// isQueue reports whether a method is of what others take from, which may be far away: a queue, as its name shows; or
// of a type that is named after the method, as a Pusher that pushes as long as it lives.
func (s *view) isQueue(fn string) bool {
	n := s.name(fn)
	receiver, verb := strings.ToLower(strings.TrimPrefix(n.Receiver, "*")), strings.ToLower(n.Func)
	return strings.HasPrefix(receiver, verb) ||
		s.typeNamed(fn, queueWords[:])
}

var queueWords = [...]string{"queue", "buffer", "mailbox", "pipe", "topic", "chan", "stream", "batch"}
