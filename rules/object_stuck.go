package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/kube"
)

// Thresholds of what does not go away.
const (
	// overdue is how long after the end of its grace period a pod should be gone. The kubelet needs seconds; a node that is lost is
	// noticed after 50 s and its pods are deleted after 5 minutes (tolerationSeconds 300), and then nobody removes them.
	overdue = 5 * time.Minute
	// heldLong is how long finalizers may take: cloud resources (load balancers, disks) take minutes.
	heldLong = 15 * time.Minute
	// spaceLong is how long a namespace with its content may take.
	spaceLong = 10 * time.Minute
	// notReadyLong is longer than a kubelet's restart: the node controller waits for 50 s (--node-monitor-grace-period).
	notReadyLong = 2 * time.Minute
)

// since is how long before the cluster was looked at something was; 0 where either is unknown.
func since(c *kube.Cluster, t time.Time) time.Duration {
	if t.IsZero() || c.Time.IsZero() {
		return 0
	}
	return c.Time.Sub(t)
}

// nodeState says why nobody on the node acts: it is gone from a cluster whose nodes are known, or not ready. "" for a node that works, or of which
// nothing is known.
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

// stuckPods is TR738.
func stuckPods() *Rule {
	return &Rule{
		ID: idStuckPods, Name: "pods-stuck-terminating", Category: Deadlock, Severity: High, Needs: NeedsObjects,
		Doc: Doc{
			Title: "Pods are Terminating long after their grace period",
			Why: "A pod's deletion timestamp, which includes its grace period, passed over 5 minutes ago. Where its node is gone or not ready no kubelet is left to confirm the end, and the pod stays for ever: " +
				"its StatefulSet makes no other, its volumes stay attached, and controllers that wait for it (a rollout, a Helm release, a drain) repeat themselves.",
			Fix:            "Bring the node back, or, when it is surely dead, delete its Node object or set the taint node.kubernetes.io/out-of-service, which removes the pods and detaches their volumes.",
			FalsePositives: "A process that needs its time to end on a healthy node with a long grace period given again.",
			Refs:           []string{"https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/#non-graceful-node-shutdown"},
		},
		Run: func(p *Pass) []Finding {
			c := p.Cluster
			index := map[string][]*kube.Pod{}
			var nodes []string
			for _, pod := range c.Pods {
				if pod.Gone || pod.Deleted.IsZero() || since(c, pod.Deleted) < overdue || pod.Phase == "Succeeded" {
					continue
				}
				if index[pod.Node] == nil {
					nodes = append(nodes, pod.Node)
				}
				index[pod.Node] = append(index[pod.Node], pod)
			}
			var found []Finding
			for _, name := range nodes {
				found = append(found, stuckPodsOn(c, name, index[name]))
			}
			return found
		},
	}
}

func stuckPodsOn(c *kube.Cluster, name string, pods []*kube.Pod) Finding {
	slices.SortStableFunc(pods, func(a, b *kube.Pod) int { return a.Deleted.Compare(b.Deleted) })
	first := pods[0]
	state, node := nodeState(c, name)
	f := Finding{
		Category: Deadlock, Severity: Medium, Confidence: ConfMedium, Object: objectOf(first.Ref), Count: len(pods),
		FirstSeen: kubeTime(deletedAt(&first.Meta)), LastSeen: kubeTime(c.Time),
	}
	for _, p := range pods[:min(len(pods), maxObjectEvidence)] {
		text := fmt.Sprintf("%s (of %s): deleted, to be gone at %s", kindName(p.Ref), kindName(c.Top(&p.Meta)), kubeTime(p.Deleted))
		if len(p.Finalizers) > 0 {
			text += ", held by " + someNames(p.Finalizers)
		}
		f.Evidence = append(f.Evidence, kubeEvidence(p.At, deletedAt(&p.Meta), 1, "%s", text))
	}
	late := spell(since(c, first.Deleted))
	f.Next = []string{kubectlIn(first.Namespace, "get pod "+Quote(first.Name)+" -o yaml")}
	if state != "" {
		dead := kube.Ref{API: "v1", Kind: "Node", Name: name}
		f.Severity, f.Confidence, f.Object = High, ConfHigh, objectOf(dead)
		f.Title = kubeTitle(dead, "keeps "+counted(len(pods), "pod")+" Terminating: it "+cutParens(state))
		f.Why = fmt.Sprintf("%s of node %s should have been gone, the first %s ago. The node %s, so nobody confirms that they ended, and they stay. What waits for them (%s) goes on waiting, and repeats itself if it polls.",
			counted(len(pods), "pod"), name, late, state, someNames(topNames(c, pods)))
		f.Fix = fmt.Sprintf("Bring node %s back. If it is surely dead, delete its Node object, or give it the taint node.kubernetes.io/out-of-service=nodeshutdown:NoExecute: then its pods go and their volumes are detached.", name)
		f.Next = append([]string{"kubectl describe node " + Quote(name)}, f.Next...)
		if node != nil {
			if r := kube.Find(node.Conditions, "Ready"); r != nil {
				f.Evidence = append([]Evidence{kubeEvidence(node.At, r.Since, 1, "Node %s: Ready is %s: %s: %s", name, r.Status, r.Reason, r.Message)}, f.Evidence...)
			}
		}
		return f
	}
	held := len(first.Finalizers) > 0
	f.Title = kubeTitle(first.Ref, "is Terminating, overdue for "+late)
	f.Why = fmt.Sprintf("%s should have been gone %s ago (%s on that node).", kindName(first.Ref), late, counted(len(pods), "pod"))
	f.Fix = "See why the kubelet can't end it (a volume that does not unmount, a process in uninterruptible I/O, a runtime that hangs): its log on the node tells."
	if held {
		f.Why += " Its finalizers hold it: " + someNames(first.Finalizers) + "."
		f.Fix = "Find the controller that has to remove the finalizer " + first.Finalizers[0] + ", and why it does not."
	}
	f.Next = append(f.Next, Target{Namespace: first.Namespace, Pod: first.Name}.Describe())
	return f
}

// cutParens drops what stands in parentheses at the end.
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

// stuckFinalizer is TR739.
func stuckFinalizer() *Rule {
	return &Rule{
		ID: idStuckFinalizer, Name: "deletion-stuck", Category: Deadlock, Severity: Medium, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "Finalizers hold the deletion of objects",
			Why:            "The object was deleted over 15 minutes ago and still has finalizers: the controller that has to remove each is gone, fails, or waits for something itself.",
			Fix:            "Find the controller that owns the finalizer and why it does not finish. Remove a finalizer by hand only when what it guards is surely cleaned up.",
			FalsePositives: "Cloud resources that take long to delete; claims that a pod still uses.",
			Refs:           []string{"https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/"},
		},
		Run: func(p *Pass) []Finding { return heldObjects(p.Cluster) },
	}
}

// heldObjects groups what is held by kind and finalizer: a controller that is gone holds all of them.
func heldObjects(c *kube.Cluster) []Finding {
	type key struct{ api, kind, finalizer string }
	index := map[key][]*kube.Meta{}
	var keys []key
	add := func(m *kube.Meta) {
		if m.Gone || m.Deleted.IsZero() || len(m.Finalizers) == 0 || since(c, deletedAt(m)) < heldLong {
			return
		}
		k := key{m.API, m.Kind, m.Finalizers[0]}
		if index[k] == nil {
			keys = append(keys, k)
		}
		index[k] = append(index[k], m)
	}
	for _, o := range c.Others {
		add(&o.Meta)
	}
	for _, o := range c.Workloads {
		add(&o.Meta)
	}
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
	for _, o := range c.Nodes {
		add(&o.Meta)
	}
	var found []Finding
	for _, k := range keys {
		found = append(found, heldBy(c, k.finalizer, index[k]))
	}
	return found
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

func heldBy(c *kube.Cluster, finalizer string, ms []*kube.Meta) Finding {
	slices.SortStableFunc(ms, func(a, b *kube.Meta) int { return a.Deleted.Compare(b.Deleted) })
	m := ms[0]
	others := ""
	if len(ms) > 1 {
		others = fmt.Sprintf(", and %s of its kind", counted(len(ms)-1, "other"))
	}
	f := Finding{
		Category: Deadlock, Severity: Medium, Confidence: ConfMedium, Object: objectOf(m.Ref), Count: len(ms),
		FirstSeen: kubeTime(deletedAt(m)), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(m.Ref, "can't be deleted: held by "+finalizer),
		Why:   fmt.Sprintf("%s%s was deleted %s ago, and finalizer %s holds it.", kindName(m.Ref), others, spell(since(c, deletedAt(m))), finalizer),
		Fix:   fmt.Sprintf("Find the controller that has to remove finalizer %s, and why it does not: its log names the object. Remove it by hand only when what it guards is surely gone.", finalizer),
		Next:  []string{kubectlOn(m.Ref, "get", "-o yaml", "--show-managed-fields")},
	}
	if finalizer == "foregroundDeletion" {
		f.Fix = "Find what the object owns that is not gone yet (ownerReferences with blockOwnerDeletion): that has to go first."
	}
	for _, o := range ms[:min(len(ms), maxObjectEvidence)] {
		f.Evidence = append(f.Evidence, kubeEvidence(o.At, deletedAt(o), 1, "%s: deleted, finalizers: %s", kindName(o.Ref), someNames(o.Finalizers)))
	}
	return f
}

// stuckNamespace is TR740.
func stuckNamespace() *Rule {
	return &Rule{
		ID: idStuckNamespace, Name: "namespace-stuck-terminating", Category: Deadlock, Severity: Medium, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "A namespace does not finish terminating",
			Why:            "The namespace was deleted over 10 minutes ago. Its conditions say what is left: content that can't be listed (an API service that is down), content that can't be deleted, or finalizers.",
			Fix:            "Mend what the condition names: the API service, the controller of the finalizer. The namespace then goes by itself.",
			FalsePositives: "A namespace with very much in it.",
			Refs:           []string{"https://kubernetes.io/docs/tasks/administer-cluster/namespaces/"},
		},
		Run: func(p *Pass) []Finding {
			var found []Finding
			for _, ns := range p.Cluster.Namespaces {
				if !ns.Gone && !ns.Deleted.IsZero() && since(p.Cluster, deletedAt(&ns.Meta)) >= spaceLong {
					found = append(found, stuckNamespaceOf(p.Cluster, ns))
				}
			}
			return found
		},
	}
}

func stuckNamespaceOf(c *kube.Cluster, ns *kube.Namespace) Finding {
	at := deletedAt(&ns.Meta)
	f := Finding{
		Category: Deadlock, Severity: Medium, Confidence: ConfMedium, Object: objectOf(ns.Ref), Count: 1,
		FirstSeen: kubeTime(at), LastSeen: kubeTime(c.Time),
		Title:    kubeTitle(ns.Ref, "is Terminating for "+spell(since(c, at))),
		Why:      fmt.Sprintf("Namespace %s was deleted %s ago and is not gone.", ns.Name, spell(since(c, at))),
		Evidence: []Evidence{kubeEvidence(ns.At, at, 1, "Namespace %s: %s, finalizers: %s", ns.Name, ns.Phase, someNames(ns.SpecFinalizers))},
		Next: []string{
			"kubectl get namespace " + Quote(ns.Name) + " -o jsonpath='{.status.conditions}'",
			"kubectl api-resources --verbs=list --namespaced -o name | xargs -n 1 kubectl -n " + Quote(ns.Name) + " get --ignore-not-found --show-kind",
			"kubectl get apiservices | grep False",
		},
	}
	for _, cond := range ns.Conditions {
		if cond.Status != "True" {
			continue
		}
		f.Confidence = ConfHigh
		f.Why += " " + cond.Type + ": " + quoted(cond.Message) + "."
		f.Evidence = append(f.Evidence, kubeEvidence(ns.At, cond.Since, 1, "%s: %s: %s", cond.Type, cond.Reason, cond.Message))
	}
	return f
}

// nodeNotReady is TR741.
func nodeNotReady() *Rule {
	return &Rule{
		ID: idNodeNotReady, Name: "node-not-ready", Category: Crash, Severity: Medium, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "A node is not ready",
			Why:            "The node's Ready condition is False or Unknown for over 2 minutes: its kubelet says that it can't run pods, or says nothing any more.",
			Fix:            "Look at the kubelet's and the container runtime's logs on the node, and at the machine.",
			FalsePositives: "A node that is being rebooted or was taken away on purpose.",
			Refs:           []string{"https://kubernetes.io/docs/concepts/architecture/nodes/#node-status"},
		},
		Run: func(p *Pass) []Finding {
			c := p.Cluster
			var found []Finding
			for _, n := range c.Nodes {
				r := kube.Find(n.Conditions, "Ready")
				if n.Gone || r == nil || r.Status == "True" || !r.Since.IsZero() && since(c, r.Since) < notReadyLong {
					continue
				}
				f := Finding{
					Category: Crash, Severity: Medium, Confidence: ConfHigh, Object: objectOf(n.Ref), Count: 1, FirstSeen: kubeTime(r.Since), LastSeen: kubeTime(c.Time),
					Title:    kubeTitle(n.Ref, "is not ready: "+cmp.Or(r.Reason, r.Status)),
					Why:      fmt.Sprintf("Node %s: Ready is %s: %s. %d pods of it are in the inputs.", n.Name, r.Status, quoted(r.Message), podsOn(c, n.Name)),
					Evidence: []Evidence{kubeEvidence(n.At, r.Since, 1, "Ready is %s: %s: %s", r.Status, r.Reason, r.Message)},
					Next:     []string{"kubectl describe node " + Quote(n.Name), "journalctl -u kubelet --since '1 hour ago'  # on node " + Quote(n.Name)},
				}
				if r.Status == "Unknown" {
					f.Why += " Its kubelet stopped reporting: it died, it is stuck, or it can't reach the API server."
				}
				found = append(found, f)
			}
			return found
		},
	}
}

func podsOn(c *kube.Cluster, node string) int {
	n := 0
	for _, p := range c.Pods {
		if p.Node == node && !p.Gone {
			n++
		}
	}
	return n
}

// nodePressure is TR742.
func nodePressure() *Rule {
	return &Rule{
		ID: idNodePressure, Name: "node-pressure", Category: Memory, Severity: Medium, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "A node runs short of memory, disk or process ids",
			Why:            "The kubelet reports MemoryPressure, DiskPressure or PIDPressure: it evicts pods and the node takes no new ones. Or its SystemOOM events say that the kernel killed processes for want of memory on the whole node.",
			Fix:            "Find what uses it up (the largest pods, images, logs, a program that starts processes without waiting for them), and bound that.",
			FalsePositives: "A pressure that passed a moment ago: the kubelet holds the condition for 5 minutes (--eviction-pressure-transition-period).",
			Refs:           []string{"https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/"},
		},
		Run: func(p *Pass) []Finding {
			c := p.Cluster
			var found []Finding
			for _, n := range c.Nodes {
				for _, cond := range n.Conditions {
					if !n.Gone && cond.Status == "True" && strings.HasSuffix(cond.Type, "Pressure") {
						found = append(found, pressureOn(c, n, cond))
					}
				}
			}
			for _, e := range c.Events {
				if e.Object.Kind == "Node" && e.Reason == "SystemOOM" && since(c, e.Last) < lately {
					found = append(found, nodeOutOfMemory(e))
				}
			}
			return found
		},
	}
}

func pressureOn(c *kube.Cluster, n *kube.Node, cond kube.Condition) Finding {
	category := Contention
	if cond.Type == "MemoryPressure" {
		category = Memory
	}
	return Finding{
		Category: category, Severity: Medium, Confidence: ConfHigh, Object: objectOf(n.Ref), Count: 1, FirstSeen: kubeTime(cond.Since), LastSeen: kubeTime(c.Time),
		Title:       kubeTitle(n.Ref, "is under "+cond.Type),
		Why:         fmt.Sprintf("Node %s: %s: %s. Its kubelet evicts pods, and it takes no new ones.", n.Name, cond.Type, quoted(cond.Message)),
		Evidence:    []Evidence{kubeEvidence(n.At, cond.Since, 1, "%s is True: %s: %s", cond.Type, cond.Reason, cond.Message)},
		Next:        []string{"kubectl describe node " + Quote(n.Name), "kubectl top pods -A --sort-by=memory"},
		Fingerprint: FingerprintObject(idNodePressure+"/"+cond.Type, *objectOf(n.Ref)),
	}
}

// nodeOutOfMemory tells of what the kernel killed for want of memory on the whole node, not in one container.
func nodeOutOfMemory(e *kube.Event) Finding {
	node := kube.Ref{API: "v1", Kind: "Node", Name: e.Object.Name}
	return Finding{
		Category: Memory, Severity: Medium, Confidence: ConfHigh, Object: objectOf(node), Count: e.Count, FirstSeen: kubeTime(e.First), LastSeen: kubeTime(e.Last),
		Title:       kubeTitle(node, "is out of memory: the kernel kills processes"),
		Why:         fmt.Sprintf("The kubelet of %s reports that the kernel killed a process for want of memory on the whole node: %s.", node.Name, quoted(e.Message)),
		Evidence:    []Evidence{kubeEvidence(e.At, e.Last, e.Count, "Event %s: %s", e.Reason, e.Message)},
		Next:        []string{"kubectl describe node " + Quote(node.Name), "kubectl top pods -A --sort-by=memory"},
		Fingerprint: FingerprintObject(idNodePressure+"/SystemOOM", *objectOf(node)),
	}
}
