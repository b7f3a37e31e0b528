package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
)

// readFinding begins the finding about what one client asks for.
func readFinding(t *audit.Trail, rule string, r *audit.Read, severity Severity, confidence Confidence) Finding {
	actor := &t.Actors[r.Actor]
	o := client(actor)
	return Finding{
		Severity: severity, Confidence: confidence, Object: &o, Actors: []string{actor.Name()}, Count: int(r.Count),
		Fingerprint: FingerprintObject(rule, Object{API: r.Group, Kind: r.Resource, Namespace: actor.Name(),
			Name: cut(actor.Agent, 80)}),
		FirstSeen: auditTime(r.First), LastSeen: auditTime(r.Last),
		Evidence: []Evidence{auditEvidence(r.Place, r.First, int(r.Count), "%s: %s %s, %d times", agentOf(actor),
			r.Verb, r.Resource, r.Count)},
		Next: []string{fmt.Sprintf("triage audit %s --user %s --resource %s --verb %s", auditInputs(t),
			Quote(actor.Name()), Quote(r.Resource), r.Verb)},
	}
}
