package logs

import (
	_ "embed"

	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var logsDoc string

// Rules returns the rules about log patterns, ordered by id.
func Rules() []*rules.Rule {
	return rules.Documented(logsDoc, []*rules.Rule{
		reconcileLoop(), errorLoop(), conflictStorm(), requeueLoop(), watchRestarts(), throttledClient(),
		leaderFlapping(), slowEtcd(), logRestarts(), kernelOOM(),
	})
}
