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
		rule(idPodStorm, "pod-storm", rules.PodStorm, rules.Critical, runPodStorm),
		rule(idCrashLoop, "crash-loop", rules.Crash, rules.High, runCrashLoop),
		rule(idOOMKilled, "oom-killed", rules.Memory, rules.High, runOomKilled),
		rule(idProbeKilled, "probe-killed", rules.Crash, rules.High, runProbeKilled),
		rule(idPendingClaim, "pending-claim", rules.RaceCat, rules.High, runPendingClaim),
		rule(idDoomedClaim, "doomed-claim", rules.RaceCat, rules.High, runDoomedClaim),
		rule(idUnschedulable, "unschedulable", rules.Contention, rules.Medium, runUnschedulable),
		rule(idCannotStart, "container-cannot-start", rules.Deadlock, rules.Medium, runCannotStart),
		rule(idStuckPods, "pods-stuck-terminating", rules.Deadlock, rules.High, runStuckPods),
		rule(idStuckFinalizer, "deletion-stuck", rules.Deadlock, rules.Medium, runStuckFinalizer),
		rule(idStuckNamespace, "namespace-stuck-terminating", rules.Deadlock, rules.Medium, runStuckNamespace),
		rule(idNodeNotReady, "node-not-ready", rules.Crash, rules.Medium, runNodeNotReady),
		rule(idNodePressure, "node-pressure", rules.Memory, rules.Medium, runNodePressure),
		rule(idStatusChurn, "status-churn", rules.HotLoop, rules.High, runStatusChurn),
		rule(idFieldFlip, "field-flip", rules.HotLoop, rules.High, runFieldFlip),
		rule(idFreshlyWritten, "freshly-written", rules.HotLoop, rules.Low, runFreshlyWritten),
		rule(idRestartedEarlier, "restarted-earlier", rules.Crash, rules.Low, runRestartedEarlier),
	})
}

func rule(
	id, name string, c rules.Category, s rules.Severity, run func(*rules.Pass) []rules.Finding,
) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: c, Severity: s, Needs: rules.NeedsObjects, Run: run}
}
