package rules

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
)

// watchRestarts is TR704.
func watchRestarts() *Rule {
	return &Rule{
		ID: "TR704", Name: "watch-restarts", Category: Contention, Severity: Medium, Needs: NeedsLogs,
		Run: runWatchRestarts,
	}
}

// Bounds of watch restarts. client-go backs off to 30 s after failures, and a healthy watch lasts 5 to 10 minutes
// (tools/cache/reflector.go, minWatchTimeout). A component of a healthy install had 82 such lines in 4.2 minutes, while
// the API servers were rolled out.
const (
	minWatchEnds  = 60
	manyWatchEnds = 300
	// constantWatchEnds is what no API server's absence explains within a quarter of an hour: client-go's backoff reaches 30 s.
	constantWatchEnds = 900
	maxWatchEndPeriod = 10 * time.Second
)

func runWatchRestarts(p *Pass) []Finding {
	var found []Finding
	for _, in := range p.Logs {
		if f, ok := watchFinding(in); ok {
			found = append(found, f)
		}
	}
	return found
}

func watchFinding(in *LogInput) (Finding, bool) {
	seen := signed(in, logpattern.SignWatchEnded)
	s := sumUp(seen)
	if s.count < minWatchEnds || s.span < minLoopSpan || s.period() > maxWatchEndPeriod {
		return Finding{}, false
	}
	f := Finding{Severity: Low, Confidence: ConfLow, Count: int(s.count)}
	if s.count >= manyWatchEnds && s.span >= 3*minLoopSpan || s.count >= constantWatchEnds && s.span >= 3*minLoopSpan/2 {
		f.Severity, f.Confidence = Medium, ConfMedium
	}
	f.Title = logTitle(writerOf(in, seen[0]), fmt.Sprintf("loses its watches %s for %s and lists anew", rhythm(s.period()), lasting(s.span)))
	f.Why = fmt.Sprintf("%s lines in %s say that a watch ended or could not begin. A healthy one lasts five to ten minutes.", thousands(s.count), lasting(s.span))
	return signFinding(f, "TR704", in, seen, s), true
}
