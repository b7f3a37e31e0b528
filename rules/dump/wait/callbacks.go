package wait

import "github.com/gotriage/triage/rules/dump/account"

// callbackBlocked is callback-blocked (TR435).
// Its stacks are functions of libraries that call the program back from the only goroutine that does their work, each
// with its role, and what stops meanwhile (effect). Callbacks that have a goroutine of their own each (HTTP and gRPC
// handlers, OnStartedLeading, time.AfterFunc) are none.
func callbackBlocked(w *waiters) verdict {
	const name = "callback-blocked"
	if w.since(sureMinutes) == 0 {
		return verdict{}
	}
	for i, loop := range stacks()[name] {
		if one := nth(name, i); w.holds(one, w.buckets[0]) && w.calledBy(one) {
			return judgeHandler(w, account.Values{"role": loop.Field("role"), "effect": loop.Field("effect")})
		}
	}
	return verdict{}
}

// timersPileUp is timer-callbacks-pile-up (TR436).
func timersPileUp(w *waiters) verdict {
	if _, own := w.caller(w.buckets[0]); !own || w.since(sureMinutes) < pileUp {
		return verdict{}
	}
	return medium()
}
