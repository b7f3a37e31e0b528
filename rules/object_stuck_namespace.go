package rules

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/kube"
)

// spaceLong is how long a namespace with its content may take (chosen).
const spaceLong = 10 * time.Minute

// stuckNamespace is TR740.
func stuckNamespace() *Rule {
	return &Rule{
		ID: idStuckNamespace, Name: "namespace-stuck-terminating", Category: Deadlock, Severity: Medium, Needs: NeedsObjects,
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
