package rules

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/kube"
)

// nodePressure is TR742.
func nodePressure() *Rule {
	return &Rule{
		ID: idNodePressure, Name: "node-pressure", Category: Memory, Severity: Medium, Needs: NeedsObjects,
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
