package profile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gotriage/triage/stackparse/frame"
)

// A Trend is how the part of a profile that one line of the program holds went over a series of them.
type Trend struct {
	frame.Frame
	Class  frame.Class
	Values []int64 // one a profile, in the order of time
	// Growth is the last value less the first; PerMinute is the slope of the least squares through all points, 0
	// where the profiles have no time.
	Growth    int64
	PerMinute float64
	// Monotone reports that no value is less than the one before it.
	Monotone bool
}

// maxTrends bounds the lines that Trends returns.
const maxTrends = 100

// Trends follows each line that pays (Blame's culprit for the leaf) through profiles of one kind and process, in the
// order of their times: for heap profiles who holds what grows. What grew most comes first.
func Trends(views ...*View) ([]Trend, error) {
	if len(views) < 2 {
		return nil, errors.New("follow profiles: a trend needs two of them")
	}
	first := views[0]
	for i, v := range views[1:] {
		if v.Kind != first.Kind || v.valueType() != first.valueType() {
			return nil, fmt.Errorf("follow profiles: profile %d is of kind %s (%s), the first of kind %s (%s)",
				i+2, v.Kind, v.valueType().Type, first.Kind, first.valueType().Type)
		}
	}
	views = slices.Clone(views)
	if !slices.ContainsFunc(views, func(v *View) bool { return v.Time.IsZero() }) {
		slices.SortStableFunc(views, func(a, b *View) int { return a.Time.Compare(b.Time) })
	}
	// A siteKey names a line across builds of one program.
	type siteKey struct {
		function string
		line     int32
	}
	sites := map[siteKey]*Trend{}
	for i, v := range views {
		for j := range v.Stacks {
			stack := &v.Stacks[j]
			at := v.nearest(stack.Frames, -1).payer()
			if at < 0 {
				continue
			}
			f := stack.Frames[at]
			key := siteKey{v.plain[v.Frames[f].Func], v.Frames[f].Line}
			x := sites[key]
			if x == nil {
				x = &Trend{Frame: v.At(f), Class: v.ClassAt(f), Values: make([]int64, len(views))}
				sites[key] = x
			}
			x.Values[i] = addSaturated(x.Values[i], stack.Values[v.Value])
		}
	}
	all := make([]Trend, 0, len(sites))
	for _, t := range sites {
		t.Growth = t.Values[len(views)-1] - t.Values[0]
		t.Monotone = slices.IsSorted(t.Values)
		t.PerMinute = slope(views, t.Values)
		all = append(all, *t)
	}
	slices.SortFunc(all, func(a, b Trend) int {
		return cmp.Or(cmp.Compare(b.Growth, a.Growth), cmp.Compare(a.Func, b.Func), cmp.Compare(a.Line, b.Line))
	})
	return all[:min(len(all), maxTrends)], nil
}

// slope is the least squares' through values over the times of profiles, a minute; 0 where times are missing or all the
// same.
func slope(views []*View, values []int64) float64 {
	var sx, sy, sxx, sxy float64
	n := float64(len(values))
	for i, v := range values {
		if views[i].Time.IsZero() {
			return 0
		}
		x, y := views[i].Time.Sub(views[0].Time).Minutes(), float64(v)
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	spread := n*sxx - sx*sx
	if spread <= 0 || math.IsNaN(spread) {
		return 0
	}
	return (n*sxy - sx*sy) / spread
}
