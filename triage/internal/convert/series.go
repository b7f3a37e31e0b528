package convert

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// maxSeriesBuckets is how many stacks of a series the report has: all of a usual program's, which has some 50.
const maxSeriesBuckets = 100

// Series brings a comparison into the report's form.
func Series(s *rules.Series) schema.Series {
	out := schema.Series{
		Process: s.Process, DumpsTotal: s.All, BucketsTotal: len(s.Rows),
		Dumps: []schema.SeriesDump{}, Steps: []schema.SeriesStep{}, Buckets: []schema.SeriesBucket{},
	}
	for _, d := range s.Dumps {
		path, line := d.Locate(d.Line)
		row := schema.SeriesDump{Input: path, Line: line, Time: d.Stamp, Goroutines: d.Goroutines}
		out.Dumps = append(out.Dumps, row)
	}
	for _, st := range s.Steps {
		out.Steps = append(out.Steps, schema.SeriesStep(st))
	}
	ranked := rankRows(s)
	for _, i := range ranked[:min(len(ranked), maxSeriesBuckets)] {
		out.Buckets = append(out.Buckets, seriesBucket(s, i))
	}
	return out
}

func seriesBucket(s *rules.Series, i int) schema.SeriesBucket {
	r := s.Rows[i]
	n := len(s.Dumps)
	at := s.Blame(r).Culprit
	b := schema.SeriesBucket{
		Function: at.Function, File: at.File, Line: at.Line, Wait: string(r.Last().Bucket.Class),
		Counts: r.Counts(n), Stayed: r.Stays(n), Stuck: len(r.Stuck), Trend: r.Trend,
	}
	if role := s.Roles[i]; role != nil {
		b.Role, b.Idle = role.Name, role.Idle
	}
	if by := r.Last().Bucket.CreatedBy; by != nil {
		b.CreatedBy = by.Func
	}
	return b
}

// rankRows orders the rows of a series by what matters: what grew, most first, then who is stuck without a role, then
// what shrank; those with an idle role after all others.
func rankRows(s *rules.Series) []int {
	type ranked struct{ index, class, size int }
	all := make([]ranked, len(s.Rows))
	for i, r := range s.Rows {
		first, last := 0, 0
		if r.Cells[0].Dump == 0 {
			first = r.Cells[0].Count
		}
		if c := r.Last(); c.Dump == len(s.Dumps)-1 {
			last = c.Count
		}
		k := ranked{index: i, class: 3, size: max(first, last)}
		switch {
		case r.Trend == stackparse.TrendGrew || r.Trend == stackparse.TrendNew:
			k.class, k.size = 0, last-first
		case len(r.Stuck) > 0 && s.Roles[i] == nil:
			k.class, k.size = 1, len(r.Stuck)
		case r.Trend == stackparse.TrendShrank || r.Trend == stackparse.TrendGone:
			k.class, k.size = 2, first-last
		}
		if role := s.Roles[i]; role != nil && role.Idle {
			k.class += 4
		}
		all[i] = k
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Or(a.class-b.class, b.size-a.size) })
	order := make([]int, len(all))
	for i, k := range all {
		order[i] = k.index
	}
	return order
}
