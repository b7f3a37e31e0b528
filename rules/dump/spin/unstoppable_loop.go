package spin

// explainUnstoppable is unstoppable-loop (TR108).
func explainUnstoppable(a *active) spin {
	return spin{
		act: "started a loop that can't be stopped",
		why: a.fill("{who} is on a CPU and its stack is unavailable: it did not stop when the runtime asked it to; " +
			"all others wait. It was started by {in}, which is all that the dump tells."),
		fix: a.fill("Look at what the go statement in {in} starts: a loop without a call, on a condition that nobody " +
			"changes? Wait for it on a channel, a sync.Cond or a context."),
	}
}

// cannotStop asks for more quiet than alone does: without a stack, that nothing else goes on is all the evidence.
func cannotStop(a *active, all []active) bool {
	return a.act == actNoStack && a.bucket.CreatedBy != nil && !isLibrary(a.d, a.bucket.CreatedBy.Frame) &&
		alone(all) && woken(all) == 0 && !a.talks() && !a.peerWaits() && !a.joined()
}
