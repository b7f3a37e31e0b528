package objects

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// runDrainBlocked is drain-blocked (TR751).
func runDrainBlocked(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	for _, b := range c.Budgets {
		if b.Gone || !b.Known || len(b.Selector) == 0 || b.Allowed > 0 || b.Expected == 0 || b.Healthy < b.Expected {
			continue // it allows a disruption, or will as soon as its pods are ready again
		}
		if pods := pinned(c, b); len(pods) > 0 {
			found = append(found, drainBlocked(c, b, pods))
		}
	}
	return found
}

// pinned are the pods of a budget on nodes that take no new ones: those that a drain waits for.
func pinned(c *kube.Cluster, b *kube.Budget) []*kube.Pod {
	var all []*kube.Pod
	for _, p := range c.Pods {
		if p.Gone || p.Namespace != b.Namespace || !p.Deleted.IsZero() || p.Node == "" ||
			!kube.Selects(b.Selector, p.Labels) {
			continue
		}
		if n := c.Node(p.Node); n != nil && !n.Gone && n.Unschedulable {
			all = append(all, p)
		}
	}
	return all
}

// drainLong is how long after a node was cordoned its drain may be under way without another sign of it (chosen): who
// inspects a node cordons it for days.
const drainLong = time.Hour

// drained reports a node that is being drained, as far as the inputs show it, and since when it takes no pods.
func drained(c *kube.Cluster, n *kube.Node) (from time.Time, ok bool) {
	from = n.Cordoned
	for _, e := range c.EventsOf("Node", "", n.Name) {
		switch {
		case from.IsZero() && e.Reason == "NodeNotSchedulable":
			from = e.Last
		case strings.Contains(e.Reason, "Drain") && e.Type == "Warning" && since(c, e.Last) < drainLong:
			ok = true // cluster-api, Karpenter and the machine config operator report what they can't drain
		}
	}
	return from, ok || removedBy(n) != "" || !from.IsZero() && since(c, from) < drainLong
}

func drainBlocked(c *kube.Cluster, b *kube.Budget, pods []*kube.Pod) rules.Finding {
	node := c.Node(pods[0].Node)
	from, ok := drained(c, node)
	for _, p := range pods { // one that is being drained says most
		if at, going := drained(c, c.Node(p.Node)); going && !ok {
			node, from, ok = c.Node(p.Node), at, true
		}
	}
	f := finding(b.Ref, rules.Medium, rules.ConfMedium, len(pods), from, c.Time)
	f.Title = title(b.Ref, "allows no disruption: the drain of node "+node.Name+" can't end",
		"allows no disruption: a drain can't end")
	if !ok {
		f.Title = title(b.Ref, "allows no disruption: a drain of node "+node.Name+" could not end",
			"allows no disruption: drains would hang")
		f.Doubt("Nothing in the inputs shows that the node is being drained: it may be cordoned for another reason.")
	}
	wants := "maxUnavailable " + b.MaxUnavailable
	if b.MinAvailable != "" {
		wants = "minAvailable " + b.MinAvailable
	}
	on := 0
	each(pods, func(p *kube.Pod) { on += boolInt(p.Node == node.Name) })
	f.Why = fmt.Sprintf("%s wants %s, and %d of its %d pods are healthy, so none may be evicted. Node %s is "+
		"cordoned with "+
		"%s of this budget: each eviction is refused.", kindName(b.Ref), wants, b.Healthy, b.Expected, node.Name,
		phrase.Count(on, "pod"))
	f.Evidence = []rules.Evidence{
		evidence(b.At, b.Written, 1, "%s, disruptionsAllowed 0, %d of %d pods healthy, %d wanted", wants, b.Healthy,
			b.Expected, b.Wanted),
		evidence(node.At, node.Written, 1, "Node %s: unschedulable", node.Name),
	}
	for _, p := range pods[:min(len(pods), maxObjectEvidence/2)] {
		f.Evidence = append(f.Evidence, evidence(p.At, p.Created, 1, "%s of %s on node %s", kindName(p.Ref),
			kindName(c.Top(&p.Meta)), p.Node))
		if o := *objectOf(c.Top(&p.Meta)); !slices.Contains(f.Objects, o) && len(f.Objects) < maxNamed {
			f.Objects = append(f.Objects, o)
		}
	}
	f.Objects = append(f.Objects, *objectOf(node.Ref))
	f.Fix = fmt.Sprintf("Run one more replica of %s, or let PodDisruptionBudget %s allow one disruption.",
		kindName(c.Top(&pods[0].Meta)), b.Name)
	f.Next = rules.Commands(objectOf(b.Ref).Kubectl("describe", ""), "kubectl get pods -A -o wide "+
		"--field-selector spec.nodeName="+rules.Quote(node.Name))
	return f
}

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

// runAutoscalers is two-autoscalers (TR753).
func runAutoscalers(c *kube.Cluster) []rules.Finding {
	var targets grouping[kube.Ref, *kube.Scaler]
	for _, s := range c.Scalers {
		if !s.Gone && s.Deleted.IsZero() && s.Target.Name != "" {
			targets.add(s.Target, s)
		}
	}
	var found []rules.Finding
	for _, target := range targets.keys {
		if ss := targets.values[target]; len(ss) > 1 {
			found = append(found, twoAutoscalers(c, target, ss))
		}
	}
	return found
}

func twoAutoscalers(c *kube.Cluster, target kube.Ref, ss []*kube.Scaler) rules.Finding {
	s := ss[0]
	f := finding(s.Ref, rules.Medium, rules.ConfHigh, len(ss), s.Created, c.Time)
	var names []string
	for _, o := range ss {
		names = append(names, o.Name)
		text := fmt.Sprintf("%s scales %s, %d to %d replicas", kindName(o.Ref), kindName(target), o.Min, o.Max)
		if a := kube.Find(o.Conditions, "ScalingActive"); a != nil && a.Status == "False" {
			text += ": ScalingActive is False: " + a.Reason + ": " + a.Message
		}
		f.Evidence = append(f.Evidence, evidence(o.At, o.Written, 1, "%s", text))
		if o != s && len(f.Objects) < maxNamed {
			f.Objects = append(f.Objects, *objectOf(o.Ref))
		}
	}
	f.Evidence = f.Evidence[:min(len(f.Evidence), maxObjectEvidence)]
	f.Objects = append(f.Objects, *objectOf(target))
	f.Title = title(s.Ref, fmt.Sprintf("and %s scale the same target: %s %s", someNames(names[1:]), target.Kind,
		target.Name), "is not the only one that scales "+target.Kind+" "+target.Name)
	f.Why = fmt.Sprintf("%s target %s: %s. From Kubernetes 1.26 on, none of them scales it; in earlier releases, "+
		"they overwrite each other's changes.", phrase.Count(len(ss), "HorizontalPodAutoscaler"), kindName(target),
		someNames(names))
	f.Fix = "Keep one of them, with the metrics of all."
	f.Next = rules.Commands(rules.Kubectl(s.Namespace, "describe hpa "+rules.Quote(s.Name)),
		rules.Kubectl(s.Namespace, "get hpa"))
	return f
}
