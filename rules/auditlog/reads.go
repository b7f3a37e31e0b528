package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// readFinding begins the finding about what one client asks for.
func readFinding(t *audit.Trail, rule string, r *audit.Read, severity rules.Severity, confidence rules.Confidence) rules.Finding {
	actor := &t.Actors[r.Actor]
	o := client(actor)
	return rules.Finding{
		Severity: severity, Confidence: confidence, Object: &o, Actors: []string{actor.Name()}, Count: int(r.Count),
		Fingerprint: rules.FingerprintObject(rule, rules.Object{API: r.Group, Kind: r.Resource, Namespace: actor.Name(),
			Name: phrase.Cut(actor.Agent, 80)}),
		FirstSeen: auditTime(r.First), LastSeen: auditTime(r.Last),
		Evidence: []rules.Evidence{auditEvidence(r.Place, r.First, int(r.Count), "%s: %s %s, %d times", agentOf(actor),
			r.Verb, r.Resource, r.Count)},
		Next: rules.Commands(fmt.Sprintf("triage audit %s --user %s --resource %s --verb %s", auditInputs(t),
			rules.Quote(actor.Name()), rules.Quote(r.Resource), r.Verb)),
	}
}
