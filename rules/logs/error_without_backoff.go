package logs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of an error loop. In the healthy bundles no error about one object came faster than every maxErrorPeriod for
// longer than
// 6.0 minutes; client-go's default rate limiter is at 20 s after twelve failures (util/workqueue, 5 ms · 2^n).
const (
	minErrorSpan   = 10 * time.Minute
	minErrorCount  = 150
	maxErrorPeriod = 5 * time.Second
	// fastError is the period below which no fixed pause is meant; certainErrors as many lines as are no passing
	// trouble.
	fastError     = 2 * time.Second
	certainErrors = 1500
	maxErrorLoops = 5
	// chanceVariation is the deviation of gaps in percent from which on errors come by chance (100 where they have
	// nothing to do with each other), as those of requests do, and not one from the other.
	chanceVariation = 70
)

func runErrorLoop(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Logs {
		var seen []logSeen
		for _, pat := range in.Patterns {
			if !failing(pat) {
				continue
			}
			for _, o := range pat.Objects {
				r := o.Run
				if r.Count >= minErrorCount && r.Span() >= minErrorSpan && r.Period() <= maxErrorPeriod &&
					!o.Gaps.Growing && o.Gaps.VariationPercent <= 2*maxLoopVariation {
					seen = append(seen, logSeen{in, pat, o})
				}
			}
		}
		found = append(found, errorFindings(in, mostFrequent(seen))...)
	}
	return found
}

// failing reports whether a pattern is an error that no other rule knows better.
func failing(p *logpattern.Pattern) bool {
	if p.Sign != logpattern.SignNone && p.Sign != logpattern.SignRequeued {
		return false
	}
	if p.Level >= logpattern.LevelError {
		return true
	}
	low := strings.ToLower(p.Template)
	switch p.Level {
	case logpattern.LevelWarn:
		return phrase.ContainsOne(low, "error", "fail", "unable to", "could not", "cannot")
	case logpattern.LevelInfo, logpattern.LevelUnknown:
		return phrase.ContainsOne(low, "error", "failed", "unable to", "could not", "cannot") && retries(low)
	}
	return false
}

// retries reports whether a controller is at work, which will try again.
func retries(low string) bool {
	return phrase.ContainsOne(low, "reconcil", "sync", "requeu", "retry", "enqueue", "updating status", "update status",
		"will try again")
}

// errorFindings makes one finding of the errors of one object: one failure is often logged at several places.
func errorFindings(in *rules.LogInput, seen []logSeen) []rules.Finding {
	var groups [][]logSeen
	for _, s := range seen {
		i := slices.IndexFunc(groups, func(g []logSeen) bool {
			a, b := logObject(g[0].p, g[0].o), logObject(s.p, s.o)
			return runsOverlap(g[0].o.Run, s.o.Run) && (a == nil && b == nil && g[0].p.Logger == s.p.Logger ||
				a != nil && b != nil && sameName(a.Name, b.Name))
		})
		if i < 0 {
			groups = append(groups, []logSeen{s})
			continue
		}
		groups[i] = append(groups[i], s)
	}
	slices.SortStableFunc(groups, func(a, b []logSeen) int { return cmp.Compare(b[0].o.Run.Count, a[0].o.Run.Count) })
	var found []rules.Finding
	for _, g := range groups[:min(len(groups), maxErrorLoops)] {
		found = append(found, errorFinding(in, g))
	}
	return found
}

func errorFinding(in *rules.LogInput, g []logSeen) rules.Finding {
	s := g[0]
	run := s.o.Run
	f := rules.Finding{Severity: rules.Medium, Confidence: rules.ConfMedium, Object: logObject(s.p, s.o), Count: int(run.Count)}
	switch {
	case run.Period() >= fastError && (f.Object == nil || !retries(strings.ToLower(s.p.Template)) ||
		run.Count < certainLoop):
		f.Severity, f.Confidence = rules.Low, rules.ConfLow
	case run.Period() >= fastError:
		f.Confidence = rules.ConfLow
	case f.Object == nil && s.o.Gaps.VariationPercent >= chanceVariation && !retries(strings.ToLower(s.p.Template)):
		f.Severity, f.Confidence = rules.Low, rules.ConfLow // what a server's clients meet
	case f.Object == nil:
		f.Confidence = rules.ConfLow
	case run.Count >= certainErrors:
		f.Severity = rules.High
	}
	who := "The log of " + writerOf(in, s.p)
	if f.Object != nil {
		who = objectTitle(*f.Object)
	} else {
		f.Fingerprint = logFingerprint("TR701", in, s.p.Template)
		f.Object = podOf(in, s.p)
	}
	f.Title = logTitle(who, fmt.Sprintf("fails %s for %s without a backoff", rhythm(run.Period()), lasting(run.Span())))
	if t := targetOf(in, s.p); t.Pod != "" {
		f.Actors = []string{writerOf(in, s.p)}
	}
	for _, other := range g[:min(len(g), maxLogEvidence)] {
		f.Evidence = append(f.Evidence, logEvidence(in, other.p, &other.o.Repeats))
	}
	f.Why = fmt.Sprintf("%s logs this failure %s times %s, %s, and the gaps between them don't grow: %s.",
		writerOf(in, s.p), phrase.Thousands(run.Count), clockSpan(in, run), rhythm(run.Period()), gapWords(s.o.Gaps))
	if s.p.Source != "" {
		f.Notes = append(f.Notes, "Logged at "+phrase.Cut(s.p.Source, 80)+".")
	}
	f.FirstSeen, f.LastSeen = logTime(in, run.First), logTime(in, run.Last)
	f.Next = logNext(in, s.p, f.Object)
	return f
}

// gapWords tells the middle half of the gaps.
func gapWords(g logpattern.Gaps) string {
	if g.Q3 < time.Millisecond {
		return "half of them come within a millisecond of the one before"
	}
	if g.Q1 == g.Q3 {
		return "half of them are close to " + gapText(g.Mean)
	}
	return fmt.Sprintf("half of the gaps lie between %s and %s", gapText(g.Q1), gapText(g.Q3))
}

func gapText(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return phrase.Seconds(d.Seconds())
}
