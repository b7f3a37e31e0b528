package spin

// explainLockPoll is lock-poll (TR110).
func explainLockPoll(a *active) spin {
	return spin{
		act: "polls under a lock",
		why: a.fill("{who} is the only goroutine that computes, and was caught taking or releasing a free lock in " +
			"{in}: it locks, looks and unlocks over and over."),
		fix: a.fill("Let whoever calls {in} in a loop wait on a sync.Cond with the same lock, or on a channel that is " +
			"closed when the value changes."),
	}
}

func locksOverAndOver(a *active, all []active) bool {
	return a.act == actFastLock && a.d.RoleOf(a.index) == nil && alone(all) && !a.servesRequest() && !a.peerWaits()
}
