package auditlog

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of list-heavy-client.
const (
	// listsMin is how many full lists are reported at one a minute or more: informers list once and then watch.
	// listsBytes or listsRate make it a fault; chosen so that someone's watch -n 1 over a small resource is none.
	listsMin   = 30
	listsSlow  = time.Minute
	listsBytes = 100 << 20
	listsRate  = 2.0 // a second
)

func runListHeavyClient(t *audit.Trail) []rules.Finding {
	var found []rules.Finding
	for i := range t.Reads {
		r := &t.Reads[i]
		actor := &t.Actors[r.Actor]
		lasts := time.Duration(r.Last-r.First) * time.Microsecond
		if r.Verb != audit.VerbList || r.Full < listsMin || controlPlane(actor) ||
			lasts > time.Duration(r.Full)*listsSlow {
			continue
		}
		severity, confidence := faultOr(r.Bytes >= listsBytes || lasts > 0 && float64(r.Full)/lasts.Seconds() >= listsRate && lasts >= time.Minute)
		f := readFinding(t, "TR769", r, severity, confidence)
		f.Title = auditTitle("%s lists all %s %d times, %s, in place of watching", shortActor(actor.Name()), r.Resource,
			r.Full, auditRate(int(r.Full), r.First, r.Last))
		f.Why = fmt.Sprintf("%s (%s) listed %s %d times in %s without limit, selector or resourceVersion.",
			actor.Name(), phrase.Cut(actor.Agent, 60), r.Resource, r.Full, auditSpan(r.First, r.Last))
		f.Evidence[0].Text = fmt.Sprintf("%s: list %s, %d of %d without limit, selector or resourceVersion",
			agentOf(actor), r.Resource, r.Full, r.Count)
		if r.Bytes > 0 {
			f.Why += fmt.Sprintf(" The answers in the log are %s together, the largest %s.", phrase.BytesText(r.Bytes),
				phrase.BytesText(r.MaxBytes))
		}
		found = append(found, f)
	}
	return found
}
