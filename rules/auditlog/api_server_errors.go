package auditlog

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of api-server-errors.
const (
	// serverErrorsMin is from when on failures are reported at all, as is serverErrorsLost, the 60 s that clients may
	// lose to them (openshift/origin, auditloganalyzer); serverErrorsMany, with serverErrorsShare of all requests, make
	// them a fault: chosen.
	serverErrorsMin   = 10
	serverErrorsMany  = 100
	serverErrorsShare = 0.01
	serverErrorsLost  = time.Minute
	// throttledMin is how many 429 are reported, throttledMany how many are a fault: API priority and fairness rejects
	// only what waited in vain. Chosen.
	throttledMin  = 20
	throttledMany = 200
)

func runServerErrors(t *audit.Trail) []rules.Finding {
	var failed, shed []*audit.Answer
	for i := range t.Answers {
		switch a := &t.Answers[i]; {
		case a.Code >= 500:
			failed = append(failed, a)
		case a.Code == 429 && a.Resource != "" && !evicts(a):
			shed = append(shed, a)
		}
	}
	var found []rules.Finding
	if n, lost := sumAnswers(failed); n >= serverErrorsMin || lost >= serverErrorsLost && n > 0 {
		severity, confidence := faultOr(n >= serverErrorsMany && partOf(n, int(t.Requests)) >= serverErrorsShare)
		f := errorsFinding(t, failed, n, severity, confidence)
		f.Title = auditTitle("The API server fails %d requests (%s)", n, topAnswer(failed))
		f.Why = fmt.Sprintf("%d of %d requests were answered with 500 or above; clients spent %s on them.", n,
			t.Requests, phrase.Seconds(lost.Seconds()))
		found = append(found, f)
	}
	if n, _ := sumAnswers(shed); n >= throttledMin {
		severity, confidence := faultOr(n >= throttledMany && partOf(n, int(t.Requests)) >= serverErrorsShare)
		f := errorsFinding(t, shed, n, severity, confidence)
		f.Title = auditTitle("The API server turns %d requests away (429), most of %s", n,
			shortActor(t.Actors[shed[0].Actor].Name()))
		f.Why = fmt.Sprintf("%d of %d requests were answered 429: their priority level had no room, and their queue "+
			"was full.", n, t.Requests)
		found = append(found, f)
	}
	return found
}

// evicts reports evictions, which a disruption budget answers with 429 by design.
func evicts(a *audit.Answer) bool { return a.Resource == "pods" && a.Verb == audit.VerbCreate }

func sumAnswers(list []*audit.Answer) (n int, lost time.Duration) {
	for _, a := range list {
		n += int(a.Count)
		lost += a.Took
	}
	return n, lost
}

func topAnswer(list []*audit.Answer) string {
	a := list[0]
	if a.Resource == "" {
		return fmt.Sprintf("most %d", a.Code)
	}
	return fmt.Sprintf("most %d to %s %s", a.Code, a.Verb, a.Resource)
}

func errorsFinding(t *audit.Trail, list []*audit.Answer, n int, severity rules.Severity, confidence rules.Confidence) rules.Finding {
	f := rules.Finding{
		Severity: severity, Confidence: confidence, Count: n, Actors: []string{},
		Fingerprint: rules.FingerprintObject("TR767", rules.Object{Kind: "answers", Name: codeWord(list[0].Code)}),
		Next:        rules.Commands(fmt.Sprintf("triage audit %s --code %d", auditInputs(t), list[0].Code)),
	}
	first, last := list[0].First, list[0].Last
	for _, a := range list {
		first, last = min(first, a.First), max(last, a.Last)
		name := t.Actors[a.Actor].Name()
		if len(f.Actors) < 5 && !slices.Contains(f.Actors, name) {
			f.Actors = append(f.Actors, name)
		}
		if len(f.Evidence) < 5 {
			text := fmt.Sprintf("%s: %s %s answered %d, %d of %d", name, a.Verb, a.Resource, a.Code, a.Count, a.Of)
			if a.Message != "" {
				text += ": " + phrase.Cut(a.Message, 120)
			}
			f.Evidence = append(f.Evidence, auditEvidence(a.Place, a.First, int(a.Count), "%s", text))
		}
	}
	f.FirstSeen, f.LastSeen = auditTime(first), auditTime(last)
	return f
}
