package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// loopStuck is loop-stuck (TR444): the goroutine that does the work of an object is stuck in a send or in a write to
// a pipe, while callers of the object's methods wait for it.
func loopStuck() *rules.Rule {
	const name = "loop-stuck"
	return waitRule("TR444", name, rules.Deadlock, rules.High, actorRun(name, judgeLoop, stackparse.ClassChanSend,
		stackparse.ClassSelect))
}

func judgeLoop(s *view, w *actor) verdict {
	switch {
	case w.site < 0 || w.root < 0 || w.b.Active > 0, w.role != nil, inGroup(w):
	case w.b.Class == stackparse.ClassChanSend, writesPipe(w):
		return s.judgeLoopSend(w)
	}
	return verdict{}
}

// writesPipe reports whether a goroutine waits for someone to read the pipe in memory that it writes.
func writesPipe(w *actor) bool {
	if w.b.Class != stackparse.ClassSelect || w.site < 0 {
		return false
	}
	fn := w.b.Frames[w.site].Func
	return fn == "io.(*pipe).write" || fn == "net.(*pipe).write"
}

// mayReadPipe reports whether a goroutine is in a library's or the standard library's code that reads what it is given:
// one that copies, or sends the body of a request, and waits for the outside meanwhile.
func mayReadPipe(a *actor) bool {
	if a.b.Active == 0 && a.b.Class != stackparse.ClassIO && a.b.Class != stackparse.ClassSyscall {
		return false
	}
	return a.has(func(f *frame.Frame) bool {
		return strings.HasPrefix(f.Func, "io.") || strings.HasPrefix(f.Func, "bufio.") ||
			f.Func == "net/http.(*persistConn).writeLoop"
	})
}

// judgeLoopSend judges a loop in a send, or in a write to a pipe.
func (s *view) judgeLoopSend(w *actor) verdict {
	typ, behind := s.behindLoop(w)
	if len(behind) == 0 || s.ageOf(w) == young || !s.oneEach(w, typ) ||
		!slices.ContainsFunc(behind, func(a *actor) bool { return s.calledOut(a, w) < 0 }) {
		return verdict{} // it waits for a callback, which is at fault
	}
	if s.otherIn(w, func(a *actor) bool { return a.move == moves && s.ofType(a, typ) }) {
		return verdict{}
	}
	if s.mayHaveWoken(w, behind) || writesPipe(w) && s.anyIn(w, mayReadPipe) {
		return verdict{}
	}
	mover := s.moverBeside(w, behind...)
	if mover && (s.ageOf(w) != sure || w.class == frame.ClassOwn || s.otherIn(w, func(a *actor) bool {
		return a.move == moves && s.inModule(a, w.module)
	})) {
		return verdict{}
	}
	v := s.loopVerdict(w, behind)
	v.inferred = v.inferred || mover
	v = v.but(!mover && s.ageOf(w) != sure && s.comesBy(w, behind), tickToCome)
	v = v.but(writesPipe(w) && s.otherIn(w, func(a *actor) bool { return s.loopType(a) == typ }), mayBePeer)
	if writesPipe(w) {
		v.cases = append(v.cases, "pipe")
	} else {
		v.cases = append(v.cases, "send")
	}
	return v
}

// comesBy reports whether a goroutine of the program besides main waits in a select in the function that it began with:
// it may look at the channels of others at its next tick.
func (s *view) comesBy(w *actor, except []*actor) bool {
	return s.anyIn(w, func(a *actor) bool {
		return a.own && a.role == nil && a.b.Class == stackparse.ClassSelect && a.move == paced && !a.inMain() &&
			s.idles(a) && !s.sameSite(a, w) && !slices.Contains(except, a)
	})
}

// mainComesBy reports whether main waits in a receive or a select of its own for something else than a signal: a tick
// perhaps, at which it looks at what others send.
func (s *view) mainComesBy(w *actor) bool {
	return !s.signals() && s.anyIn(w, func(a *actor) bool { return a.inMain() && a.move == paced && s.idles(a) })
}

// manyInSend of a type that are all in one send are no moment's chance, even where each has a reader that may have
// been woken. Measured: of 12 connections of a healthy server on one overloaded processor the loops of 8 are in such
// a send at a time.
const manyInSend = 30

// mayHaveWoken reports whether a form that only counts goroutines shows one that may have been woken by the loop just
// now.
func (s *view) mayHaveWoken(w *actor, behind []*actor) bool {
	if len(w.b.Goroutines) > 0 {
		return false
	}
	root := w.b.Frames[w.root].Func
	alone := !s.anyIn(w, func(a *actor) bool { return a.root >= 0 && a.b.Frames[a.root].Func == root })
	if w.b.Count >= manyInSend && alone {
		return false
	}
	ending := alone && s.ends(behind, s.loopType(w))
	return s.anyIn(w, func(a *actor) bool {
		return (a.b.Class == stackparse.ClassChanReceive || a.b.Class == stackparse.ClassSelect) &&
			(a.own || s.inModule(a, w.module)) && !slices.Contains(behind, a) && !(ending && s.idles(a))
	})
}

// ends reports whether one of those who wait for a loop ends its object, or waits for its end: that takes a moment, in
// which a process where nobody moves is hardly ever seen.
func (s *view) ends(behind []*actor, typ string) bool {
	return slices.ContainsFunc(behind, func(a *actor) bool {
		return s.endsItself(a, typ) || a.has(func(f *frame.Frame) bool {
			return s.typeOf(f.Func) == typ && strings.HasPrefix(s.name(f.Func).Func, "Wait")
		})
	})
}

// endsItself reports whether goroutines are in a call that ends an object of a type. A call named Wait need not be:
// the main goroutine of a service is in one of a library's scheduler for as long as the service runs.
func (s *view) endsItself(a *actor, typ string) bool {
	return a.has(func(f *frame.Frame) bool { return s.typeOf(f.Func) == typ && s.stops(f.Func) })
}

// oneEach reports whether each goroutine of a bucket may be the loop of an object of its own. Several of the program's
// in a method of one object are callers that have a goroutine each ("go b.Put(v)").
func (s *view) oneEach(w *actor, typ string) bool {
	if w.b.Count == 1 || w.class != frame.ClassOwn {
		return true
	}
	all, ok := s.receivers(w, typ)
	slices.Sort(all)
	return ok && len(slices.Compact(all)) >= w.b.Count
}

// loopVerdict is the verdict about a loop with those who wait for it.
func (s *view) loopVerdict(w *actor, behind []*actor) verdict {
	v := s.surest(w)
	n := 0
	for _, a := range behind {
		n += a.b.Count
		if len(v.evidence) < maxUsers {
			e := rules.EvidenceOf(s.d, a.b, "")
			e.Text += verb(a.b.Count, " waits", " wait") + " for it in " +
				rules.PlaceText(rules.BlameBucket(s.d, a.b).Culprit)
			v.evidence = append(v.evidence, e)
		}
	}
	v.values = account.Values{"behind": phrase.CountGoroutines(n), "wait": verb(n, "waits", "wait"),
		"there": rules.PlaceText(s.callOf(behind[0], s.loopType(w)))}
	return v
}

// callOf is the outermost call of a type's method on a stack: the one that the caller made.
func (s *view) callOf(a *actor, typ string) rules.Place {
	for i := len(a.b.Frames) - 1; i >= 0; i-- {
		if f := &a.b.Frames[i]; f.Elided == 0 && s.typeOf(f.Func) == typ {
			return rules.PlaceOf(f.Frame)
		}
	}
	return rules.BlameBucket(s.d, a.b).Culprit
}

// loopType is the type whose goroutine a stack is: the outermost function is a method of it, or a closure of its
// package (a constructor's) that calls one. In package main such a closure may as well be a caller.
func (s *view) loopType(w *actor) string {
	if !w.began {
		return ""
	}
	root := w.b.Frames[w.root]
	if typ := s.typeOf(root.Func); typ != "" || w.root == 0 {
		return typ
	}
	n, inner := s.name(root.Func), w.b.Frames[w.root-1].Func
	if n.Closure == "" || n.Package == "main" || s.name(inner).Package != n.Package {
		return ""
	}
	return s.typeOf(inner)
}

// behindLoop are those who called methods of the type whose goroutine w is, from outside, and wait there. Where
// receivers are printed they must be the same; nil where one cannot be.
func (s *view) behindLoop(w *actor) (typ string, behind []*actor) {
	typ = s.loopType(w)
	if typ == "" {
		return "", nil
	}
	for i := range s.actors {
		a := &s.actors[i]
		if a == w || a.b.Active > 0 || !slices.Contains(peerClasses(), a.b.Class) || s.loopType(a) == typ {
			continue
		}
		calls := slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
			return s.typeOf(f.Func) == typ
		})
		if calls && s.mayBeOne(w, a, typ) && !s.worksFor(a, w, typ) {
			behind = append(behind, a)
		}
	}
	return typ, behind
}

// worksFor reports whether goroutines are the workers of what a loop waits to hand something to, and wait in the midst
// of a task of its type for something else: the loop waits for them, and they don't wait for it.
func (s *view) worksFor(a, w *actor, typ string) bool {
	if w.site < 0 || a.site < 0 {
		return false
	}
	pool := s.typeOf(w.b.Frames[w.site].Func)
	return pool != "" && pool != typ && s.loopType(a) == pool && s.typeOf(a.b.Frames[a.site].Func) != typ
}

// mayBeOne reports whether some goroutines of two buckets may be in methods of one object: false where all receivers
// are printed and differ.
func (s *view) mayBeOne(x, y *actor, typ string) bool {
	first, ok := s.receivers(x, typ)
	if !ok {
		return true
	}
	second, ok := s.receivers(y, typ)
	if !ok {
		return true
	}
	return slices.ContainsFunc(first, func(r uint64) bool { return slices.Contains(second, r) })
}

// receivers are the objects of a type that the goroutines of a bucket are in methods of, as far as they are printed;
// false where the dump does not print that of each.
func (s *view) receivers(a *actor, typ string) (objects []uint64, all bool) {
	all = len(a.b.Samples) >= a.b.Count
	for i := range a.b.Samples {
		known := false
		for _, w := range a.b.Samples[i].Words {
			fn := a.b.Frames[w.Frame()].Func
			if w.Arg() == 0 && !w.Uncertain() && s.typeOf(fn) == typ && s.name(fn).Closure == "" {
				objects, known = append(objects, w.Value()), true
			}
		}
		all = all && known
	}
	return objects, all
}

// calledOut is the call of a method of l's type through which goroutines of c came to where they wait, in another type
// of the program, while l waits to send in its loop; -1 where it is not like that. What waits in a library below such a
// method called nobody: it waits for the loop to end.
func (s *view) calledOut(c, l *actor) int {
	typ := s.loopType(l)
	if c == l || typ == "" || c.class != frame.ClassOwn || c.site < 0 ||
		l.site < 0 || l.b.Class != stackparse.ClassChanSend || l.b.Active > 0 ||
		s.typeOf(l.b.Frames[l.site].Func) != typ || s.typeOf(c.b.Frames[c.site].Func) == typ || !s.mayBeOne(c, l, typ) {
		return -1
	}
	return slices.IndexFunc(c.b.Frames, func(f stackparse.Frame) bool {
		return f.Elided == 0 && s.typeOf(f.Func) == typ && s.name(f.Func).Closure == ""
	})
}
