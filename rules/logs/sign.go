package logs

import (
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
)

// signed are a log's patterns with a sign, most frequent first.
func signed(in *rules.LogInput, signs ...logpattern.Sign) []*logpattern.Pattern {
	var seen []*logpattern.Pattern
	for _, p := range in.Patterns {
		for _, s := range signs {
			if p.Sign == s {
				seen = append(seen, p)
			}
		}
	}
	return seen
}

// A signTotal sums patterns up.
type signTotal struct {
	count       int64
	first, last time.Time
	span        time.Duration
	took        logpattern.Took
}

func sumUp(seen []*logpattern.Pattern) signTotal {
	var t signTotal
	for _, p := range seen {
		t.count += p.Count
		t.took.Count += p.Took.Count
		t.took.Sum += min(p.Took.Sum, 1000*time.Hour)
		t.took.Longest = max(t.took.Longest, p.Took.Longest)
		if p.First.IsZero() {
			continue
		}
		if t.first.IsZero() || p.First.Before(t.first) {
			t.first = p.First
		}
		if p.Last.After(t.last) {
			t.last = p.Last
		}
	}
	if !t.first.IsZero() {
		t.span = t.last.Sub(t.first)
	}
	return t
}

// mean is the mean of the durations that the lines tell, 0 for none.
func (t signTotal) mean() time.Duration {
	return t.took.Sum / time.Duration(max(t.took.Count, 1))
}

func (t signTotal) period() time.Duration {
	if t.count < 2 {
		return 0
	}
	return t.span / time.Duration(t.count-1)
}

// signFinding completes a finding about a process: its pod, evidence of each pattern, times and commands.
func signFinding(f rules.Finding, rule string, in *rules.LogInput, seen []*logpattern.Pattern, t signTotal) rules.Finding {
	if f.Object == nil {
		f.Object = podOf(in, seen[0])
	}
	if f.Object == nil {
		f.Fingerprint = logFingerprint(rule, in, "")
	}
	for _, p := range seen[:min(len(seen), maxLogEvidence)] {
		e := logEvidence(in, p, &p.Repeats)
		e.Count = int(p.Count)
		f.Evidence = append(f.Evidence, e)
	}
	f.FirstSeen, f.LastSeen = logTime(in, t.first), logTime(in, t.last)
	f.Next = append(f.Next, logNext(in, seen[0], f.Object)...)
	return f
}
