package auditlog

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// mostRefused is the object that was refused most, where that was half of the times or more, else the client; what is
// its name for a sentence, else the resource's.
func mostRefused(t *audit.Trail, a *audit.Answer) (o rules.Object, what string) {
	if a.Object < 0 || 2*a.ObjectCount < a.Count || t.Objects[a.Object].Name == "" {
		return client(&t.Actors[a.Actor]), a.Resource
	}
	o = objectOf(&t.Objects[a.Object])
	return o, o.Kind + " " + o.Name
}

// answered is the evidence of the requests that got one answer, whose message it quotes up to a length.
func answered(who string, a *audit.Answer, many string, quoted int) rules.Evidence {
	text := fmt.Sprintf("%s: %s %s answered %d%s", who, a.Verb, a.Resource, a.Code, many)
	if a.Message != "" {
		text += ": " + phrase.Cut(a.Message, quoted)
	}
	return evidence(a.Place, a.First, int(a.Count), "%s", text)
}

// answerFinding begins the finding about one actor's refused requests.
func answerFinding(t *audit.Trail, rule string, a *audit.Answer, fault bool) rules.Finding {
	actor := &t.Actors[a.Actor]
	o, _ := mostRefused(t, a)
	f := finding(o, int(a.Count), a.First, a.Last, actor.Name())
	f.Severity, f.Confidence = faultOr(fault && !controlPlane(actor))
	e := answered(agentOf(actor), a, "", 160)
	e.Share = partOf(a.Count, a.Of)
	f.Evidence = []rules.Evidence{e}
	f.Fingerprint = rules.FingerprintObject(rule, rules.Object{API: a.Group, Kind: a.Resource, Namespace: actor.Name(),
		Name: fmt.Sprint(a.Verb, " ", a.Code, " ", o.Namespace, "/", o.Name)})
	f.Next = rules.Commands(fmt.Sprintf("triage audit %s --user %s --resource %s --code %d", inputs(t),
		rules.Quote(actor.Name()), rules.Quote(a.Resource), a.Code))
	return f
}

// codeWord is an answer's code in words.
func codeWord(code int) string {
	return cmp.Or(map[int]string{400: "bad request", 403: "forbidden", 404: "not found", 405: "not allowed",
		409: "exists already", 413: "too large", 415: "unsupported media type", 422: "invalid",
		429: "too many requests"}[code], "refused")
}

// Thresholds of update-conflicts.
const (
	// conflictsMin is from when on conflicts are reported at all (openshift/origin, auditloganalyzer: 10 a user and
	// resource); conflictsMany, with conflictsShare of the actor's writes, when they are a fault: a write in three is
	// lost.
	conflictsMin   = 10
	conflictsMany  = 50
	conflictsShare = 0.3
)

// updateConflicts is update-conflicts (TR765).
func updateConflicts(t *audit.Trail, a *audit.Answer) *rules.Finding {
	if a.Code != 409 || a.Count < conflictsMin || steadyResource(a.Resource) ||
		a.Verb != audit.VerbUpdate && a.Verb != audit.VerbPatch || a.Object >= 0 && fought(t, a.Object, a.Actor) {
		return nil
	}
	user := t.Actors[a.Actor].Name()
	_, what := mostRefused(t, a)
	f := answerFinding(t, "TR765", a, a.Count >= conflictsMany && partOf(a.Count, a.Of) >= conflictsShare)
	f.Title = title("%s loses %d of %d writes of %s to conflicts", short(user), a.Count, a.Of, a.Resource)
	if what != a.Resource {
		f.Title = rules.FirstTitle(f.Title, f.Title+", mostly of "+what)
	}
	f.Why = fmt.Sprintf("%s got 409 for %d of its %d requests to %s %s in %s: the object had changed since the client "+
		"read it.", user, a.Count, a.Of, a.Verb, a.Resource, span(a.First, a.Last))
	return &f
}

// Thresholds of refused-again-and-again.
const (
	// refusedMin is from when on requests that can't succeed when they are repeated are reported; refusedMany, with
	// refusedShare of the actor's requests of that kind, when they are a fault: chosen so that a role that is missing
	// for some minutes of an installation is none.
	refusedMin   = 30
	refusedMany  = 100
	refusedShare = 0.5
	// refusedRate is how often a second: the reflectors of one client that lacks a role ask for some resources twice a
	// minute each. A write that is repeated refusedMany times at writesRate has no back-off: a queue's comes to one in
	// 1,000 s by then (client-go, DefaultControllerRateLimiter).
	refusedRate = 1.0
	writesRate  = 0.2
	// invalidMin is for 422: a controller that sends what validation refuses has a fault (openshift/origin tolerates
	// none). The API server's own ones in the corpus come every 10 s.
	invalidMin = 10
)

// refusedAgain is refused-again-and-again (TR766).
func refusedAgain(t *audit.Trail, a *audit.Answer) *rules.Finding {
	least, quick := int64(refusedMin), refusedRate
	writes := a.Verb != audit.VerbGet && a.Verb != audit.VerbList && a.Verb != audit.VerbWatch
	if writes && a.Code != 409 && a.Verb != audit.VerbDelete { // many controllers create or delete first, and look then
		quick = writesRate
	}
	switch {
	case a.Code == 422:
		least = invalidMin
	case a.Code == 400, a.Code == 403, a.Code == 405, a.Code == 409 && a.Verb == audit.VerbCreate, a.Code == 413,
		a.Code == 415:
	case a.Code == 404 && writes: // who reads may wait for what comes later
	default:
		return nil
	}
	if a.Count < least || a.Resource == "" || 2*explained(t, a) >= a.Count {
		return nil
	}
	user := t.Actors[a.Actor].Name()
	_, what := mostRefused(t, a)
	f := answerFinding(t, "TR766", a, a.Count >= refusedMany && partOf(a.Count, a.Of) >= refusedShare &&
		float64(a.Last-a.First)/1e6*quick < float64(a.Count))
	f.Title = title("%s is refused %d times to %s %s (%d %s)", short(user), a.Count, a.Verb, what, a.Code,
		codeWord(a.Code))
	f.Why = fmt.Sprintf("%s got %d for %d of its %d requests to %s %s in %s, %s. The answer can't change as long "+
		"as the request stays the same.", user, a.Code, a.Count, a.Of, a.Verb, a.Resource,
		span(a.First, a.Last), rate(int(a.Count), a.First, a.Last))
	return &f
}

// Thresholds of api-server-errors.
const (
	// serverErrorsMin is from when on failures are reported at all, as is serverErrorsLost, the 60 s that clients may
	// lose to them (openshift/origin, auditloganalyzer); serverErrorsMany, with serverErrorsShare of all requests, make
	// them a fault: chosen.
	serverErrorsMin   = 10
	serverErrorsMany  = 100
	serverErrorsShare = 0.01
	serverErrorsLost  = time.Minute
	// serverErrorsBurst is the share of failures within two minutes above which they are an interruption that is over:
	// a leader change of etcd fails what is asked for in some seconds, a restarted server for half a minute. Chosen.
	serverErrorsBurst = 0.9
	// throttledMin is how many 429 are reported, throttledMany how many are a fault: API priority and fairness rejects
	// only what waited in vain. Chosen.
	throttledMin  = 20
	throttledMany = 200
)

// runServerErrors is api-server-errors (TR767).
func runServerErrors(t *audit.Trail) []rules.Finding {
	var failed, shed []*audit.Answer
	for i := range t.Answers {
		switch a := &t.Answers[i]; {
		case 2*explained(t, a) >= a.Count: // a webhook's, a quota's
		case a.Code >= 500:
			failed = append(failed, a)
		case a.Code == 429 && a.Resource != "" && (a.Resource != "pods" || a.Verb != audit.VerbCreate):
			// Evictions are left out: a disruption budget answers them with 429 by design.
			shed = append(shed, a)
		}
	}
	var found []rules.Finding
	if n, lost := sumAnswers(failed); n >= serverErrorsMin || lost >= serverErrorsLost && n > 0 {
		f := errorsFinding(t, failed, n, serverErrorsMany)
		if float64(t.FailedAtOnce()) > serverErrorsBurst*float64(n) {
			f.Severity, f.Confidence = rules.Low, rules.ConfLow
		}
		most := fmt.Sprintf("mostly with %d", failed[0].Code)
		if failed[0].Resource != "" {
			most = fmt.Sprintf("mostly %s %s with %d", failed[0].Verb, failed[0].Resource, failed[0].Code)
		}
		f.Title = title("The API server fails %d requests (%s)", n, most)
		f.Why = fmt.Sprintf("%d of %d requests were answered with 500 or above", n, t.Requests)
		if lost >= time.Second {
			f.Why += fmt.Sprintf("; clients waited %s for these answers in all", phrase.Seconds(lost.Seconds()))
		}
		f.Why += "."
		found = append(found, f)
	}
	if n, _ := sumAnswers(shed); n >= throttledMin {
		f := errorsFinding(t, shed, n, throttledMany)
		f.Title = title("The API server turns %d requests away (429), most of %s", n,
			short(t.Actors[shed[0].Actor].Name()))
		f.Why = fmt.Sprintf("%d of %d requests were answered 429: their priority level had no room, and their queue "+
			"was full.", n, t.Requests)
		found = append(found, f)
	}
	return found
}

func sumAnswers(list []*audit.Answer) (n int, lost time.Duration) {
	for _, a := range list {
		n += int(a.Count)
		lost += a.Took
	}
	return n, lost
}

// errorsFinding begins a finding about n requests that the server failed; many of them are a fault.
func errorsFinding(t *audit.Trail, list []*audit.Answer, n, many int) rules.Finding {
	var f rules.Finding
	first, last := list[0].First, list[0].Last
	for _, a := range list {
		first, last = min(first, a.First), max(last, a.Last)
		name := t.Actors[a.Actor].Name()
		if len(f.Actors) < 5 && !slices.Contains(f.Actors, name) {
			f.Actors = append(f.Actors, name)
		}
		if len(f.Evidence) < 5 {
			f.Evidence = append(f.Evidence, answered(name, a, fmt.Sprintf(", %d of %d", a.Count, a.Of), 120))
		}
	}
	f.Severity, f.Confidence = faultOr(n >= many && partOf(n, t.Requests) >= serverErrorsShare)
	f.Count, f.FirstSeen, f.LastSeen = n, timeText(first), timeText(last)
	f.Fingerprint = rules.FingerprintObject("TR767", rules.Object{Kind: "answers", Name: codeWord(list[0].Code)})
	f.Next = rules.Commands(fmt.Sprintf("triage audit %s --code %d", inputs(t), list[0].Code))
	return f
}
