package profile

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/stackparse/frame"
)

// A View is a profile with what every question about it needs, worked out in one pass: the class of each function, and
// its weight. A View isn't changed once it is made.
type View struct {
	*Profile
	Program frame.Program
	// Class and Framework are by function.
	Class     []frame.Class
	Framework []bool
	// All is the weight of the whole profile.
	All Weight

	guilt            []guilt
	same             []int32  // the first function of this function's name
	plain            []string // by function, see symbol.PlainName
	flat, cum        []Weight
	totalSize        float64 // the sum of the values' sizes, what shares are of
	effectiveSamples float64

	// Worked out when a Blame asks first.
	groups     func() functionGroups
	entryRoles func() []entryRole
}

// A Weight is a part of a profile: its value, and the samples it rests on.
type Weight struct {
	Value, Samples int64
}

func (w *Weight) add(s *Stack, value int) {
	w.Value = addSaturated(w.Value, s.Values[value])
	w.Samples = addSaturated(w.Samples, s.Samples)
}

// NewView infers the program from the profile's own frames; see frame.InferProgram for own.
func NewView(p *Profile, own ...string) *View {
	return NewViewOf(p, frame.InferProgram(func(yield func(frame.Frame) bool) {
		for i := range p.Functions {
			if !yield(frame.Frame{Func: p.Functions[i].Name, File: p.Functions[i].File}) {
				return
			}
		}
	}, own...))
}

// NewViewOf is NewView for a program that is known: from a dump of the same process, or from another profile of it.
func NewViewOf(p *Profile, program frame.Program) *View {
	v := &View{Profile: p, Program: program}
	n := len(p.Functions)
	v.Class, v.Framework, v.same, v.plain = make([]frame.Class, n), make([]bool, n), make([]int32, n), make([]string, n)
	v.guilt = make([]guilt, n)
	first := make(map[string]int32, n)
	for i := range p.Functions {
		fn := &p.Functions[i]
		f := frame.Frame{Func: fn.Name, File: fn.File}
		v.Class[i], v.Framework[i], _ = program.Look(f)
		j, ok := first[fn.Name]
		if !ok {
			j = int32(i)
			first[fn.Name] = j
		}
		v.same[i] = j
		v.guilt[i] = guiltOf(v.Class[i], v.Framework[i], fn.Name != "")
		v.plain[i] = symbol.PlainName(fn.Name)
	}
	v.groups = sync.OnceValue(func() functionGroups { return functionGroupsOf(v) })
	v.entryRoles = sync.OnceValue(func() []entryRole { return entryRolesOf(v) })
	v.addWeights()
	return v
}

// addWeights adds up the whole and every function's part of it.
func (v *View) addWeights() {
	v.flat, v.cum = v.weights(len(v.Functions), func(f int32) int32 { return v.same[v.Frames[f].Func] })
	count := newSampleCount(v.Profile)
	var squares float64
	for i := range v.Stacks {
		s := &v.Stacks[i]
		v.All.add(s, v.Value)
		x := math.Abs(float64(s.Values[v.Value]))
		v.totalSize += x
		if x > 0 {
			squares += count.chanceUnseen(s.Values) * x * x / float64(max(1, s.Samples))
		}
	}
	if v.totalSize > 0 {
		v.effectiveSamples = min(v.totalSize*v.totalSize/max(squares, 1), maxEffective)
	}
}

// maxEffective is what a profile is worth in which chance has no part.
const maxEffective = 1e9

// Same returns the first function of fn's name: functions of one name in several files are one.
func (v *View) Same(fn int32) int32 { return v.same[fn] }

// Plain returns a function's name without what differs between builds: type arguments, major version, vendor folder.
func (v *View) Plain(fn int32) string { return v.plain[fn] }

// Share is a weight's part of the whole, 0 to 1. A delta of heap profiles holds negative values: the whole is the sum
// of their sizes, as pprof has it, and a share may be below 0.
func (v *View) Share(w Weight) float64 {
	if v.totalSize == 0 {
		return 0
	}
	return float64(w.Value) / v.totalSize
}

// LowerBound is the share that w has at least, by the lower end of the 95% Wilson interval. Of CPU profiles every
// sample counts the same. Where samples differ in value (bytes, delays) it counts as many as would be worth as much if
// they were equal: (sum of x)²/sum of x² (Kish's effective sample size). Of a heap's objects each counts by the chance
// of not having been sampled: one that is much larger than the sampling rate is there for sure.
func (v *View) LowerBound(w Weight) float64 {
	return Wilson(v.Share(w)*v.effectiveSamples, v.effectiveSamples)
}

// EffectiveSamples is how many equal samples the profile is worth, see LowerBound.
func (v *View) EffectiveSamples() float64 { return v.effectiveSamples }

// ClassAt returns the class of a frame's function.
func (v *View) ClassAt(f int32) frame.Class { return v.Class[v.Frames[f].Func] }

// FuncAt returns the name of a frame's function.
func (v *View) FuncAt(f int32) string { return v.Functions[v.Frames[f].Func].Name }

// A guilt orders functions by how far they can be blamed.
type guilt uint8

const (
	guiltNone       guilt = iota // of the runtime, the standard library and C, or without a name
	guiltFramework               // only where there is nothing else
	guiltDependency              // a dependency's that is no framework
	guiltOwn
)

func guiltOf(class frame.Class, framework, named bool) guilt {
	switch {
	case class.Standard() || !named:
		return guiltNone
	case framework:
		return guiltFramework
	case class == frame.ClassOwn:
		return guiltOwn
	}
	return guiltDependency
}

// guilty reports whether a frame can be blamed before all others: it is neither of the runtime, the standard library
// and C, nor a framework's.
func (v *View) guilty(f int32) bool { return v.guilt[v.Frames[f].Func] >= guiltDependency }

// ofProgram reports whether a frame is named and lies outside the runtime, the standard library and C.
func (v *View) ofProgram(f int32) bool { return v.guilt[v.Frames[f].Func] != guiltNone }

// An Order is what functions are ranked by.
type Order bool

// The orders.
const (
	ByFlat Order = false
	ByCum  Order = true
)

// A Ranked is a function of a top list.
type Ranked struct {
	Func      int32 // index into Functions
	Flat, Cum Weight
}

// Top returns the n functions of most weight, all for n < 0, of those that keep wants; a nil keep wants all.
// Functions of one name are one, as pprof has it. Equal ones are in the order of their names.
func (v *View) Top(n int, by Order, keep func(*Ranked) bool) []Ranked {
	var all []Ranked
	for i := range v.Functions {
		if v.same[i] != int32(i) || v.cum[i] == (Weight{}) {
			continue
		}
		if r := (Ranked{Func: int32(i), Flat: v.flat[i], Cum: v.cum[i]}); keep == nil || keep(&r) {
			all = append(all, r)
		}
	}
	key := func(r *Ranked) int64 { return r.Flat.Value }
	if by == ByCum {
		key = func(r *Ranked) int64 { return r.Cum.Value }
	}
	return firstOf(all, n, func(a, b *Ranked) int {
		if c := cmp.Or(cmp.Compare(key(b), key(a)), cmp.Compare(b.Cum.Value, a.Cum.Value)); c != 0 {
			return c
		}
		return cmp.Compare(v.Functions[a.Func].Name, v.Functions[b.Func].Name)
	})
}

// firstOf sorts all and cuts it to n, all for n < 0; few of many are picked without sorting the others.
func firstOf[T any](all []T, n int, compare func(a, b *T) int) []T {
	if n < 0 || n > len(all) {
		n = len(all)
	}
	if len(all) < 2*n {
		slices.SortFunc(all, func(a, b T) int { return compare(&a, &b) })
		return all[:n]
	}
	first := make([]T, 0, n)
	for i := range all {
		if len(first) == n {
			if n == 0 || compare(&all[i], &first[n-1]) >= 0 {
				continue
			}
			first = first[:n-1]
		}
		at, _ := slices.BinarySearchFunc(first, &all[i], func(x T, y *T) int { return compare(&x, y) })
		first = slices.Insert(first, at, all[i])
	}
	return first
}

// A Hit is a stack of a selection with the innermost and the outermost frame that matched: positions in the stack's
// frames. Where none did, the whole stack is meant: Inner is 0 and Outer -1.
type Hit struct {
	Stack        int32
	Inner, Outer int32
}

// A Selection is stacks of a profile, in its order.
type Selection struct {
	View   *View
	Hits   []Hit
	Weight Weight
}

// Select returns the stacks that pick chooses, with their innermost and outermost matched frames.
func (v *View) Select(pick func(i int, s *Stack) (inner, outer int, ok bool)) *Selection {
	sel := &Selection{View: v}
	for i := range v.Stacks {
		if inner, outer, ok := pick(i, &v.Stacks[i]); ok {
			sel.add(Hit{Stack: int32(i), Inner: int32(inner), Outer: int32(outer)})
		}
	}
	return sel
}

// Part returns the stacks of a selection that keep wants.
func (s *Selection) Part(keep func(h Hit, s *Stack) bool) *Selection {
	part := &Selection{View: s.View}
	for _, h := range s.Hits {
		if keep(h, &s.View.Stacks[h.Stack]) {
			part.add(h)
		}
	}
	return part
}

func (s *Selection) add(h Hit) {
	s.Hits = append(s.Hits, h)
	s.Weight.add(&s.View.Stacks[h.Stack], s.View.Value)
}
