package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// lockConvoy is TR415.
func lockConvoy() *Rule {
	return &Rule{
		ID: "TR415", Name: "lock-convoy", Category: Contention, Severity: High, Needs: NeedsDump | NeedsStates,
		Run: standstillRun(explainConvoy, waitgraph.Held),
	}
}

func explainConvoy(s *standstill) lockFinding {
	st := explainHeld(s)
	h := s.b.Links[0].Holder
	lock := "a lock it " + holds(h.Strength)
	if h.Strength >= waitgraph.StrengthSure {
		lock = "its lock"
	}
	others := fmt.Sprintf("%d others wait", s.b.Waiters)
	if s.b.Waiters == 1 {
		others = "another one waits"
	}
	st.act = fmt.Sprintf("%s while %s for %s", classAct(s.d.Buckets[h.Bucket].Class), others, lock)
	return st
}
