package wait

import (
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
)

// childConvoys is the part of lock-convoy (TR415) about locks whose holder waits for a child process. A build, a
// migration or a deployment may take minutes, and often the lock is there to let one run at a time: who waits for it is
// as slow as the child, which works outside of the process. No other rule reports such a lock.
func childConvoys(p *rules.Pass) (found []rules.Finding) {
	for _, d := range dumpsWithWaits(p) {
		known, waits := 0, parsed.Waits(d)
		for i := range waits.Blockages {
			s := standstill{Dump: d, Blockage: &waits.Blockages[i]}
			child := childHolding(d, s.Blockage)
			if child.Strength == 0 || known == maxStandstills {
				continue
			}
			s.again = seenWaiting(p, d, s.Blockage.Links[0].Waiter)
			if v := s.childVerdict(child); v.guilty {
				s.doubt = v.doubt
				st := s.explainChild(child)
				f := s.finding(st, v)
				f.Next = st.Next
				found = append(found, f)
				known++
			}
		}
	}
	return found
}

// childVerdict is sure where a crowd has waited for long. A few waiters are what a lock around a child is for: of
// thirteen healthy programs that hold one over a child for minutes none has more than five, but for a store whose
// readers wait for its migration. Where another one may have the lock, long is a quarter of an hour.
func (s *standstill) childVerdict(child waitgraph.Holder) verdict {
	long, many := s.Blockage.Minutes >= stuckMinutes || s.again > 0, s.Blockage.Waiters >= convoyLow
	for15 := many && s.Blockage.Minutes >= forgottenMinutes && !s.doubtful()
	return verdict{guilty: long || many, severity: rules.Medium}.
		but(s.mayBeOther(child) && !for15, weakHolder).but(!long || !many, childWorks)
}

// mayBeOther reports whether the lock may be held for something else than a child process.
func (s *standstill) mayBeOther(child waitgraph.Holder) bool {
	return child.Strength < waitgraph.StrengthObject || s.doubtful()
}

// explainChild writes up a lock that is held while a child process works.
func (s *standstill) explainChild(child waitgraph.Holder) LockFinding {
	l := &s.Blockage.Links[0]
	g := waitgraph.GoroutineOf(s.Dump.Dump, child.Ref)
	at := max(ownCaller(s.Dump, child.Bucket), rules.BlameBucket(s.Dump, s.Dump.Buckets[child.Bucket]).Index)
	place, waiter := callAt(s.Dump, child.Bucket, at), culpritLine(s.Dump, l.Waiter.Bucket)
	f := account.Facts{Values: account.Values{
		"who": subject(s.Dump, child.Ref), "at": rules.PlaceText(place), "spot": spot(place),
		"waits": waitVerb(1, g.Minutes), "span": spanOf(1, g.Minutes),
		"object": objectName(&l.Object), "waiter": subject(s.Dump, l.Waiter),
		"waitsAt": rules.PlaceText(waiter), "others": others(s.Blockage.Waiters),
		"holds": holds(l.Holder.Strength), "holder": "it",
	}}
	evidence := []rules.Evidence{goroutineAt(s.Dump, child.Ref, " waits for a child process")}
	if s.mayBeOther(child) {
		f.Values["holds"] = holds(0)
	} else if child.Ref != l.Holder.Ref {
		f.Values["holder"] = idOf(s.Dump, l.Holder.Ref)
		evidence = append(evidence, goroutineAt(s.Dump, l.Holder.Ref, " "+f.Values["holds"]+" "+f.Values["object"]))
	}
	f.Doubt = s.doubt
	a := findings().Account("lock-convoy", f)
	a.Evidence = append(evidence, waiterEvidence(s.Dump, &l.Object, child.Ref)...)
	return LockFinding{Culprit: child.Bucket, Frame: at, Account: a}
}
