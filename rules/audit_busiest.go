package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
)

// Thresholds of busiest-api-client.
const (
	// talkerShare of all requests, talkerMin of them, at talkerRate a second or more make a client worth naming: chosen.
	talkerShare = 0.5
	talkerMin   = 1000
	talkerRate  = 5.0
)

// busiestClient is TR771.
func busiestClient() *Rule {
	return &Rule{
		ID: "TR771", Name: "busiest-api-client", Category: HotLoop, Severity: Info, Needs: NeedsAudit,
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
