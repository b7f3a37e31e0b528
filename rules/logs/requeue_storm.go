package logs

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of re-adds: an operator of a healthy install put one key back 384 times in 5.1 minutes while it waited for its
// configuration.
const (
	minRequeues      = 600
	maxRequeuePeriod = 2 * time.Second
)

func runRequeues(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Logs {
		for _, pat := range in.Patterns {
			r := pat.Run
			if pat.Sign != logpattern.SignRequeued || r.Count < minRequeues || r.Span() < minLoopSpan ||
				r.Period() > maxRequeuePeriod || toldElsewhere(in, pat) {
				continue
			}
			found = append(found, requeueFinding(in, pat))
		}
	}
	return found
}

// toldElsewhere leaves out what the rules about one object tell.
func toldElsewhere(in *rules.LogInput, p *logpattern.Pattern) bool {
	for _, o := range p.Objects {
		if p.Level < logpattern.LevelError && repeatsIdly(in, p, o) ||
			failing(p) && o.Run.Count >= minErrorCount && o.Run.Span() >= minErrorSpan &&
				o.Run.Period() <= maxErrorPeriod {
			return true
		}
	}
	return false
}

func requeueFinding(in *rules.LogInput, p *logpattern.Pattern) rules.Finding {
	r := p.Run
	f := rules.Finding{Severity: rules.Medium, Confidence: rules.ConfLow, Count: int(r.Count)}
	if len(p.Objects) > 0 && p.Objects[0].Count*2 >= p.Count {
		f.Object = logObject(p, p.Objects[0])
		f.Confidence = rules.ConfMedium
	}
	who := "A queue of " + writerOf(in, p)
	if f.Object != nil {
		who = objectTitle(*f.Object)
	} else {
		f.Object = podOf(in, p)
		f.Fingerprint = logFingerprint("TR703", in, p.Template)
	}
	f.Title = logTitle(who, fmt.Sprintf("is put back into its queue %s for %s", rhythm(r.Period()), lasting(r.Span())))
	f.Why = fmt.Sprintf("%s says %s times %s that a key goes back into its queue, %s.", writerOf(in, p),
		phrase.Thousands(r.Count), clockSpan(in, r), rhythm(r.Period()))
	f.Evidence = []rules.Evidence{logEvidence(in, p, &p.Repeats)}
	f.FirstSeen, f.LastSeen = logTime(in, r.First), logTime(in, r.Last)
	f.Next = logNext(in, p, f.Object)
	return f
}
