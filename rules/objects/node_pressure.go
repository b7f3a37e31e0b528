package objects

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func runNodePressure(p *rules.Pass) []rules.Finding {
	c := p.Cluster
	var found []rules.Finding
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
}

func pressureOn(c *kube.Cluster, n *kube.Node, cond kube.Condition) rules.Finding {
	category := rules.Contention
	if cond.Type == "MemoryPressure" {
		category = rules.Memory
	}
	return rules.Finding{
		Category: category, Severity: rules.Medium, Confidence: rules.ConfHigh, Object: objectOf(n.Ref), Count: 1,
		FirstSeen: kubeTime(cond.Since), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(n.Ref, "is under "+cond.Type),
		Why: fmt.Sprintf("Node %s: %s: %s. Its kubelet evicts pods, and it takes no new ones.", n.Name,
			cond.Type, phrase.Quoted(cond.Message)),
		Evidence: []rules.Evidence{kubeEvidence(n.At, cond.Since, 1, "%s is True: %s: %s", cond.Type, cond.Reason,
			cond.Message)},
		Next:        rules.Commands("kubectl describe node "+rules.Quote(n.Name), "kubectl top pods -A --sort-by=memory"),
		Fingerprint: rules.FingerprintObject(idNodePressure+"/"+cond.Type, *objectOf(n.Ref)),
	}
}

// nodeOutOfMemory tells of what the kernel killed for want of memory on the whole node, not in one container.
func nodeOutOfMemory(e *kube.Event) rules.Finding {
	node := kube.Ref{API: "v1", Kind: "Node", Name: e.Object.Name}
	return rules.Finding{
		Category: rules.Memory, Severity: rules.Medium, Confidence: rules.ConfHigh, Object: objectOf(node), Count: e.Count,
		FirstSeen: kubeTime(e.First), LastSeen: kubeTime(e.Last),
		Title: kubeTitle(node, "is out of memory: the kernel kills processes"),
		Why: fmt.Sprintf("The kubelet of %s reports that the kernel killed a process for want of memory on "+
			"the whole node: %s.", node.Name, phrase.Quoted(e.Message)),
		Evidence:    []rules.Evidence{kubeEvidence(e.At, e.Last, e.Count, "Event %s: %s", e.Reason, e.Message)},
		Next:        rules.Commands("kubectl describe node "+rules.Quote(node.Name), "kubectl top pods -A --sort-by=memory"),
		Fingerprint: rules.FingerprintObject(idNodePressure+"/SystemOOM", *objectOf(node)),
	}
}
