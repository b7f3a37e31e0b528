package rules

import _ "embed"

//go:embed doc_objects.md
var objectsDoc string

// objectRules are the rules about Kubernetes objects, ordered by id.
func objectRules() []*Rule {
	return Documented(objectsDoc, []*Rule{
		podStorm(), crashLoop(), oomKilled(), probeKilled(), pendingClaim(), doomedClaim(), unschedulable(),
		cannotStart(), stuckPods(),
		stuckFinalizer(), stuckNamespace(), nodeNotReady(), nodePressure(), statusChurn(), fieldFlip(),
		freshlyWritten(), restartedEarlier(),
	})
}
