package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gotriage/triage/bench/internal/plot"
)

// text is the figure's block: the picture, a table, and the slopes.
func (f *figure) text(empty point, picture string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "![%s: time and peak memory against %s](%s)\n\n", f.title, f.unit, picture)
	fmt.Fprintf(&b, "| | %s | MB | wall, s | processor time, s | MB/s | peak memory, MB | runs |\n"+
		"|---|--:|--:|--:|--:|--:|--:|--:|\n", f.unit)
	for i := range f.series {
		s := &f.series[i]
		for _, p := range s.points {
			if p.late {
				fmt.Fprintf(&b, "| %s | %s | %s | more than %.0f | - | - | %s | ended |\n", s.name, count(p.size),
					megabytes(p.bytes), runLimit.Seconds(), megabytes(p.peak))
				continue
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %d |\n", s.name, count(p.size), megabytes(p.bytes),
				seconds(p.wall), seconds(p.cpu), perSecond(p), megabytes(p.peak), p.runs)
		}
		for _, n := range s.left {
			fmt.Fprintf(&b, "| %s | %s | | not measured: no time left | | | | 0 |\n", s.name, count(n))
		}
	}
	b.WriteString("\nSlopes over the last two decades:\n\n")
	for i := range f.series {
		s := &f.series[i]
		wall, cpu, peak := s.slopes(empty)
		fmt.Fprintf(&b, "- %s: wall time %s, processor time %s, memory %s%s\n", s.name, wall, cpu, peak,
			s.waiting(wall, cpu, f.unit))
	}
	return b.String()
}

// waiting is why wall time is steeper than processor time: fewer processors worked for the largest input than for
// the smallest one of the slope; "" where wall time is not too steep, or processor time is too.
func (s *series) waiting(wall, cpu slope, unit string) string {
	points := s.sloped()
	if float64(wall) <= tooSteep || float64(cpu) > tooSteep || len(points) < 2 {
		return ""
	}
	first, last := points[0], points[len(points)-1]
	what := "for a processor"
	if s.file == "" {
		what += " or for the writer of its input"
	}
	return fmt.Sprintf(". The work grows as the input does: at %s %s, %.2f processors were at work, at %s %s "+
		"%.2f. The rest is waiting %s",
		count(first.size), unit, first.busy(), count(last.size), unit, last.busy(), what)
}

// busy is how many processors worked for a run.
func (p point) busy() float64 { return p.cpu.Seconds() / p.wall.Seconds() }

// plot has time on the left and memory on the right.
func (f *figure) plot(empty point) plot.Figure {
	times := plot.Panel{X: f.unit, Y: "time, seconds"}
	memory := plot.Panel{X: f.unit, Y: "peak memory, MB"}
	for i := range f.series {
		s := &f.series[i]
		wall, cpu, peak := s.slopes(empty)
		line := func(kind string, sl slope, dashed bool, value func(point) float64) plot.Line {
			l := plot.Line{Name: fmt.Sprintf("%s, slope %s", kind, sl.short()), Colour: i, Dashed: dashed}
			if len(f.series) > 1 {
				l.Name = s.name + ": " + l.Name
			}
			for _, p := range s.points {
				if !p.late {
					l.Points = append(l.Points, [2]float64{p.size, value(p)})
				}
			}
			return l
		}
		times.Lines = append(times.Lines,
			line("wall", wall, false, func(p point) float64 { return p.wall.Seconds() }),
			line("processor", cpu, true, func(p point) float64 { return p.cpu.Seconds() }))
		memory.Lines = append(memory.Lines,
			line("peak", peak, false, func(p point) float64 { return float64(p.peak) / 1e6 }))
	}
	return plot.Figure{Title: f.title, Panels: []plot.Panel{times, memory}}
}

// String marks what is too steep.
func (s slope) String() string {
	if float64(s) > tooSteep {
		return fmt.Sprintf("**%.2f**", float64(s))
	}
	return s.short()
}

func (s slope) short() string {
	if math.IsNaN(float64(s)) {
		return "unknown"
	}
	return fmt.Sprintf("%.2f", float64(s))
}

// perSecond is a point's rate in MB.
func perSecond(p point) string {
	v := float64(p.bytes) / 1e6 / p.wall.Seconds()
	if v < 10 {
		return fmt.Sprintf("%.1f", v)
	}
	return count(v)
}

func seconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 0.1:
		return fmt.Sprintf("%.4f", s)
	case s < 10:
		return fmt.Sprintf("%.2f", s)
	default:
		return fmt.Sprintf("%.1f", s)
	}
}

func megabytes(n int64) string {
	if n < 10e6 {
		return fmt.Sprintf("%.2f", float64(n)/1e6)
	}
	return count(math.Round(float64(n) / 1e6))
}

// count writes a whole number in groups of three digits.
func count(v float64) string {
	s := fmt.Sprintf("%.0f", v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
