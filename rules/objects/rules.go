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
		rule("TR730", "pod-storm", rules.PodStorm, rules.Critical, runPodStorm),
		rule("TR731", "crash-loop", rules.Crash, rules.High, runCrashLoop),
		rule("TR732", "oom-killed", rules.Memory, rules.High, runOomKilled),
		rule("TR733", "probe-killed", rules.Crash, rules.High, runProbeKilled),
		rule("TR734", "pending-claim", rules.RaceCat, rules.High, runPendingClaim),
		rule("TR735", "doomed-claim", rules.RaceCat, rules.High, runDoomedClaim),
		rule("TR736", "unschedulable", rules.Contention, rules.Medium, runUnschedulable),
		rule("TR737", "container-cannot-start", rules.Deadlock, rules.Medium, runCannotStart),
		rule("TR738", "pods-stuck-terminating", rules.Deadlock, rules.High, runStuckPods),
		rule("TR739", "deletion-stuck", rules.Deadlock, rules.Medium, runStuckFinalizer),
		rule("TR740", "namespace-stuck-terminating", rules.Deadlock, rules.Medium, runStuckNamespace),
		rule("TR741", "node-not-ready", rules.Crash, rules.Medium, runNodeNotReady),
		rule("TR742", "node-pressure", rules.Memory, rules.Medium, runNodePressure),
		rule("TR743", "status-churn", rules.HotLoop, rules.High, runStatusChurn),
		rule("TR744", "field-flip", rules.HotLoop, rules.High, runFieldFlip),
		rule("TR745", "freshly-written", rules.HotLoop, rules.Low, runFreshlyWritten),
		rule("TR746", "restarted-earlier", rules.Crash, rules.Low, runRestartedEarlier),
	})
}

func rule(
	id, name string, c rules.Category, s rules.Severity, run func(*rules.Pass) []rules.Finding,
) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: c, Severity: s, Needs: rules.NeedsObjects, Run: run}
}
