package logpattern

import (
	"math"
	"time"
)

// repeats counts something over time. A time is nanoseconds since 1970.
type repeats struct {
	count, firstLine, lastLine int64
	first, last, prev          int64 // earliest, latest and that of the line before
	timed                      int64 // lines with a time
	stats                      *gapStats
}

// gapStats are kept of what repeats keepStats times.
type gapStats struct {
	gaps        int64
	early, late float64 // means of the first gaps and of the last ones
	run, best   lineRun
}

type lineRun struct {
	count        int64
	first, last  int64
	firstLine    int64
	rounds       int64   // gaps of roundGap and more
	sum, squares float64 // of these, in seconds
}

// add counts line num.
func (r *repeats) add(num int64, at lineTime) {
	if r.count == 0 {
		r.firstLine = num
	}
	r.count++
	before := r.lastLine
	r.lastLine = num
	if !at.known {
		return
	}
	t := at.nanos
	r.timed++
	if r.timed == 1 {
		r.first, r.last, r.prev = t, t, t
		return
	}
	if r.timed == keepStats {
		// The first and the second line are counted from what was kept of them.
		first := r.first
		if r.prev == first {
			first = r.last // the second was earlier
		}
		r.stats = &gapStats{run: lineRun{count: 1, first: first, last: first, firstLine: r.firstLine}}
		r.stats.add(first, r.prev, before)
	}
	if r.stats != nil {
		r.stats.add(r.prev, t, num)
	}
	r.first, r.last, r.prev = min(r.first, t), max(r.last, t), t
}

// earlyGaps is how many gaps the first mean is over; the last one decays over as many.
const earlyGaps = 4

func (s *gapStats) add(prev, t, num int64) {
	gap := t - prev
	if gap < 0 {
		gap = -gap // reversed logs, and writers that hand lines over late
	}
	s.gaps++
	g := float64(gap)
	if s.gaps <= earlyGaps {
		s.early += g / earlyGaps
	}
	s.late += (g - s.late) / earlyGaps
	if gap > int64(maxPause) {
		s.endRun()
		s.run = lineRun{count: 1, first: t, last: t, firstLine: num}
	} else {
		s.run.count++
		s.run.first, s.run.last = min(s.run.first, t), max(s.run.last, t)
		if gap >= int64(roundGap) {
			sec := g / float64(second)
			s.run.rounds++
			s.run.sum += sec
			s.run.squares += sec * sec
		}
	}
}

func (s *gapStats) endRun() {
	if s.run.count > s.best.count {
		s.best = s.run
	}
}

// public is r as a Log has it; at makes times of nanoseconds.
func (r *repeats) public(at func(int64) time.Time) Repeats {
	out := Repeats{Count: r.count, FirstLine: r.firstLine, LastLine: r.lastLine}
	if r.timed > 0 {
		out.First, out.Last = at(r.first), at(r.last)
	}
	s := r.stats
	if s == nil || s.gaps == 0 {
		return out
	}
	s.endRun()
	gaps := Gaps{
		Count: s.gaps, Growing: s.gaps >= 2*earlyGaps && s.late >= 4*max(s.early, float64(second)/10),
	}
	best := Run{
		Count: s.best.count, First: at(s.best.first), Last: at(s.best.last), FirstLine: s.best.firstLine,
	}
	if n := float64(s.best.rounds); n > 0 && s.best.sum > 0 {
		mean := s.best.sum / n
		best.Round = time.Duration(mean * float64(second))
		gaps.VariationPercent = int(100 * math.Sqrt(max(0, s.best.squares/n-mean*mean)) / mean)
	}
	out.rhythm = &rhythm{gaps, best}
	return out
}
