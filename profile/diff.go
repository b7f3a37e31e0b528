package profile

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gotriage/triage/internal/frame"
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
	Location         // its heaviest line in the new profile, 0 for one that is gone
	Class            Class
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
		Old: c.old(before.All.Value), New: c.new(after.All.Value),
	}
	d.OtherBuild = otherBuild(before.Profile, after.Profile)
	d.Functions = c.functions()
	d.Payers = c.payers()
	return d, nil
}

// otherBuild reports whether two profiles are surely of different builds of a program.
func otherBuild(a, b *Profile) bool {
	return a.BuildID != "" && b.BuildID != "" && a.BuildID != b.BuildID
}

func (p *Profile) valueType() ValueType {
	if p.Value < len(p.Types) {
		return p.Types[p.Value]
	}
	return ValueType{}
}

// A comparison holds how values become rates.
type comparison struct {
	before, after    *View
	rate             Rate
	perOld, perNew   float64 // a rate's part for one unit of value
	unitOld, unitNew float64 // the value of one effective sample
}

func newComparison(before, after *View) *comparison {
	c := &comparison{before: before, after: after, perOld: 1, perNew: 1}
	timed := before.Duration > 0 && after.Duration > 0
	isTime := after.Seconds(1) > 0
	switch {
	case after.Kind == KindHeap, after.Kind == KindGoroutine, after.Kind == KindGoroutineLeak,
		after.Kind == KindThreadCreate:
		c.rate = RateAmount
	case timed && isTime:
		c.rate = RateCores
		c.perOld = before.Seconds(1e9) / 1e9 / before.Duration.Seconds()
		c.perNew = after.Seconds(1e9) / 1e9 / after.Duration.Seconds()
	case timed:
		c.rate = RatePerSecond
		c.perOld, c.perNew = 1/before.Duration.Seconds(), 1/after.Duration.Seconds()
	case after.Kind == KindCPU || after.Kind == KindWall || before.whole == 0 && after.whole == 0:
		c.rate = RateShare
	default:
		c.rate = RateTotal
	}
	if c.rate == RateShare {
		c.perOld, c.perNew = inverse(before.whole), inverse(after.whole)
	}
	c.unitOld, c.unitNew = before.perSample(), after.perSample()
	return c
}

func inverse(n float64) float64 {
	if n == 0 {
		return 0
	}
	return 1 / n
}

// perSample is the value of one effective sample.
func (v *View) perSample() float64 {
	if v.effective == 0 {
		return 0
	}
	return v.whole / v.effective
}

func (c *comparison) old(value int64) float64 { return float64(value) * c.perOld }
func (c *comparison) new(value int64) float64 { return float64(value) * c.perNew }

// z is the change in standard errors. A count of none may have been one or two by chance: one is added to each.
func (c *comparison) z(before, after int64) float64 {
	a, b := c.old(before), c.new(after)
	var variance float64
	if c.rate == RateShare {
		n, m := c.before.effective, c.after.effective
		if n == 0 || m == 0 {
			return 0
		}
		p := (a*n + b*m + 1) / (n + m + 2)
		variance = p * (1 - p) * (1/n + 1/m)
	} else {
		ua, ub := c.unitOld*c.perOld, c.unitNew*c.perNew
		variance = ua*ua*(count(before, c.unitOld)+1) + ub*ub*(count(after, c.unitNew)+1)
	}
	if variance <= 0 {
		return 0
	}
	return (b - a) / math.Sqrt(variance)
}

func count(value int64, unit float64) float64 {
	if unit == 0 {
		return 0
	}
	return max(0, float64(value)/unit)
}

func (c *comparison) delta(before, after int64) Delta {
	d := Delta{Old: c.old(before), New: c.new(after), Z: c.z(before, after)}
	d.Change = d.New - d.Old
	d.Noise = math.Abs(d.Z) < noiseZ
	return d
}

// functions compares every function's cumulative weight.
func (c *comparison) functions() []Delta {
	type pair struct {
		before, after int64
		fn            *Function
		class         Class
	}
	pairs := map[string]*pair{}
	collect := func(v *View, pick func(*pair) *int64) {
		for _, r := range v.Top(-1, ByCum, nil) {
			fn := &v.Functions[r.Func]
			if fn.Name == "" {
				continue
			}
			name := frame.PlainName(fn.Name)
			p := pairs[name]
			if p == nil {
				p = &pair{}
				pairs[name] = p
			}
			p.fn, p.class = fn, v.Class[r.Func]
			into := pick(p)
			*into = addSaturated(*into, r.Cum.Value)
		}
	}
	collect(c.before, func(p *pair) *int64 { return &p.before })
	collect(c.after, func(p *pair) *int64 { return &p.after })
	var all []Delta
	for _, p := range pairs {
		if d := c.delta(p.before, p.after); c.matters(d) {
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
	_, cum := c.after.weights(len(c.after.Frames), func(f int32) int32 { return f })
	heaviest := map[string]int64{}
	at := map[string]int{}
	for i := range all {
		at[all[i].Func] = i
	}
	for f, w := range cum {
		name := c.after.FuncAt(int32(f))
		if i, ok := at[name]; ok && (w.Value > heaviest[name]) {
			heaviest[name] = w.Value
			all[i].Line = int(c.after.Frames[f].Line)
		}
	}
}

func (c *comparison) matters(d Delta) bool {
	whole := max(c.before.whole*c.perOld, c.after.whole*c.perNew)
	return d.Change != 0 && math.Abs(d.Change) >= leastChange*whole
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
	before, after := c.before.ownPayers(), c.after.ownPayers()
	names := maps.Clone(before.byName)
	maps.Copy(names, after.byName)
	var all []Delta
	for name := range names {
		a, b := before.sum(name), after.sum(name)
		d := c.delta(a.weight.Value, b.weight.Value)
		if !c.matters(d) {
			continue
		}
		from := after
		if len(b.lines) == 0 {
			from, b = before, a
		}
		p := from.payer(b)
		d.Location, d.Class = p.Location, p.Class
		if from == before {
			d.Line = 0
		}
		d.Callers = c.callers(before.callers[name], after.callers[name])
		all = append(all, d)
	}
	return ranked(all)
}

func (c *comparison) callers(before, after map[string]int64) []CallerDelta {
	names := maps.Clone(before)
	if names == nil {
		names = map[string]int64{}
	}
	maps.Copy(names, after)
	var all []CallerDelta
	for name := range names {
		d := CallerDelta{Function: name, Old: c.old(before[name]), New: c.new(after[name])}
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
