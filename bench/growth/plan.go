package main

import (
	"cmp"
	"slices"
	"time"
)

// A step is one size of a series that is to be measured.
type step struct {
	figure *figure
	series *series
	size   float64
}

// plan is the order in which sizes are measured: those of all series side by side, smallest first, and the largest of
// each series after all others. No series waits for the largest size of another one, which takes minutes.
func plan(figures []figure) (steps, largest []step) {
	for k := 0; ; k++ {
		more := false
		for i := range figures {
			f := &figures[i]
			for j := range f.series {
				s := &f.series[j]
				switch st := (step{f, s, at(s.sizes, k)}); {
				case k < len(s.sizes)-1:
					steps, more = append(steps, st), true
				case k == len(s.sizes)-1:
					largest = append(largest, st)
				}
			}
		}
		if !more {
			return steps, largest
		}
	}
}

func at(sizes []float64, k int) float64 {
	if k < len(sizes) {
		return sizes[k]
	}
	return 0
}

// quickestFirst orders steps by how long the size before took: where time is short, it is the longest that is left out.
func quickestFirst(steps []step) {
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.series.lastWall(), b.series.lastWall()) })
}

// lastWall is how long the largest size took that was measured.
func (s *series) lastWall() time.Duration {
	if len(s.points) == 0 {
		return 0
	}
	return s.points[len(s.points)-1].wall
}

// wanted reports whether a step is measured: there is time, and the size before it, if any, ran to its end.
func (st step) wanted(now, ends time.Time) bool {
	n := len(st.series.points)
	return len(st.series.left) == 0 && (n == 0 || !st.series.points[n-1].late && now.Before(ends))
}

// share is when the first of n steps has had its part of the time that is left. A point runs once whatever its share,
// and again only within it.
func share(now, ends time.Time, n int) time.Time {
	return now.Add(max(0, ends.Sub(now)) / time.Duration(n))
}
