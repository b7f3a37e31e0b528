package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of busiest-api-client.
const (
	// talkerShare of all requests, talkerMin of them, at talkerRate a second or more make a client worth naming:
	// chosen.
	talkerShare = 0.5
	talkerMin   = 1000
	talkerRate  = 5.0
)

func runBusiestClient(t *audit.Trail) []rules.Finding {
	lasts := float64(t.Last-t.First) / 1e6
	for i := range t.Actors {
		a := &t.Actors[i]
		if a.Requests < talkerMin || partOf(int(a.Requests), int(t.Requests)) < talkerShare || controlPlane(a) ||
			lasts <= 0 || float64(a.Requests)/lasts < talkerRate {
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
		f := readFinding(t, "TR771", top, rules.Info, rules.ConfHigh)
		f.Count = int(a.Requests)
		f.Title = auditTitle("%s makes %.0f %% of all requests, %.0f/s", shortActor(a.Name()),
			100*partOf(int(a.Requests), int(t.Requests)), float64(a.Requests)/lasts)
		f.Why = fmt.Sprintf("%s (%s) made %s of %s requests, %s of them writes; most are %s %s (%s).", a.Name(),
			phrase.Cut(a.Agent, 60), phrase.Thousands(a.Requests), phrase.Thousands(t.Requests), phrase.Thousands(a.Writes), top.Verb, top.Resource,
			phrase.Thousands(top.Count))
		return []rules.Finding{f}
	}
	return nil
}
