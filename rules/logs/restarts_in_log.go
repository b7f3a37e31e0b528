package logs

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
)

// Bounds of restarts: popeye warns at five of a container; starts of several parts of one program come within
// seconds of each other.
const (
	minStarts    = 5
	minStartsGap = 5 * time.Second
	// closeStarts is the mean time between starts below which it is a crash loop: the kubelet's longest backoff is five
	// minutes.
	closeStarts = 6 * time.Minute
)

func runLogRestarts(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Logs {
		var best *logpattern.Object
		var of *logpattern.Pattern
		for _, pat := range signed(in, logpattern.SignStarted) {
			for _, o := range pat.Objects {
				if o.Count >= minStarts && o.Gaps.Q1 >= minStartsGap && (best == nil || o.Count > best.Count) {
					best, of = o, pat
				}
			}
		}
		if best == nil {
			continue
		}
		span := best.Last.Sub(best.First)
		f := rules.Finding{Severity: rules.Low, Confidence: rules.ConfLow, Count: int(best.Count)}
		// A container that ends gets a new log: several starts in one are a supervisor's inside it, or no starts at
		// all.
		if targetOf(in, of).Pod == "" && best.Gaps.Median <= closeStarts && best.Count >= 2*minStarts {
			f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
		}
		f.Title = logTitle(writerOf(in, of), fmt.Sprintf("starts %d times in %s", best.Count, lasting(span)))
		f.Why = fmt.Sprintf("This line, which is printed at the start, stands in the log %d times, %s apart as a rule.",
			best.Count, gapText(best.Gaps.Median))
		t := signTotal{count: best.Count, first: best.First, last: best.Last, span: span}
		f = signFinding(f, "TR708", in, []*logpattern.Pattern{of}, t)
		if tg := targetOf(in, of); tg.Pod != "" {
			f.Next = append(f.Next, tg.LogsPrevious())
		}
		found = append(found, f)
	}
	return found
}
