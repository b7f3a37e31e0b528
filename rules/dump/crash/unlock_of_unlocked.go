package crash

import (
	"strings"
)

// explainUnlockOfUnlocked is unlock-of-unlocked (TR210).
func explainUnlockOfUnlocked(g *crashGroup) account {
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
		why: g.fill("{who}{at}: {text}. An Unlock ran twice, on a path without its Lock, for Lock with RUnlock, or " +
			"on a copy of the mutex."),
		fix:  g.fill("Write `mu.Lock(); defer mu.Unlock()` (RLock with RUnlock) in {who}, remove the " + "second unlock on early returns, and never copy a struct that holds a mutex."),
		next: g.logNext("go vet -copylocks ./...", "go test -race ./..."),
	}
}
