package objects

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// undated is how old a pod may be for its age to be believed where the inputs do not say when they were taken: pieces
// of several clusters lie in one folder.
const undated = 7 * 24 * time.Hour

func runUnschedulable(p *rules.Pass) []rules.Finding {
	c := p.Cluster
	var tops grouping[kube.Ref, *kube.Pod]
	for _, pod := range c.Pods {
		cond := kube.Find(pod.Conditions, "PodScheduled")
		if !waitingPod(pod) || cond == nil || cond.Status != "False" || podAge(c, pod) < pendingLong ||
			claimsHang(c, pod) {
			continue
		}
		tops.add(c.Top(&pod.Meta), pod)
	}
	var found []rules.Finding
	for _, top := range tops.keys {
		found = append(found, unschedulableOf(c, top, tops.values[top]))
	}
	return found
}

// claimsHang reports a pod that TR734 speaks of.
func claimsHang(c *kube.Cluster, p *kube.Pod) bool {
	return slices.ContainsFunc(p.Claims, func(name string) bool { _, ok := hungOn(c, p, name); return ok })
}

func unschedulableOf(c *kube.Cluster, top kube.Ref, pods []*kube.Pod) rules.Finding {
	slices.SortStableFunc(pods, func(a, b *kube.Pod) int { return a.Created.Compare(b.Created) })
	first := pods[0]
	cond := kube.Find(first.Conditions, "PodScheduled")
	f := rules.Finding{
		Category: rules.Contention, Severity: rules.Medium, Confidence: rules.ConfMedium, Object: objectOf(top), Count: len(pods),
		FirstSeen: kubeTime(first.Created), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(top, "has "+phrase.Counted(len(pods), "pod")+" that no node takes"),
		Why: fmt.Sprintf("%s of %s can't be scheduled, the oldest for %s. The scheduler says: %s.",
			phrase.Counted(len(pods), "pod"), kindName(top), phrase.Spell(podAge(c, first)), phrase.Quoted(cond.Message)),
		Fix: fmt.Sprintf("Give the cluster what the scheduler's message asks for, or change what %s asks for.",
			kindName(top)),
		Next: rules.Commands(kubectlIn(first.Namespace, "describe pod "+rules.Quote(first.Name)), "kubectl describe nodes"),
	}
	if c.Bundle.Created.IsZero() && podAge(c, first) > undated {
		f.Severity, f.Confidence = rules.Low, rules.ConfLow
		f.Notes = []string{"The inputs do not say when they were taken: how long it has waited is not sure."}
	}
	for _, p := range pods[:min(len(pods), maxObjectEvidence)] {
		f.Evidence = append(f.Evidence, kubeEvidence(p.At, p.Created, 1, "%s: %s: %s", kindName(p.Ref),
			kube.Find(p.Conditions, "PodScheduled").Reason, kube.Find(p.Conditions, "PodScheduled").Message))
	}
	return f
}
