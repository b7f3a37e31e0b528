package wait

import (
	"fmt"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// ExplainDouble is double-lock (TR406).
func ExplainDouble(s *Standstill) LockFinding {
	l := &s.Blockage.Links[0]
	bucket := l.Waiter.Bucket
	place := culpritLine(s.Dump, bucket)
	at, who, object := rules.PlaceText(place), subject(s.Dump, l.Waiter), objectName(&l.Object)
	st := LockFinding{Culprit: bucket}
	st.Evidence = append([]rules.Evidence{goroutineAt(s.Dump, l.Waiter, " waits for "+object)},
		waiterEvidence(s.Dump, &l.Object, l.Waiter)...)
	if l.Holder.Strength == 0 {
		st.Act = "waits for a lock that nobody left can release"
		st.Why = fmt.Sprintf("%s waits at %s for %s, and no other goroutine is in code that could hold it: the lock "+
			"was taken twice, or a return or panic left it locked.", who, at, object)
		st.Fix = fmt.Sprintf("Look at every way out between Lock and Unlock around %s, and wherever else this lock "+
			"is taken: a return, continue or panic that leaves it taken, or a second Lock. Unlock with defer.",
			spot(place))
		return st
	}
	outer := callAt(s.Dump, l.Holder.Bucket, l.Holder.Frame)
	if l.Object.Kind == waitgraph.Once {
		st.Act = "waits for a sync.Once that its own goroutine runs"
		st.Why = fmt.Sprintf("%s waits at %s for %s, and further out on its own stack is the call of Do that runs "+
			"the function: Do returns when the function has, and the function waits for Do.",
			who, at, object)
		st.Fix = fmt.Sprintf("Don't call Do from what the Once runs: let it have the value, or the part of %s that "+
			"it needs, without the Once.", bareName(place))
		return st
	}
	st.Act = "locks what its own goroutine " + holds(l.Holder.Strength)
	st.Why = fmt.Sprintf("%s waits at %s for %s, and further out on its own stack is %s, %s: it %s the lock already, "+
		"and Go's locks are not reentrant.",
		who, at, object, rules.PlaceText(outer), selfReason(l.Holder.Strength),
		holds(l.Holder.Strength))
	if frame.ParseName(place.Function).Closure != "" {
		st.Fix = fmt.Sprintf("At %s don't call what locks again at %s: let it expect the lock to be held, or unlock "+
			"before that call.", spot(outer), spot(place))
		return st
	}
	st.Fix = fmt.Sprintf("At %s call a variant of %s that expects the lock to be held, or unlock before that call.",
		spot(outer), bareName(place))
	return st
}

func selfReason(s waitgraph.Strength) string {
	switch {
	case s >= waitgraph.StrengthSure:
		return "which takes this lock"
	case s >= waitgraph.StrengthObject:
		return "which works on the same object"
	}
	return "in a method of the same type"
}
