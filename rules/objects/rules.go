package objects

import (
	_ "embed"

	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var objectsDoc string

// Rules returns the rules about Kubernetes objects, ordered by id.
func Rules() []*rules.Rule {
	return rules.Documented(objectsDoc, []*rules.Rule{
		podStorm(), crashLoop(), oomKilled(), probeKilled(), pendingClaim(), doomedClaim(), unschedulable(),
		cannotStart(), stuckPods(),
		stuckFinalizer(), stuckNamespace(), nodeNotReady(), nodePressure(), statusChurn(), fieldFlip(),
		freshlyWritten(), restartedEarlier(),
	})
}
