package hotspot

import (
	"math"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// Hotspots are what the rules take of a profile, each stack in one of them: causes take before effects, so that what
// generates keys is not reported again as hashing, allocation and collection.
type Hotspots struct {
	ByRule map[string]*Hotspot
	*facts
}

// A Hotspot is the stacks of a profile that one rule takes.
type Hotspot struct {
	// Selection is the stacks, each from where the rule's work begins (Hit.Outer).
	profile.Selection
	// Total and TotalSamples are the profile's.
	Total, TotalSamples int64
	// Allocating is the part of the value that was spent in the allocator.
	Allocating int64
	// Share is the value's part of Total, Lower the lower end of its 95% interval.
	Share, Lower float64
	// Caused is the share of other rules' hotspots that this one's cause explains, and Also are their names. Into is
	// the rule that explains this one; "" where none does.
	Caused float64
	Also   []string
	Into   string
	Beside []*Hotspot // smaller ones that the same culprit asks for

	by         *Matcher
	effective  float64 // View.EffectiveSamples of the profile
	leastValue float64
	Blame      *Attribution
}

// Of is what the rule takes; nil for nothing.
func (hs *Hotspots) Of(rule string) *Hotspot { return hs.ByRule[rule] }

// Has reports whether the rule has any stack.
func (hs *Hotspots) Has(rule string) bool { return hs.ByRule[rule] != nil }

// A HotspotDef is a hotspot as it is written in YAML. The rule takes the stacks of its kind of profile that one of
// Stacks holds for and no rule of smaller Order does, and fires where those take a share from Shares.Low on, at the
// lower end of its 95% interval.
type HotspotDef struct {
	// Kind is that of the profile: cpu, heap (what is in use), allocs (what was allocated since the program began),
	// mutex, block.
	Kind   profile.Kind       `yaml:"profile"`
	Stacks []match.StackMatch `yaml:"stacks"`
	Shares Shares             `yaml:"shares"`
	// Order puts causes before what follows from them; 0 comes before all built-in rules. Those have 100 to 199 for
	// cryptography, 200 to 299 for work that is done again and again, 300 to 399 for encoding, copying and comparing,
	// 400 to 499 for libraries in general, 500 to 599 for what the runtime does for a piece of code, and 600 on for
	// what it does for the program as a whole.
	Order int `yaml:"order"`
	// Family joins rules that see one cause in several places: of those that fire with the same culprit the greatest
	// is reported, with the shares of the others.
	Family string `yaml:"family"`
	// Explains are ids of rules whose hotspots this rule's work causes, on any stacks.
	Explains []string `yaml:"explains"`
	// Cores is the CPU from which a high share is of high severity; 0 for half a core, which is what many pods may use
	// at all.
	Cores float64 `yaml:"cores"`
	// Floor is the CPU below which a finding is low; 0 for a quarter of a core. Work that is never what a program is
	// for, whatever it is for, has less.
	Floor float64 `yaml:"floor"`
	// Against is what speaks for another reason, a sentence without its full stop: the confidence is low with it. It
	// holds where NotMain, Living or Purpose do, in any profile where the rule has none of them.
	Against string `yaml:"against"`
	// NotMain doubts a culprit that is main itself: what a program does there for most of its CPU is what it is for.
	NotMain bool `yaml:"not_main"`
	// Living is the share below which work is doubted that programs do for a living: all but controllers, whose
	// Reconciles do it for the same objects again. 1 is for any share, 0 for work that is nobody's purpose.
	Living float64 `yaml:"living"`
	// LivingIn are names of functions: only what they do of the work counts for Living. Without any, all of it does.
	LivingIn []string `yaml:"living_in"`
	// Purpose are names of functions which show, anywhere in the profile, that this work is what the program is for.
	Purpose []string `yaml:"purpose"`
	// AtLeast is how much must be behind a share: MiB for heap and allocs, seconds of waiting for mutex and block.
	AtLeast float64 `yaml:"at_least"`
	// Large is the part of a heap, in MiB, below which a finding is low: a share alone does not show whether it
	// matters.
	Large float64 `yaml:"large"`
}

// A Matcher is a rule that takes stacks.
type Matcher struct {
	ID, Name string
	HotspotDef
	// keeps, where given, reports whether what is in use of a heap is kept as the rule says.
	keeps func(*Hotspot, heapUse) bool
	// rest takes what no other rule does, as far as one function of the program asks for it (takeRest).
	rest bool
	// inner makes the culprit the innermost function that half of the stacks have, whosever it is.
	inner bool
	// doubt, where given, takes a hotspot back that has another reason; true for that.
	doubt func(*Hotspots, *Hotspot) bool
}

// Takes reports whether a profile is of a kind that the matcher looks at. Of a heap it counts bytes.
func (m *Matcher) Takes(p *profile.Profile) bool {
	isHeap := p.Kind == profile.KindHeap || p.Kind == profile.KindAllocs
	return p.Kind == m.Kind && p.Value < len(p.Types) &&
		(!isHeap || strings.HasSuffix(p.Types[p.Value].Type, "_space"))
}

// partsOf finds the parts that each function plays in the alternatives.
func (b *kindBoard) partsOf(v *profile.View) [][]patternUse {
	parts := make([][]patternUse, len(v.Functions))
	finder := b.patterns.Finder()
	var ids []int32
	var arena []patternUse
	for i := range parts {
		if first := v.Same(int32(i)); first != int32(i) {
			parts[i] = parts[first]
			continue
		}
		ids = finder.AppendPlain(ids[:0], v.Plain(int32(i)))
		from, closure := len(arena), symbol.ParseName(v.Plain(int32(i))).Closure != ""
		for _, id := range ids {
			for _, u := range b.uses[id] {
				if closure && u.use == match.UseFrames && b.alts[u.alt].noClosures {
					continue
				}
				if !slices.Contains(arena[from:], u) {
					arena = append(arena, u)
				}
			}
		}
		parts[i] = arena[from:len(arena):len(arena)]
	}
	return parts
}

// facts are what stacks are held against: whose code each function is, and which parts it plays.
type facts struct {
	*profile.View
	parts [][]patternUse // by function
	// preempts and mallocs are the functions by index that the runtime puts above the one that was running, and that
	// are the allocator's entry.
	preempts, mallocs []bool
}

func factsOf(in *rules.ProfileInput, parts [][]patternUse) *facts {
	f := &facts{View: in.View, parts: parts}
	for i := range in.Functions {
		name := in.Functions[i].Name
		f.preempts = append(f.preempts, name == "runtime.asyncPreempt" || name == "runtime.asyncPreempt2")
		f.mallocs = append(f.mallocs, name == "runtime.mallocgc")
	}
	return f
}

// standard reports whether a function is code that a program doesn't write: the runtime, the standard library, C.
func (f *facts) standard(fn int32) bool { return f.Class[fn].Standard() }

// hotspots gives each stack of the profile to a rule, or to none.
func (b *kindBoard) hotspots(in *rules.ProfileInput) *Hotspots {
	hs := &Hotspots{ByRule: map[string]*Hotspot{}}
	// What adds up to more than 292 years of CPU, or 8 EiB, was made up: no sum of it means anything.
	if len(b.matchers) == 0 || !b.matchers[0].Takes(in.Profile) || totalOf(in) == math.MaxInt64 {
		hs.facts = factsOf(in, nil)
		return hs
	}
	hs.facts = factsOf(in, b.partsOf(in.View))
	w := walker{facts: hs.facts, board: b, state: make([]altState, len(b.alts)), given: make([]bool, len(in.Stacks))}
	for i := range in.Stacks {
		w.walk(int32(i), hs)
	}
	hs.takeRequests(b, w.given)
	hs.takeRest(b.rest, w.given)
	hs.splitPolling(b)
	hs.splitBacktracking(b)
	hs.takeWithoutResult(b)
	hs.takeNested(b)
	hs.weigh(in)
	return hs
}

// takeRest gives the stacks that no rule has to rules that ask which one function of the program has most of them, as
// far as that function asks for them.
func (hs *Hotspots) takeRest(rest []*Matcher, given []bool) {
	for _, by := range rest {
		sel := hs.Select(func(i int, st *profile.Stack) (inner, outer int, ok bool) {
			return 0, -1, !given[i] && st.Values[hs.Value] > 0
		})
		if who, _ := culpritOf(hs.Blame(sel)); who != nil {
			hs.ByRule[by.ID] = &Hotspot{by: by, Selection: *through(sel, who.Func)}
		}
	}
}

// A walker holds alternatives against stacks. Its state is reused from stack to stack.
type walker struct {
	*facts
	board *kindBoard
	state []altState
	epoch int32
	seen  []int32 // alternatives with state of this epoch
	given []bool  // by stack: whether a rule has it
	// allocates reports whether the stack at hand is in the allocator.
	allocates bool
}

// altState is what one alternative met in one stack; indices into the stack's frames, -1 for none.
type altState struct {
	epoch                int32
	inner, outer         int32
	under, notUnder, has int32
	at                   int32 // frames outside the standard library that matched At
}

func (w *walker) walk(i int32, hs *Hotspots) {
	st := &w.Stacks[i]
	w.epoch++
	w.seen, w.allocates = w.seen[:0], false
	// Whether no code of the program or a dependency shows.
	lost := st.Cut || !slices.ContainsFunc(st.Frames, func(fr int32) bool { return !w.standard(w.Frames[fr].Func) })
	leaf, outside := true, int32(0)
	for k, fr := range st.Frames {
		fn := w.Frames[fr].Func
		if w.preempts[fn] {
			continue
		}
		w.allocates = w.allocates || w.mallocs[fn]
		std := w.standard(fn)
		for _, u := range w.parts[fn] {
			w.meet(u, int32(k), leaf, lost, outside, std)
		}
		leaf = false
		if !std {
			outside++
		}
	}
	w.settle(i, st, hs)
}

func (w *walker) meet(u patternUse, k int32, leaf, lost bool, outside int32, std bool) {
	s := &w.state[u.alt]
	if s.epoch != w.epoch {
		*s = altState{epoch: w.epoch, inner: -1, outer: -1, under: -1, notUnder: -1, has: -1}
		w.seen = append(w.seen, u.alt)
	}
	hit := u.use&match.UseFrames != 0 || u.use&match.UseLeaf != 0 && leaf || u.use&match.UseInternals != 0 && lost
	if u.use&match.UseAt != 0 && s.at == outside {
		hit = true
		if !std {
			s.at++
		}
	}
	// A frame further out that another call of the same work lies under begins it, but for one that must not be there.
	if hit {
		if s.inner < 0 {
			s.inner = k
		}
		s.outer = k
	}
	if u.use&match.UseUnder != 0 {
		s.under = k
	}
	if u.use&match.UseNotUnder != 0 {
		s.notUnder = k
	}
	if u.use&match.UseHas != 0 && s.has < 0 {
		s.has = k
	}
}

// settle gives the stack to the first alternative that holds.
func (w *walker) settle(i int32, st *profile.Stack, hs *Hotspots) {
	slices.Sort(w.seen)
	for _, a := range w.seen {
		s, alt := &w.state[a], &w.board.alts[a]
		if s.inner < 0 || alt.under && s.under <= s.inner || s.notUnder > s.inner ||
			alt.has && (s.has < 0 || s.has > s.outer) {
			continue
		}
		w.given[i] = true
		v := st.Values[w.Value]
		if v <= 0 {
			return
		}
		hot := hs.ByRule[alt.by.ID]
		if hot == nil {
			hot = &Hotspot{by: alt.by, Selection: profile.Selection{View: w.View}}
			hs.ByRule[alt.by.ID] = hot
		}
		hot.Hits = append(hot.Hits, profile.Hit{Stack: i, Inner: s.inner, Outer: s.outer})
		hot.Weight.Value += v
		hot.Weight.Samples += st.Samples
		if w.allocates {
			hot.Allocating += v
		}
		return
	}
}
