package logs

import (
	"fmt"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of conflicts. OpenShift's CI fails a run of about an hour with ten refusals about a resource or more (origin,
// auditloganalyzer); a healthy install of 23 minutes had up to 14 lines about one object here. Each refusal is often
// logged twice.
const (
	fewConflicts  = 30
	manyConflicts = 100
	// fastConflicts is the period of a fight that goes on: ten a minute.
	fastConflicts = 6 * time.Second
)

func runConflicts(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Logs {
		for _, pat := range in.Patterns {
			if pat.Sign != logpattern.SignConflict {
				continue
			}
			for _, o := range pat.Objects {
				if o.Count-o.Over >= fewConflicts {
					found = append(found, conflictFinding(logSeen{in, pat, o}))
				}
			}
		}
	}
	return found
}

func conflictFinding(s logSeen) rules.Finding {
	f := rules.Finding{Severity: rules.Low, Confidence: rules.ConfLow, Object: logObject(s.p, s.o), Count: int(s.o.Count)}
	span := s.o.Last.Sub(s.o.First)
	if s.o.Count >= manyConflicts && span >= minLoopSpan && span/time.Duration(s.o.Count) <= fastConflicts {
		f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	}
	who := "An object"
	if f.Object != nil {
		who = objectTitle(*f.Object)
	} else {
		f.Object = podOf(s.in, s.p)
		f.Fingerprint = logFingerprint("TR702", s.in, s.p.Template)
	}
	f.Title = logTitle(who, fmt.Sprintf("is written from a stale version %s times", phrase.Thousands(s.o.Count)))
	f.Why = fmt.Sprintf("%s logs %s refused writes in %s: somebody else wrote the object between its read and "+
		"its write.", writerOf(s.in, s.p), phrase.Thousands(s.o.Count), lasting(span))
	if t := targetOf(s.in, s.p); t.Pod != "" {
		f.Actors = []string{writerOf(s.in, s.p)}
	}
	f.Evidence = []rules.Evidence{logEvidence(s.in, s.p, &s.o.Repeats)}
	f.Evidence[0].Count = int(s.o.Count)
	f.FirstSeen, f.LastSeen = logTime(s.in, s.o.First), logTime(s.in, s.o.Last)
	f.Next = logNext(s.in, s.p, f.Object)
	f.Notes = []string{"The log tells the loser only; who won is in the object's managed fields and in the audit log."}
	if strings.Contains(strings.ToLower(s.p.Example), "precondition failed") {
		f.Notes = append(f.Notes, "“Precondition failed” also comes when the object was deleted and made anew in "+
			"between.")
	}
	return f
}
