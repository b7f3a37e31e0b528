package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
)

// Thresholds of update-conflicts.
const (
	// conflictsMin is from when on conflicts are reported at all (openshift/origin, auditloganalyzer: 10 a user and
	// resource); conflictsMany, with conflictsShare of the actor's writes, when they are a fault: a write in three is
	// lost.
	conflictsMin   = 10
	conflictsMany  = 50
	conflictsShare = 0.3
)

func runUpdateConflicts(t *audit.Trail) []rules.Finding {
	var found []rules.Finding
	for i := range t.Answers {
		a := &t.Answers[i]
		if a.Code != 409 || a.Count < conflictsMin || steadyResource(a.Resource) ||
			a.Verb != audit.VerbUpdate && a.Verb != audit.VerbPatch {
			continue
		}
		actor := &t.Actors[a.Actor]
		if a.Object >= 0 && fought(t, a.Object, a.Actor) {
			continue
		}
		severity, confidence := faultOr(a.Count >= conflictsMany && partOf(int(a.Count), int(a.Of)) >= conflictsShare && !controlPlane(actor))
		f := answerFinding(t, "TR765", a, severity, confidence)
		f.Title = auditTitle("%s loses %d of %d writes of %s to conflicts", shortActor(actor.Name()), a.Count, a.Of,
			mostOf(t, a))
		f.Why = fmt.Sprintf("%s was answered 409 to %d of its %d requests to %s %s in %s: the object had changed "+
			"since it read it.", actor.Name(), a.Count, a.Of, a.Verb, a.Resource, auditSpan(a.First, a.Last))
		found = append(found, f)
	}
	return found
}
