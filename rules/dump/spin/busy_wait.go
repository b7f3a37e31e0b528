package spin

// explainYield is busy-wait (TR101).
func explainYield(a *active) spin {
	return spin{
		act: "busy-waits on runtime.Gosched",
		why: a.fill("Runnable with runtime.Gosched on top: {in} yields in a loop instead of waiting, and takes a " +
			"whole CPU for as long as it does."),
		fix: "Let it wait on a channel, a sync.Cond or a context. If it must poll, let it sleep between checks.",
	}
}

func yields(a *active, _ []active) bool { return a.act == actYields && a.d.RoleOf(a.index) == nil }
