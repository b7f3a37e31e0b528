package wait

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// lockConvoy is TR415.
func lockConvoy() *rules.Rule {
	return &rules.Rule{
		ID: "TR415", Name: "lock-convoy", Category: rules.Contention, Severity: rules.High, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: standstillRun(explainConvoy, waitgraph.Held),
	}
}

func explainConvoy(s *Standstill) LockFinding {
	st := ExplainHeld(s)
	h := s.Blockage.Links[0].Holder
	lock := "a lock it " + holds(h.Strength)
	if h.Strength >= waitgraph.StrengthSure {
		lock = "its lock"
	}
	others := fmt.Sprintf("%d others wait", s.Blockage.Waiters)
	if s.Blockage.Waiters == 1 {
		others = "another one waits"
	}
	st.Act = fmt.Sprintf("%s while %s for %s", classAct(s.Dump.Buckets[h.Bucket].Class), others, lock)
	return st
}
