package profile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// A Trend is how a site's part of a profile went over a series of them.
type Trend struct {
	Function, File string
	Line           int
	Class          Class
	Values         []int64 // one a profile, in the order of time
	// Growth is the last value less the first; PerMinute is the slope of the least squares through all points, 0
	// where the profiles have no time.
	Growth    int64
	PerMinute float64
	// Monotone reports that no value is less than the one before it.
	Monotone bool
}

// A Series is profiles of one kind and process in the order of time.
type Series struct {
	Kind  Kind
	Unit  string
	Times []time.Time // zero where a profile has none
	Total Trend       // of the whole; no function
	// Sites are the lines of the program that hold what changed, what grew most first.
	Sites []Trend
}

// maxTrends bounds Series.Sites.
const maxTrends = 100

// Trends follows each line that pays (Blame's culprit for the leaf) through a series of profiles: for heap profiles who
// holds what grows. The profiles are put in the order of their times; those without time stay in the order given.
func Trends(views ...*View) (*Series, error) {
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
	s := &Series{Kind: first.Kind, Unit: first.valueType().Unit}
	total := make([]int64, len(views))
	for i, v := range views {
		s.Times = append(s.Times, v.Time)
		total[i] = v.All.Value
	}
	s.Total = s.trend(total)
	s.Sites = s.sites(views)
	return s, nil
}

func (s *Series) sites(views []*View) []Trend {
	// A siteKey names a line across builds of one program.
	type siteKey struct {
		function string
		line     int32
	}
	type site struct {
		fn     *Function
		class  Class
		values []int64
	}
	sites := map[siteKey]*site{}
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
				x = &site{fn: &v.Functions[v.Frames[f].Func], class: v.ClassAt(f), values: make([]int64, len(views))}
				sites[key] = x
			}
			x.values[i] = addSaturated(x.values[i], stack.Values[v.Value])
		}
	}
	all := make([]Trend, 0, len(sites))
	for key, x := range sites {
		t := s.trend(x.values)
		t.Function, t.File, t.Line, t.Class = x.fn.Name, x.fn.File, int(key.line), x.class
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b Trend) int {
		return cmp.Or(cmp.Compare(b.Growth, a.Growth), cmp.Compare(a.Function, b.Function),
			cmp.Compare(a.Line, b.Line))
	})
	return all[:min(len(all), maxTrends)]
}

func (s *Series) trend(values []int64) Trend {
	t := Trend{Values: values, Monotone: true, Growth: values[len(values)-1] - values[0]}
	for i := 1; i < len(values); i++ {
		t.Monotone = t.Monotone && values[i] >= values[i-1]
	}
	t.PerMinute = slope(s.Times, values)
	return t
}

// slope is the least squares' through values over times, a minute; 0 where times are missing or all the same.
func slope(times []time.Time, values []int64) float64 {
	var sx, sy, sxx, sxy float64
	n := float64(len(values))
	for i, v := range values {
		if times[i].IsZero() {
			return 0
		}
		x, y := times[i].Sub(times[0]).Minutes(), float64(v)
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	spread := n*sxx - sx*sx
	if spread <= 0 || math.IsNaN(spread) {
		return 0
	}
	return (n*sxy - sx*sy) / spread
}
