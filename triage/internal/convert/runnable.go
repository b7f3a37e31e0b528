package convert

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/spin"
	"github.com/gotriage/triage/triage/schema"
)

// A cited is one piece of evidence with the finding that it belongs to.
type cited struct {
	line     int64
	finding  *rules.Finding
	evidence rules.Evidence
}

// An evidenceIndex is the evidence of all findings, by input and in order of line. One log holds many dumps, and each
// numbers its goroutines anew: only what is within a dump's lines is about its goroutines.
type evidenceIndex map[string][]cited

func IndexEvidence(found []rules.Finding) evidenceIndex {
	all := evidenceIndex{}
	for i := range found {
		f := &found[i]
		for _, e := range f.Evidence {
			if len(e.Goroutines) > 0 {
				all[e.Input] = append(all[e.Input], cited{e.Line, f, e})
			}
		}
	}
	for _, as := range all {
		slices.SortStableFunc(as, func(a, b cited) int { return cmp.Compare(a.line, b.line) })
	}
	return all
}

// Within are the findings with the evidence that is within d's lines; a dump that spans a rotated pair ends in
// another file than it began in.
func (all evidenceIndex) Within(d *rules.DumpInput) []rules.Finding {
	first, from := d.Locate(d.Line)
	last, upto := d.Locate(max(d.EndLine, d.Line))
	if first == last {
		return findings(between(all[first], from, upto))
	}
	return findings(slices.Concat(between(all[first], from, -1), between(all[last], 0, upto)))
}

// between cuts out the accusations from one line to another; upto -1 means no end.
func between(as []cited, from, upto int64) []cited {
	byLine := func(a cited, line int64) int { return cmp.Compare(a.line, line) }
	i, _ := slices.BinarySearchFunc(as, from, byLine)
	j := len(as)
	if upto >= 0 {
		j, _ = slices.BinarySearchFunc(as, upto+1, byLine)
	}
	return as[i:max(i, j)]
}

func findings(as []cited) []rules.Finding {
	fs := make([]rules.Finding, 0, len(as))
	for _, a := range as {
		f := *a.finding
		f.Evidence = []rules.Evidence{a.evidence}
		fs = append(fs, f)
	}
	return fs
}

// runnables are the verdicts on running or runnable goroutines: accused, watched or innocent, and why.
func (c *converter) runnables(found []rules.Finding) []schema.Runnable {
	verdicts := spin.RunnableVerdicts(c.in, found)
	out := make([]schema.Runnable, 0, len(verdicts))
	for _, v := range verdicts {
		out = append(out, schema.Runnable{
			Goroutines: v.Goroutines, Count: v.Count, State: v.State, Verdict: v.Verdict, Reason: v.Reason,
			Frame: c.frame(v.Frame),
		})
	}
	return out
}
