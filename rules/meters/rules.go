// Package meters holds the rules about what meters show of a process: the metrics that it serves, the control group
// that it runs in.
package meters

import (
	_ "embed"

	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var metersDoc string

// Rules returns the rules about metrics and control groups, ordered by id.
func Rules() []*rules.Rule {
	return rules.Documented(metersDoc, []*rules.Rule{
		{ID: "TR710", Name: "cpu-throttled", Category: rules.Contention, Severity: rules.Medium,
			Needs: rules.NeedsCgroup, Run: runThrottled},
		{ID: "TR711", Name: "file-descriptors-used-up", Category: rules.Leak, Severity: rules.High,
			Needs: rules.NeedsMetrics, Run: runDescriptors},
		{ID: "TR712", Name: "queue-worker-stuck", Category: rules.Contention, Severity: rules.Medium,
			Needs: rules.NeedsMetrics, Run: runStuckQueues},
		{ID: "TR713", Name: "memory-limit-reached", Category: rules.Memory, Severity: rules.Medium,
			Needs: rules.NeedsCgroup, Run: runMemoryLimit},
	})
}
