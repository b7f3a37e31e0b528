package wait

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// ExplainReader is rwmutex-recursion (TR408).
func ExplainReader(s *Standstill) LockFinding {
	l := &s.Blockage.Links[0]
	o := &l.Object
	var reader, writer waitgraph.Ref
	for _, w := range o.Waiters {
		r := waitgraph.Ref{Bucket: w.Bucket, Member: w.Members[0]}
		switch w.Mode {
		case waitgraph.ModeRLock:
			reader = r
		case waitgraph.ModePending:
			writer = r
		}
	}
	if l.Self && l.Holder.Strength > 0 && l.Holder.Bucket != writer.Bucket {
		reader = l.Holder.Ref
	}
	st := LockFinding{Culprit: reader.Bucket, Act: "waits to read behind a writer that never gets the lock"}
	at, by := rules.PlaceText(culpritLine(s.Dump, reader.Bucket)), rules.PlaceText(culpritLine(s.Dump, writer.Bucket))
	st.Evidence = append(st.Evidence, goroutineAt(s.Dump, reader, fmt.Sprintf(" waits to read %s", objectName(o))),
		goroutineAt(s.Dump, writer, fmt.Sprintf(" waits to write in %s", by)))
	st.Why = fmt.Sprintf("%s waits at %s for a read lock of %s behind a writer, %s at %s, which waits until all "+
		"readers are gone. ",
		subject(s.Dump, reader), at, objectName(o), idOf(s.Dump, writer), by)
	switch {
	case !l.Self:
		st.Why += fmt.Sprintf("%s %s a read lock and %s: %s.", subject(s.Dump, l.Holder.Ref), holds(l.Holder.Strength),
			classAct(s.Dump.Buckets[l.Holder.Bucket].Class), because(s.Dump, l.Holder))
		st.Evidence = append(st.Evidence, goroutineAt(s.Dump, l.Holder.Ref,
			" "+holds(l.Holder.Strength)+" a read lock"))
	case l.Holder.Strength > 0:
		outer := rules.PlaceText(callAt(s.Dump, l.Holder.Bucket, l.Holder.Frame))
		st.Act = "takes a read lock twice while a writer waits"
		st.Why += fmt.Sprintf("Further out on its own stack is %s, %s: it %s a read lock already.", outer,
			selfReason(l.Holder.Strength), holds(l.Holder.Strength))
	default:
		st.Why += "Nobody else is in code that could hold it: a reader among those that wait took it before, or " +
			"never released it."
	}
	st.Fix = "Take the read lock once: under it, call a variant of " + bareName(culpritLine(s.Dump, reader.Bucket)) +
		" that expects it to be held."
	if !l.Self {
		st.Fix = "Release the read lock before waiting at " + spot(culpritLine(s.Dump, l.Holder.Bucket)) +
			": while a writer waits, nobody else can read."
	}
	st.Evidence = append(st.Evidence, waiterEvidence(s.Dump, o, reader, writer)...)
	return st
}
