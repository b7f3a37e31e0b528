package rules

import _ "embed"

//go:embed doc_logs.md
var logsDoc string

// logRules are the rules about log patterns, ordered by id.
func logRules() []*Rule {
	return Documented(logsDoc, []*Rule{
		reconcileLoop(), errorLoop(), conflictStorm(), requeueLoop(), watchRestarts(), throttledClient(), leaderFlapping(), slowEtcd(), logRestarts(), kernelOOM(),
	})
}
