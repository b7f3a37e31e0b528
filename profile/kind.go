package profile

import (
	"math"
	"slices"
	"strings"
)

// kindOf derives a profile's kind and the value that its shares are of from its types: those of runtime/pprof, of
// fgprof (samples, time), and of converters that keep one type only. A mutex profile has the types of a block
// profile: conclude separates them. The last type is the value of a profile of no known kind, as pprof has it.
func kindOf(types []ValueType, period ValueType, preferred string) (kind Kind, value int) {
	at := func(names ...string) int {
		for _, name := range names {
			if i := slices.IndexFunc(types, func(t ValueType) bool { return t.Type == name }); i >= 0 {
				return i
			}
		}
		return -1
	}
	for _, named := range []struct {
		kind  Kind
		types []string
	}{
		{KindGoroutineLeak, []string{"goroutineleak"}}, {KindGoroutine, []string{"goroutine", "goroutines"}},
		{KindThreadCreate, []string{"threadcreate"}}, {KindBlock, []string{"delay", "contentions"}},
	} {
		if i := at(named.types...); i >= 0 {
			return named.kind, i
		}
	}
	inuse := at("inuse_space", "inuse_objects")
	if i := at("alloc_space", "alloc_objects"); i >= 0 && (strings.HasPrefix(preferred, "alloc_") || inuse < 0) {
		return KindAllocs, i
	}
	if inuse >= 0 {
		return KindHeap, inuse
	}
	if i := at("wall", "time"); i >= 0 {
		if types[i].Type == "wall" || at("samples") >= 0 || period.Type == "wallclock" {
			return KindWall, i
		}
	}
	if i := at("cpu"); i >= 0 {
		return KindCPU, i
	}
	if i := at("samples"); i >= 0 && period.Type == "cpu" {
		return KindCPU, i
	}
	if i := at(preferred); i >= 0 {
		return KindOther, i
	}
	return KindOther, max(0, len(types)-1)
}

// TypeIndex is the index of a sample type in Types, -1 where the profile has none of that name.
func (p *Profile) TypeIndex(name string) int {
	return slices.IndexFunc(p.Types, func(t ValueType) bool { return t.Type == name })
}

// As returns the profile seen as another kind that it holds too: a heap profile as KindAllocs, an allocs profile as
// KindHeap. It shares everything with p but the stacks' number of samples, which it estimates anew. False where p
// doesn't hold that kind.
func (p *Profile) As(kind Kind) (*Profile, bool) {
	if p.Kind == kind {
		return p, true
	}
	if p.Kind != KindHeap && p.Kind != KindAllocs || kind != KindHeap && kind != KindAllocs {
		return nil, false
	}
	prefix := "inuse_"
	if kind == KindAllocs {
		prefix = "alloc_"
	}
	value := p.TypeIndex(prefix + "space")
	if value < 0 {
		value = p.TypeIndex(prefix + "objects")
	}
	if value < 0 {
		return nil, false
	}
	q := *p
	q.Kind, q.Value = kind, value
	count := newSampleCount(&q)
	q.Stacks = slices.Clone(p.Stacks)
	for i := range q.Stacks {
		q.Stacks[i].Samples = count.of(q.Stacks[i].Values)
	}
	q.deriveFromStacks()
	return &q, true
}

// A sampleCount derives the number of samples behind a sample's values.
type sampleCount struct {
	index   int     // of the type that counts them, -1
	objects int     // of the type that counts objects, for space; -1
	value   int     // of the value
	period  int64   // nanoseconds between two samples, where there is nothing else
	rate    float64 // bytes between two samples of a heap profile
}

// defaultPeriod is runtime/pprof's, in nanoseconds: 100 samples a second of CPU time.
const defaultPeriod = 10_000_000

func newSampleCount(p *Profile) sampleCount {
	c := sampleCount{index: -1, objects: -1, value: p.Value}
	if p.Value >= len(p.Types) {
		return c
	}
	switch p.Kind {
	case KindCPU, KindWall, KindOther:
		if c.index = p.TypeIndex("samples"); c.index < 0 {
			c.index = p.TypeIndex("sample")
		}
		if c.index < 0 && p.Types[p.Value].Unit == "nanoseconds" {
			// Converters write a period of a second beside values of some 10 ms, or of 1.
			if c.period = p.Period; c.period < defaultPeriod/100 || c.period > defaultPeriod*50 {
				c.period = defaultPeriod
			}
		}
	case KindMutex, KindBlock:
		c.index = p.TypeIndex("contentions")
	case KindHeap, KindAllocs:
		c.objects = p.TypeIndex(strings.TrimSuffix(p.Types[p.Value].Type, "space") + "objects")
		c.rate = float64(p.Period)
	default:
		c.index = p.Value
	}
	return c
}

// of is at least 1 where the value is above 0, and 0 where it is not. The runtime takes a heap sample of size s with
// the probability 1-exp(-s/rate) and writes the estimate (runtime/pprof/protomem.go, scaleHeapSample): this undoes it.
func (c *sampleCount) of(values []int64) int64 {
	if c.value >= len(values) || values[c.value] <= 0 && (c.index < 0 || values[c.index] <= 0) {
		return 0
	}
	v := values[c.value]
	switch {
	case c.index >= 0:
		return max(1, values[c.index])
	case c.period > 0:
		return max(1, v/c.period)
	case c.objects >= 0 && c.objects != c.value && values[c.objects] > 0 && c.rate > 1:
		n := float64(values[c.objects])
		return max(1, int64(math.Round(n*(1-math.Exp(-float64(v)/n/c.rate)))))
	}
	return 1
}

// chanceUnseen is the part that chance has in a heap's sample: the probability that an object of its size isn't
// sampled. 1 for what isn't sampled by size.
func (c *sampleCount) chanceUnseen(values []int64) float64 {
	if c.objects < 0 || c.objects == c.value || c.rate <= 1 || values[c.objects] == 0 {
		return 1
	}
	return math.Exp(-math.Abs(float64(values[c.value])/float64(values[c.objects])) / c.rate)
}

// derive works out what depends on the whole profile.
func (p *Profile) derive() {
	p.leaveOutBase()
	p.Runtime = runtimeOf(p)
	if p.Kind == KindBlock && p.unlocks() {
		p.Kind = KindMutex
	}
	if p.Runtime != "" && p.Runtime != RuntimeGo {
		p.Kind = KindOther
	}
	if p.Runtime == RuntimeGo {
		p.Go = releaseOf(p)
	}
	p.deriveFromStacks()
}

// baseLabel marks the samples that `go tool pprof -diff_base` subtracted from the others, with negative values
// (pprof's internal/driver: "pprof::base").
const baseLabel = "pprof::base: true"

// leaveOutBase drops the samples of the base from a difference: what is left is the newer profile as it was.
func (p *Profile) leaveOutBase() {
	n := len(p.Stacks)
	p.Stacks = slices.DeleteFunc(p.Stacks, func(s Stack) bool { return slices.Contains(p.Labels[s.Label], baseLabel) })
	if p.Difference = len(p.Stacks) < n; p.Difference {
		for i, set := range p.Labels {
			p.Labels[i] = slices.DeleteFunc(set, func(pair string) bool { return pair == baseLabel })
		}
	}
}

// deriveFromStacks fills in what depends on the stacks and their value.
func (p *Profile) deriveFromStacks() {
	limit := depthLimit(p)
	allNamed := !slices.ContainsFunc(p.Functions, func(fn Function) bool { return fn.Name == "" })
	var all, nameless, cut float64
	for i := range p.Stacks {
		s := &p.Stacks[i]
		s.Cut = limit > 0 && len(s.Frames) >= limit
		v := math.Abs(float64(s.Values[p.Value]))
		all += v
		if s.Cut {
			cut += v
		}
		if allNamed {
			continue
		}
		n := 0
		for _, f := range s.Frames {
			if p.Functions[p.Frames[f].Func].Name == "" {
				n++
			}
		}
		if 2*n > len(s.Frames) {
			nameless += v
		}
	}
	p.Unsymbolized, p.Truncated = 0, 0
	// The runtime starts most threads on stacks of its own and leaves theirs empty: no names are missing there.
	if all > 0 && p.Kind != KindThreadCreate {
		p.Unsymbolized, p.Truncated = nameless/all, cut/all
	}
}

// unlocks reports whether a profile of contentions is one of mutexes: its stacks lead to the end of a critical section
// (sync.(*Mutex).Unlock, runtime.unlock), a block profile's to the beginning of a wait.
func (p *Profile) unlocks() bool {
	var yes, no int64
	for i := range p.Stacks {
		s := &p.Stacks[i]
		found := slices.ContainsFunc(s.Frames[:min(len(s.Frames), 4)], func(f int32) bool {
			name := p.Functions[p.Frames[f].Func].Name
			return strings.HasSuffix(name, "nlock") || hasPrefix(name, "runtime.unlock", "runtime._LostContended")
		})
		if found {
			yes = addSaturated(yes, max(1, s.Samples))
		} else {
			no = addSaturated(no, max(1, s.Samples))
		}
	}
	return yes > no
}

// depthLimit is the number of frames at which the runtime cut this profile's stacks, 0 where it cut none. CPU stacks
// end at 64 frames (runtime.maxCPUProfStack); others ended at 32 until Go 1.22 and end at 128 since 1.23 (GODEBUG's
// profstackdepth, at most 1,024). Calls inlined into the outermost frame come on top: 2 were the most in 150 profiles,
// 4 are allowed for. A profile whose deepest stack lies between two limits isn't cut.
func depthLimit(p *Profile) int {
	const inlined = 4
	if p.Runtime != RuntimeGo {
		return 0
	}
	deepest := 0
	for i := range p.Stacks {
		deepest = max(deepest, len(p.Stacks[i].Frames))
	}
	for _, limit := range []int{32, 64, 128, 1024} {
		if limit <= deepest && deepest <= limit+inlined && (limit == 64) == (p.Kind == KindCPU) {
			return limit
		}
	}
	return 0
}
