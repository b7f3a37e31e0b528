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

// runStuckPods is pods-stuck-terminating (TR738).
func runStuckPods(c *kube.Cluster) []rules.Finding {
	var nodes grouping[string, *kube.Pod]
	for _, pod := range c.Pods {
		if pod.Gone || pod.Deleted.IsZero() || since(c, pod.Deleted) < overdue || pod.Phase == "Succeeded" {
			continue
		}
		nodes.add(pod.Node, pod)
	}
	return nodes.findings(func(name string, pods []*kube.Pod) rules.Finding { return stuckPodsOn(c, name, pods) })
}

func stuckPodsOn(c *kube.Cluster, name string, pods []*kube.Pod) rules.Finding {
	slices.SortStableFunc(pods, func(a, b *kube.Pod) int { return a.Deleted.Compare(b.Deleted) })
	first := pods[0]
	state, ready := nodeState(c, name)
	f := finding(first.Ref, rules.Medium, rules.ConfMedium, len(pods), deletedAt(&first.Meta), c.Time)
	for _, p := range pods[:min(len(pods), maxObjectEvidence)] {
		text := fmt.Sprintf("%s (of %s): deleted, to be gone at %s", kindName(p.Ref), kindName(c.Top(&p.Meta)),
			kubeTime(p.Deleted))
		if len(p.Finalizers) > 0 {
			text += ", held by " + someNames(p.Finalizers)
		}
		f.Evidence = append(f.Evidence, evidence(p.At, deletedAt(&p.Meta), 1, "%s", text))
	}
	late := phrase.Spell(since(c, first.Deleted))
	many := phrase.Count(len(pods), "pod")
	f.Next = rules.Commands(kubectlIn(first.Namespace, "get pod "+rules.Quote(first.Name)+" -o yaml"))
	if state != "" {
		dead := kube.Ref{API: "v1", Kind: "Node", Name: name}
		f.Severity, f.Confidence, f.Object = rules.High, rules.ConfHigh, objectOf(dead)
		brief, _, _ := strings.Cut(state, " (")
		f.Title = title(dead, "keeps "+many+" Terminating: it "+brief)
		f.Why = fmt.Sprintf("%s of node %s should be gone by now, the first is overdue by %s. The node %s, so nobody "+
			"confirms that they ended, and they stay. What waits for them (%s) keeps waiting, and repeats itself if "+
			"it polls.", many, name, late, state, someNames(topNames(c, pods)))
		f.Fix = fmt.Sprintf("Bring node %s back. If it is surely dead, delete its Node object, or give it the taint "+
			"node.kubernetes.io/out-of-service=nodeshutdown:NoExecute: then its pods go and their volumes are "+
			"detached.", name)
		f.Next = append(rules.Commands("kubectl describe node "+rules.Quote(name)), f.Next...)
		if r := ready; r != nil {
			f.Evidence = slices.Insert(f.Evidence, 0, evidence(c.Node(name).At, r.Since, 1,
				"Node %s: Ready is %s: %s: %s", name, r.Status, r.Reason, r.Message))
		}
		return f
	}
	f.Title = title(first.Ref, "is Terminating, overdue for "+late)
	f.Why = fmt.Sprintf("%s should have been gone %s ago (%s on that node).", kindName(first.Ref), late, many)
	f.Fix = "See why the kubelet can't end it (a volume that does not unmount, a process in uninterruptible I/O, a " +
		"runtime that hangs): its log on the node shows which."
	if len(first.Finalizers) > 0 {
		f.Why += " Its finalizers hold it: " + someNames(first.Finalizers) + "."
		f.Fix = "Find the controller that has to remove the finalizer " + first.Finalizers[0] + ", and why it does not."
	}
	f.Next = append(f.Next, describe(first))
	unsureSince(c, &f, first.At, first.Deleted, overdue)
	return f
}

// nodeState explains why no one on the node acts: it is gone from a cluster whose nodes are known, or not ready, which
// is returned too. "" for a node that works, or of which nothing is known.
func nodeState(c *kube.Cluster, name string) (state string, ready *kube.Condition) {
	n := c.Node(name)
	if n == nil || n.Gone {
		if name != "" && len(c.Nodes) > 0 && c.Lists("Node", "") {
			state = "is not in the cluster any more"
		}
		return state, nil
	}
	ready = kube.Find(n.Conditions, "Ready")
	if ready != nil && ready.Status != "True" {
		state = "is not ready (" + cmp.Or(ready.Reason, "Ready is "+ready.Status) + ")"
	}
	return state, ready
}

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

// heldLong is how long finalizers may take: cloud resources (load balancers, disks) take minutes.
const heldLong = 15 * time.Minute

// runStuckFinalizer is deletion-stuck (TR739).
// It groups what is held by kind and finalizer, since a controller that is gone holds all of them.
func runStuckFinalizer(c *kube.Cluster) []rules.Finding {
	type key struct{ api, kind, finalizer string }
	var groups grouping[key, *kube.Meta]
	add := func(m *kube.Meta) {
		if m.Gone || m.Deleted.IsZero() || len(m.Finalizers) == 0 || since(c, deletedAt(m)) < heldLong {
			return
		}
		groups.add(key{m.API, m.Kind, m.Finalizers[0]}, m)
	}
	each(c.Slices, func(o *kube.EndpointSlice) { add(&o.Meta) })
	each(c.Others, func(o *kube.Other) { add(&o.Meta) })
	each(c.Services, func(o *kube.Service) { add(&o.Meta) }) // load balancers have one
	each(c.Ingresses, func(o *kube.Ingress) { add(&o.Meta) })
	each(c.Workloads, func(o *kube.Workload) { add(&o.Meta) })
	for _, o := range c.Volumes {
		if claim := c.Claim(o.ClaimNamespace, o.ClaimName); claim == nil || claim.Gone { // else it waits for its claim
			add(&o.Meta)
		}
	}
	used := claimsInUse(c)
	for _, o := range c.Claims {
		if !used[[2]string{o.Namespace, o.Name}] {
			add(&o.Meta)
		}
	}
	each(c.Nodes, func(o *kube.Node) { add(&o.Meta) })
	return groups.findings(func(k key, ms []*kube.Meta) rules.Finding { return heldBy(c, k.finalizer, ms) })
}

// claimsInUse are the claims that pods still use: these have to stay.
func claimsInUse(c *kube.Cluster) map[[2]string]bool {
	used := map[[2]string]bool{}
	for _, p := range c.Pods {
		for _, name := range p.Claims {
			used[[2]string{p.Namespace, name}] = used[[2]string{p.Namespace, name}] || !p.Gone
		}
	}
	return used
}

func heldBy(c *kube.Cluster, finalizer string, ms []*kube.Meta) rules.Finding {
	slices.SortStableFunc(ms, func(a, b *kube.Meta) int { return a.Deleted.Compare(b.Deleted) })
	m := ms[0]
	others := ""
	if len(ms) > 1 {
		others = fmt.Sprintf(", and %s of its kind", phrase.Count(len(ms)-1, "other"))
	}
	f := finding(m.Ref, rules.Medium, rules.ConfMedium, len(ms), deletedAt(m), c.Time)
	f.Title = title(m.Ref, "can't be deleted: held by "+finalizer)
	f.Why = fmt.Sprintf("%s%s was deleted %s ago, and finalizer %s holds it.", kindName(m.Ref), others,
		phrase.Spell(since(c, deletedAt(m))), finalizer)
	f.Fix = fmt.Sprintf("Find the controller that has to remove finalizer %s, and why it does not: its log names the "+
		"object. Remove it by hand only when what it guards is surely gone.", finalizer)
	f.Next = rules.Commands(kubectlOn(m.Ref, "get", "-o yaml --show-managed-fields"))
	if finalizer == "foregroundDeletion" {
		f.Fix = "Find what the object owns that is not gone yet (ownerReferences with blockOwnerDeletion): that has " +
			"to go first."
	}
	for _, o := range ms[:min(len(ms), maxObjectEvidence)] {
		f.Evidence = append(f.Evidence, evidence(o.At, deletedAt(o), 1, "%s: deleted, finalizers: %s",
			kindName(o.Ref), someNames(o.Finalizers)))
	}
	unsureSince(c, &f, m.At, deletedAt(m), heldLong)
	return f
}

// spaceLong is how long a namespace with its content may take (chosen).
const spaceLong = 10 * time.Minute

// runStuckNamespace is namespace-stuck-terminating (TR740).
func runStuckNamespace(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	for _, ns := range c.Namespaces {
		if !ns.Gone && !ns.Deleted.IsZero() && since(c, deletedAt(&ns.Meta)) >= spaceLong {
			found = append(found, stuckNamespaceOf(c, ns))
		}
	}
	return found
}

func stuckNamespaceOf(c *kube.Cluster, ns *kube.Namespace) rules.Finding {
	at := deletedAt(&ns.Meta)
	f := finding(ns.Ref, rules.Medium, rules.ConfMedium, 1, at, c.Time)
	f.Title = title(ns.Ref, "has been Terminating for "+phrase.Spell(since(c, at)))
	f.Why = fmt.Sprintf("Namespace %s was deleted %s ago and is not gone.", ns.Name, phrase.Spell(since(c, at)))
	f.Evidence = []rules.Evidence{evidence(ns.At, at, 1, "Namespace %s: %s, finalizers: %s", ns.Name, ns.Phase,
		someNames(ns.SpecFinalizers))}
	f.Next = rules.Commands("kubectl get namespace "+rules.Quote(ns.Name)+" -o jsonpath='{.status.conditions}'",
		"kubectl api-resources --verbs=list --namespaced -o name | xargs -n 1 kubectl -n "+rules.Quote(ns.Name)+
			" get --ignore-not-found --show-kind",
		"kubectl get apiservices | grep False")
	for _, cond := range ns.Conditions {
		if cond.Status != "True" {
			continue
		}
		f.Confidence = rules.ConfHigh
		f.Why += " " + cond.Type + ": " + phrase.Quoted(cond.Message) + "."
		f.Evidence = append(f.Evidence, evidence(ns.At, cond.Since, 1, "%s: %s: %s", cond.Type, cond.Reason,
			cond.Message))
	}
	unsureSince(c, &f, ns.At, at, spaceLong)
	return f
}
