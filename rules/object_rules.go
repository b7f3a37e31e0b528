package rules

import _ "embed"

//go:embed doc_objects.md
var objectsDoc string

// The ids of the rules about Kubernetes objects.
const (
	idPodStorm         = "TR730"
	idCrashLoop        = "TR731"
	idOOMKilled        = "TR732"
	idProbeKilled      = "TR733"
	idPendingClaim     = "TR734"
	idDoomedClaim      = "TR735"
	idUnschedulable    = "TR736"
	idCannotStart      = "TR737"
	idStuckPods        = "TR738"
	idStuckFinalizer   = "TR739"
	idStuckNamespace   = "TR740"
	idNodeNotReady     = "TR741"
	idNodePressure     = "TR742"
	idStatusChurn      = "TR743"
	idFieldFlip        = "TR744"
	idFreshlyWritten   = "TR745"
	idRestartedEarlier = "TR746"
)

// objectRules are the rules about Kubernetes objects, ordered by id.
func objectRules() []*Rule {
	return Documented(objectsDoc, []*Rule{
		podStorm(), crashLoop(), oomKilled(), probeKilled(), pendingClaim(), doomedClaim(), unschedulable(), cannotStart(), stuckPods(),
		stuckFinalizer(), stuckNamespace(), nodeNotReady(), nodePressure(), statusChurn(), fieldFlip(), freshlyWritten(), restartedEarlier(),
	})
}
