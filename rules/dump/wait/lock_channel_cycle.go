package wait

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// ExplainHeld is lock-channel-cycle (TR409).
// It explains a lock whose holder is elsewhere.
func ExplainHeld(s *Standstill) LockFinding {
	l := &s.Blockage.Links[0]
	h := l.Holder
	b := s.Dump.Buckets[h.Bucket]
	at := rules.PlaceText(culpritLine(s.Dump, h.Bucket))
	waiter := rules.PlaceText(culpritLine(s.Dump, l.Waiter.Bucket))
	st := LockFinding{Culprit: h.Bucket}
	st.Evidence = append([]rules.Evidence{goroutineAt(s.Dump, h.Ref, fmt.Sprintf(" %s %s", holds(h.Strength),
		objectName(&l.Object)))}, waiterEvidence(s.Dump, &l.Object, h.Ref)...)
	st.Act = heldAct(b.Class) + underLock(h.Strength)
	reason := strings.Replace(because(s.Dump, h), "its call of "+at, "that call", 1)
	reason = strings.Replace(reason, at, "that call", 1)
	st.Why = fmt.Sprintf("%s %s at %s and %s %s: %s. %s waits for that lock at %s.", subject(s.Dump, h.Ref),
		classAct(b.Class), at, holds(h.Strength), objectName(&l.Object), reason, subject(s.Dump, l.Waiter), waiter)
	st.Fix = heldFix(b.Class, spot(culpritLine(s.Dump, h.Bucket)), spot(culpritLine(s.Dump, l.Waiter.Bucket)))
	return st
}

// underLock reports with which confidence a goroutine does what it does under a lock.
func underLock(s waitgraph.Strength) string {
	switch {
	case s >= waitgraph.StrengthSure:
		return " under a lock"
	case s >= waitgraph.StrengthObject:
		return ", most likely under a lock"
	}
	return ", maybe under a lock"
}

func heldAct(c stackparse.Class) string {
	switch c {
	case stackparse.ClassChanSend:
		return "sends on a channel"
	case stackparse.ClassChanReceive:
		return "receives from a channel"
	}
	return classAct(c)
}

func heldFix(c stackparse.Class, at, waiter string) string {
	switch c {
	case stackparse.ClassChanSend, stackparse.ClassChanReceive, stackparse.ClassSelect, stackparse.ClassNilChan,
		stackparse.ClassNoCases:
		return fmt.Sprintf("Release the lock before the channel operation at %s, and see who is at its other end: if "+
			"that one must take the lock first, as %s does, neither can go on.", at, waiter)
	case stackparse.ClassWaitGroup:
		return fmt.Sprintf("Release the lock before waiting at %s: who must call Done may need it first, as %s does.",
			at, waiter)
	case stackparse.ClassCond:
		return fmt.Sprintf("Hold no other lock than the Cond's own while waiting at %s: who should signal may need "+
			"it first, as %s does.", at, waiter)
	case stackparse.ClassIO:
		return fmt.Sprintf("Take the network out of the lock at %s: fetch first, then lock; and give the connection "+
			"a deadline (SetDeadline, a context).", at)
	case stackparse.ClassSleep:
		return fmt.Sprintf("Unlock before sleeping at %s, and lock again after it.", at)
	case stackparse.ClassSyscall, stackparse.ClassCgo:
		return fmt.Sprintf("Take the slow call at %s out of the lock.", at)
	}
	return fmt.Sprintf("Shorten what is done under the lock at %s, or split the lock.", at)
}

// bareName is a function's name without its package.
func bareName(p rules.Place) string {
	name := frame.ShortFunc(p.Function)
	if _, bare, ok := strings.Cut(name, "."); ok && bare != "" {
		return bare
	}
	return name
}
