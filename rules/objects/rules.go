package objects

import (
	_ "embed"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var objectsDoc string

// Rules returns the rules about Kubernetes objects, ordered by id.
func Rules() []*rules.Rule {
	return rules.Documented(objectsDoc, []*rules.Rule{
		rule("TR730", "pod-storm", rules.PodStorm, rules.Critical, of(runPodStorm)),
		rule("TR731", "crash-loop", rules.Crash, rules.High, runCrashLoop),
		rule("TR732", "oom-killed", rules.Memory, rules.High, runOomKilled),
		rule("TR733", "probe-killed", rules.Crash, rules.High, of(runProbeKilled)),
		rule("TR734", "pending-claim", rules.RaceCat, rules.High, of(runPendingClaim)),
		rule("TR735", "doomed-claim", rules.RaceCat, rules.High, of(runDoomedClaim)),
		rule("TR736", "unschedulable", rules.Contention, rules.Medium, of(runUnschedulable)),
		rule("TR737", "container-cannot-start", rules.Deadlock, rules.Medium, of(runCannotStart)),
		rule("TR738", "pods-stuck-terminating", rules.Deadlock, rules.High, of(runStuckPods)),
		rule("TR739", "deletion-stuck", rules.Deadlock, rules.Medium, of(runStuckFinalizer)),
		rule("TR740", "namespace-stuck-terminating", rules.Deadlock, rules.Medium, of(runStuckNamespace)),
		rule("TR741", "node-not-ready", rules.Crash, rules.Medium, of(runNodeNotReady)),
		rule("TR742", "node-pressure", rules.Memory, rules.Medium, of(runNodePressure)),
		rule("TR743", "status-churn", rules.HotLoop, rules.High, of(runStatusChurn)),
		rule("TR744", "field-flip", rules.HotLoop, rules.High, of(runFieldFlip)),
		rule("TR745", "freshly-written", rules.HotLoop, rules.Low, of(runFreshlyWritten)),
		rule("TR746", "restarted-earlier", rules.Crash, rules.Low, of(runRestartedEarlier)),
		rule("TR747", "pods-refused", rules.Deadlock, rules.High, of(runPodsRefused)),
		rule("TR748", "lease-flapping", rules.Contention, rules.High, runLeaseFlapping),
		rule("TR749", "cronjob-pile-up", rules.Leak, rules.High, of(runCronPile)),
		rule("TR750", "ownerless-pile", rules.Leak, rules.High, of(runOwnerlessPile)),
		rule("TR751", "drain-blocked", rules.Deadlock, rules.Medium, of(runDrainBlocked)),
		rule("TR752", "rollout-stuck", rules.Deadlock, rules.Medium, of(runRolloutStuck)),
		rule("TR753", "two-autoscalers", rules.Contention, rules.Medium, of(runAutoscalers)),
		rule("TR754", "service-selects-nothing", rules.Deadlock, rules.Medium, of(runEmptyService)),
		rule("TR755", "job-pods-fail", rules.PodStorm, rules.Medium, of(runJobPodsFail)),
		rule("TR756", "made-again", rules.HotLoop, rules.High, of(runMadeAgain)),
		rule("TR757", "short-lived-objects", rules.HotLoop, rules.High, of(runShortLived)),
		rule("TR758", "outlives-owner", rules.RaceCat, rules.High, of(runOutlivesOwner)),
		rule("TR759", "never-ready", rules.Deadlock, rules.Medium, of(runNeverReady)),
		rule("TR781", "init-hangs", rules.Deadlock, rules.Medium, of(runInitHangs)),
		rule("TR782", "dead-route", rules.Deadlock, rules.Medium, of(runDeadRoute)),
		rule("TR783", "target-port-missing", rules.Deadlock, rules.Medium, of(runTargetPort)),
		rule("TR784", "balancer-refused", rules.Deadlock, rules.Medium, of(runBalancerRefused)),
		rule("TR785", "api-unavailable", rules.Deadlock, rules.Medium, of(runAPIUnavailable)),
		rule("TR786", "autoscaler-idle", rules.Contention, rules.Medium, of(runIdleScaler)),
		rule("TR787", "job-gave-up", rules.Crash, rules.Medium, of(runJobGaveUp)),
		rule("TR788", "cron-held", rules.Deadlock, rules.Medium, of(runCronHeld)),
		rule("TR789", "signing-request-waits", rules.Deadlock, rules.Low, of(runSigningWaits)),
	})
}

func rule(
	id, name string, c rules.Category, s rules.Severity, run func(*rules.Pass) []rules.Finding,
) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: c, Severity: s, Needs: rules.NeedsObjects, Run: run}
}

// of is a rule that looks at nothing but objects.
func of(run func(*kube.Cluster) []rules.Finding) func(*rules.Pass) []rules.Finding {
	return func(p *rules.Pass) []rules.Finding { return run(parsed.Cluster(p)) }
}
