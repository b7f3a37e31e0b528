package wait

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// ExplainCycle is lock-cycle (TR407).
func ExplainCycle(s *Standstill) LockFinding {
	links := s.Blockage.Links
	st := LockFinding{Culprit: links[0].Waiter.Bucket}
	for i := range links {
		l := &links[i]
		at := rules.PlaceText(culpritLine(s.Dump, l.Waiter.Bucket))
		st.Evidence = append(st.Evidence, goroutineAt(s.Dump, l.Waiter, " in "+at))
		st.Why += fmt.Sprintf("%s waits at %s for %s, which %s %s: %s. ", subject(s.Dump, l.Waiter), at,
			objectName(&l.Object), idOf(s.Dump, l.Holder.Ref), holds(l.Holder.Strength), because(s.Dump, l.Holder))
	}
	for i := range links {
		known := make([]waitgraph.Ref, 0, len(links))
		for j := range links {
			known = append(known, links[j].Waiter)
		}
		st.Evidence = append(st.Evidence, waiterEvidence(s.Dump, &links[i].Object, known...)...)
	}
	st.Why += "None of them can go on."
	st.Act, st.Fix = lockCycleAct(s.Dump, links), lockCycleFix(s.Dump, links)
	return st
}

// lockCycleAct is the title's verb phrase: the first waiter's function is its subject.
func lockCycleAct(d *rules.DumpInput, links []waitgraph.Link) string {
	first, other := culpritLine(d, links[0].Waiter.Bucket), culpritLine(d, links[1].Waiter.Bucket)
	name := frame.ShortFunc(other.Function)
	if first.Package == other.Package {
		name = bareName(other)
	}
	switch {
	case len(links) > 2:
		return fmt.Sprintf("and %d more wait for each other's locks", len(links)-1)
	case first.Function == other.Function:
		return "waits in two goroutines for each other's locks"
	}
	return fmt.Sprintf("and %s wait for each other's locks", name)
}

// lockCycleFix names the calls that hold one lock and take the next.
func lockCycleFix(d *rules.DumpInput, links []waitgraph.Link) string {
	var calls []string
	for i := range links {
		h := links[i].Holder
		if name := bareName(callAt(d, h.Bucket, h.Frame)); !slices.Contains(calls, name) {
			calls = append(calls, name)
		}
	}
	if len(calls) == 1 {
		return fmt.Sprintf("Let %s take its locks in one order whatever it is called with (by id, say), or release "+
			"the first before it takes the second.", calls[0])
	}
	last := len(calls) - 1
	return fmt.Sprintf("Let %s and %s take these locks in one order, or release the first before the call that takes "+
		"the second.", strings.Join(calls[:last], ", "), calls[last])
}
