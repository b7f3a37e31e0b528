package main

import (
	"slices"
	"testing"
	"time"
)

func TestTheLargestSizesOfAllSeriesComeAfterAllOthers(t *testing.T) {
	steps, largest := plan(figures())
	all, last := 0, 0
	for _, f := range figures() {
		for _, s := range f.series {
			all += len(s.sizes)
			last++
		}
	}
	if len(steps)+len(largest) != all || len(largest) != last {
		t.Fatalf("%d steps and %d largest ones of %d sizes of %d series", len(steps), len(largest), all, last)
	}
	for _, st := range steps {
		if st.size >= st.series.sizes[len(st.series.sizes)-1] {
			t.Errorf("the largest size of %s is among the first steps", st.series.name)
		}
	}
	for _, st := range largest {
		if st.size != st.series.sizes[len(st.series.sizes)-1] {
			t.Errorf("%s: %.0f is not the largest size", st.series.name, st.size)
		}
	}
}

func TestSeriesAreMeasuredSideBySideEachFromItsSmallestSize(t *testing.T) {
	f := []figure{{series: []series{{name: "a", sizes: []float64{1, 2, 3}}, {name: "b", sizes: []float64{10, 20}}}}}
	steps, largest := plan(f)
	got := []float64{}
	for _, st := range append(steps, largest...) {
		got = append(got, st.size)
	}
	if want := []float64{1, 10, 2, 20, 3}; !slices.Equal(got, want) {
		t.Errorf("in order %v, want %v", got, want)
	}
}

func TestASlowSeriesTakesNoTimeFromTheOthers(t *testing.T) {
	now := time.Now()
	slow := series{name: "slow", points: []point{{wall: time.Minute}}}
	quick := series{name: "quick", points: []point{{wall: time.Second}}}
	ended := series{name: "ended", points: []point{{wall: time.Minute, late: true}}}
	largest := []step{{series: &slow}, {series: &ended}, {series: &quick}}
	quickestFirst(largest)
	if largest[0].series != &quick {
		t.Errorf("%s comes first", largest[0].series.name)
	}
	for _, c := range []struct {
		s    *series
		ends time.Time
		want bool
	}{
		{&slow, now.Add(time.Second), true}, {&slow, now.Add(-time.Second), false},
		{&ended, now.Add(time.Hour), false}, {&series{}, now.Add(-time.Second), true},
	} {
		if got := (step{series: c.s}).wanted(now, c.ends); got != c.want {
			t.Errorf("%q is measured: %v", c.s.name, got)
		}
	}
	if got := share(now, now.Add(9*time.Minute), 3).Sub(now); got != 3*time.Minute {
		t.Errorf("the first of three steps has %v of nine minutes", got)
	}
	if got := share(now, now.Add(-time.Minute), 3); !got.Equal(now) {
		t.Errorf("a step past the end has %v", got.Sub(now))
	}
}
