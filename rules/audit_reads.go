package rules

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/audit"
)

// Thresholds about what clients ask for.
const (
	// slowMin is from how many requests over a second, and slowShare of all, on slowness is told; slowMany of them over 5 s make it a
	// fault. Kubernetes' own objective: 99 % of requests for one object within 1 s, of lists within 5 s or 30 s by scope
	// (sig-scalability, API call latency).
	slowMin   = 20
	slowShare = 0.01
	slowMany  = 20
	// listsMin is how many full lists are told at one a minute or more: informers list once and then watch. listsBytes or listsRate
	// make it a fault; chosen so that somebody's watch -n 1 over a small resource is none.
	listsMin   = 30
	listsSlow  = time.Minute
	listsBytes = 100 << 20
	listsRate  = 2.0 // a second
	// watchesMin is how many watches must have ended within seconds, and half of all.
	watchesMin  = 30
	watchesMany = 200
	// talkerShare of all requests at talkerRate a second or more make a client worth naming.
	talkerShare = 0.5
	talkerMin   = 1000
	talkerRate  = 5.0
)

// slowRequests is TR768.
func slowRequests() *Rule {
	return &Rule{
		ID: "TR768", Name: "slow-api-requests", Category: Contention, Severity: Medium, Needs: NeedsAudit,
		Doc: Doc{
			Title:          "Requests to the API server take seconds",
			Why:            "The time between an event's requestReceivedTimestamp and its stageTimestamp is the server's: its queue, webhooks, etcd and the encoding of the answer. Watches and streams into pods are left out. Where the event says how long etcd took, that is told.",
			Fix:            "Of a list: ask with limit, or from the cache (resourceVersion=0). Of writes: look at the admission webhooks for that resource and their timeouts, then at etcd's disk (fsync).",
			FalsePositives: "Deletions in the foreground of large collections; one pause of the machine makes everything in flight slow.",
			Refs:           []string{"https://github.com/kubernetes/community/blob/master/sig-scalability/slos/api_call_latency.md"},
		},
		Run: auditRun(runSlowRequests),
	}
}

func runSlowRequests(t *audit.Trail) []Finding {
	var found []Finding
	for i := range t.Slow {
		s := &t.Slow[i]
		if s.Over1s < slowMin || partOf(int(s.Over1s), int(s.Requests)) < slowShare || s.Actor < 0 || len(found) == 5 {
			continue
		}
		severity, confidence := Low, ConfLow
		if s.Over5s >= slowMany && partOf(int(s.Over5s), int(s.Requests)) >= slowShare {
			severity, confidence = Medium, ConfMedium
		}
		what := s.Resource
		if what == "" {
			what = "requests that are no resource's"
		}
		o := auditObject(&audit.Object{Group: s.Group, Resource: s.Resource})
		f := Finding{
			Severity: severity, Confidence: confidence, Object: &o, Actors: []string{t.Actors[s.Actor].Name()}, Count: int(s.Over1s),
			Fingerprint: FingerprintObject("TR768", Object{API: s.Group, Kind: s.Resource, Name: s.Verb.String()}),
			Title:       auditTitle("%d of %d requests to %s %s take over 1 s, the slowest %s", s.Over1s, s.Requests, s.Verb, what, seconds(s.Max.Seconds())),
			FirstSeen:   auditTime(s.First), LastSeen: auditTime(s.Last),
			Why:      fmt.Sprintf("%d of %d requests to %s %s took over 1 s, %d over 5 s, %d over 30 s.", s.Over1s, s.Requests, s.Verb, what, s.Over5s, s.Over30s),
			Evidence: []Evidence{auditEvidence(s.Place, s.Time, int(s.Over1s), "%s: %s %s took %s, the slowest", agentOf(&t.Actors[s.Actor]), s.Verb, what, seconds(s.Max.Seconds()))},
			Next:     []string{auditCommand(t, &audit.Object{Resource: s.Resource}) + " --verb " + s.Verb.String()},
		}
		if s.MaxEtcd > 0 {
			f.Why += fmt.Sprintf(" Up to %s of that was etcd.", seconds(s.MaxEtcd.Seconds()))
		}
		found = append(found, f)
	}
	return found
}

// listHeavyClient is TR769.
func listHeavyClient() *Rule {
	return &Rule{
		ID: "TR769", Name: "list-heavy-client", Category: HotLoop, Severity: Medium, Needs: NeedsAudit,
		Doc: Doc{
			Title:          "A client lists everything again and again",
			Why:            "A LIST without limit, selector or resourceVersion makes the API server read every object of the resource from etcd, decode and encode it. A client that does so every minute or faster polls where it should watch.",
			Fix:            "Watch with an informer (it lists once, from the server's cache), or ask with resourceVersion=0, a limit or a selector.",
			FalsePositives: "Several replicas and commands of people count together where they share a user and agent; small resources cost little.",
			Refs:           []string{"https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-get-and-list", "https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks"},
		},
		Run: auditRun(runListHeavyClient),
	}
}

func runListHeavyClient(t *audit.Trail) []Finding {
	var found []Finding
	for i := range t.Reads {
		r := &t.Reads[i]
		actor := &t.Actors[r.Actor]
		lasts := time.Duration(r.Last-r.First) * time.Microsecond
		if r.Verb != audit.VerbList || r.Full < listsMin || controlPlane(actor) || lasts > time.Duration(r.Full)*listsSlow {
			continue
		}
		severity, confidence := Low, ConfLow
		if r.Bytes >= listsBytes || lasts > 0 && float64(r.Full)/lasts.Seconds() >= listsRate && lasts >= time.Minute {
			severity, confidence = Medium, ConfMedium
		}
		f := readFinding(t, "TR769", r, severity, confidence)
		f.Title = auditTitle("%s lists all %s %d times, %s, in place of watching", shortActor(actor.Name()), r.Resource, r.Full, auditRate(int(r.Full), r.First, r.Last))
		f.Why = fmt.Sprintf("%s (%s) listed %s %d times in %s without limit, selector or resourceVersion.", actor.Name(), cut(actor.Agent, 60), r.Resource, r.Full, auditSpan(r.First, r.Last))
		f.Evidence[0].Text = fmt.Sprintf("%s: list %s, %d of %d without limit, selector or resourceVersion", agentOf(actor), r.Resource, r.Full, r.Count)
		if r.Bytes > 0 {
			f.Why += fmt.Sprintf(" The answers in the log are %s together, the largest %s.", bytesText(r.Bytes), bytesText(r.MaxBytes))
		}
		found = append(found, f)
	}
	return found
}

func readFinding(t *audit.Trail, rule string, r *audit.Read, severity Severity, confidence Confidence) Finding {
	actor := &t.Actors[r.Actor]
	o := client(actor)
	return Finding{
		Severity: severity, Confidence: confidence, Object: &o, Actors: []string{actor.Name()}, Count: int(r.Count),
		Fingerprint: FingerprintObject(rule, Object{API: r.Group, Kind: r.Resource, Namespace: actor.Name(), Name: cut(actor.Agent, 80)}),
		FirstSeen:   auditTime(r.First), LastSeen: auditTime(r.Last),
		Evidence: []Evidence{auditEvidence(r.Place, r.First, int(r.Count), "%s: %s %s, %d times", agentOf(actor), r.Verb, r.Resource, r.Count)},
		Next:     []string{fmt.Sprintf("triage audit %s --user %s --resource %s --verb %s", auditInputs(t), Quote(actor.Name()), Quote(r.Resource), r.Verb)},
	}
}

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

// busiestClient is TR771.
func busiestClient() *Rule {
	return &Rule{
		ID: "TR771", Name: "busiest-api-client", Category: HotLoop, Severity: Info, Needs: NeedsAudit,
		Doc: Doc{
			Title:          "One client makes most of the API server's requests",
			Why:            "More than half of all requests come from one user and agent, at five a second or more. That is no fault by itself; it is where the load comes from.",
			Fix:            "Look at what it asks for before looking at anybody else: triage audit lists its requests.",
			FalsePositives: "In a small cluster somebody is always first.",
		},
		Run: auditRun(runBusiestClient),
	}
}

func runBusiestClient(t *audit.Trail) []Finding {
	lasts := float64(t.Last-t.First) / 1e6
	for i := range t.Actors {
		a := &t.Actors[i]
		if a.Requests < talkerMin || partOf(int(a.Requests), int(t.Requests)) < talkerShare || controlPlane(a) || lasts <= 0 || float64(a.Requests)/lasts < talkerRate {
			continue
		}
		var top *audit.Read
		for j := range t.Reads {
			if r := &t.Reads[j]; int(r.Actor) == i && (top == nil || r.Count > top.Count) {
				top = r
			}
		}
		if top == nil {
			return nil
		}
		f := readFinding(t, "TR771", top, Info, ConfHigh)
		f.Count = int(a.Requests)
		f.Title = auditTitle("%s makes %.0f %% of all requests, %.0f/s", shortActor(a.Name()), 100*partOf(int(a.Requests), int(t.Requests)), float64(a.Requests)/lasts)
		f.Why = fmt.Sprintf("%s (%s) made %s of %s requests, %s of them writes; most are %s %s (%s).", a.Name(), cut(a.Agent, 60), thousands(a.Requests), thousands(t.Requests), thousands(a.Writes), top.Verb, top.Resource, thousands(top.Count))
		return []Finding{f}
	}
	return nil
}
