package page

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage/schema"
)

// An areaDrawing draws the goroutines of one process from dump to dump as stacked areas: what grows, what is stuck.
type areaDrawing struct {
	Process       string
	Width, Height int
	Areas         []area
	Ticks         []tick
	Top           int // goroutines at the upper edge
}

// An area is one stack over the dumps, or all others.
type area struct {
	D, Class string
	Label    string
	Counts   []int
	Stuck    int
	Trend    string
}

type tick struct {
	X    int
	Text string
}

const (
	areaW, areaH = 760, 220
	// maxAreas is how many stacks are areas of their own: more can't be distinguished by colour.
	maxAreas  = 8
	maxSeries = 6
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
	n := len(s.Dumps)
	out := areaDrawing{Process: report.Escape(s.Process), Width: areaW, Height: areaH}
	total := make([]int, n)
	for i, d := range s.Dumps {
		total[i] = d.Goroutines
		out.Top = max(out.Top, d.Goroutines)
		out.Ticks = append(out.Ticks, tick{X: x(i, n), Text: report.Escape(strings.TrimSuffix(d.Time, "Z"))})
	}
	base := make([]int, n)
	add := func(label, class string, counts []int, stuck int, trend string) {
		upper := make([]int, n)
		for i := range upper {
			upper[i] = base[i] + counts[i]
			out.Top = max(out.Top, upper[i])
		}
		out.Areas = append(out.Areas, area{Class: class, Label: label, Counts: counts, Stuck: stuck, Trend: trend})
		base = upper
	}
	shown := 0
	for i := range s.Buckets {
		b := &s.Buckets[i]
		if shown == maxAreas || len(b.Counts) != n {
			break
		}
		label := symbol.ShortFunc(b.Function)
		if at := place(b.File, b.Line); at != "" {
			label += " (" + at + ")"
		}
		add(report.Escape(label), fmt.Sprintf("a%d", shown), b.Counts, b.Stuck, string(b.Trend))
		shown++
	}
	rest := make([]int, n)
	for i := range rest {
		rest[i] = max(0, total[i]-base[i])
	}
	add("all others", "rest", rest, 0, "")
	out.outline(n)
	return out
}

// outline gives the areas their paths, now that the scale is known.
func (d *areaDrawing) outline(n int) {
	lower := make([]int, n)
	y := func(v int) int { return areaH - v*areaH/max(d.Top, 1) }
	for i := range d.Areas {
		a := &d.Areas[i]
		var path strings.Builder
		for j := range n {
			fmt.Fprintf(&path, "%c%d %d", "ML"[min(j, 1)], x(j, n), y(lower[j]+a.Counts[j]))
		}
		for j := n - 1; j >= 0; j-- {
			fmt.Fprintf(&path, "L%d %d", x(j, n), y(lower[j]))
		}
		a.D = path.String() + "Z"
		for j := range n {
			lower[j] += a.Counts[j]
		}
	}
}

func x(i, n int) int { return i * areaW / max(n-1, 1) }
