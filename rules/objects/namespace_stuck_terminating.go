package objects

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// spaceLong is how long a namespace with its content may take (chosen).
const spaceLong = 10 * time.Minute

func runStuckNamespace(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, ns := range p.Cluster.Namespaces {
		if !ns.Gone && !ns.Deleted.IsZero() && since(p.Cluster, deletedAt(&ns.Meta)) >= spaceLong {
			found = append(found, stuckNamespaceOf(p.Cluster, ns))
		}
	}
	return found
}

func stuckNamespaceOf(c *kube.Cluster, ns *kube.Namespace) rules.Finding {
	at := deletedAt(&ns.Meta)
	f := rules.Finding{
		Category: rules.Deadlock, Severity: rules.Medium, Confidence: rules.ConfMedium, Object: objectOf(ns.Ref), Count: 1,
		FirstSeen: kubeTime(at), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(ns.Ref, "is Terminating for "+phrase.Spell(since(c, at))),
		Why:   fmt.Sprintf("Namespace %s was deleted %s ago and is not gone.", ns.Name, phrase.Spell(since(c, at))),
		Evidence: []rules.Evidence{kubeEvidence(ns.At, at, 1, "Namespace %s: %s, finalizers: %s", ns.Name, ns.Phase,
			someNames(ns.SpecFinalizers))},
		Next: rules.Commands(
			"kubectl get namespace "+rules.Quote(ns.Name)+" -o jsonpath='{.status.conditions}'",
			"kubectl api-resources --verbs=list --namespaced -o name | xargs -n 1 kubectl -n "+rules.Quote(ns.Name)+
				" get --ignore-not-found --show-kind",
			"kubectl get apiservices | grep False",
		),
	}
	for _, cond := range ns.Conditions {
		if cond.Status != "True" {
			continue
		}
		f.Confidence = rules.ConfHigh
		f.Why += " " + cond.Type + ": " + phrase.Quoted(cond.Message) + "."
		f.Evidence = append(f.Evidence, kubeEvidence(ns.At, cond.Since, 1, "%s: %s: %s", cond.Type, cond.Reason,
			cond.Message))
	}
	return f
}
