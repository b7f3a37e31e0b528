package logpattern

import (
	"math"
	"math/bits"
	"time"
)

// gapBuckets is the length of a histogram of gaps: four buckets an octave from 1 ms to 2^25 ms, nine hours, and one for
// gaps below a millisecond.
const gapBuckets = 1 + 4*25

// repeats counts something over time. A time is nanoseconds since 1970.
type repeats struct {
	count, firstLine, lastLine int64
	first, last, prev          int64 // earliest, latest and that of the line before
	timed                      int64 // lines with a time
	stats                      *stats
}

// stats are kept of what repeats keepStats times.
type stats struct {
	hist        [gapBuckets]uint32
	gaps        int64
	sum         float64
	longest     int64
	early, late float64 // means of the first gaps and of the last ones
	run, best   run
}

type run struct {
	count        int64
	first, last  int64
	firstLine    int64
	rounds       int64   // gaps of RoundGap and more
	sum, squares float64 // of these, in seconds
}

func (r *repeats) add(num, t int64, timed bool) {
	if r.count == 0 {
		r.firstLine = num
	}
	r.count++
	before := r.lastLine
	r.lastLine = num
	if !timed {
		return
	}
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
		r.stats = &stats{run: run{count: 1, first: first, last: first, firstLine: r.firstLine}}
		r.stats.add(first, r.prev, before)
	}
	if r.stats != nil {
		r.stats.add(r.prev, t, num)
	}
	r.first, r.last, r.prev = min(r.first, t), max(r.last, t), t
}

// earlyGaps is how many gaps the first mean is over; the last one decays over as many.
const earlyGaps = 4

func (s *stats) add(prev, t, num int64) {
	gap := t - prev
	if gap < 0 {
		gap = -gap // reversed logs, and writers that hand lines over late
	}
	s.hist[gapBucket(gap)]++
	s.gaps++
	g := float64(gap)
	s.sum += g
	if s.gaps <= earlyGaps {
		s.early += g / earlyGaps
	}
	s.late += (g - s.late) / earlyGaps
	s.longest = max(s.longest, gap)
	if gap > int64(MaxPause) {
		s.endRun()
		s.run = run{count: 1, first: t, last: t, firstLine: num}
	} else {
		s.run.count++
		s.run.first, s.run.last = min(s.run.first, t), max(s.run.last, t)
		if gap >= int64(RoundGap) {
			sec := g / float64(second)
			s.run.rounds++
			s.run.sum += sec
			s.run.squares += sec * sec
		}
	}
}

func (s *stats) endRun() {
	if s.run.count > s.best.count {
		s.best = s.run
	}
}

func gapBucket(ns int64) int {
	ms := uint64(ns) / uint64(time.Millisecond)
	if ms == 0 {
		return 0
	}
	octave := bits.Len64(ms) - 1
	quarter := int(ms<<2>>octave) & 3
	return min(1+4*octave+quarter, gapBuckets-1)
}

func bucketGap(b int) time.Duration {
	if b == 0 {
		return 0
	}
	b--
	low := math.Ldexp(1+float64(b%4)/4, b/4)
	high := math.Ldexp(1+float64(b%4+1)/4, b/4)
	if b < 8 { // whole milliseconds: the bucket is one number
		return time.Duration(low * float64(time.Millisecond)).Round(time.Millisecond)
	}
	return time.Duration((low + high) / 2 * float64(time.Millisecond))
}

func (s *stats) quantile(q float64) time.Duration {
	rank := int64(q * float64(s.gaps-1))
	for b, n := range s.hist {
		if rank -= int64(n); rank < 0 {
			return bucketGap(b)
		}
	}
	return time.Duration(s.longest)
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
		Count: s.gaps, Mean: time.Duration(s.sum / float64(s.gaps)), Longest: time.Duration(s.longest),
		Q1: s.quantile(0.25), Median: s.quantile(0.5), Q3: s.quantile(0.75),
		Growing: s.gaps >= 2*earlyGaps && s.late >= 4*max(s.early, float64(second)/10),
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
