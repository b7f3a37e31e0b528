package triage

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A Series is what changed from dump to dump of one process.
type Series struct {
	// Process is as far as path, framing or the goroutines themselves tell: "shop/api-0/api/1", "process 1".
	Process string `json:"process"`
	// Dumps are those that were compared, in order of time; DumpsTotal counts all of the process.
	Dumps      []SeriesDump `json:"dumps"`
	DumpsTotal int          `json:"dumps_total"`
	// Steps say what became of the goroutines from each dump to the next one.
	Steps []SeriesStep `json:"steps"`
	// Buckets are the distinct stacks over all dumps, those that grew first; at most maxSeriesBuckets of BucketsTotal.
	Buckets      []SeriesBucket `json:"buckets"`
	BucketsTotal int            `json:"buckets_total"`
}

// A SeriesDump names one dump of a Series.
type SeriesDump struct {
	Input      string `json:"input"`
	Line       int64  `json:"line"`
	Time       string `json:"time"`
	Goroutines int    `json:"goroutines"`
}

// A SeriesStep counts goroutines by id: those that stand in the same stack in the next dump, those that stand in another
// one, those that came and those that ended. All are 0 where a dump tells no ids.
type SeriesStep struct {
	Stayed int `json:"stayed"`
	Moved  int `json:"moved"`
	New    int `json:"new"`
	Gone   int `json:"gone"`
}

// A SeriesBucket is one distinct stack over the dumps of a Series.
type SeriesBucket struct {
	// Function, File and Line are the place that is blamed for it, not the leaf.
	Function  string `json:"function"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Wait      string `json:"wait"`
	Role      string `json:"role"` // "" for none
	Idle      bool   `json:"idle"` // its role may wait for ever
	CreatedBy string `json:"created_by"`
	Counts    []int  `json:"counts"` // one a dump
	Stayed    []int  `json:"stayed"` // one a step
	// Stuck counts those that stood there in every dump, never ready to run, and waited for one and the same thing.
	Stuck int              `json:"stuck"`
	Trend stackparse.Trend `json:"trend"`
}

// maxSeriesBuckets is how many stacks of a series the report has: all of a usual program's, which has some 50.
const maxSeriesBuckets = 100

// seriesOf brings the comparisons into the report's form.
func seriesOf(all []*rules.Series) []Series {
	out := make([]Series, len(all))
	each(len(all), func(i int) { out[i] = convertSeries(all[i]) })
	return out
}

func convertSeries(s *rules.Series) Series {
	out := Series{Process: s.Process, DumpsTotal: s.All, BucketsTotal: len(s.Rows), Dumps: []SeriesDump{}, Steps: []SeriesStep{}, Buckets: []SeriesBucket{}}
	for _, d := range s.Dumps {
		path, line := d.Locate(d.Line)
		out.Dumps = append(out.Dumps, SeriesDump{Input: path, Line: line, Time: d.Stamp, Goroutines: d.Goroutines})
	}
	for _, st := range s.Steps {
		out.Steps = append(out.Steps, SeriesStep(st))
	}
	ranked := rankRows(s)
	for _, i := range ranked[:min(len(ranked), maxSeriesBuckets)] {
		out.Buckets = append(out.Buckets, seriesBucket(s, i))
	}
	return out
}

func seriesBucket(s *rules.Series, i int) SeriesBucket {
	r := s.Rows[i]
	n := len(s.Dumps)
	at := s.Blame(r).Culprit
	b := SeriesBucket{
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

// rankRows orders the rows of a series by what matters: what grew, most first, then who is stuck without a role, then what
// shrank; those with an idle role after all others.
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
