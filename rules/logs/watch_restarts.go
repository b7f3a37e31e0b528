package logs

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of watch restarts. client-go backs off to 30 s after failures, and a healthy watch lasts 5 to 10 minutes
// (tools/cache/reflector.go, minWatchTimeout). A component of a healthy install had 82 such lines in 4.2 minutes, while
// the API servers were rolled out.
const (
	minWatchEnds  = 60
	manyWatchEnds = 300
	// constantWatchEnds is what no API server's absence explains within a quarter of an hour: client-go's backoff
	// reaches 30 s.
	constantWatchEnds = 900
	maxWatchEndPeriod = 10 * time.Second
)

func runWatchRestarts(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Logs {
		if f, ok := watchFinding(in); ok {
			found = append(found, f)
		}
	}
	return found
}

func watchFinding(in *rules.LogInput) (rules.Finding, bool) {
	seen := signed(in, logpattern.SignWatchEnded)
	s := sumUp(seen)
	if s.count < minWatchEnds || s.span < minLoopSpan || s.period() > maxWatchEndPeriod {
		return rules.Finding{}, false
	}
	f := rules.Finding{Severity: rules.Low, Confidence: rules.ConfLow, Count: int(s.count)}
	if s.count >= manyWatchEnds && s.span >= 3*minLoopSpan ||
		s.count >= constantWatchEnds && s.span >= 3*minLoopSpan/2 {
		f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	}
	f.Title = logTitle(writerOf(in, seen[0]), fmt.Sprintf("loses its watches %s for %s and lists anew",
		rhythm(s.period()), lasting(s.span)))
	f.Why = fmt.Sprintf("%s lines in %s say that a watch ended or could not begin. A healthy one lasts five to ten "+
		"minutes.", phrase.Thousands(s.count), lasting(s.span))
	return signFinding(f, "TR704", in, seen, s), true
}
