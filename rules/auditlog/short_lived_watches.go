package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
)

// Thresholds of short-lived-watches.
const (
	// watchesMin is how many watches must have ended within seconds, and half of all, to be reported; watchesMany are a
	// fault: chosen.
	watchesMin  = 30
	watchesMany = 200
)

func runShortWatches(t *audit.Trail) []rules.Finding {
	var found []rules.Finding
	for i := range t.Reads {
		r := &t.Reads[i]
		if r.Verb != audit.VerbWatch || r.Short < watchesMin || 2*r.Short < r.Count {
			continue
		}
		actor := &t.Actors[r.Actor]
		severity, confidence := faultOr(r.Short >= watchesMany && !controlPlane(actor))
		f := readFinding(t, "TR770", r, severity, confidence)
		f.Title = auditTitle("%s begins %d watches of %s that end within seconds", shortActor(actor.Name()), r.Short,
			r.Resource)
		f.Why = fmt.Sprintf("%d of the %d watches of %s by %s ended within ten seconds, over %s.", r.Short, r.Count,
			r.Resource, actor.Name(), auditSpan(r.First, r.Last))
		found = append(found, f)
	}
	return found
}
