package rules

// logRules are the rules about log patterns, ordered by id.
func logRules() []*Rule {
	return []*Rule{
		reconcileLoop(), errorLoop(), conflictStorm(), requeueLoop(), watchRestarts(), throttledClient(), leaderFlapping(), slowEtcd(), logRestarts(), kernelOOM(),
	}
}
