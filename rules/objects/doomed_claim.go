package objects

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
)

// justDeleted is how long a deleted claim in use may be the trace of what is wrong now. A real cluster had two that had
// run on for 14 days.
const justDeleted = time.Hour

func runDoomedClaim(p *rules.Pass) []rules.Finding {
	c := p.Cluster
	pending := map[kube.Ref]*kube.Pod{} // the first of each workload
	for _, pod := range slices.Backward(c.Pods) {
		if waitingPod(pod) {
			pending[c.Top(&pod.Meta)] = pod
		}
	}
	var found []rules.Finding
	for _, pod := range c.Pods {
		if pod.Gone || !pod.Deleted.IsZero() || pod.Phase != "Running" {
			continue
		}
		top := c.Top(&pod.Meta)
		w := c.Workload(top.Kind, top.Namespace, top.Name)
		if w != nil && (!w.Deleted.IsZero() || w.Replicas == 0) {
			continue // it is being taken down
		}
		for _, name := range pod.Claims {
			if claim := c.Claim(pod.Namespace, name); claim != nil && !claim.Deleted.IsZero() && !claim.Gone {
				found = append(found, doomedClaimOf(c, pod, claim, top, pending[top]))
			}
		}
	}
	return found
}

// doomedClaimOf accuses a claim under a running pod; other is a pod of the same workload that hangs already, nil for
// none.
func doomedClaimOf(c *kube.Cluster, pod *kube.Pod, claim *kube.Claim, top kube.Ref, other *kube.Pod) rules.Finding {
	f := rules.Finding{
		Category: rules.RaceCat, Severity: rules.Low, Confidence: rules.ConfMedium, Object: objectOf(claim.Ref), Count: 1,
		FirstSeen: kubeTime(deletedAt(&claim.Meta)), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(claim.Ref, "is being deleted under running pod "+pod.Name, "is being deleted in use"),
		Why: fmt.Sprintf("PersistentVolumeClaim %s was deleted%s. Only %s holds it, as long as pod %s runs, which "+
			"nobody deletes and %s wants. When that pod goes, claim and data go, and the pod that follows it can "+
			"wait for a claim that is gone.",
			claim.Name, atTime(deletedAt(&claim.Meta)), someNames(claim.Finalizers), pod.Name, kindName(top)),
		Evidence: []rules.Evidence{
			claimEvidence(claim),
			kubeEvidence(pod.At, pod.Started, 1, "%s is Running and uses claim %s", kindName(pod.Ref), claim.Name),
		},
		Next: rules.Commands(
			kubectlIn(claim.Namespace, "get pvc "+rules.Quote(claim.Name)+" -o yaml"),
			kubectlOn(top, "get", "-o yaml", "--show-managed-fields"),
		),
		Notes: []string{"Who deleted the claim stands in the API server's audit log only (`triage audit`)."},
	}
	if since(c, deletedAt(&claim.Meta)) < justDeleted {
		f.Severity = rules.Medium
	}
	if other != nil {
		f.Severity = rules.High
		f.Why += fmt.Sprintf(" Pod %s of it is Pending already.", other.Name)
		f.Evidence = append(f.Evidence, kubeEvidence(other.At, other.Created, 1, "%s is Pending", kindName(other.Ref)))
	}
	if w := c.Workload(top.Kind, top.Namespace, top.Name); w != nil {
		f.Evidence = append(f.Evidence, kubeEvidence(w.At, w.Written, 1, "%s wants %d replicas, %d ready, "+
			"generation %d", kindName(w.Ref), w.Replicas, w.Ready, w.Generation))
	}
	return f
}
