package profile

import (
	"cmp"
	"fmt"
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
	// Dispatches reports a function that runs code of the program for most of its value, and is none of it.
	Dispatches bool
	// Callers are the functions that call it, those whose part changed most first.
	Callers []CallerDelta
}

// A CallerDelta is the change that comes from a caller.
type CallerDelta struct {
	Function         string
	Class            frame.Class
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
	if a, b := before.ValueType(), after.ValueType(); a != b {
		return nil, fmt.Errorf("compare profiles: the first counts %s in %s, the second %s in %s",
			a.Type, a.Unit, b.Type, b.Unit)
	}
	c := newComparison(before, after)
	d := &Diff{
		Kind: after.Kind, Rate: c.rate, Unit: after.ValueType().Unit,
		Old: c.old.rate(before.All.Value), New: c.new.rate(after.All.Value),
		OtherBuild: before.BuildID != "" && after.BuildID != "" && before.BuildID != after.BuildID,
	}
	d.Functions = c.deltas((*changes).functions)
	d.Payers = c.deltas((*changes).payers)
	return d, nil
}

// ValueType is what the profile's value counts, the zero one where it has no types.
func (p *Profile) ValueType() ValueType {
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
	case after.Kind == KindCPU || after.Kind == KindWall || before.totalSize == 0 && after.totalSize == 0:
		c.rate = RateShare
		per = func(v *View) float64 { return quotient(1, v.totalSize) }
	default:
		c.rate = RateTotal
	}
	c.old = side{before, per(before), quotient(before.totalSize, before.effectiveSamples)}
	c.new = side{after, per(after), quotient(after.totalSize, after.effectiveSamples)}
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
func (c *comparison) zScore(before, after int64) float64 {
	a, b := c.old.rate(before), c.new.rate(after)
	variance := c.old.variance(before) + c.new.variance(after)
	if c.rate == RateShare {
		n, m := c.old.effectiveSamples, c.new.effectiveSamples
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
	d := Delta{Old: c.old.rate(before), New: c.new.rate(after), Z: c.zScore(before, after)}
	d.Change = d.New - d.Old
	d.Noise = math.Abs(d.Z) < noiseZ
	whole := max(c.old.totalSize*c.old.per, c.new.totalSize*c.new.per)
	return d, d.Change != 0 && math.Abs(d.Change) >= leastChange*whole
}

// A change is a function's values in both profiles, where it is, and who calls it.
type change struct {
	values     [2]int64
	dispatched [2]int64        // the parts below which code of the program runs
	lines      map[int32]int64 // by frame of the newest profile that has it
	newest     int             // that profile
	stack      int             // the last one that was counted
	callers    map[string]*callerChange
}

type callerChange struct {
	class  frame.Class
	values [2]int64
}

// changes are those of the functions of two profiles, by names that builds share. side is the profile under way, stack
// the number of its stacks that were counted.
type changes struct {
	*View
	side, stack int
	of          map[string]*change
}

// add counts a stack for the function of its frame at, which the frame up calls; -1 for none.
func (c *changes) add(name string, s *Stack, at, up int, caller string) *change {
	x := c.of[name]
	if x == nil {
		x = &change{callers: map[string]*callerChange{}}
		c.of[name] = x
	}
	if x.lines == nil || x.newest != c.side {
		x.lines, x.newest = map[int32]int64{}, c.side
	}
	v := s.Values[c.Value]
	x.values[c.side] = addSaturated(x.values[c.side], v)
	x.lines[s.Frames[at]] = addSaturated(x.lines[s.Frames[at]], v)
	if caller == "" {
		return x
	}
	by := x.callers[caller]
	if by == nil {
		by = &callerChange{}
		x.callers[caller] = by
	}
	by.class, by.values[c.side] = c.ClassAt(s.Frames[up]), addSaturated(by.values[c.side], v)
	return x
}

// functions counts each function of a stack, at its outermost frame, so that recursion counts once.
func (c *changes) functions(s *Stack) {
	c.stack++
	own := slices.IndexFunc(s.Frames, func(f int32) bool { return c.ClassAt(f) == frame.ClassOwn })
	caller := ""
	for at, f := range slices.Backward(s.Frames) {
		name := c.plain[c.Frames[f].Func]
		if x := c.of[name]; name != "" && (x == nil || x.stack != c.stack) {
			x = c.add(name, s, at, at+1, caller)
			x.stack = c.stack
			if own >= 0 && own < at && c.ClassAt(f) != frame.ClassOwn {
				x.dispatched[c.side] = addSaturated(x.dispatched[c.side], s.Values[c.Value])
			}
		}
		caller = name
	}
}

// payers counts who pays for a stack, and who of the program or a dependency calls that.
func (c *changes) payers(s *Stack) {
	at := c.Payer(s.Frames)
	if at < 0 {
		return
	}
	groups := c.groups()
	nameOf := func(f int32) string { return groups.names[groups.of[c.Frames[f].Func]] }
	name := nameOf(s.Frames[at])
	for up := at + 1; up < len(s.Frames); up++ {
		if caller := nameOf(s.Frames[up]); caller != name && c.ofProgram(s.Frames[up]) {
			c.add(name, s, at, up, caller)
			return
		}
	}
	c.add(name, s, at, 0, "")
}

// deltas are the changes that matter of what count adds up, what grew most first. Of a long list the ends are kept.
func (c *comparison) deltas(count func(*changes, *Stack)) []Delta {
	all := changes{of: map[string]*change{}}
	for side, v := range []*View{c.old.View, c.new.View} {
		all.View, all.side = v, side
		for i := range v.Stacks {
			if v.Stacks[i].Values[v.Value] != 0 {
				count(&all, &v.Stacks[i])
			}
		}
	}
	var deltas []Delta
	for _, x := range all.of {
		d, ok := c.delta(x.values[0], x.values[1])
		if !ok {
			continue
		}
		c.locate(&d, x)
		d.Dispatches = 2*(c.old.rate(x.dispatched[0])+c.new.rate(x.dispatched[1])) > d.Old+d.New
		for name, by := range x.callers {
			from := CallerDelta{name, by.class, c.old.rate(by.values[0]), c.new.rate(by.values[1]), 0}
			from.Change = from.New - from.Old
			d.Callers = append(d.Callers, from)
		}
		slices.SortFunc(d.Callers, func(a, b CallerDelta) int {
			return cmp.Or(cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)), cmp.Compare(a.Function, b.Function))
		})
		d.Callers = d.Callers[:min(len(d.Callers), maxCallerDeltas)]
		deltas = append(deltas, d)
	}
	slices.SortFunc(deltas, func(a, b Delta) int {
		return cmp.Or(cmp.Compare(b.Change, a.Change), cmp.Compare(a.Func, b.Func))
	})
	if n := len(deltas); n > maxDeltas {
		deltas = append(deltas[:maxDeltas/2:maxDeltas/2], deltas[n-maxDeltas/2:]...)
	}
	return deltas
}

// locate fills in a function's heaviest line.
func (c *comparison) locate(d *Delta, x *change) {
	v, best := []*View{c.old.View, c.new.View}[x.newest], int32(-1)
	for f, value := range x.lines {
		if best < 0 || value > x.lines[best] || value == x.lines[best] && f < best {
			best = f
		}
	}
	d.Frame, d.Class = v.At(best), v.ClassAt(best)
	if x.newest == 0 {
		d.Line = 0
	}
}
