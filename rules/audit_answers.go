package rules

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/audit"
)

// Thresholds about requests that the server answered with an error.
const (
	// conflictsMin is from when on conflicts are told at all (openshift/origin, auditloganalyzer: 10 a user and resource);
	// conflictsMany, with conflictsShare of the actor's writes, when they are a fault: a write in three is lost.
	conflictsMin   = 10
	conflictsMany  = 50
	conflictsShare = 0.3
	// refusedMin and refusedMany are the same for requests that can't succeed when they are repeated: chosen so that a role that is
	// missing for some minutes of an installation is no fault.
	refusedMin  = 30
	refusedMany = 100
	// refusedRate is how often a second: the reflectors of one client that lacks a role ask for some resources twice a minute each.
	refusedRate = 1.0
	// invalidMin is for 422: a controller that sends what validation refuses has a fault (openshift/origin tolerates none). The
	// API server's own ones in the corpus come every 10 s.
	invalidMin = 10
	// serverErrorsMin, with serverErrorsShare of all requests, and the 60 s that clients may lose to them (openshift/origin).
	serverErrorsMin   = 10
	serverErrorsMany  = 100
	serverErrorsShare = 0.01
	serverErrorsLost  = time.Minute
	// throttledMin is how many 429 are told: API priority and fairness rejects only what waited in vain.
	throttledMin  = 20
	throttledMany = 200
)

// updateConflicts is TR765.
func updateConflicts() *Rule {
	return &Rule{
		ID: "TR765", Name: "update-conflicts", Category: Contention, Severity: Medium, Needs: NeedsAudit,
		Doc: Doc{
			Title:          "A client's writes are refused again and again because the object has changed",
			Why:            "409 Conflict answers an update that carries an old resourceVersion: somebody else wrote the object since the client read it. A few are how optimistic locking works; a write in three means that two writers keep crossing, or that the client writes from a stale cache and retries at once.",
			Fix:            "Read the object again before retrying (retry.RetryOnConflict), send a patch of the fields that are the client's own, or use server-side apply, which conflicts on fields and not on versions.",
			FalsePositives: "Bursts while many clients start. Creations that are answered 409 (it exists already) are counted apart.",
			Refs:           []string{"https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions", "https://github.com/openshift/origin/tree/main/pkg/monitortests/kubeapiserver/auditloganalyzer"},
		},
		Run: auditRun(runUpdateConflicts),
	}
}

func runUpdateConflicts(t *audit.Trail) []Finding {
	var found []Finding
	for i := range t.Answers {
		a := &t.Answers[i]
		if a.Code != 409 || a.Count < conflictsMin || steadyResource(a.Resource) || a.Verb != audit.VerbUpdate && a.Verb != audit.VerbPatch {
			continue
		}
		actor := &t.Actors[a.Actor]
		if a.Object >= 0 && fought(t, a.Object, a.Actor) {
			continue
		}
		severity, confidence := Low, ConfLow
		if a.Count >= conflictsMany && partOf(int(a.Count), int(a.Of)) >= conflictsShare && !controlPlane(actor) {
			severity, confidence = Medium, ConfMedium
		}
		f := answerFinding(t, "TR765", a, severity, confidence)
		f.Title = auditTitle("%s loses %d of %d writes of %s to conflicts", shortActor(actor.Name()), a.Count, a.Of, mostOf(t, a))
		f.Why = fmt.Sprintf("%s was answered 409 to %d of its %d requests to %s %s in %s: the object had changed since it read it.", actor.Name(), a.Count, a.Of, a.Verb, a.Resource, auditSpan(a.First, a.Last))
		found = append(found, f)
	}
	return found
}

// mostOf names the object that was refused most, else the resource.
func mostOf(t *audit.Trail, a *audit.Answer) string {
	if a.Object >= 0 && 2*a.ObjectCount >= a.Count && t.Objects[a.Object].Name != "" {
		o := auditObject(&t.Objects[a.Object])
		return o.Kind + " " + o.Name
	}
	return a.Resource
}

// answerFinding begins the finding about one actor's refused requests.
func answerFinding(t *audit.Trail, rule string, a *audit.Answer, severity Severity, confidence Confidence) Finding {
	actor := &t.Actors[a.Actor]
	o := client(actor)
	if a.Object >= 0 && 2*a.ObjectCount >= a.Count && t.Objects[a.Object].Name != "" {
		o = auditObject(&t.Objects[a.Object])
	}
	text := fmt.Sprintf("%s: %s %s answered %d", agentOf(actor), a.Verb, a.Resource, a.Code)
	if a.Message != "" {
		text += ": " + cut(a.Message, 160)
	}
	e := auditEvidence(a.Place, a.First, int(a.Count), "%s", text)
	e.Share = partOf(int(a.Count), int(a.Of))
	return Finding{
		Severity: severity, Confidence: confidence, Object: &o, Actors: []string{actor.Name()}, Count: int(a.Count),
		Fingerprint: FingerprintObject(rule, Object{API: a.Group, Kind: a.Resource, Namespace: actor.Name(), Name: fmt.Sprint(a.Verb, " ", a.Code, " ", o.Namespace, "/", o.Name)}),
		FirstSeen:   auditTime(a.First), LastSeen: auditTime(a.Last), Evidence: []Evidence{e},
		Next: []string{fmt.Sprintf("triage audit %s --user %s --resource %s --code %d", auditInputs(t), Quote(actor.Name()), Quote(a.Resource), a.Code)},
	}
}

// refusedAgain is TR766.
func refusedAgain() *Rule {
	return &Rule{
		ID: "TR766", Name: "refused-again-and-again", Category: HotLoop, Severity: Medium, Needs: NeedsAudit,
		Doc: Doc{
			Title:          "A client repeats a request that the server refuses each time",
			Why:            "400, 403 and 422 say that the request itself is wrong: it may not do that, or what it sends is invalid. Repeating it can't help; a client that does so has no backoff, or nobody has looked at its errors. A creation answered 409 (it exists) again and again comes from a client that doesn't find what is there.",
			Fix:            "Give the client the role that it lacks, or send what validation asks for: the message names it. Let it back off exponentially on errors that are its own fault.",
			FalsePositives: "Clients that probe what they may do. Requests of people are counted too.",
			Refs:           []string{"https://kubernetes.io/docs/reference/using-api/api-concepts/", "https://github.com/openshift/origin/tree/main/pkg/monitortests/kubeapiserver/auditloganalyzer"},
		},
		Run: auditRun(runRefusedAgain),
	}
}

func runRefusedAgain(t *audit.Trail) []Finding {
	var found []Finding
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
		severity, confidence := Low, ConfLow
		if a.Count >= refusedMany && partOf(int(a.Count), int(a.Of)) >= 0.5 && !controlPlane(actor) && float64(a.Last-a.First)/1e6*refusedRate < float64(a.Count) {
			severity, confidence = Medium, ConfMedium
		}
		f := answerFinding(t, "TR766", a, severity, confidence)
		f.Title = auditTitle("%s is refused %d times to %s %s (%d %s)", shortActor(actor.Name()), a.Count, a.Verb, mostOf(t, a), a.Code, codeWord(a.Code))
		f.Why = fmt.Sprintf("%s was answered %d to %d of its %d requests to %s %s in %s, %s. The answer can't change as long as the request is the same.", actor.Name(), a.Code, a.Count, a.Of, a.Verb, a.Resource,
			auditSpan(a.First, a.Last), auditRate(int(a.Count), a.First, a.Last))
		found = append(found, f)
	}
	return found
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

// serverErrors is TR767.
func serverErrors() *Rule {
	return &Rule{
		ID: "TR767", Name: "api-server-errors", Category: Contention, Severity: Medium, Needs: NeedsAudit,
		Doc: Doc{
			Title:          "The API server fails or sheds requests",
			Why:            "Answers of 500 and above say that the server, its storage, a webhook or an aggregated API behind it failed; 429 says that API priority and fairness turned requests away. Clients retry, and the time that all of them lost is added up.",
			Fix:            "Look at what the failing requests have in common: one resource (its webhook, its aggregated API), one time (a restart, a leader change of etcd) or one client (429: it asks for too much).",
			FalsePositives: "A restart of a control plane node gives some for seconds. 503 of an aggregated API that is being installed.",
			Refs:           []string{"https://kubernetes.io/docs/concepts/cluster-administration/flow-control/", "https://github.com/openshift/origin/tree/main/pkg/monitortests/kubeapiserver/auditloganalyzer"},
		},
		Run: auditRun(runServerErrors),
	}
}

func runServerErrors(t *audit.Trail) []Finding {
	var failed, shed []*audit.Answer
	for i := range t.Answers {
		switch a := &t.Answers[i]; {
		case a.Code >= 500:
			failed = append(failed, a)
		case a.Code == 429 && a.Resource != "" && !evicts(a):
			shed = append(shed, a)
		}
	}
	var found []Finding
	if n, lost := sumAnswers(failed); n >= serverErrorsMin || lost >= serverErrorsLost && n > 0 {
		severity, confidence := Low, ConfLow
		if n >= serverErrorsMany && partOf(n, int(t.Requests)) >= serverErrorsShare {
			severity, confidence = Medium, ConfMedium
		}
		f := errorsFinding(t, failed, n, severity, confidence)
		f.Title = auditTitle("The API server fails %d requests (%s)", n, topAnswer(failed))
		f.Why = fmt.Sprintf("%d of %d requests were answered with 500 or above; clients spent %s on them.", n, t.Requests, seconds(lost.Seconds()))
		found = append(found, f)
	}
	if n, _ := sumAnswers(shed); n >= throttledMin {
		severity, confidence := Low, ConfLow
		if n >= throttledMany && partOf(n, int(t.Requests)) >= serverErrorsShare {
			severity, confidence = Medium, ConfMedium
		}
		f := errorsFinding(t, shed, n, severity, confidence)
		f.Title = auditTitle("The API server turns %d requests away (429), most of %s", n, shortActor(t.Actors[shed[0].Actor].Name()))
		f.Why = fmt.Sprintf("%d of %d requests were answered 429: their priority level had no room, and their queue was full.", n, t.Requests)
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

func errorsFinding(t *audit.Trail, list []*audit.Answer, n int, severity Severity, confidence Confidence) Finding {
	f := Finding{
		Severity: severity, Confidence: confidence, Count: n, Actors: []string{},
		Fingerprint: FingerprintObject("TR767", Object{Kind: "answers", Name: codeWord(list[0].Code)}),
		Next:        []string{fmt.Sprintf("triage audit %s --code %d", auditInputs(t), list[0].Code)},
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
				text += ": " + cut(a.Message, 120)
			}
			f.Evidence = append(f.Evidence, auditEvidence(a.Place, a.First, int(a.Count), "%s", text))
		}
	}
	f.FirstSeen, f.LastSeen = auditTime(first), auditTime(last)
	return f
}
