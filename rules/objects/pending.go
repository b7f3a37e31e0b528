package objects

import (
	"time"

	"github.com/gotriage/triage/internal/kube"
)

// pendingLong is how long a pod may take to start: an autoscaled node takes up to 10 minutes, and so does a large
// image.
const pendingLong = 10 * time.Minute

// waitingPod reports a pod that has not started.
func waitingPod(p *kube.Pod) bool {
	return p.Phase == "Pending" && !p.Gone && p.Deleted.IsZero()
}

// podAge is how long the pod has been there.
func podAge(c *kube.Cluster, p *kube.Pod) time.Duration {
	from := p.Created
	if s := kube.Find(p.Conditions, "PodScheduled"); from.IsZero() && s != nil {
		from = s.Since
	}
	if from.IsZero() {
		from = p.Started
	}
	return since(c, from)
}
