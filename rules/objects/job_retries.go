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

// inVain reports a Job that goes on making pods of which each has failed.
func inVain(c *kube.Cluster, w *kube.Workload, pods []*kube.Pod, failed, ended int) bool {
	if failed < vainPods || ended > failed || rejection(pods[0].Reason) || c.Time.IsZero() {
		return false
	}
	newest := pods[0].Created
	for _, p := range pods {
		if p.Created.After(newest) {
			newest = p.Created
		}
	}
	if w != nil {
		if _, over := finishedAt(w); over || w.Succeeded > 0 || int(w.Active) > failed {
			return false
		}
	}
	return since(c, newest) <= vainLately
}

// jobInVain is job-pods-fail (TR755) where a Job's pods fail one after the other.
func jobInVain(c *kube.Cluster, w *kube.Workload, pods []*kube.Pod, failed int) rules.Finding {
	first, last := pods[0], pods[0]
	for _, p := range pods {
		if p.Created.Before(first.Created) {
			first = p
		}
		if p.Created.After(last.Created) {
			last = p
		}
	}
	about := first.Owner
	if w != nil {
		about = w.Ref
	}
	f := finding(about, rules.Medium, rules.ConfMedium, failed, first.Created, last.Created)
	f.Title = title(about, fmt.Sprintf("fails each time: %d pods failed and none succeeded", failed),
		fmt.Sprintf("has %d failed pods and none that succeeded", failed))
	f.Why = fmt.Sprintf("%s of %s failed, the last one with this: %s. None succeeded, and its controller makes the "+
		"next one after a pause that doubles.", phrase.Count(failed, "pod"), kindName(about), howEnded(last))
	if top := c.Top(&first.Meta); top != about {
		f.Objects = []rules.Object{*objectOf(top)}
	}
	f.Evidence = []rules.Evidence{
		evidence(first.At, first.Created, failed, "first of %s: %s: Failed: %s", phrase.Count(failed, "pod"),
			first.Name, howEnded(first)),
		evidence(last.At, last.Created, 1, "last: %s: Failed: %s", last.Name, howEnded(last)),
	}
	f.Fix = fmt.Sprintf("Read the log of the last pod of %s and correct what ends it; suspend the Job until then.",
		kindName(about))
	f.Next = []rules.Step{rules.Target{Namespace: last.Namespace, Pod: last.Name}.Logs(), describe(last)}
	return f
}
