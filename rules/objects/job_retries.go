package objects

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

const (
	// vainPods of one Job that failed, with none that succeeded, are a crash loop of another form: as many are the
	// default backoffLimit, after which it would have given up.
	vainPods = 6
	// vainLately is how long ago the last of them may have been made: the back-off ends at six minutes, and its pod
	// runs for some as well.
	vainLately = 15 * time.Minute
)

// inVain reports a Job that goes on making pods, given oldest first, of which each has failed.
func inVain(c *kube.Cluster, w *kube.Workload, pods []*kube.Pod, failed, ended int) bool {
	if failed < vainPods || ended > failed || rejection(pods[0].Reason) || c.Time.IsZero() {
		return false
	}
	if w != nil {
		if _, over := finishedAt(w); over || w.Succeeded > 0 || int(w.Active) > failed {
			return false
		}
	}
	return since(c, pods[len(pods)-1].Created) <= vainLately
}

// jobInVain is job-pods-fail (TR755) where a Job's pods fail one after the other.
func jobInVain(c *kube.Cluster, w *kube.Workload, pods []*kube.Pod, failed int) rules.Finding {
	f, about := failedFinding(c, w, pods, failed)
	f.Title = title(about, fmt.Sprintf("fails each time: %d pods failed and none succeeded", failed),
		fmt.Sprintf("has %d failed pods and none that succeeded", failed))
	f.Why = fmt.Sprintf("%s of %s failed, the last one with this: %s. None succeeded, and its controller makes the "+
		"next one after a pause that doubles.", phrase.Count(failed, "pod"), kindName(about),
		howEnded(pods[len(pods)-1]))
	f.Fix = fmt.Sprintf("Read the log of the last pod of %s and correct what ends it; suspend the Job until then.",
		kindName(about))
	return f
}
