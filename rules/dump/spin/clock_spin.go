package spin

// explainClock is clock-spin (TR105).
func explainClock(a *active) spin {
	return spin{
		act: "waits by reading the clock",
		why: a.fill("{who} is the only goroutine that does not wait, and was caught reading the clock in {in}: a loop " +
			"until a time has come takes a whole CPU."),
		fix: a.fill("Let {in} sleep until the time, or wait for a time.Timer or a context's deadline."),
	}
}

func readsClock(a *active, all []active) bool {
	return a.act == actClock && a.d.RoleOf(a.index) == nil && crowd(all) == 0 && woken(all) == 0 && !a.peerWaits()
}
