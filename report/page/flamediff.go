package page

import (
	"cmp"
	"math"
	"slices"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/triage/schema"
)

// diffSteps is how many steps the larger whole of a comparison is drawn in: what is smaller than one can't be seen, and
// whole numbers are small in the page.
const diffSteps = 1e8

// compared is the flame graph of two sides together: a function is as wide as both sides have it, so that what is gone
// is there as well. Both are rates, as the comparison has them. Functions are matched by their names without what
// builds add.
func compared(d *schema.StackDiff) flame {
	b := newForest(safe(d.Kind+" ("+d.Type+"), before and after"), rateUnit(d))
	before, after := whole(&d.Before), whole(&d.After)
	if b.f.Scale = max(before, after) / diffSteps; b.f.Scale == 0 {
		return b.flame()
	}
	b.f.Chance = [2]float64{d.Before.Chance / b.f.Scale, d.After.Chance / b.f.Scale}
	places := map[string]string{}
	stacks := sideStacks(&d.After, b.f.Scale, places)
	for i := range stacks {
		stacks[i].after = stacks[i].value
	}
	stacks = append(stacks, sideStacks(&d.Before, b.f.Scale, places)...)
	slices.SortStableFunc(stacks, func(a, b stack) int { return cmp.Compare(b.value, a.value) })
	for _, s := range stacks {
		b.add(s)
	}
	return b.flame()
}

// rateUnit is what values of a comparison are in, as the page's script writes them.
func rateUnit(d *schema.StackDiff) string {
	switch d.Rate {
	case "cores", "share":
		return d.Rate
	case "/s":
		return d.Unit + "/s"
	}
	return d.Unit
}

// whole is a side's value as a rate.
func whole(s *schema.StackSide) (sum float64) {
	for _, p := range s.Profiles {
		for _, sample := range p.Sample {
			sum += float64(sample.Value[s.Value]) * s.Per
		}
	}
	return sum
}

// sideStacks are the stacks of a side in steps of the scale. A function's place is that of the first stack with it.
func sideStacks(s *schema.StackSide, scale float64, places map[string]string) (list []stack) {
	for _, p := range s.Profiles {
		for _, sample := range p.Sample {
			list = append(list, stack{
				path:  plainPath(sample, places),
				value: int64(math.Round(float64(sample.Value[s.Value]) * s.Per / scale)),
			})
		}
	}
	return list
}

func plainPath(sample *pprof.Sample, places map[string]string) (path []pathCall) {
	for _, c := range slices.Backward(schema.Calls(sample)) {
		at := newStep(symbol.PlainName(c.Function), c.File)
		if place, known := places[at.name]; known {
			at.place = place
		}
		places[at.name] = at.place
		path = append(path, at)
	}
	return path
}
