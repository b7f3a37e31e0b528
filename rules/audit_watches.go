package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
)

// Thresholds of short-lived-watches.
const (
	// watchesMin is how many watches must have ended within seconds, and half of all, to be told; watchesMany are a fault: chosen.
	watchesMin  = 30
	watchesMany = 200
)

// shortWatches is TR770.
func shortWatches() *Rule {
	return &Rule{
		ID: "TR770", Name: "short-lived-watches", Category: HotLoop, Severity: Medium, Needs: NeedsAudit,
		Doc: Doc{
			Title:          "A client's watches end within seconds and begin again",
			Why:            "A watch goes on for minutes until its timeout. Watches that end within ten seconds, again and again, mean that something cuts them (a proxy's idle timeout), that the client asks for a timeout of seconds, or that it dies and begins anew; each one lists everything again.",
			Fix:            "Look for a proxy or load balancer with a short timeout between the client and the API server, and at the client's restarts and its timeoutSeconds.",
			FalsePositives: "kubectl wait and kubectl get -w of people and scripts; a client that waits for one event and is done.",
			Refs:           []string{"https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes"},
		},
		Run: auditRun(runShortWatches),
	}
}

func runShortWatches(t *audit.Trail) []Finding {
	var found []Finding
	for i := range t.Reads {
		r := &t.Reads[i]
		if r.Verb != audit.VerbWatch || r.Short < watchesMin || 2*r.Short < r.Count {
			continue
		}
		actor := &t.Actors[r.Actor]
		severity, confidence := Low, ConfLow
		if r.Short >= watchesMany && !controlPlane(actor) {
			severity, confidence = Medium, ConfMedium
		}
		f := readFinding(t, "TR770", r, severity, confidence)
		f.Title = auditTitle("%s begins %d watches of %s that end within seconds", shortActor(actor.Name()), r.Short, r.Resource)
		f.Why = fmt.Sprintf("%d of the %d watches of %s by %s ended within ten seconds, over %s.", r.Short, r.Count, r.Resource, actor.Name(), auditSpan(r.First, r.Last))
		found = append(found, f)
	}
	return found
}
