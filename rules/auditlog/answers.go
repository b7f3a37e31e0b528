package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// mostRefused is the object that was refused most, where that was half of the times or more.
func mostRefused(t *audit.Trail, a *audit.Answer) (o rules.Object, ok bool) {
	if a.Object < 0 || 2*a.ObjectCount < a.Count || t.Objects[a.Object].Name == "" {
		return o, false
	}
	return auditObject(&t.Objects[a.Object]), true
}

// mostOf names the object that was refused most, else the resource.
func mostOf(t *audit.Trail, a *audit.Answer) string {
	if o, ok := mostRefused(t, a); ok {
		return o.Kind + " " + o.Name
	}
	return a.Resource
}

// answerFinding begins the finding about one actor's refused requests.
func answerFinding(t *audit.Trail, rule string, a *audit.Answer, severity rules.Severity, confidence rules.Confidence) rules.Finding {
	actor := &t.Actors[a.Actor]
	o, ok := mostRefused(t, a)
	if !ok {
		o = client(actor)
	}
	text := fmt.Sprintf("%s: %s %s answered %d", agentOf(actor), a.Verb, a.Resource, a.Code)
	if a.Message != "" {
		text += ": " + phrase.Cut(a.Message, 160)
	}
	e := auditEvidence(a.Place, a.First, int(a.Count), "%s", text)
	e.Share = partOf(int(a.Count), int(a.Of))
	return rules.Finding{
		Severity: severity, Confidence: confidence, Object: &o, Actors: []string{actor.Name()}, Count: int(a.Count),
		Fingerprint: rules.FingerprintObject(rule, rules.Object{API: a.Group, Kind: a.Resource, Namespace: actor.Name(),
			Name: fmt.Sprint(a.Verb, " ", a.Code, " ", o.Namespace, "/", o.Name)}),
		FirstSeen: auditTime(a.First), LastSeen: auditTime(a.Last), Evidence: []rules.Evidence{e},
		Next: rules.Commands(fmt.Sprintf("triage audit %s --user %s --resource %s --code %d", auditInputs(t),
			rules.Quote(actor.Name()), rules.Quote(a.Resource), a.Code)),
	}
}

func codeWord(code int) string {
	switch code {
	case 400:
		return "bad request"
	case 403:
		return "forbidden"
	case 409:
		return "exists already"
	case 422:
		return "invalid"
	case 429:
		return "too many requests"
	}
	return "refused"
}
