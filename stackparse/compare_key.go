package stackparse

import (
	"slices"

	"github.com/gotriage/triage/internal/frame"
)

// FuncKey is the key of dumps of different builds: a stack by its functions alone, so that lines may have moved, and
// whatever lies between the ends of a stack that was cut. The functions of package sync and the runtime at the leaf,
// which differ from release to release (sync.(*Mutex).lockSlow is in internal/sync since 1.24), count as what they
// wait for.
func FuncKey(b *Bucket) uint64 {
	h := fnv(fnvOffset, string(b.Class))
	inner, outer := splitElided(b.Frames, withoutStart(b.Frames, b.Shown, b.CreatedBy))
	for len(inner) > 1 && frame.WaitsForOthers(b.Frames[inner[0]].Func) {
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
