package coded

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"strconv"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// ownLock is own-lock-by-source (TR463).
func ownLock() *rules.Rule {
	return &rules.Rule{
		ID: "TR463", Name: "own-lock-by-source", Category: rules.Deadlock, Severity: rules.High,
		Needs: rules.NeedsDump | rules.NeedsWaits | rules.NeedsSource,
		Run: lockScenes(func(s *lockScene) (found []rules.Finding) {
			for _, st := range s.waiters {
				if f, ok := s.again(st); ok {
					found = append(found, f)
				}
			}
			return found
		}),
	}
}

// again judges a stack that waits for a lock that one of its outer frames has taken, and still has at its line.
func (s *lockScene) again(st *lockStack) (rules.Finding, bool) {
	if panics(st.b) || !s.mayBeOuter(st) || !st.calls[st.at].Site.Sure(st.lock.Last()) {
		return rules.Finding{}, false
	}
	s.sites(st)
	last, wants := st.lock.Last(), st.calls.Origin(st.at, st.lock)
	for i := st.at; i < len(st.calls); i++ {
		site := st.calls[i].Site
		if site == nil {
			continue
		}
		set := site.Locks(st.calls[i].Callee)
		if set == nil {
			continue
		}
		for _, h := range set.Held {
			if !h.Must || h.Path.Last() != last || s.readers(st, h, last) || !s.kept(st, i, h.Path) ||
				!private(st.lock) && s.lent(st, i) {
				continue
			}
			if has := st.calls.Origin(i, h.Path); has != "" && has == wants || sameWords(st, i, h.Path) {
				return s.againFinding(st, i, h), true
			}
		}
	}
	return rules.Finding{}, false
}

// mayBeOuter reports whether another frame of a stack is in the package of the code that waits.
func (s *lockScene) mayBeOuter(st *lockStack) bool {
	pkg := st.packageOf()
	return slices.ContainsFunc(st.b.Frames[st.at:], func(f stackparse.Frame) bool {
		return f.Elided == 0 && symbol.PlainPackage(symbol.PlainName(f.Func)) == pkg
	})
}

// lent reports whether another package may have released a lock that it can name, in a call of one of the frames from
// the one that waits to an outer one, or in a frame of its own.
func (s *lockScene) lent(st *lockStack, outer int) bool {
	if st.calls[st.at].Site.Types.Name() == "main" {
		return false
	}
	for i := st.at; i <= outer; i++ {
		site := st.calls[i].Site
		if st.calls[i].Passes {
			continue
		}
		if site == nil || site.Types != st.calls[st.at].Site.Types || site.CallsValues() {
			return true
		}
	}
	return false
}

// readers reports whether a goroutine wants a lock to read that it has to read, and no writer waits: then nothing is
// in its way.
func (s *lockScene) readers(st *lockStack, h gocode.Hold, last *types.Var) bool {
	return h.Read && st.b.Class == stackparse.ClassRWMutexR && !slices.ContainsFunc(s.waiters, func(w *lockStack) bool {
		return w.b.Class == stackparse.ClassRWMutexW && w.lock.Last() == last
	})
}

// kept reports whether no frame between the one that waits and an outer one has released what that has.
func (s *lockScene) kept(st *lockStack, outer int, lock gocode.Path) bool {
	for i := st.at; i < outer; i++ {
		f := &st.b.Frames[i]
		switch s.d.Program.Class(f.Frame) {
		case frame.ClassRuntime, frame.ClassStdlib:
			continue
		}
		if st.calls[i].Passes {
			continue
		}
		site := st.calls[i].Site
		if site == nil { // code that isn't at hand
			if f.Elided != 0 || !private(lock) || symbol.PlainPackage(symbol.PlainName(f.Func)) == st.packageOf() {
				return false
			}
			continue
		}
		set := site.Locks(st.calls[i].Callee)
		if set == nil && site.MayRelease(site.Fn, lock.Last()) || set != nil && set.Released(lock.Last()) {
			return false
		}
	}
	return true
}

// sameWords reports whether a dump prints one receiver for both the frame that waits and the one that has the lock, and
// both reach the lock by the same fields of it.
func sameWords(st *lockStack, outer int, p gocode.Path) bool {
	inner, out := st.calls[st.at].Site, st.calls[outer].Site
	if inner == nil || outer == st.at || p.Root == nil || inner.Receiver() != st.lock.Root ||
		out.Receiver() != p.Root || st.lock.Tail() != p.Tail() || !inner.Keeps(st.lock) || !out.Keeps(p) {
		return false
	}
	return len(st.b.Samples) > 0 && !slices.ContainsFunc(st.b.Samples, func(g stackparse.Sample) bool {
		word := st.receiverAt(&g, st.at)
		return word == 0 || word != st.receiverAt(&g, outer)
	})
}

func (s *lockScene) againFinding(st *lockStack, outer int, h gocode.Hold) rules.Finding {
	b := st.b
	file, line := st.calls[outer].Site.Place(h.Pos)
	taken := path.Base(file) + ":" + strconv.Itoa(line)
	at, from := rules.PlaceOf(b.Frames[st.at].Frame), rules.PlaceOf(b.Frames[outer].Frame)
	culprit := s.callback(st, outer)
	bl := rules.BlameBucket(s.d, b)
	if culprit < 0 {
		culprit = st.at
	}
	bl.Index, bl.Culprit = culprit, rules.PlaceOf(b.Frames[culprit].Frame)
	verb, act := "takes", "locks what its own goroutine holds"
	fix := fmt.Sprintf("Release the lock at %s before the call of %s, which takes it again.",
		rules.PlaceLine(from), symbol.ShortFunc(b.Frames[max(outer-1, st.at)].Func))
	if culprit != st.at {
		act = "takes a lock again that its caller holds"
		fix = fmt.Sprintf("Don't call %s from %s: note what is to be done at %s, and do it when %s has returned.",
			symbol.ShortFunc(b.Frames[max(culprit-1, st.at)].Func), symbol.ShortFunc(b.Frames[culprit].Func),
			rules.PlaceLine(bl.Culprit), symbol.ShortFunc(from.Function))
	}
	if h.Read {
		verb = "takes the read lock of"
	} else {
		verb += " the lock of"
	}
	why := fmt.Sprintf("%s at %s for the lock %s. Further out on the same stack %s %s the same object at %s, and "+
		"releases it nowhere before.",
		account.WhoWaits(b.Count, b), rules.PlaceText(at), st.lock, rules.PlaceText(from), verb, taken)
	return s.finding(bl, act, why, fix, verdict{guilty: true, proven: true}, []*lockStack{st})
}

// callback is the frame of the program that code of another package calls back while it has the lock; -1 for none.
func (s *lockScene) callback(st *lockStack, outer int) int {
	if s.d.Program.Class(st.b.Frames[outer].Frame) == frame.ClassOwn {
		return -1
	}
	for i := outer - 1; i > st.at; i-- {
		f := &st.b.Frames[i]
		if f.Elided == 0 && !st.calls[i].Passes && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			return i
		}
	}
	return -1
}

// finding is a finding about goroutines that wait for locks.
func (s *lockScene) finding(bl rules.Blame, act, why, fix string, v verdict, stacks []*lockStack) rules.Finding {
	name, bare, at := rules.TitleParts(bl.Culprit)
	f := rules.Finding{
		Severity: v.severity, Confidence: v.confidence(), Against: v.against(), Culprit: bl.Culprit,
		Path: bl.Path, Creator: bl.Creator, Why: why, Fix: fix,
		Title: rules.FirstTitle(phrase.Cut(bare+" "+act, phrase.MaxTitle-3), name+" "+act+at, bare+" "+act+at,
			bare+" "+act),
		Next: []rules.Step{s.d.StepTarget().SecondDump()},
	}
	for _, st := range stacks {
		f.Evidence = append(f.Evidence, rules.EvidenceOf(s.d, st.b, ""))
		f.Count += st.b.Count
	}
	return f
}
