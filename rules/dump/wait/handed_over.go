package wait

import (
	"slices"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse/frame"
)

// A releaser is a goroutine that may release a lock of which no stack shows a holder, because it was handed the lock:
// Go lets one goroutine lock and another one unlock. Tables of locks by key, transactions, leases and locks that are
// gates do so.
type releaser struct {
	waitgraph.Ref
	// near reports that it runs code of a package of those that wait, so that it may know the lock.
	near bool
	// stays reports that it has been where it is for as long as the others wait, rests that it has come there since, in
	// the function that it began with: it may be between two rounds.
	stays, rests bool
	// alone reports that no other goroutine is near and does not rest.
	alone bool
}

// releaser returns the goroutine that may most likely release a lock of which no stack shows a holder; ok is false
// where the program has none that goes on.
func (s *standstill) releaser() (best releaser, ok bool) {
	all := newView(s.Dump)
	w := &all.actors[s.Blockage.Links[0].Waiter.Bucket]
	theirs, near := all.ownPackages(w.b.Frames), 0
	for i := range all.actors {
		a := &all.actors[i]
		r := releaser{Ref: waitgraph.Ref{Bucket: i}}
		r.stays = a.b.MaxMinutes > 0 && a.b.MaxMinutes+1 >= s.Blockage.Minutes
		r.rests = !r.stays && all.atRoot(a)
		if a == w || !all.mayHave(a, w, r.stays) {
			continue
		}
		known := func(pkg string) bool { return slices.Contains(theirs, pkg) }
		r.near = w.class != frame.ClassOwn && all.inModule(a, w.module) ||
			slices.ContainsFunc(all.ownPackages(a.b.Frames[:a.root+1]), known)
		if r.near && !r.rests {
			near++
		}
		if (r.near || r.stays) && (!ok || r.rank() > best.rank()) {
			best, ok = r, true
		}
	}
	best.alone = near == 1
	return best, ok
}

// rank orders releasers by how likely they release the lock.
func (r *releaser) rank() int {
	rank := 0
	if r.near {
		rank += 2
	}
	if r.rests {
		rank -= 2
	}
	if r.stays {
		rank++
	}
	return rank
}

// mayHave reports whether goroutines run code that may have been handed a lock for which those of w wait, and go on. In
// a receive or a select that are those that stay there for as long as these wait. Main waits for the end of the process
// there, or for what a library runs.
func (s *view) mayHave(a, w *actor, stays bool) bool {
	switch {
	case a.b.ForLock() || !a.own && !s.inModule(a, w.module) || a.inMain() && a.move != moves:
		return false
	case stays && a.move == paced:
		return a.role == nil
	}
	return s.goesOn(a, w)
}

// unheld reports whether no stack shows who has the lock, but perhaps that of one that waits for it: another goroutine
// may have been handed it. A Once is handed to nobody, and in a test all is to end.
func (s *standstill) unheld() bool {
	b := s.Blockage
	l := &b.Links[0]
	recursion := b.Kind == waitgraph.ReaderRecursion && (l.Self || l.Holder.Strength == 0)
	return (b.Kind == waitgraph.DoubleLock || recursion) && l.Panic == 0 && l.Object.Kind != waitgraph.Once &&
		!parsed.Waits(s.Dump).Test
}

// unheldDoubt is what speaks for another reason where a lock has not moved for long and no stack shows a holder: a
// goroutine may have been handed it. It is settled, whatever else the locks show, where no outer call on the waiter's
// own stack takes the lock or works on its object, or a writer waits for readers that have left.
//
// Of 24 programs of the open sets (the lab, small services, programs with their source) in which a lock is left locked
// or taken twice, and which show minutes, three have a goroutine near that does not rest; of nine healthy ones that
// hand a lock over all have but one, whose lock a timer's function releases (sideBySide). One that has come to its
// place since is less of a doubt: the alarms about the healthy ones are the same without it.
func (s *standstill) unheldDoubt(strength waitgraph.Strength) (d account.Doubt, settled bool) {
	r, ok := s.releaser()
	if ok && (r.stays || strength < waitgraph.StrengthSure) {
		return mayBeHanded, true
	}
	if strength < waitgraph.StrengthSure && s.sideBySide() && s.Blockage.Minutes < longMinutes {
		return byTimer, true
	}
	return "", strength < waitgraph.StrengthObject || s.awaitsReaders()
}

// sideBySide reports whether several wait in the same calls for the mutex that the outer one seems to hold: one of them
// at most can have it, so that it is likely that none does.
func (s *standstill) sideBySide() bool {
	l := &s.Blockage.Links[0]
	return l.Holder.Strength > 0 && slices.ContainsFunc(l.Object.Waiters, func(w waitgraph.Waiters) bool {
		return w.Bucket == l.Waiter.Bucket && w.Mode == waitgraph.ModeLock && w.Count > 1
	})
}

// awaitsReaders reports whether a writer waits until the readers of the lock have left, and nothing shows that it is
// one of them itself. A read lock is often kept by a call that has returned: by a read transaction, an iterator or a
// snapshot that is to be closed.
func (s *standstill) awaitsReaders() bool {
	l := &s.Blockage.Links[0]
	return s.Blockage.Kind == waitgraph.DoubleLock && l.Holder.Strength < waitgraph.StrengthSure && l.Callback == 0 &&
		l.Panic == 0 && l.Object.ModeOf(l.Waiter.Bucket) == waitgraph.ModePending && !s.calledBack(l)
}

// calledBack reports whether a method of the lock's type, further out on the waiter's stack, has called code of another
// package, which came back to the type: that method may be the reader.
func (s *standstill) calledBack(l *waitgraph.Link) bool {
	site := symbol.ParseName(s.siteFunc(l))
	away := false
	for i, f := range s.Dump.Buckets[l.Waiter.Bucket].Frames {
		name := symbol.ParseName(f.Func)
		switch {
		case i <= l.Site || f.Elided != 0 || f.Func == "":
		case name.Package != site.Package:
			away = true
		case away && name.Receiver == site.Receiver && site.Receiver != "":
			return true
		}
	}
	return false
}

// ownLock reports whether a goroutine waits for what its own outer call holds.
func (s *standstill) ownLock() bool {
	l := &s.Blockage.Links[0]
	return s.Blockage.Kind == waitgraph.DoubleLock && l.Self && l.Holder.Strength > 0
}

// ownDoubt is what speaks for another reason where a goroutine waits for its own lock, and nothing shows for how long.
// The outer call may have released it: then another goroutine has it at the moment, who is on another stack. So it
// counts where there is none. Where other waits show their age, this one is young.
func (s *standstill) ownDoubt(strength waitgraph.Strength) account.Doubt {
	b := s.Blockage
	calledBack, aged := b.Links[0].Callback > 0, hasAges(s.Dump)
	beside := b.Beside && b.Waiters < convoyMedium
	switch {
	case s.awaitsReaders():
		if _, ok := s.releaser(); ok { // it may have the lock for a moment, or for a download
			return mayBeHanded
		}
		return ""
	case beside && calledBack && strength < waitgraph.StrengthSure:
		return mayBeBeside
	case strength >= waitgraph.StrengthObject, !aged && (calledBack && !beside || b.Waiters > 1 && s.nobodyMoves()):
		return ""
	case aged:
		return youngWait
	}
	return noAge
}

// handedFacts adds to what the account of a lock knows the goroutine that may have been handed it, and returns the
// evidence.
func (s *standstill) handedFacts(f *account.Facts) []rules.Evidence {
	r, ok := s.releaser()
	if !ok || s.doubt != mayBeHanded {
		return nil
	}
	b := s.Dump.Buckets[r.Bucket]
	f.Values["holds"] = holds(0)
	does := classAct(b.Class)
	if r.stays {
		does += " (for about " + phrase.CountMinutes(b.MaxMinutes) + ")"
	}
	f.Values["other"], f.Values["otherDoes"] = idOf(s.Dump, r.Ref), does
	f.Values["otherAt"] = rules.PlaceText(culpritLine(s.Dump, r.Bucket))
	return []rules.Evidence{goroutineAt(s.Dump, r.Ref, " may have been handed the lock")}
}

// cameBefore reports whether a holder that types or addresses suggest has waited for minutes more than those who want
// the lock: it may have another lock of the object, or none, so that this one has changed hands since it came there.
func (s *standstill) cameBefore() bool {
	h := s.Blockage.Links[0].Holder
	return s.heldElsewhere() && waitgraph.GoroutineOf(s.Dump.Dump, h.Ref).Minutes >= s.Blockage.Minutes+minutesOff
}
