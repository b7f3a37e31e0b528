package rules

import (
	"cmp"
	"slices"
	"time"

	"github.com/gotriage/triage/stackparse"
)

// A Series is two or more dumps of one process in order of time, with what became of its goroutines.
type Series struct {
	Process string
	// Dumps are those that were compared, aligned with Comparison.Dumps; All is how many the process has.
	Dumps []*DumpInput
	All   int
	// Roles are aligned with Rows: the role of each where it was seen last, nil where it has none.
	Roles []*Role
	*stackparse.Comparison
}

const (
	// maxSeriesDumps is how many dumps of a process are compared; of more, the first and the last, and those that are
	// evenly between. Chosen: what is seen in 100 points in time is seen, and a day's worth of one every ten seconds
	// are 8,640.
	maxSeriesDumps = 100
	// minSeriesGoroutines: a dump of fewer is a crashed goroutine's or a recovered panic's, which shows nothing of the
	// others.
	minSeriesGoroutines = 3
)

// SeriesOf compares the dumps of each process that has two or more, in order of the processes' first dumps. Dumps that
// lack a part count only where fewer than two whole ones are there, and those that count goroutines only where no other
// lists them.
func SeriesOf(dumps []*DumpInput) []*Series {
	byProcess := map[string]int{}
	var all []*Series
	for _, d := range dumps {
		if d.Process == "" || !showsAll(d) {
			continue
		}
		i, ok := byProcess[d.Process]
		if !ok {
			i = len(all)
			byProcess[d.Process] = i
			all = append(all, &Series{Process: d.Process})
		}
		all[i].Dumps = append(all[i].Dumps, d)
	}
	for _, s := range all {
		if slices.ContainsFunc(s.Dumps, func(d *DumpInput) bool { return !d.Counted() }) {
			s.Dumps = slices.DeleteFunc(s.Dumps, func(d *DumpInput) bool { return d.Counted() })
		}
	}
	all = slices.DeleteFunc(all, func(s *Series) bool { return len(s.Dumps) < 2 })
	for _, s := range all {
		s.compare()
	}
	return all
}

func (s *Series) compare() {
	s.All = len(s.Dumps)
	SortByTime(s.Dumps)
	whole := slices.DeleteFunc(slices.Clone(s.Dumps),
		func(d *DumpInput) bool { return d.Truncated.Head || d.Truncated.Tail })
	if len(whole) > 1 {
		s.Dumps = whole
	}
	if n := len(s.Dumps); n > maxSeriesDumps {
		some := make([]*DumpInput, maxSeriesDumps)
		for i := range some {
			some[i] = s.Dumps[i*(n-1)/(maxSeriesDumps-1)]
		}
		s.Dumps = some
	}
	compared := make([]*stackparse.Dump, len(s.Dumps))
	for i, d := range AlignForms(s.Dumps) {
		compared[i] = d.Dump
	}
	s.Comparison = stackparse.Compare(compared, stackparse.StackKey)
	roles := map[*stackparse.Bucket]*Role{}
	for _, d := range s.Dumps {
		for i, role := range d.Roles {
			if role != nil {
				roles[d.Buckets[i]] = role
			}
		}
	}
	s.Roles = make([]*Role, len(s.Rows))
	for i, r := range s.Rows {
		s.Roles[i] = roles[r.Last().Bucket]
	}
}

// showsAll reports whether d is a dump of all goroutines of its process, as far as that is known.
func showsAll(d *DumpInput) bool {
	return d.Goroutines >= minSeriesGoroutines && d.Format != stackparse.FormatRace
}

// AllSeries are the process' dumps compared: those of the pass, or made now where it was made without.
func (p *Pass) AllSeries() []*Series {
	if p.Series != nil {
		return p.Series
	}
	return SeriesOf(p.Dumps)
}

// Blame identifies who is to blame for a row's stack.
func (s *Series) Blame(r *stackparse.Row) Blame {
	return BlameBucket(s.Dumps[r.Last().Dump], r.Last().Bucket)
}

// Span is the time from the first to the last dump of the series; false where their framing doesn't show.
func (s *Series) Span() (time.Duration, bool) {
	first, ok := s.Dumps[0].Time()
	last, too := s.Dumps[len(s.Dumps)-1].Time()
	return last.Sub(first), ok && too
}

// stampForms are the timestamps of log framings, as ingest hands them on. Those without a year are of year 0: two of
// them can be compared unless a year ends between.
func stampForms() []string {
	return []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999 -0700 MST",
		"2006-01-02 15:04:05.999999999",
		"2006/01/02 15:04:05.999999999", "Mon 2006-01-02 15:04:05.999999999 MST", "Jan _2 15:04:05.999999999",
		"0102 15:04:05.999999999",
	}
}

// Time is the dump's timestamp as its framing had it; false where there was none that is known.
func (d *DumpInput) Time() (time.Time, bool) {
	if d.Stamp == "" {
		return time.Time{}, false
	}
	for _, form := range stampForms() {
		if t, err := time.Parse(form, d.Stamp); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// SortByTime orders the dumps of one process: those with timestamps by these, the others by what their goroutines show
// (see before). Dumps that have neither times nor all of their goroutines stay where they were read. The one that the
// process died of is the last.
func SortByTime(dumps []*DumpInput) {
	times, newest := make(map[*DumpInput]time.Time, len(dumps)), make(map[*DumpInput]uint64, len(dumps))
	var places []int
	var stamped, listed []*DumpInput
	for i, d := range dumps {
		t, ok := d.Time()
		switch newest[d] = newestGoroutine(d); {
		case ok:
			times[d] = t
			stamped = append(stamped, d)
		case newest[d] > 0:
			listed = append(listed, d)
		default:
			continue
		}
		places = append(places, i)
	}
	slices.SortStableFunc(stamped, func(a, b *DumpInput) int { return times[a].Compare(times[b]) })
	slices.SortStableFunc(listed, func(a, b *DumpInput) int { return cmp.Compare(newest[a], newest[b]) })
	sorted := stamped
	if len(stamped) == 0 {
		sorted, listed = listed, nil
	}
	for _, d := range listed {
		at := len(sorted)
		for at > 0 && (newest[d] < newest[sorted[at-1]] || len(dumps) <= maxByAges) && before(d, sorted[at-1], newest) {
			at--
		}
		sorted = slices.Insert(sorted, at, d)
	}
	for i, d := range sorted {
		dumps[places[i]] = d
	}
	if len(stamped) < len(dumps) {
		slices.SortStableFunc(dumps, func(a, b *DumpInput) int { return lastOnes(a) - lastOnes(b) })
	}
}

// maxByAges bounds the dumps whose goroutines are compared one by one. Chosen: some captures beside dumps made by hand.
const maxByAges = 32

// before reports whether a dump was made before another of its process: most goroutines that wait in both have waited
// for less in it, or else its newest goroutine is an older one, since a process numbers its goroutines as it starts
// them.
func before(a, b *DumpInput, newest map[*DumpInput]uint64) bool {
	type wait struct {
		key uint64
		id  uint64
	}
	waited := map[wait]uint32{}
	for _, bucket := range b.Buckets {
		for i := range bucket.Goroutines {
			waited[wait{bucket.Key, bucket.Goroutines[i].ID}] = bucket.Goroutines[i].Minutes
		}
	}
	sooner := 0
	for _, bucket := range a.Buckets {
		for i := range bucket.Goroutines {
			if minutes, ok := waited[wait{bucket.Key, bucket.Goroutines[i].ID}]; ok {
				sooner += cmp.Compare(minutes, bucket.Goroutines[i].Minutes)
			}
		}
	}
	if sooner != 0 {
		return sooner > 0
	}
	return newest[a] > 0 && newest[b] > 0 && newest[a] < newest[b]
}

// newestGoroutine is the largest id of a dump, 0 where the dump lacks goroutines or their ids.
func newestGoroutine(d *DumpInput) uint64 {
	if d.Truncated.Head || d.Truncated.Tail {
		return 0
	}
	newest := uint64(0)
	for _, b := range d.Buckets {
		if len(b.Goroutines) < b.Count {
			return 0
		}
		for i := range b.Goroutines {
			newest = max(newest, b.Goroutines[i].ID)
		}
	}
	return newest
}

// lastOnes is 1 for a dump behind which its process printed no other.
func lastOnes(d *DumpInput) int {
	if Deadly(d.Dump) {
		return 1
	}
	return 0
}

// Deadly reports whether the process ended with this dump.
func Deadly(d *stackparse.Dump) bool {
	if d.Cause == nil {
		return false
	}
	switch d.Cause.Kind {
	case stackparse.CauseSignal, stackparse.CauseFatal, stackparse.CausePanic, stackparse.CauseLogFatal,
		stackparse.CauseTestTimeout:
		return true
	}
	return false
}
