package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
)

// Thresholds of refused-again-and-again.
const (
	// refusedMin is from when on requests that can't succeed when they are repeated are reported; refusedMany, with
	// refusedShare of the actor's requests of that kind, when they are a fault: chosen so that a role that is missing
	// for some minutes of an installation is none.
	refusedMin   = 30
	refusedMany  = 100
	refusedShare = 0.5
	// refusedRate is how often a second: the reflectors of one client that lacks a role ask for some resources twice a
	// minute each.
	refusedRate = 1.0
	// invalidMin is for 422: a controller that sends what validation refuses has a fault (openshift/origin tolerates
	// none). The API server's own ones in the corpus come every 10 s.
	invalidMin = 10
)

func runRefusedAgain(t *audit.Trail) []rules.Finding {
	var found []rules.Finding
	for i := range t.Answers {
		a := &t.Answers[i]
		least := int64(refusedMin)
		switch {
		case a.Code == 422:
			least = invalidMin
		case a.Code == 400, a.Code == 403, a.Code == 409 && a.Verb == audit.VerbCreate:
		default:
			continue
		}
		if a.Count < least || a.Resource == "" {
			continue
		}
		actor := &t.Actors[a.Actor]
		severity, confidence := faultOr(a.Count >= refusedMany && partOf(int(a.Count), int(a.Of)) >= refusedShare && !controlPlane(actor) &&
			float64(a.Last-a.First)/1e6*refusedRate < float64(a.Count))
		f := answerFinding(t, "TR766", a, severity, confidence)
		f.Title = auditTitle("%s is refused %d times to %s %s (%d %s)", shortActor(actor.Name()), a.Count, a.Verb,
			mostOf(t, a), a.Code, codeWord(a.Code))
		f.Why = fmt.Sprintf("%s was answered %d to %d of its %d requests to %s %s in %s, %s. The answer can't change "+
			"as long as the request is the same.", actor.Name(), a.Code, a.Count, a.Of, a.Verb, a.Resource,
			auditSpan(a.First, a.Last), auditRate(int(a.Count), a.First, a.Last))
		found = append(found, f)
	}
	return found
}
