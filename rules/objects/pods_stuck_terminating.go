package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// overdue is how long after the end of its grace period a pod should be gone. The kubelet needs seconds; a node that is
// lost is noticed after 50 s and its pods are deleted after 5 minutes (tolerationSeconds 300), and then no one removes
// them.
const overdue = 5 * time.Minute

func runStuckPods(p *rules.Pass) []rules.Finding {
	c := p.Cluster
	var nodes grouping[string, *kube.Pod]
	for _, pod := range c.Pods {
		if pod.Gone || pod.Deleted.IsZero() || since(c, pod.Deleted) < overdue || pod.Phase == "Succeeded" {
			continue
		}
		nodes.add(pod.Node, pod)
	}
	var found []rules.Finding
	for _, name := range nodes.keys {
		found = append(found, stuckPodsOn(c, name, nodes.values[name]))
	}
	return found
}

func stuckPodsOn(c *kube.Cluster, name string, pods []*kube.Pod) rules.Finding {
	slices.SortStableFunc(pods, func(a, b *kube.Pod) int { return a.Deleted.Compare(b.Deleted) })
	first := pods[0]
	state, node := nodeState(c, name)
	f := rules.Finding{
		Category: rules.Deadlock, Severity: rules.Medium, Confidence: rules.ConfMedium, Object: objectOf(first.Ref), Count: len(pods),
		FirstSeen: kubeTime(deletedAt(&first.Meta)), LastSeen: kubeTime(c.Time),
	}
	for _, p := range pods[:min(len(pods), maxObjectEvidence)] {
		text := fmt.Sprintf("%s (of %s): deleted, to be gone at %s", kindName(p.Ref), kindName(c.Top(&p.Meta)),
			kubeTime(p.Deleted))
		if len(p.Finalizers) > 0 {
			text += ", held by " + someNames(p.Finalizers)
		}
		f.Evidence = append(f.Evidence, kubeEvidence(p.At, deletedAt(&p.Meta), 1, "%s", text))
	}
	late := phrase.Spell(since(c, first.Deleted))
	f.Next = rules.Commands(kubectlIn(first.Namespace, "get pod "+rules.Quote(first.Name)+" -o yaml"))
	if state != "" {
		dead := kube.Ref{API: "v1", Kind: "Node", Name: name}
		f.Severity, f.Confidence, f.Object = rules.High, rules.ConfHigh, objectOf(dead)
		f.Title = kubeTitle(dead, "keeps "+phrase.Counted(len(pods), "pod")+" Terminating: it "+cutParens(state))
		f.Why = fmt.Sprintf("%s of node %s should have been gone, the first %s ago. The node %s, so nobody confirms "+
			"that they ended, and they stay. What waits for them (%s) goes on waiting, and repeats itself if it polls.",
			phrase.Counted(len(pods), "pod"), name, late, state, someNames(topNames(c, pods)))
		f.Fix = fmt.Sprintf("Bring node %s back. If it is surely dead, delete its Node object, or give it the taint "+
			"node.kubernetes.io/out-of-service=nodeshutdown:NoExecute: then its pods go and their volumes are "+
			"detached.", name)
		f.Next = append(rules.Commands("kubectl describe node "+rules.Quote(name)), f.Next...)
		if node != nil {
			if r := kube.Find(node.Conditions, "Ready"); r != nil {
				f.Evidence = append([]rules.Evidence{kubeEvidence(node.At, r.Since, 1, "Node %s: Ready is %s: %s: %s", name,
					r.Status, r.Reason, r.Message)}, f.Evidence...)
			}
		}
		return f
	}
	held := len(first.Finalizers) > 0
	f.Title = kubeTitle(first.Ref, "is Terminating, overdue for "+late)
	f.Why = fmt.Sprintf("%s should have been gone %s ago (%s on that node).", kindName(first.Ref), late,
		phrase.Counted(len(pods), "pod"))
	f.Fix = "See why the kubelet can't end it (a volume that does not unmount, a process in uninterruptible I/O, a " +
		"runtime that hangs): its log on the node tells."
	if held {
		f.Why += " Its finalizers hold it: " + someNames(first.Finalizers) + "."
		f.Fix = "Find the controller that has to remove the finalizer " + first.Finalizers[0] + ", and why it does not."
	}
	f.Next = append(f.Next, rules.Target{Namespace: first.Namespace, Pod: first.Name}.Describe())
	return f
}

// nodeState explains why no one on the node acts: it is gone from a cluster whose nodes are known, or not ready. "" for
// a node that works, or of which nothing is known.
func nodeState(c *kube.Cluster, name string) (string, *kube.Node) {
	if name == "" {
		return "", nil
	}
	n := c.Node(name)
	if n == nil {
		if len(c.Nodes) > 0 && c.Lists("Node", "") {
			return "is not in the cluster any more", nil
		}
		return "", nil
	}
	if ready := kube.Find(n.Conditions, "Ready"); ready != nil && ready.Status != "True" {
		return "is not ready (" + cmp.Or(ready.Reason, "Ready is "+ready.Status) + ")", n
	}
	return "", n
}

// cutParens drops what is in parentheses at the end.
func cutParens(s string) string {
	s, _, _ = strings.Cut(s, " (")
	return s
}

// topNames are the workloads of pods, each once, the first 100.
func topNames(c *kube.Cluster, pods []*kube.Pod) []string {
	const most = 100
	var names []string
	for _, p := range pods {
		if len(names) == most {
			break
		}
		if n := kindName(c.Top(&p.Meta)); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}
