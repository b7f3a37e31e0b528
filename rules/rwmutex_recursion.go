package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// readerRecursion is TR408.
func readerRecursion() *Rule {
	return &Rule{
		ID: "TR408", Name: "rwmutex-recursion", Category: Deadlock, Severity: High, Needs: NeedsDump | NeedsStates,
		Run: standstillRun(explainReader, waitgraph.ReaderRecursion),
	}
}

func explainReader(s *standstill) lockFinding {
	l := &s.b.Links[0]
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
	st := lockFinding{culprit: reader.Bucket, act: "waits to read behind a writer that never gets the lock"}
	at, by := placeText(culpritLine(s.d, reader.Bucket)), placeText(culpritLine(s.d, writer.Bucket))
	st.evidence = append(st.evidence,
		goroutineAt(s.d, reader, fmt.Sprintf(" waits to read %s", objectName(o))),
		goroutineAt(s.d, writer, fmt.Sprintf(" waits to write in %s", by)))
	st.why = fmt.Sprintf("%s waits at %s for a read lock of %s behind a writer, %s at %s, which waits until all "+
		"readers are gone. ",
		subject(s.d, reader), at, objectName(o), idOf(s.d, writer), by)
	switch {
	case !l.Self:
		st.why += fmt.Sprintf("%s %s a read lock and %s: %s.", subject(s.d, l.Holder.Ref), holds(l.Holder.Strength),
			classAct(s.d.Buckets[l.Holder.Bucket].Class), because(s.d, l.Holder))
		st.evidence = append(st.evidence, goroutineAt(s.d, l.Holder.Ref, " "+holds(l.Holder.Strength)+" a read lock"))
	case l.Holder.Strength > 0:
		outer := placeText(callAt(s.d, l.Holder.Bucket, l.Holder.Frame))
		st.act = "takes a read lock twice while a writer waits"
		st.why += fmt.Sprintf("Further out on its own stack is %s, %s: it %s a read lock already.", outer,
			selfReason(l.Holder.Strength), holds(l.Holder.Strength))
	default:
		st.why += "Nobody else is in code that could hold it: a reader among those that wait took it before, or " +
			"never released it."
	}
	st.fix = "Take the read lock once: under it, call a variant of " + bareName(culpritLine(s.d, reader.Bucket)) +
		" that expects it to be held."
	if !l.Self {
		st.fix = "Release the read lock before waiting at " + spot(culpritLine(s.d, l.Holder.Bucket)) + ": while a writer " +
			"waits, nobody else can read."
	}
	st.evidence = append(st.evidence, waiterEvidence(s.d, o, reader, writer)...)
	return st
}
