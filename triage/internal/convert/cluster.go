package convert

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// Cluster sums up the objects for the report; nil where there are none.
func Cluster(c *kube.Cluster) *schema.Cluster {
	if c == nil {
		return nil
	}
	out := &schema.Cluster{
		Version: c.Bundle.Kubernetes, Objects: c.Count, Nodes: len(c.Nodes), Kinds: kindsOf(c), Gaps: []schema.Gap{},
		Time: Time(c.Time),
	}
	phases := map[string]int64{}
	for _, p := range c.Pods {
		phases[cmp.Or(p.Phase, "Unknown")]++
	}
	out.Pods = talliesOf(phases)
	for _, g := range c.Gaps[:min(len(c.Gaps), maxGaps)] {
		out.Gaps = append(out.Gaps, schema.Gap{Input: g.Input, Line: g.Line, Text: g.Text})
	}
	for _, g := range c.Remarks[:min(len(c.Remarks), maxGaps)] {
		out.Remarks = append(out.Remarks, schema.Gap{Input: g.Input, Line: g.Line, Text: g.Text})
	}
	return out
}

// maxGaps is how many gaps are listed: the bound of the contract's other lists.
const maxGaps = 100

// maxKinds is how many kinds of objects are listed: the bound of the contract's other lists.
const maxKinds = 100

func kindsOf(c *kube.Cluster) []schema.Tally {
	kinds := map[string]int64{}
	c.Each(func(m *kube.Meta) { kinds[m.Kind]++ })
	if n := len(c.Events); n > 0 {
		kinds["Event"] = int64(n)
	}
	all := talliesOf(kinds)
	return all[:min(len(all), maxKinds)]
}

// Time writes a time of the report, RFC 3339 in UTC; "" for none.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// talliesOf orders counts, most first; equal ones by name.
func talliesOf(counts map[string]int64) []schema.Tally {
	all := make([]schema.Tally, 0, len(counts))
	for name, n := range counts {
		all = append(all, schema.Tally{Name: name, Count: n})
	}
	slices.SortFunc(all, func(a, b schema.Tally) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// maxWriters is how many writers of objects are listed: the bound of the contract's other lists.
const maxWriters = 100

// maxTalkers is how many clients are listed. Chosen: more than a reader needs.
const maxTalkers = 20

// Audit sums up the audit logs for the report; nil where there are none.
func Audit(t *audit.Trail) *schema.Audit {
	if t == nil || t.Events == 0 {
		return nil
	}
	out := &schema.Audit{
		Events: t.Events, Servers: len(t.Servers), First: stamp(t.First), Last: stamp(t.Last), Levels: []schema.Tally{},
		Writers: writersOf(t), Limits: append([]string{}, t.Limits...),
	}
	for _, l := range t.Levels {
		out.Levels = append(out.Levels, schema.Tally{Name: l.Name, Count: l.N})
	}
	agents := map[string]int64{}
	for _, a := range t.Actors {
		agents[cmp.Or(a.Agent, a.Name())] += a.Requests
		out.Writes += a.Writes
	}
	talkers := talliesOf(agents)
	out.Talkers = talkers[:min(len(talkers), maxTalkers)]
	return out
}

// Refused are the records in audit logs that are no events of an API server, with what to give triage instead.
func Refused(t *audit.Trail) []schema.Skipped {
	if t == nil {
		return nil
	}
	var all []schema.Skipped
	for _, r := range t.Refused {
		all = append(all, schema.Skipped{Path: r.Place.Path, Reason: fmt.Sprintf("%d %s", r.Count, r.Reason),
			Hint: r.Hint})
	}
	return all
}

// stamp writes a trail's time, microseconds since 1970; "" for none.
func stamp(micros int64) string {
	if micros == 0 {
		return ""
	}
	return time.UnixMicro(micros).UTC().Format(time.RFC3339Nano)
}

// minWrites is how many writes of one actor to one object make a row; chosen: fewer repeat nothing.
const minWrites = 5

// writersOf are the actors with most writes to one object.
func writersOf(t *audit.Trail) []schema.Writer {
	type key struct{ object, actor int32 }
	type tally struct {
		schema.Writer
		changes map[int32]bool
	}
	rows := map[key]*tally{}
	for i := range t.Writes {
		w := &t.Writes[i]
		k := key{w.Object, w.Actor}
		row := rows[k]
		if row == nil {
			row = &tally{Writer: schema.Writer{First: stamp(w.Time)}, changes: map[int32]bool{}}
			rows[k] = row
		}
		row.Writes++
		row.Last = stamp(w.Time)
		switch {
		case w.Code == 409:
			row.Conflicts++
		case w.OK() && w.In != 0 && w.In == w.Out:
			row.NoOps++
		}
		row.changes[w.Change] = true
	}
	all := []schema.Writer{}
	for k, row := range rows {
		if row.Writes < minWrites {
			continue
		}
		o := &t.Objects[k.object]
		row.Actor, row.Resource, row.Namespace, row.Name = t.Actors[k.actor].Name(), o.Resource, o.Namespace, o.Name
		row.Fields = fieldsOf(t, row.changes)
		all = append(all, row.Writer)
	}
	slices.SortFunc(all, func(a, b schema.Writer) int {
		return cmp.Or(cmp.Compare(b.Writes, a.Writes), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Resource, b.Resource),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.Actor, b.Actor))
	})
	return all[:min(len(all), maxWriters)]
}

// maxFields is how many fields of a writer are named; chosen.
const maxFields = 5

func fieldsOf(t *audit.Trail, changes map[int32]bool) []string {
	fields := []string{}
	for c := range changes {
		fields = append(fields, t.Changes[c].Paths...)
	}
	slices.Sort(fields)
	fields = slices.Compact(fields)
	return fields[:min(len(fields), maxFields)]
}

// Bounds on what is listed of logs. A pattern of a few lines has no use.
const (
	// maxPatterns is how many patterns are listed: chosen, what a reader may page through.
	maxPatterns    = 200
	minPattern     = 10 // chosen, as maxPatternObjs
	maxPatternObjs = 5
	// steadyPercent of the gaps' mean is the standard deviation under which gaps count as equal. Chosen: arrivals by
	// chance have 100.
	steadyPercent = 50
	// leastSpan is over how long lines have a rate. Chosen: a program that starts writes a dozen alike within
	// milliseconds.
	leastSpan = time.Second
)

// Patterns are the patterns that logs repeat most, most frequent first.
func Patterns(logs []*rules.LogInput) []schema.Pattern {
	type found struct {
		in  *rules.LogInput
		log *logpattern.Log
		p   *logpattern.Pattern
	}
	var all []found
	for _, in := range logs {
		log := parsed.Log(in)
		for _, p := range log.Patterns {
			if p.Count >= minPattern {
				all = append(all, found{in, log, p})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.p.Count, a.p.Count) })
	all = all[:min(len(all), maxPatterns)]
	out := make([]schema.Pattern, 0, len(all))
	for _, f := range all {
		out = append(out, convertPattern(f.in, f.log, f.p))
	}
	return out
}

func convertPattern(in *rules.LogInput, log *logpattern.Log, p *logpattern.Pattern) schema.Pattern {
	path, line := in.Locate(p.FirstLine)
	out := schema.Pattern{
		Input: path, Line: line, Namespace: in.Target.Namespace, Pod: in.Target.Pod, Container: in.Target.Container,
		Template: p.Template, Level: p.Level.String(), Source: cmp.Or(p.Source, p.Logger), Count: p.Count,
		First: log.Format(p.First), Last: log.Format(p.Last), Objects: []schema.PatternObject{}, Text: p.Example,
	}
	if span := p.Last.Sub(p.First); span >= leastSpan {
		out.PerSecond = math.Round(1e3*float64(p.Count)/span.Seconds()) / 1e3
		out.Steady = p.Gaps().Count >= minPattern && p.Gaps().VariationPercent < steadyPercent
	}
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
