package stackparse

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
)

// FuncKey is the key of dumps of different builds: a stack by its functions alone, so that lines may have moved, and
// whatever lies between the ends of a stack that was cut. The functions of package sync and the runtime at the leaf,
// which differ from release to release (sync.(*Mutex).lockSlow is in internal/sync since 1.24), count as what they
// wait for.
func FuncKey(b *Bucket) uint64 {
	h := fnv(fnvOffset, string(b.Class))
	inner, outer := splitElided(b.Frames, withoutStart(b.Frames, b.Shown, b.CreatedBy))
	for len(inner) > 1 && symbol.WaitsForOthers(b.Frames[inner[0]].Func) {
		inner = inner[1:]
	}
	for _, i := range inner {
		h = fnv(h, b.Frames[i].Func)
	}
	if outer != nil {
		h = (h ^ 1) * fnvPrime
		for _, i := range outer {
			h = fnv(h, b.Frames[i].Func)
		}
	}
	if b.CreatedBy != nil {
		h = (h ^ 3) * fnvPrime
		h = fnv(h, b.CreatedBy.Func)
	}
	return h
}

// BareKey is StackKey without the creator, for dumps of one build of which one has counted stacks: those name none.
func BareKey(b *Bucket) uint64 { return stackKey(b.Frames, b.Shown, nil) }

// BareFuncKey is BareKey for different builds.
func BareFuncKey(b *Bucket) uint64 {
	bare := Bucket{Frames: b.Frames, Shown: b.Shown}
	return FuncKey(&bare)
}

// sameBuildShare is how many in ten of the stacks that two dumps share by their functions must have equal lines for
// one build. Chosen between what was seen: in dumps of one build all have, but for functions that wait in two places;
// a build with one changed package moves the lines of that package's stacks alone, and one by another Go release
// nearly all.
const sameBuildShare = 9

// SameBuild reports whether two lists of stacks may be of the same build: those of the same functions have the same
// lines. Lists without a stack in common may be of one too.
func SameBuild(a, b []*Bucket) bool {
	lines, funcs := map[uint64]bool{}, map[uint64]bool{}
	for _, x := range a {
		lines[BareKey(x)] = true
		funcs[BareFuncKey(x)] = true
	}
	common, equal := 0, 0
	for _, x := range b {
		switch {
		case lines[BareKey(x)]:
			equal++
			common++
		case funcs[BareFuncKey(x)]:
			common++
		}
	}
	return 10*equal >= sameBuildShare*common
}

// SameStarts reports whether two lists of stacks may be of one build by their starts: wherever both know a function
// that another one starts, they agree on a line with its `go` statement. Unlike the lines that goroutines are in, which
// change while they run, those of one process can't differ, unless one function starts another in two places.
func SameStarts(a, b []*Bucket) bool {
	lines := starts(a)
	for s, there := range starts(b) {
		here := lines[s]
		if len(here) > 0 && !slices.ContainsFunc(there, func(line int) bool { return slices.Contains(here, line) }) {
			return false
		}
	}
	return true
}

// A start is a pair of functions: the first starts the second.
type start struct{ creator, entry string }

// maxStarts is how many lines of a start are kept. Chosen: no function starts another in as many places.
const maxStarts = 16

func starts(all []*Bucket) map[start][]int {
	lines := map[start][]int{}
	for _, b := range all {
		if b.CreatedBy == nil || len(b.Shown) == 0 {
			continue
		}
		s := start{b.CreatedBy.Func, b.Frames[b.Shown[len(b.Shown)-1]].Func}
		if l := lines[s]; len(l) < maxStarts && !slices.Contains(l, b.CreatedBy.Line) {
			lines[s] = append(l, b.CreatedBy.Line)
		}
	}
	return lines
}

// NewBucket makes the bucket of a stack that was read from a report or another source than a dump's text: count
// goroutines of which ids are known, or none.
func NewBucket(frames []Frame, created *Frame, class Class, count int, goroutines []Goroutine) *Bucket {
	shown := shownFrames(frames)
	return &Bucket{
		Frames: frames, Shown: shown, CreatedBy: created, Class: class, Count: count, Goroutines: goroutines,
		Key: stackKey(frames, shown, created),
	}
}

// A count that comes of independent arrivals and departures goes up by chance as often as down. Of C goroutines that
// came or went, the difference between comings and goings has the standard deviation sqrt(C) (Skellam's distribution:
// the difference of two Poisson counts). Where dumps contain ids, C is counted, so that a pool of 1,000 that nobody
// leaves shows 12 more; where they don't, all may have come and gone, and C is the sum of both counts.
const (
	// noiseTwo: three standard deviations, one bucket in 740 by chance.
	noiseTwo = 3
	// noiseMany: two, where three or more dumps never show less than the one before and twice or more show more: one
	// in 44, and of three counts in random order one in six goes up all the way.
	noiseMany = 2
)

// trend returns how a row's count changes from the first to the last dump.
func (c *Comparison) trend(r *Row) Trend {
	n := len(c.Dumps)
	if c.Cut {
		return TrendUnknown
	}
	counts := r.Counts(n)
	first, last := counts[0], counts[n-1]
	switch {
	case first == 0 && last > 0:
		return TrendNew
	case first > 0 && last == 0:
		return TrendGone
	case last > first && c.beyondNoise(r, counts, last-first, 1):
		return TrendGrew
	case last < first && c.beyondNoise(r, counts, first-last, -1):
		return TrendShrank
	}
	return TrendSteady
}

// beyondNoise reports whether a change by net, upwards (sign 1) or downwards (-1), is more than coming and going
// explains.
func (c *Comparison) beyondNoise(r *Row, counts []int, net, sign int) bool {
	bound := noiseTwo
	if monotone(counts, sign) {
		bound = noiseMany
	}
	return net*net > bound*bound*c.turnover(r, counts)
}

// turnover is how many goroutines came to the row or left it, all steps together; of goroutines without ids as many
// as can have.
func (c *Comparison) turnover(r *Row, counts []int) int {
	if !c.Identified {
		return counts[0] + counts[len(counts)-1]
	}
	n := 0
	for i, stayed := range r.Stays(len(counts)) {
		n += counts[i] + counts[i+1] - 2*stayed
	}
	return n
}

// monotone reports whether counts never go against sign, and go with it at least twice.
func monotone(counts []int, sign int) bool {
	steps := 0
	for i := 1; i < len(counts); i++ {
		switch d := (counts[i] - counts[i-1]) * sign; {
		case d < 0:
			return false
		case d > 0:
			steps++
		}
	}
	return steps >= 2
}

// Grows reports whether a row's count never falls from dump to dump and rises in two steps or more: what chance
// seldom does.
func (r *Row) Grows(dumps int) bool { return monotone(r.Counts(dumps), 1) }
