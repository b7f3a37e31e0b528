package convert

import (
	"cmp"
	"math"
	"slices"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds on what is listed of logs. A pattern of a few lines has no use.
const (
	// maxPatterns is how many patterns are listed: chosen, what a reader may page through.
	maxPatterns    = 200
	minPattern     = 10 // chosen, as maxPatternObjs
	maxPatternObjs = 5
	// steadyPercent of the gaps' mean is the standard deviation under which gaps count as equal. Chosen: arrivals by
	// chance have 100.
	steadyPercent = 50
)

// Patterns are the patterns that logs repeat most, most frequent first.
func Patterns(logs []*rules.LogInput) []schema.Pattern {
	type found struct {
		in *rules.LogInput
		p  *logpattern.Pattern
	}
	var all []found
	for _, in := range logs {
		for _, p := range in.Patterns {
			if p.Count >= minPattern {
				all = append(all, found{in, p})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.p.Count, a.p.Count) })
	all = all[:min(len(all), maxPatterns)]
	out := make([]schema.Pattern, 0, len(all))
	for _, f := range all {
		out = append(out, convertPattern(f.in, f.p))
	}
	return out
}

func convertPattern(in *rules.LogInput, p *logpattern.Pattern) schema.Pattern {
	path, line := in.Locate(p.FirstLine)
	out := schema.Pattern{
		Input: path, Line: line, Namespace: in.Target.Namespace, Pod: in.Target.Pod, Container: in.Target.Container,
		Template: p.Template, Level: p.Level.String(), Source: cmp.Or(p.Source, p.Logger), Count: p.Count,
		First: in.Format(p.First), Last: in.Format(p.Last), Objects: []schema.PatternObject{}, Text: p.Example,
	}
	if span := p.Last.Sub(p.First); span > 0 {
		out.PerSecond = math.Round(1e3*float64(p.Count)/span.Seconds()) / 1e3
	}
	out.Steady = p.Gaps.Count >= minPattern && p.Gaps.VariationPercent < steadyPercent
	for _, o := range p.Objects {
		if o.Name == "" || len(out.Objects) == maxPatternObjs {
			continue
		}
		name := o.Name
		if o.Namespace != "" {
			name = o.Namespace + "/" + name
		}
		out.Objects = append(out.Objects, schema.PatternObject{Name: name, Count: o.Count})
	}
	return out
}
