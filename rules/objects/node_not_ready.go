package objects

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// notReadyLong is longer than a kubelet's restart: the node controller waits for 50 s (--node-monitor-grace-period).
const notReadyLong = 2 * time.Minute

func runNodeNotReady(p *rules.Pass) []rules.Finding {
	c := p.Cluster
	var found []rules.Finding
	for _, n := range c.Nodes {
		r := kube.Find(n.Conditions, "Ready")
		if n.Gone || r == nil || r.Status == "True" || !r.Since.IsZero() && since(c, r.Since) < notReadyLong {
			continue
		}
		f := rules.Finding{
			Category: rules.Crash, Severity: rules.Medium, Confidence: rules.ConfHigh, Object: objectOf(n.Ref), Count: 1,
			FirstSeen: kubeTime(r.Since), LastSeen: kubeTime(c.Time),
			Title: kubeTitle(n.Ref, "is not ready: "+cmp.Or(r.Reason, r.Status)),
			Why: fmt.Sprintf("Node %s: Ready is %s: %s. %d pods of it are in the inputs.", n.Name,
				r.Status, phrase.Quoted(r.Message), podsOn(c, n.Name)),
			Evidence: []rules.Evidence{kubeEvidence(n.At, r.Since, 1, "Ready is %s: %s: %s", r.Status, r.Reason,
				r.Message)},
			Next: []rules.Step{
				rules.Command("kubectl describe node " + rules.Quote(n.Name)),
				rules.Command("journalctl -u kubelet --since '1 hour ago'").Note("on node " + rules.Quote(n.Name)),
			},
		}
		if r.Status == "Unknown" {
			f.Why += " Its kubelet stopped reporting: it died, it is stuck, or it can't reach the API server."
		}
		found = append(found, f)
	}
	return found
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
