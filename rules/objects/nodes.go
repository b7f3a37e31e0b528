package objects

import (
	"github.com/gotriage/triage/internal/kube"
)

// removedBy is the taint by which an autoscaler says that it removes the node, "" for none: that of cluster-autoscaler
// (utils/taints), and of Karpenter from 1.0 on and before.
func removedBy(n *kube.Node) string {
	for _, t := range n.Taints {
		if t == "ToBeDeletedByClusterAutoscaler" || t == "karpenter.sh/disrupted" || t == "karpenter.sh/disruption" {
			return t
		}
	}
	return ""
}

// leases of other nodes that were renewed since
