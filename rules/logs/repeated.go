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
// longer than 6.0 minutes; client-go's default rate limiter is at 20 s after twelve failures (util/workqueue, 5 ms ·
// 2^n).
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

// errorLoops is error-without-backoff (TR701).
func errorLoops(in *source) []rules.Finding {
	var seen []logSeen
	for _, pat := range in.Patterns {
		if !failing(pat) {
			continue
		}
		for _, o := range pat.Objects {
			r := o.Run()
			if r.Count >= minErrorCount && r.Span() >= minErrorSpan && r.Period() <= maxErrorPeriod &&
				!o.Gaps().Growing && o.Gaps().VariationPercent <= 2*maxLoopVariation {
				seen = append(seen, logSeen{in, pat, o})
			}
		}
	}
	var groups [][]logSeen // the errors of one object: one failure is often logged at several places
	for _, s := range mostFrequent(seen) {
		i := slices.IndexFunc(groups, func(g []logSeen) bool {
			a, b := logObject(g[0].p, g[0].o), logObject(s.p, s.o)
			return runsOverlap(g[0].o.Run(), s.o.Run()) && (a == nil && b == nil && g[0].p.Logger == s.p.Logger ||
				a != nil && b != nil && sameName(a.Name, b.Name))
		})
		if i < 0 {
			groups = append(groups, []logSeen{s})
			continue
		}
		groups[i] = append(groups[i], s)
	}
	slices.SortStableFunc(groups, func(a, b []logSeen) int {
		return cmp.Compare(b[0].o.Run().Count, a[0].o.Run().Count)
	})
	var found []rules.Finding
	for _, g := range groups[:min(len(groups), maxErrorLoops)] {
		found = append(found, errorFinding(g))
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
	return reconciles(low) || phrase.ContainsOne(low, "retry", "will try again")
}

// reconciles reports whether a line is a controller's about its object: who waits for a server retries too.
func reconciles(low string) bool {
	return phrase.ContainsOne(low, "reconcil", "sync", "requeu", "enqueue", "updating status", "update status")
}

func errorFinding(g []logSeen) rules.Finding {
	s := g[0]
	run, o, low := s.o.Run(), logObject(s.p, s.o), strings.ToLower(s.p.Template)
	retried := retries(low)
	f, who := s.begin("TR701", o, "The log of "+s.writer(), s.p.Template, run.Count, run.First, run.Last)
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	switch {
	case run.Period() >= fastError && (o == nil || !reconciles(low) || run.Count < certainLoop):
		f.Severity, f.Confidence = rules.Low, rules.ConfLow
	case run.Period() >= fastError:
		f.Confidence = rules.ConfLow
	case o == nil && s.o.Gaps().VariationPercent >= chanceVariation && !retried:
		f.Severity, f.Confidence = rules.Low, rules.ConfLow // what a server's clients meet
	case o == nil:
		f.Confidence = rules.ConfLow
	case run.Count >= certainErrors:
		f.Severity = rules.High
	}
	f.Actors = s.actors()
	f.Title = logTitle(who, fmt.Sprintf("fails %s for %s without a backoff", rhythm(run.Period()), lasting(run.Span())))
	for _, other := range g[:min(len(g), maxLogEvidence)] {
		f.Evidence = append(f.Evidence, other.evidence(&other.o.Repeats, 0))
	}
	f.Why = fmt.Sprintf("%s logs this failure %s times %s, %s, and the gaps between them don't grow: %s.", s.writer(),
		phrase.Number(run.Count), clockSpan(s.in, run), rhythm(run.Period()), gapWords(s.o.Gaps()))
	if s.p.Source != "" {
		f.Notes = append(f.Notes, "Logged at "+phrase.Cut(s.p.Source, 80)+".")
	}
	return f
}

// gapWords describes the middle half of the gaps.
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

// Bounds of conflicts. OpenShift's CI fails a run of about an hour with ten refusals about a resource or more (origin,
// auditloganalyzer); a healthy install of 23 minutes had up to 14 lines about one object here. Each refusal is often
// logged twice.
const (
	fewConflicts  = 30
	manyConflicts = 100
	// fastConflicts is the period of a fight that goes on: ten a minute.
	fastConflicts = 6 * time.Second
)

// conflicts is conflicts-in-log (TR702).
func conflicts(in *source) []rules.Finding {
	var found []rules.Finding
	for _, s := range signed(in, logpattern.SignConflict) {
		for _, o := range s.p.Objects {
			if o.Count-o.Over >= fewConflicts {
				found = append(found, conflictFinding(logSeen{in, s.p, o}))
			}
		}
	}
	return found
}

func conflictFinding(s logSeen) rules.Finding {
	f, who := s.begin("TR702", logObject(s.p, s.o), "An object", s.p.Template, s.o.Count, s.o.First, s.o.Last)
	span := s.o.Last.Sub(s.o.First)
	if s.o.Count >= manyConflicts && span >= minLoopSpan && span/time.Duration(s.o.Count) <= fastConflicts {
		f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	}
	f.Title = logTitle(who, fmt.Sprintf("is written from a stale version %s times", phrase.Number(s.o.Count)))
	f.Why = fmt.Sprintf("%s logs %s refused writes in %s: another client wrote the object between its read and its "+
		"write.", s.writer(), phrase.Number(s.o.Count), lasting(span))
	f.Actors = s.actors()
	f.Evidence = []rules.Evidence{s.evidence(&s.o.Repeats, s.o.Count)}
	f.Notes = []string{"The log shows only the loser; the winner is in the object's managed fields and in the audit " +
		"log."}
	if strings.Contains(strings.ToLower(s.p.Example), "precondition failed") {
		f.Notes = append(f.Notes, "“Precondition failed” also comes when the object was deleted and made anew in "+
			"between.")
	}
	return f
}

// Bounds of re-adds: an operator of a healthy install put one key back 384 times in 5.1 minutes while it waited for its
// configuration.
const (
	minRequeues      = 600
	maxRequeuePeriod = 2 * time.Second
)

// requeues is requeue-storm (TR703).
func requeues(in *source) []rules.Finding {
	var found []rules.Finding
	for _, s := range signed(in, logpattern.SignRequeued) {
		r := s.p.Run()
		if r.Count < minRequeues || r.Span() < minLoopSpan || r.Period() > maxRequeuePeriod || toldElsewhere(in, s.p) {
			continue
		}
		confidence, key := rules.ConfLow, (*rules.Object)(nil)
		if len(s.p.Objects) > 0 && s.p.Objects[0].Count*2 >= s.p.Count {
			confidence, key = rules.ConfMedium, logObject(s.p, s.p.Objects[0])
		}
		f, who := s.begin("TR703", key, "A queue of "+s.writer(), s.p.Template, r.Count, r.First, r.Last)
		f.Severity, f.Confidence = rules.Medium, confidence
		f.Title = logTitle(who, "is put back into its queue "+rhythm(r.Period())+" for "+lasting(r.Span()))
		f.Why = fmt.Sprintf("%s logs %s times %s that a key goes back into its queue, %s.", s.writer(),
			phrase.Number(r.Count), clockSpan(in, r), rhythm(r.Period()))
		f.Evidence = []rules.Evidence{s.evidence(&s.p.Repeats, 0)}
		found = append(found, f)
	}
	return found
}

// toldElsewhere leaves out what the rules about one object report.
func toldElsewhere(in *source, p *logpattern.Pattern) bool {
	for _, o := range p.Objects {
		if p.Level < logpattern.LevelError && repeatsIdly(in, p, o) ||
			failing(p) && o.Run().Count >= minErrorCount && o.Run().Span() >= minErrorSpan &&
				o.Run().Period() <= maxErrorPeriod {
			return true
		}
	}
	return false
}
