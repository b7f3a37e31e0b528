package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// unlockOfUnlocked is TR210.
func unlockOfUnlocked() *rules.Rule {
	return &rules.Rule{
		ID: idUnlockOfUnlocked, Name: "unlock-of-unlocked", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idUnlockOfUnlocked, nil, func(g *crashGroup) account {
			what := "an unlocked Mutex"
			switch {
			case strings.Contains(g.text, "RUnlock"):
				what = "an RWMutex that it has not read-locked"
			case strings.Contains(g.text, "RWMutex"):
				what = "an unlocked RWMutex"
			case strings.Contains(g.text, "inconsistent mutex state"):
				what = "a Mutex whose state is broken"
			}
			return account{
				act: "unlocks " + what,
				why: fmt.Sprintf("%s%s: %s. An Unlock ran twice, on a path without its Lock, for Lock with RUnlock, "+
					"or on a copy of the mutex.", g.who(), g.at(), phrase.Cut(g.text, phrase.MaxQuoted)),
				fix: fmt.Sprintf("Write `mu.Lock(); defer mu.Unlock()` (RLock with RUnlock) in %s, remove the "+
					"second unlock on early returns, and never copy a struct that holds a mutex.", g.who()),
				next: g.logNext("go vet -copylocks ./...", "go test -race ./..."),
			}
		}),
	}
}
