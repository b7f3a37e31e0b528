package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds on what is shown of several dumps without TextOptions.All.
const (
	seriesRows = 8
	seriesSets = 3 // processes
	// seriesCount is what a stack that is new or gone must hold to be shown: three standard deviations from none.
	// Requests in flight come and go.
	seriesCount = 10
)

// series writes what changed from dump to dump of each process.
func (v *view) series() {
	list := slices.SortedStableFunc(pointers(v.r.Series), func(a, b *schema.Series) int {
		return firstWith(!quiet(a), !quiet(b))
	})
	list = slices.DeleteFunc(list, func(s *schema.Series) bool { return len(s.Dumps) == 0 })
	shown := v.shown(len(list), seriesSets)
	for _, s := range list[:shown] {
		v.oneSeries(s)
	}
	if more := len(list) - shown; more > 0 {
		v.line(plain("  +" + phrase.Count(more, "more process") + " with several dumps"))
	}
}

// quiet reports whether there is nothing to show of a process: it comes after the others.
func quiet(s *schema.Series) bool {
	return !slices.ContainsFunc(s.Buckets, func(b schema.SeriesBucket) bool { return notable(&b) })
}

// notable reports whether a stack is worth a row: its number changed beyond what chance does, or its goroutines are
// stuck. Those with a role that may wait for ever are not.
func notable(b *schema.SeriesBucket) bool {
	if b.Idle {
		return false
	}
	change := 0
	if n := len(b.Counts); n > 0 {
		change = b.Counts[n-1] - b.Counts[0]
	}
	switch b.Trend {
	case stackparse.TrendGrew, stackparse.TrendShrank:
		return true
	case stackparse.TrendNew, stackparse.TrendGone:
		return max(change, -change) >= seriesCount
	}
	return heldUp(b)
}

// heldUp reports whether goroutines without a role are stuck behind another: a wait for work or data is none.
func heldUp(b *schema.SeriesBucket) bool {
	if b.Stuck == 0 || b.Role != "" {
		return false
	}
	switch stackparse.Class(b.Wait) {
	case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW, stackparse.ClassChanSend,
		stackparse.ClassSemaphore,
		stackparse.ClassWaitGroup, stackparse.ClassNilChan:
		return true
	}
	return false
}

func (v *view) oneSeries(s *schema.Series) {
	var shown []*schema.SeriesBucket
	for b := range pointers(s.Buckets) {
		if v.all || notable(b) {
			shown = append(shown, b)
		}
	}
	hidden := len(shown) - v.fitting(len(shown), seriesRows)
	shown = shown[:len(shown)-hidden]
	head := v.seriesHead(s)
	if len(shown) == 0 {
		unknown := func(b schema.SeriesBucket) bool { return b.Trend == stackparse.TrendUnknown }
		head += cmp.Or(given(slices.ContainsFunc(s.Buckets, unknown),
			"; a dump lacks a part, so nothing is said of what grew or shrank"),
			"; nothing grew, shrank or is stuck beyond what chance and roles explain")
	}
	v.section("OVER TIME", head)
	if len(shown) == 0 {
		return
	}
	at := v.columns(len(s.Dumps))
	heads := make([]string, 0, len(at)+2)
	total := gridRow{name: "all goroutines"}
	for _, i := range at {
		heads = append(heads, "dump "+phrase.Number(i+1))
		total.cells = append(total.cells, phrase.Number(s.Dumps[i].Goroutines))
	}
	last := len(s.Dumps) - 1
	total.cells = append(total.cells, signed(s.Dumps[last].Goroutines-s.Dumps[0].Goroutines), "")
	rows := []gridRow{total}
	for _, b := range shown {
		rows = append(rows, v.seriesRow(b, at))
	}
	v.grid(append(heads, "change", ""), rows, gridCell)
	if v.all {
		v.more(2, hidden+s.BucketsTotal-len(s.Buckets), "group")
	} else if hidden > 0 {
		v.line(plain("  +" + phrase.Count(hidden, "more group") + " that changed or are stuck"))
	}
}

// seriesHead lists the dumps that are compared: "3 dumps of one process, TIME to TIME; 190 goroutines stayed, …".
func (v *view) seriesHead(s *schema.Series) string {
	of := "one process"
	if strings.Contains(s.Process, "/") {
		of = s.Process
	}
	n := len(s.Dumps)
	first, last := s.Dumps[0].Time, s.Dumps[n-1].Time
	text := phrase.Count(s.DumpsTotal, "dump") + " of " + of +
		given(n < s.DumpsTotal, ", "+phrase.Number(n)+" of them compared") +
		given(first != "" && last != "" && first != last, ", "+first+" to "+last)
	if len(s.Steps) == 1 {
		text += behind("; goroutines: ", stepText(s.Steps[0]))
	}
	return v.escape(text)
}

// stepText is "190 stayed, 3 moved on, 1,047 new, 19 gone"; "" where no id is known.
func stepText(s schema.SeriesStep) string {
	if s == (schema.SeriesStep{}) {
		return ""
	}
	return phrase.Number(s.Stayed) + " stayed, " + phrase.Number(s.Moved) + " moved on, " +
		phrase.Number(s.New) + " new, " + phrase.Number(s.Gone) + " gone"
}

// columns are the dumps that have a column, the first and the last among them: as many as leave room for the places.
func (v *view) columns(n int) []int {
	room := 3
	switch {
	case v.width >= 160:
		room = 8
	case v.width >= 100:
		room = 4
	}
	room = min(room, n)
	at := make([]int, 0, room)
	for i := range room {
		at = append(at, i*(n-1)/max(room-1, 1))
	}
	return at
}

func (v *view) seriesRow(b *schema.SeriesBucket, at []int) gridRow {
	r := v.stackRow(b.Function, b.File, b.Line, b.Wait, b.Role)
	countOf := func(i int) int {
		if i >= 0 && i < len(b.Counts) {
			return b.Counts[i]
		}
		return 0
	}
	for _, i := range at {
		r.cells = append(r.cells, phrase.Number(countOf(i)))
	}
	change := countOf(len(b.Counts)-1) - countOf(0)
	word := v.escape(string(b.Trend))
	switch b.Trend {
	case stackparse.TrendGrew, stackparse.TrendNew:
		r.style = v.colour.Culprit
	case stackparse.TrendSteady, stackparse.TrendUnknown:
		if heldUp(b) {
			word = phrase.Number(b.Stuck) + " stuck"
			r.style = v.colour.Culprit
		}
	}
	r.cells = append(r.cells, signed(change), word)
	return r
}
