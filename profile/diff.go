package profile

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gotriage/triage/stackparse/frame"
)

// A Rate is the unit in which two profiles are compared.
type Rate string

// The units: what makes profiles of unequal length comparable.
const (
	RateCores     Rate = "cores"  // seconds of CPU a second; of waiting: how many wait on average
	RatePerSecond Rate = "/s"     // bytes or objects a second
	RateAmount    Rate = "amount" // bytes, objects or goroutines as they are: what is in use is a state, not a flow
	RateShare     Rate = "share"  // of the whole, where a profile has no duration
	RateTotal     Rate = "totals" // of profiles that count since the process began
)

// A Diff compares two profiles of one kind.
type Diff struct {
	Kind Kind
	Rate Rate
	Unit string // of the value: "nanoseconds", "bytes", "count"
	// Old and New are the wholes, in Rate.
	Old, New float64
	// Functions and Payers are what changed, the largest growth first, the largest decrease last: functions with what
	// they call, and the functions of the program that ask for it (Blame.Payers).
	Functions, Payers []Delta
	// OtherBuild reports that the two are of different builds, so that lines may have moved.
	OtherBuild bool
}

// A Delta is how a function changed.
type Delta struct {
	frame.Frame      // its heaviest line in the new profile, 0 for one that is gone
	Class            frame.Class
	Old, New, Change float64 // in Diff.Rate
	// Z is the change in standard errors, Noise reports that it may be chance.
	Z     float64
	Noise bool
	// Callers are the functions that call it, those whose part changed most first.
	Callers []CallerDelta
}

// A CallerDelta is the change that comes from a caller.
type CallerDelta struct {
	Function         string
	Old, New, Change float64
}

// Bounds on a Diff, and on what counts as a change.
const (
	maxDeltas       = 100
	maxCallerDeltas = 5
	// noiseZ is the standard error past which a change isn't called noise: a two-sided p of 0.001, since some thousand
	// functions are compared, most of them alike.
	noiseZ = 3.29
	// leastChange is the part of the larger whole below which a change isn't listed: pprof's own nodefraction.
	leastChange = 0.005
)

// Compare compares two profiles of one kind. Functions are matched by their plain names, so that builds, vendor folders
// and versions don't matter. CPU and wall profiles are compared by time; heap profiles as they are; others by the
// second where both are deltas. A change is noise unless it lies 3.29 standard errors away from none: samples are taken
// at random, so that n of them are off by the root of n (Poisson); shares are compared by the test of two proportions.
func Compare(before, after *View) (*Diff, error) {
	if before.Kind != after.Kind {
		return nil, fmt.Errorf("compare profiles: the first is of kind %s, the second of kind %s",
			before.Kind, after.Kind)
	}
	if a, b := before.valueType(), after.valueType(); a != b {
		return nil, fmt.Errorf("compare profiles: the first counts %s in %s, the second %s in %s",
			a.Type, a.Unit, b.Type, b.Unit)
	}
	c := newComparison(before, after)
	d := &Diff{
		Kind: after.Kind, Rate: c.rate, Unit: after.valueType().Unit,
		Old: c.old.rate(before.All.Value), New: c.new.rate(after.All.Value),
		OtherBuild: before.BuildID != "" && after.BuildID != "" && before.BuildID != after.BuildID,
	}
	d.Functions = c.functions()
	d.Payers = c.payers()
	return d, nil
}

func (p *Profile) valueType() ValueType {
	if p.Value < len(p.Types) {
		return p.Types[p.Value]
	}
	return ValueType{}
}

// A comparison holds how the values of two profiles become rates.
type comparison struct {
	rate     Rate
	old, new side
}

// A side is one of the profiles.
type side struct {
	*View
	per  float64 // a rate's part for one unit of value
	unit float64 // the value of one effective sample
}

func (s *side) rate(value int64) float64 { return float64(value) * s.per }

func newComparison(before, after *View) *comparison {
	c := &comparison{}
	timed := before.Duration > 0 && after.Duration > 0
	per := func(*View) float64 { return 1 }
	switch {
	case after.Kind == KindHeap, after.Kind == KindGoroutine, after.Kind == KindGoroutineLeak,
		after.Kind == KindThreadCreate:
		c.rate = RateAmount
	case timed && after.Seconds(1) > 0:
		c.rate = RateCores
		per = func(v *View) float64 { return v.Seconds(1e9) / 1e9 / v.Duration.Seconds() }
	case timed:
		c.rate = RatePerSecond
		per = func(v *View) float64 { return 1 / v.Duration.Seconds() }
	case after.Kind == KindCPU || after.Kind == KindWall || before.whole == 0 && after.whole == 0:
		c.rate = RateShare
		per = func(v *View) float64 { return quotient(1, v.whole) }
	default:
		c.rate = RateTotal
	}
	c.old = side{before, per(before), quotient(before.whole, before.effective)}
	c.new = side{after, per(after), quotient(after.whole, after.effective)}
	return c
}

// quotient is a/b, 0 for b of 0.
func quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// variance is that of a value's rate: n samples are off by the root of n. A count of none may have been one or two by
// chance: one is added.
func (s *side) variance(value int64) float64 {
	unit := s.unit * s.per
	return unit * unit * (max(0, quotient(float64(value), s.unit)) + 1)
}

// z is the change in standard errors.
func (c *comparison) z(before, after int64) float64 {
	a, b := c.old.rate(before), c.new.rate(after)
	variance := c.old.variance(before) + c.new.variance(after)
	if c.rate == RateShare {
		n, m := c.old.effective, c.new.effective
		if n == 0 || m == 0 {
			return 0
		}
		p := (a*n + b*m + 1) / (n + m + 2)
		variance = p * (1 - p) * (1/n + 1/m)
	}
	if variance <= 0 {
		return 0
	}
	return (b - a) / math.Sqrt(variance)
}

// delta is the change of a function's value; false where it is none that matters.
func (c *comparison) delta(before, after int64) (Delta, bool) {
	d := Delta{Old: c.old.rate(before), New: c.new.rate(after), Z: c.z(before, after)}
	d.Change = d.New - d.Old
	d.Noise = math.Abs(d.Z) < noiseZ
	whole := max(c.old.whole*c.old.per, c.new.whole*c.new.per)
	return d, d.Change != 0 && math.Abs(d.Change) >= leastChange*whole
}

// functions compares every function's cumulative weight.
func (c *comparison) functions() []Delta {
	type pair struct {
		values [2]int64
		fn     *Function
		class  frame.Class
	}
	pairs := map[string]*pair{}
	for i, v := range []*View{c.old.View, c.new.View} {
		for _, r := range v.Top(-1, ByCum, nil) {
			fn := &v.Functions[r.Func]
			if fn.Name == "" {
				continue
			}
			p := pairs[v.plain[r.Func]]
			if p == nil {
				p = &pair{}
				pairs[v.plain[r.Func]] = p
			}
			p.fn, p.class = fn, v.Class[r.Func]
			p.values[i] = addSaturated(p.values[i], r.Cum.Value)
		}
	}
	var all []Delta
	for _, p := range pairs {
		if d, ok := c.delta(p.values[0], p.values[1]); ok {
			d.Func, d.File, d.Class = p.fn.Name, p.fn.File, p.class
			all = append(all, d)
		}
	}
	all = ranked(all)
	c.lines(all)
	return all
}

// lines fills in each function's heaviest line of the new profile.
func (c *comparison) lines(all []Delta) {
	_, cum := c.new.weights(len(c.new.Frames), func(f int32) int32 { return f })
	heaviest := map[string]int64{}
	at := map[string]int{}
	for i := range all {
		at[all[i].Func] = i
	}
	for f, w := range cum {
		name := c.new.FuncAt(int32(f))
		if i, ok := at[name]; ok && (w.Value > heaviest[name]) {
			heaviest[name] = w.Value
			all[i].Line = int(c.new.Frames[f].Line)
		}
	}
}

// ranked orders by change, what grew most first, and keeps the ends of a long list.
func ranked(all []Delta) []Delta {
	slices.SortFunc(all, func(a, b Delta) int {
		return cmp.Or(cmp.Compare(b.Change, a.Change), cmp.Compare(a.Func, b.Func))
	})
	if n := len(all); n > maxDeltas {
		all = append(all[:maxDeltas/2:maxDeltas/2], all[n-maxDeltas/2:]...)
	}
	return all
}

// payers compares what the program's own functions pay, with their callers.
func (c *comparison) payers() []Delta {
	before, after := c.old.ownPayers(), c.new.ownPayers()
	var all []Delta
	for name := range union(before.byName, after.byName) {
		from, a, b := after, before.sum(name), after.sum(name)
		d, ok := c.delta(a.weight.Value, b.weight.Value)
		if !ok {
			continue
		}
		if len(b.lines) == 0 {
			from, b = before, a
		}
		p := from.payer(b)
		d.Frame, d.Class = p.Frame, p.Class
		if from == before {
			d.Line = 0
		}
		d.Callers = c.callers(before.callers[name], after.callers[name])
		all = append(all, d)
	}
	return ranked(all)
}

// union holds the keys of both maps.
func union[V any](a, b map[string]V) map[string]V {
	all := make(map[string]V, len(a)+len(b))
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

func (c *comparison) callers(before, after map[string]int64) []CallerDelta {
	var all []CallerDelta
	for name := range union(before, after) {
		d := CallerDelta{Function: name, Old: c.old.rate(before[name]), New: c.new.rate(after[name])}
		d.Change = d.New - d.Old
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b CallerDelta) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)), cmp.Compare(a.Function, b.Function))
	})
	return all[:min(len(all), maxCallerDeltas)]
}

// ownPayers is who pays for each stack of a whole profile, with their callers.
type ownPayers struct {
	*payers
	byName  map[string]int // of a group, into list
	callers map[string]map[string]int64
}

func (v *View) ownPayers() *ownPayers {
	o := &ownPayers{payers: newPayers(v), byName: map[string]int{}, callers: map[string]map[string]int64{}}
	for i := range v.Stacks {
		s := &v.Stacks[i]
		at := v.nearest(s.Frames, -1).payer()
		if at < 0 {
			continue
		}
		o.add(s, at)
		group := o.groups.names[o.groupOf(s.Frames[at])]
		for j := at + 1; j < len(s.Frames); j++ {
			caller := o.groups.names[o.groupOf(s.Frames[j])]
			if caller == group || !v.outside(s.Frames[j]) {
				continue
			}
			if o.callers[group] == nil {
				o.callers[group] = map[string]int64{}
			}
			o.callers[group][caller] = addSaturated(o.callers[group][caller], s.Values[v.Value])
			break
		}
	}
	for i := range o.list {
		o.byName[o.groups.names[o.list[i].group]] = i
	}
	return o
}

// sum is the sum of a group of functions, an empty one where there is none.
func (o *ownPayers) sum(group string) *payerSum {
	if i, ok := o.byName[group]; ok {
		return &o.list[i]
	}
	return &payerSum{}
}
