package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// An areaDrawing draws the goroutines of one process from dump to dump as stacked areas: what grows, what is stuck.
type areaDrawing struct {
	Process       string
	Width, Height int
	Areas         []area
	Ticks, Levels []tick
	Top           int    // goroutines at the upper edge
	Span          string // from the first dump to the last, "" where a time is unknown
	Steps         []areaStep
	at            []int // x of each dump
}

// An area is one stack over the dumps, or all others.
type area struct {
	D, Class string
	Label    string
	Counts   string // from dump to dump
	Change   string // from the first dump to the last, with its rate
	Stuck    string // how many waited for one thing in all dumps, and for how long at least
	Wait     string
	counts   []int
}

// A tick is a mark of an axis.
type tick struct {
	X, Y         int
	Text, Anchor string
}

// An areaStep is what became of the goroutines from one dump to the next.
type areaStep struct {
	From, To string
	schema.SeriesStep
}

const (
	areaW, areaH = 760, 220
	// maxAreas is how many stacks are areas of their own: more can't be distinguished by colour.
	maxAreas  = 8
	maxSeries = 6
	// maxTicks is how many times fit below the drawing, maxCounts how many counts into a cell.
	maxTicks  = 7
	maxCounts = 8
)

func drawAreas(r *schema.Report) (list []areaDrawing) {
	for i := range r.Series {
		s := &r.Series[i]
		if len(s.Dumps) < 2 || len(list) == maxSeries {
			continue
		}
		list = append(list, drawArea(s))
	}
	return list
}

func drawArea(s *schema.Series) areaDrawing {
	times := timesOf(s)
	out := areaDrawing{Process: safe(s.Process), Width: areaW, Height: areaH, at: places(times, len(s.Dumps))}
	names := dumpNames(times, len(s.Dumps))
	span := time.Duration(0)
	if times != nil {
		span = times[len(times)-1].Sub(times[0])
		out.Span = phrase.Spell(span)
	}
	out.Ticks = ticks(names, out.at)
	for i := range s.Steps[:min(len(s.Steps), len(names)-1)] {
		if s.Steps[i] != (schema.SeriesStep{}) {
			out.Steps = append(out.Steps, areaStep{names[i], names[i+1], s.Steps[i]})
		}
	}
	rest := make([]int, len(s.Dumps))
	for i, d := range s.Dumps {
		rest[i] = d.Goroutines
	}
	for i := range s.Buckets[:min(len(s.Buckets), maxAreas)] {
		b := &s.Buckets[i]
		if len(b.Counts) != len(rest) {
			break
		}
		out.Areas = append(out.Areas, newArea(b, "a"+strconv.Itoa(i), span))
		for j, c := range b.Counts {
			rest[j] = max(0, rest[j]-c)
		}
	}
	if slices.Max(rest) > 0 {
		out.Areas = append(out.Areas, area{
			Class: "rest", Label: "all others", counts: rest, Counts: arrows(rest), Change: grown(rest, span),
		})
	}
	out.outline()
	return out
}

func newArea(b *schema.SeriesBucket, class string, span time.Duration) area {
	label := cutName(symbol.ShortFunc(b.Function))
	if at := place(b.File, b.Line); at != "" {
		label += " (" + at + ")"
	}
	a := area{
		Class: class, Label: label, Wait: safe(cmp.Or(b.Role, b.Wait)), counts: b.Counts,
		Counts: arrows(b.Counts), Change: grown(b.Counts, span),
	}
	if b.Stuck > 0 {
		a.Stuck = phrase.Number(int64(b.Stuck))
		if span > 0 {
			a.Stuck += ", for at least " + phrase.Spell(span)
		}
	}
	return a
}

// timesOf are the dumps' times, nil where one is unknown or they go back.
func timesOf(s *schema.Series) (times []time.Time) {
	for _, d := range s.Dumps {
		t, err := time.Parse(time.RFC3339Nano, d.Time)
		if err != nil {
			return nil
		}
		times = append(times, t.UTC())
	}
	if !slices.IsSortedFunc(times, time.Time.Compare) || !times[0].Before(times[len(times)-1]) {
		return nil
	}
	return times
}

// places are the dumps' places on the axis: by their times, or side by side where these are unknown.
func places(times []time.Time, n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i * areaW / max(n-1, 1)
		if times != nil {
			span := times[n-1].Sub(times[0])
			at[i] = int(float64(areaW) * float64(times[i].Sub(times[0])) / float64(span))
		}
	}
	return at
}

// dumpNames are the dumps' times, without the day where it is one day, or their numbers.
func dumpNames(times []time.Time, n int) []string {
	names := make([]string, n)
	for i := range names {
		switch {
		case times == nil:
			names[i] = "dump " + strconv.Itoa(i+1)
		case times[0].Format(time.DateOnly) == times[n-1].Format(time.DateOnly):
			names[i] = times[i].Format(time.TimeOnly)
		default:
			names[i] = times[i].Format("01-02 15:04:05")
		}
	}
	return names
}

// ticks are names below the axis, as far as they don't cover each other; the first and the last are always there.
func ticks(names []string, at []int) (list []tick) {
	const room = areaW / maxTicks
	last := len(names) - 1
	for i, name := range names {
		t := tick{X: at[i], Y: areaH + 16, Text: name, Anchor: "middle"}
		switch {
		case i == 0:
			t.Anchor = "start"
		case i == last:
			t.Anchor = "end"
		case at[i] < list[len(list)-1].X+room || at[i] > areaW-room:
			continue
		}
		list = append(list, t)
	}
	return list
}

// arrows writes counts from dump to dump: the first and the last ones of many.
func arrows(counts []int) string {
	var parts []string
	for i, c := range counts {
		if n := len(counts); n > maxCounts && i >= maxCounts/2 && i < n-maxCounts/2 {
			if i == maxCounts/2 {
				parts = append(parts, "…")
			}
			continue
		}
		parts = append(parts, phrase.Number(int64(c)))
	}
	return strings.Join(parts, " → ")
}

// grown writes by how much counts have grown or shrunk, with the rate where the time is known.
func grown(counts []int, span time.Duration) string {
	by := counts[len(counts)-1] - counts[0]
	if by == 0 {
		return ""
	}
	text := phrase.Number(int64(by))
	if by > 0 {
		text = "+" + text
	}
	switch per := float64(by) / span.Minutes(); {
	case span <= 0:
	case per >= 1 || per <= -1:
		text += ", " + signed(per) + " a minute"
	default:
		text += ", " + signed(per*60) + " an hour"
	}
	return text
}

func signed(x float64) string {
	if x < 0 {
		return "-" + phrase.Significant(-x)
	}
	return "+" + phrase.Significant(x)
}

// outline gives the areas their paths and the vertical axis its levels, now that the scale is known.
func (d *areaDrawing) outline() {
	n := len(d.at)
	for i := range n {
		sum := 0
		for j := range d.Areas {
			sum += d.Areas[j].counts[i]
		}
		d.Top = max(d.Top, sum)
	}
	lower := make([]int, n)
	y := func(v int) int { return areaH - v*areaH/max(d.Top, 1) }
	for i := range d.Areas {
		a := &d.Areas[i]
		var path strings.Builder
		for j := range n {
			fmt.Fprintf(&path, "%c%d %d", "ML"[min(j, 1)], d.at[j], y(lower[j]+a.counts[j]))
		}
		for j := n - 1; j >= 0; j-- {
			fmt.Fprintf(&path, "L%d %d", d.at[j], y(lower[j]))
		}
		a.D = path.String() + "Z"
		for j := range n {
			lower[j] += a.counts[j]
		}
	}
	for _, v := range slices.Compact([]int{0, d.Top / 2, d.Top}) {
		d.Levels = append(d.Levels, tick{X: -6, Y: y(v), Text: phrase.Number(int64(v))})
	}
}
