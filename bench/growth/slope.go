package main

import (
	"math"
	"time"
)

// tooSteep marks a slope: at 1, ten times the input takes ten times as long; at 1.15, fourteen times.
const tooSteep = 1.15

// A slope is that of a line through points of two logarithmic axes; NaN where there are too few.
type slope float64

// slopes are those of the last two decades of a series, each without what an empty run takes, which would flatten them.
func (s *series) slopes(empty point) (wall, cpu, peak slope) {
	of := func(value func(p point) float64) slope {
		var xs, ys []float64
		for _, p := range s.sloped() {
			// What is less than half an empty run's is noise.
			v, e := value(p), value(empty)
			if v-e > e/2 {
				xs, ys = append(xs, math.Log10(p.size)), append(ys, math.Log10(v-e))
			}
		}
		return fit(xs, ys)
	}
	seconds := func(d func(point) time.Duration) func(point) float64 {
		return func(p point) float64 { return d(p).Seconds() }
	}
	return of(seconds(func(p point) time.Duration { return p.wall })),
		of(seconds(func(p point) time.Duration { return p.cpu })),
		of(func(p point) float64 { return float64(p.peak) })
}

// sloped are the points of the last two decades that ran to their ends.
func (s *series) sloped() (all []point) {
	for _, p := range s.points {
		if !p.late && p.size >= s.points[len(s.points)-1].size/100.5 {
			all = append(all, p)
		}
	}
	return all
}

// fit is the slope of the line with the least squares.
func fit(xs, ys []float64) slope {
	var mx, my float64
	for i := range xs {
		mx += xs[i] / float64(len(xs))
		my += ys[i] / float64(len(xs))
	}
	var num, den float64
	for i := range xs {
		num += (xs[i] - mx) * (ys[i] - my)
		den += (xs[i] - mx) * (xs[i] - mx)
	}
	return slope(num / den) // NaN of one point or none
}
