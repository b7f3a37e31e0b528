package objects

import (
	"slices"

	"github.com/gotriage/triage/internal/kube"
)

// topNames are the workloads of pods, each once, the first 100.
func topNames(c *kube.Cluster, pods []*kube.Pod) []string {
	var names []string
	for _, p := range pods {
		if n := kindName(c.Top(&p.Meta)); len(names) < 100 && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}
