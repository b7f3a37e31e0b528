package wait

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// explainConvoy is lock-convoy (TR415).
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
