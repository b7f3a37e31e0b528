package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of slow-api-requests.
const (
	// slowMin is from how many requests over a second, and slowShare of all, on slowness is reported; slowMany of them
	// over
	// 5 s make it a fault. Kubernetes' own objective: 99 % of requests for one object within 1 s, of lists within 5 s
	// or 30 s by scope (sig-scalability, API call latency).
	slowMin   = 20
	slowShare = 0.01
	slowMany  = 20
)

func runSlowRequests(t *audit.Trail) []rules.Finding {
	var found []rules.Finding
	for i := range t.Slow {
		s := &t.Slow[i]
		if s.Over1s < slowMin || partOf(int(s.Over1s), int(s.Requests)) < slowShare || s.Actor < 0 || len(found) == 5 {
			continue
		}
		severity, confidence := faultOr(s.Over5s >= slowMany && partOf(int(s.Over5s), int(s.Requests)) >= slowShare)
		what := s.Resource
		if what == "" {
			what = "requests that are no resource's"
		}
		o := auditObject(&audit.Object{Group: s.Group, Resource: s.Resource})
		f := rules.Finding{
			Severity: severity, Confidence: confidence, Object: &o, Actors: []string{t.Actors[s.Actor].Name()},
			Count:       int(s.Over1s),
			Fingerprint: rules.FingerprintObject("TR768", rules.Object{API: s.Group, Kind: s.Resource, Name: s.Verb.String()}),
			Title: auditTitle("%d of %d requests to %s %s take over 1 s, the slowest %s", s.Over1s, s.Requests,
				s.Verb, what, phrase.Seconds(s.Max.Seconds())),
			FirstSeen: auditTime(s.First), LastSeen: auditTime(s.Last),
			Why: fmt.Sprintf("%d of %d requests to %s %s took over 1 s, %d over 5 s, %d over 30 s.", s.Over1s,
				s.Requests, s.Verb, what, s.Over5s, s.Over30s),
			Evidence: []rules.Evidence{auditEvidence(s.Place, s.Time, int(s.Over1s), "%s: %s %s took %s, the slowest",
				agentOf(&t.Actors[s.Actor]), s.Verb, what, phrase.Seconds(s.Max.Seconds()))},
			Next: rules.Commands(auditCommand(t, &audit.Object{Resource: s.Resource}) + " --verb " + s.Verb.String()),
		}
		if s.MaxEtcd > 0 {
			f.Why += fmt.Sprintf(" Up to %s of that was etcd.", phrase.Seconds(s.MaxEtcd.Seconds()))
		}
		found = append(found, f)
	}
	return found
}
