package objects

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
