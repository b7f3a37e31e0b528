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
		rule("TR734", "pending-claim", rules.RaceCat, rules.High, of(runPendingClaim)),
		rule("TR736", "unschedulable", rules.Contention, rules.Medium, of(runUnschedulable)),
		rule("TR737", "container-cannot-start", rules.Deadlock, rules.Medium, of(runCannotStart)),
		rule("TR743", "status-churn", rules.HotLoop, rules.High, of(runStatusChurn)),
		rule("TR744", "field-flip", rules.HotLoop, rules.High, of(runFieldFlip)),
		rule("TR747", "pods-refused", rules.Deadlock, rules.High, of(runPodsRefused)),
		rule("TR748", "lease-flapping", rules.Contention, rules.High, of(runLeaseFlapping)),
		rule("TR751", "drain-blocked", rules.Deadlock, rules.Medium, of(runDrainBlocked)),
		rule("TR753", "two-autoscalers", rules.Contention, rules.Medium, of(runAutoscalers)),
		rule("TR758", "outlives-owner", rules.RaceCat, rules.High, of(runOutlivesOwner)),
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
