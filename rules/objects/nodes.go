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

// notReadyLong is longer than a kubelet's restart: the node controller waits for 50 s (--node-monitor-grace-period).
const notReadyLong = 2 * time.Minute

// runNodeNotReady is node-not-ready (TR741).
func runNodeNotReady(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	for _, n := range c.Nodes {
		r := kube.Find(n.Conditions, "Ready")
		if n.Gone || r == nil || r.Status == "True" {
			continue
		}
		pods, stuck := podsOn(c, n)
		if !r.Since.IsZero() && since(c, r.Since) < notReadyLong && (r.Status != "Unknown" || stuck == 0) {
			continue
		}
		f := notReady(c, n, r, pods, stuck)
		if why := comesOrGoes(c, n, r); why != "" {
			f.Severity, f.Confidence, f.Notes = rules.Low, rules.ConfLow, []string{why}
		}
		unsureSince(c, &f, n.At, r.Since, notReadyLong)
		found = append(found, f)
	}
	return append(found, silentNodes(c)...)
}

// youngNode is how long a new node may take until it is ready: its network plugin and drivers are installed first.
const youngNode = 10 * time.Minute

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

// comesOrGoes explains why a node may well be not ready: it is new, or an autoscaler removes it. "" for others.
func comesOrGoes(c *kube.Cluster, n *kube.Node, ready *kube.Condition) string {
	if t := removedBy(n); t != "" {
		return "An autoscaler is removing it (taint " + t + ")."
	}
	if at := n.Cordoned; n.Unschedulable && !at.IsZero() && at.Before(ready.Since) && emptied(c, n) {
		return "It was cordoned at " + kubeTime(at) + " and holds no pods but those of DaemonSets: it may be in " +
			"maintenance."
	}
	lost := ready.Status == "Unknown" && ready.Reason != "NodeStatusNeverUpdated" // it was up before
	if age := since(c, n.Created); !n.Created.IsZero() && age < youngNode && !lost {
		return "It is " + phrase.Spell(age) + " old: it may still be starting."
	}
	return ""
}

// emptied reports a node without pods but those of DaemonSets and its own, which a drain leaves.
func emptied(c *kube.Cluster, n *kube.Node) bool {
	return !slices.ContainsFunc(c.Pods, func(p *kube.Pod) bool {
		return p.Node == n.Name && !p.Gone && p.Phase != "Succeeded" && p.Phase != "Failed" &&
			p.Owner.Kind != "DaemonSet" && p.Owner.Kind != "Node"
	})
}

// Bounds of a node that is known by its lease alone: kubelets renew it every 10 s, and the node controller waits for
// the 40 s that it lasts. A reboot takes longer than that, so that pods have to hang on the node, or two minutes to
// pass.
const silentLeases = 3 // leases of other nodes that were renewed since

// silentNodes finds nodes in inputs without Node objects: those whose lease stopped while the others' went on.
func silentNodes(c *kube.Cluster) []rules.Finding {
	var leases []*kube.Lease
	var newest time.Time
	for _, l := range c.Leases {
		if l.Namespace == "kube-node-lease" && !l.Gone && !l.Renewed.IsZero() && c.Node(l.Name) == nil {
			leases = append(leases, l)
			if l.Renewed.After(newest) {
				newest = l.Renewed
			}
		}
	}
	var found []rules.Finding
	for _, l := range leases {
		lag := newest.Sub(l.Renewed)
		if lag < max(2*l.Duration, time.Minute) {
			continue
		}
		others := 0
		for _, o := range leases {
			if newest.Sub(o.Renewed) < l.Duration {
				others++
			}
		}
		n := &kube.Node{Meta: kube.Meta{Ref: kube.Ref{API: "v1", Kind: "Node", Name: l.Name}, At: l.At}}
		pods, stuck := podsOn(c, n)
		if others < silentLeases || lag < notReadyLong && stuck == 0 {
			continue
		}
		f := notReady(c, n, &kube.Condition{Status: "Unknown", Reason: "LeaseNotRenewed", Since: l.Renewed,
			Message: fmt.Sprintf("its lease was renewed last at %s, %d other nodes have renewed theirs since",
				kubeTime(l.Renewed),
				others)}, pods, stuck)
		if pods == 0 && lag > lately {
			f.Severity, f.Confidence = rules.Low, rules.ConfLow
			f.Notes = []string{"No pod in the inputs is on it: the lease may be left over from a " +
				"node that was removed."}
		}
		found = append(found, f)
	}
	return found
}

// podsOn counts the pods of a node, and those that should have been gone by now: no kubelet confirms their end.
func podsOn(c *kube.Cluster, n *kube.Node) (pods, stuck int) {
	for _, p := range c.Pods {
		if p.Node != n.Name || p.Gone {
			continue
		}
		if pods++; !p.Deleted.IsZero() && since(c, p.Deleted) > 0 {
			stuck++
		}
	}
	return pods, stuck
}

func notReady(c *kube.Cluster, n *kube.Node, r *kube.Condition, pods, stuck int) rules.Finding {
	f := finding(n.Ref, rules.Medium, rules.ConfHigh, 1, r.Since, c.Time)
	f.Title = title(n.Ref, "is not ready: "+cmp.Or(r.Reason, r.Status))
	f.Why = fmt.Sprintf("Condition Ready of node %s is %s: %s.", n.Name, r.Status, phrase.Quoted(r.Message))
	on := "" // that none of its pods is in the inputs does not show that it has none
	if pods > 0 {
		on = ", " + phrase.Count(pods, "pod") + " on it"
		f.Why += fmt.Sprintf(" %d of its pods are in the inputs.", pods)
	}
	if stuck > 0 {
		f.Why += fmt.Sprintf(" %d of them should be gone and stay Terminating: nobody on the node confirms their end.",
			stuck)
	}
	f.Evidence = []rules.Evidence{evidence(n.At, r.Since, 1, "Ready is %s: %s: %s", r.Status, r.Reason, r.Message)}
	f.Next = []rules.Step{
		rules.Command("kubectl describe node " + rules.Quote(n.Name)),
		rules.Command("journalctl -u kubelet --since '1 hour ago'").Note("on node " + rules.Quote(n.Name)),
	}
	if r.Status != "Unknown" {
		return f
	}
	f.Why += " The kubelet died, it is stuck, or it can't reach the API server."
	f.Title = title(n.Ref, "is lost: its kubelet does not report"+on)
	if d := since(c, r.Since); d > 0 {
		f.Title = title(n.Ref, fmt.Sprintf("is lost: its kubelet has not reported for %s%s", phrase.Spell(d), on),
			"is lost: its kubelet does not report")
	}
	return f
}

// runNodePressure is node-pressure (TR742).
func runNodePressure(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	for _, n := range c.Nodes {
		for _, cond := range n.Conditions {
			if !n.Gone && cond.Status == "True" && strings.HasSuffix(cond.Type, "Pressure") {
				f := nodeShort(n.Ref, cond.Type, 1, cond.Since, c.Time, evidence(n.At, cond.Since, 1,
					"%s is True: %s: %s", cond.Type, cond.Reason, cond.Message))
				if cond.Type != "MemoryPressure" {
					f.Category = rules.Contention
				}
				f.Title = title(n.Ref, "is under "+cond.Type)
				f.Why = fmt.Sprintf("Node %s: %s: %s. Its kubelet evicts pods, and it takes no new ones.", n.Name,
					cond.Type, phrase.Quoted(cond.Message))
				found = append(found, f)
			}
		}
	}
	for _, e := range c.Events {
		if e.Object.Kind == "Node" && e.Reason == "SystemOOM" && since(c, e.Last) < lately {
			// The kernel killed for want of memory on the whole node, not in one container.
			node := kube.Ref{API: "v1", Kind: "Node", Name: e.Object.Name}
			f := nodeShort(node, e.Reason, e.Count, e.First, e.Last, evidence(e.At, e.Last, e.Count, "Event %s: %s",
				e.Reason, e.Message))
			f.Title = title(node, "is out of memory: the kernel kills processes")
			f.Why = fmt.Sprintf("The kubelet of %s reports that the kernel killed a process because memory ran out on "+
				"the whole node: %s.", node.Name, phrase.Quoted(e.Message))
			found = append(found, f)
		}
	}
	return found
}

// nodeShort begins a finding about a node that is short of a resource; the reason distinguishes it from others.
func nodeShort(
	node kube.Ref, reason string, count int, first, last time.Time, shown rules.Evidence,
) rules.Finding {
	f := finding(node, rules.Medium, rules.ConfHigh, count, first, last)
	f.Evidence = []rules.Evidence{shown}
	f.Next = rules.Commands("kubectl describe node "+rules.Quote(node.Name), "kubectl top pods -A --sort-by=memory")
	f.Fingerprint = rules.FingerprintObject("TR742/"+reason, *f.Object)
	return f
}
