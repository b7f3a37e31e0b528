package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// lockConvoy is TR415.
func lockConvoy() *Rule {
	return &Rule{
		ID: "TR415", Name: "lock-convoy", Category: Contention, Severity: High, Needs: NeedsDump | NeedsStates,
		Doc: Doc{
			Title:          "Goroutines queue behind one lock whose holder is busy with something slow",
			Why:            "The candidate for holding the lock sleeps, waits for the network or is in a system call while others wait for the lock: they all are as slow as it is.",
			Fix:            "Take what is slow out of the lock; give I/O a deadline.",
			FalsePositives: "A short queue in front of a fast holder is what locks are for: below 100 waiters, and without minutes in the headers, the finding is of severity low.",
			Refs:           []string{"https://pkg.go.dev/sync#Mutex", "https://pkg.go.dev/net#Conn"},
		},
		Run: standstillRun(explainConvoy, waitgraph.Held),
	}
}

func explainConvoy(s *standstill) standing {
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
