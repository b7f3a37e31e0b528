package page

import (
	"fmt"
	"strings"
	"time"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// A pattern is what a log repeats, with a drawing of when.
type pattern struct {
	*schema.Pattern
	When *sparkline // nil where the lines have no time, or all the same
}

// A sparkline draws lines over the time of their log, a bar for each slot.
type sparkline struct {
	Bars     string // an SVG path
	From, To string // the pattern's first line and its last
	Text     string // what the drawing shows
}

// sparkW and sparkH are a sparkline's size: schema.Slots has at most 60 counts, so that a bar has 2 pixels at least.
const sparkW, sparkH = 120, 22

func patternsOf(r *schema.Report) []pattern {
	list := make([]pattern, 0, len(r.Patterns))
	for i := range r.Patterns {
		list = append(list, pattern{&r.Patterns[i], drawSpark(&r.Patterns[i])})
	}
	return list
}

func drawSpark(p *schema.Pattern) *sparkline {
	s := p.OverTime
	if s == nil || len(s.Counts) < 2 {
		return nil
	}
	peak := 0
	for i, n := range s.Counts {
		if n > s.Counts[peak] {
			peak = i
		}
	}
	most := s.Counts[peak]
	if most == 0 {
		return nil
	}
	var path strings.Builder
	width := float64(sparkW) / float64(len(s.Counts))
	for i, n := range s.Counts {
		if n > 0 {
			high := max(1, float64(sparkH)*float64(n)/float64(most))
			fmt.Fprintf(&path, "M%.1f %dv-%.1fh%.1fv%.1fz", float64(i)*width, sparkH, high, width*0.85, high)
		}
	}
	layout := "15:04:05"
	if time.Duration(len(s.Counts))*s.Slot >= 24*time.Hour {
		layout = "01-02 15:04"
	}
	begin := s.From.Add(time.Duration(peak) * s.Slot).UTC().Format(layout)
	return &sparkline{
		Bars: path.String(), From: shortTime(p.First, layout), To: shortTime(p.Last, layout),
		Text: fmt.Sprintf("most from %s on: %s in %s", begin, phrase.Count(int64(most), "line"),
			phrase.Duration(s.Slot.Round(time.Second))),
	}
}

// shortTime writes a time of a pattern, with its year or without, in a layout that has none.
func shortTime(text, layout string) string {
	for _, form := range []string{time.RFC3339, "01-02 15:04:05Z07:00"} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC().Format(layout)
		}
	}
	return ""
}
