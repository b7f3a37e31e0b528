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
		rule("TR700", "reconcile-loop", rules.HotLoop, rules.High, runReconcileLoop),
		rule("TR701", "error-without-backoff", rules.HotLoop, rules.High, runErrorLoop),
		rule("TR702", "conflicts-in-log", rules.Contention, rules.Medium, runConflicts),
		rule("TR703", "requeue-storm", rules.HotLoop, rules.Medium, runRequeues),
		rule("TR704", "watch-restarts", rules.Contention, rules.Medium, runWatchRestarts),
		rule("TR705", "client-side-throttling", rules.Contention, rules.Medium, runThrottled),
		rule("TR706", "leader-election-flapping", rules.Contention, rules.High, runLeaders),
		rule("TR707", "slow-etcd", rules.Contention, rules.High, runSlowEtcd),
		rule("TR708", "restarts-in-log", rules.Crash, rules.Medium, runLogRestarts),
		rule("TR709", "oom-killed-in-kernel-log", rules.Memory, rules.Medium, runKernelOOM),
	})
}

func rule(
	id, name string, c rules.Category, s rules.Severity, run func(*rules.Pass) []rules.Finding,
) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: c, Severity: s, Needs: rules.NeedsLogs, Run: run}
}
