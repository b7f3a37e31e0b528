package convert

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// An accusation is one piece of evidence with the finding that it belongs to.
type accusation struct {
	line     int64
	finding  *rules.Finding
	evidence rules.Evidence
}

// accusations are the evidence of all findings, by input and in order of line. One log holds many dumps, and each
// numbers its goroutines anew: only what stands within a dump's lines speaks of its goroutines.
type accusations map[string][]accusation

func Accuse(found []rules.Finding) accusations {
	all := accusations{}
	for i := range found {
		f := &found[i]
		for _, e := range f.Evidence {
			if len(e.Goroutines) > 0 {
				all[e.Input] = append(all[e.Input], accusation{e.Line, f, e})
			}
		}
	}
	for _, as := range all {
		slices.SortStableFunc(as, func(a, b accusation) int { return cmp.Compare(a.line, b.line) })
	}
	return all
}

// within are the findings with the evidence that stands within d's lines; a dump that spans a rotated pair ends in
// another file than it began in.
func (all accusations) Within(d *rules.DumpInput) []rules.Finding {
	first, from := d.Locate(d.Line)
	last, upto := d.Locate(max(d.EndLine, d.Line))
	if first == last {
		return findings(between(all[first], from, upto))
	}
	return findings(slices.Concat(between(all[first], from, -1), between(all[last], 0, upto)))
}

// between cuts out the accusations from one line to another; upto -1 means no end.
func between(as []accusation, from, upto int64) []accusation {
	byLine := func(a accusation, line int64) int { return cmp.Compare(a.line, line) }
	i, _ := slices.BinarySearchFunc(as, from, byLine)
	j := len(as)
	if upto >= 0 {
		j, _ = slices.BinarySearchFunc(as, upto+1, byLine)
	}
	return as[i:max(i, j)]
}

func findings(as []accusation) []rules.Finding {
	fs := make([]rules.Finding, 0, len(as))
	for _, a := range as {
		f := *a.finding
		f.Evidence = []rules.Evidence{a.evidence}
		fs = append(fs, f)
	}
	return fs
}

// runnables says of every running or runnable goroutine whether it is accused, watched or innocent, and why.
func (c *converter) runnables(found []rules.Finding) []schema.Runnable {
	verdicts := rules.RunnableVerdicts(c.in, found)
	out := make([]schema.Runnable, 0, len(verdicts))
	for _, v := range verdicts {
		out = append(out, schema.Runnable{
			Goroutines: v.Goroutines, Count: v.Count, State: v.State, Verdict: v.Verdict, Reason: v.Reason, Frame: c.frame(v.Frame),
		})
	}
	return out
}
