package logs

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of throttling. In a healthy install of 23 minutes operators had up to 200 such lines in a log; OpenShift's
// version operator, which logs waits from 50 ms on, had 4,447 of 0.6 s on average in 22 minutes.
const (
	fewWaits  = 100
	manyWaits = 300
	// muchWaiting is the share of the time that is waited (several requests may wait at once), longWait the least mean.
	muchWaiting = 0.5
	longWait    = time.Second
	// longThrottled is longer than any start or install here took.
	longThrottled = 25 * time.Minute
)

func runThrottled(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Logs {
		seen := signed(in, logpattern.SignThrottled)
		t := sumUp(seen)
		if t.count < fewWaits {
			continue
		}
		f := rules.Finding{Severity: rules.Low, Confidence: rules.ConfLow, Count: int(t.count)}
		if t.count >= manyWaits && t.span >= longThrottled && float64(t.took.Sum) >= muchWaiting*float64(t.span) &&
			t.took.Sum/time.Duration(max(t.took.Count, 1)) >= longWait {
			f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
		}
		f.Title = logTitle(writerOf(in, seen[0]), fmt.Sprintf("waits for its own rate limit %s times in %s",
			phrase.Thousands(t.count), lasting(t.span)))
		f.Why = fmt.Sprintf("client-go held %s requests back in %s", phrase.Thousands(t.count), lasting(t.span))
		if t.took.Count > 0 {
			f.Why += fmt.Sprintf(", for %s in all, the longest for %s", lasting(t.took.Sum),
				gapText(t.took.Longest.Round(time.Millisecond)))
		}
		f.Why += ". Only waits of about a second or more are logged: shorter ones come on top."
		found = append(found, signFinding(f, "TR705", in, seen, t))
	}
	return found
}
