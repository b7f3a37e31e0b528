package match

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A Match is a condition on a bucket, for declarative rules and roles. Everything that is given must hold; a list of
// patterns holds when one of them does. Patterns are described in docs/own-rules.md.
type Match struct {
	// State are texts of headers ("chan receive (nil chan)"); one goroutine of the bucket must have one of them.
	State []string `yaml:"state"`
	// Class are wait classes (stackparse.Class): "nil chan", "select", "mutex".
	Class []stackparse.Class `yaml:"class"`
	// At is where the goroutine is: between the leaf and this frame lie only the standard library and what Through
	// names, so that no code of the program is at work below it.
	At      []string `yaml:"at"`
	Through []string `yaml:"through"`
	// Top are the first shown frames, leaf first: a sequence, each element one frame.
	Top []string `yaml:"top"`
	// Frames are conditions on frames anywhere in the stack.
	Frames FramesMatch `yaml:"frames"`
	// Root is the outermost shown frame: what the go statement called.
	Root []string `yaml:"root"`
	// Creator is the function with the go statement.
	Creator []string `yaml:"creator"`
	Count   Range    `yaml:"count"`
	// Minutes bounds the longest wait of the goroutines' headers.
	Minutes Range `yaml:"minutes"`
	// Labels are profiler labels: key to value, where "*" in a value stands for any characters.
	Labels map[string]string `yaml:"labels"`
	// Leaked asks for goroutines that nothing can wake, as the runtime proved.
	Leaked bool `yaml:"leaked"`
	// Except are conditions; none of them may hold.
	Except []Match `yaml:"except"`
}

// A FramesMatch is a condition on the frames of a stack, wherever they are.
type FramesMatch struct {
	Any  []string `yaml:"any"`
	All  []string `yaml:"all"`
	None []string `yaml:"none"`
}

// Groups are the lists of patterns, by field.
func (m *Match) Groups() []patternGroup {
	return []patternGroup{
		{Field: "at", Texts: m.At}, {Field: "through", Texts: m.Through}, {Field: "top", Texts: m.Top},
		{Field: "frames.any", Texts: m.Frames.Any}, {Field: "frames.all", Texts: m.Frames.All},
		{Field: "frames.none", Texts: m.Frames.None}, {Field: "root", Texts: m.Root},
		{Field: "creator", Texts: m.Creator},
	}
}

// A Range bounds a number; 0 is no bound.
type Range struct {
	Min int `yaml:"min"`
	Max int `yaml:"max"`
}

// Holds reports whether n is within the bounds.
func (r Range) Holds(n int) bool { return n >= r.Min && (r.Max == 0 || n <= r.Max) }

// maxExcept bounds the nesting of Match.Except.
const maxExcept = 3

// A MatchProg is a Match with the numbers of its patterns.
type MatchProg struct {
	src                                             *Match
	at, through, top, any, all, none, root, creator []int32
	except                                          []*MatchProg
}

// Patterns are the patterns of conditions that are looked up together: each function of a dump once for all of them.
// Compile and CompileRole add to them, before NewIndex.
type Patterns struct{ all *symbol.Patterns }

// NewPatterns returns Patterns without any.
func NewPatterns() *Patterns { return &Patterns{symbol.NewPatterns(0)} }

// Len is how many patterns there are.
func (m *Patterns) Len() int { return m.all.Len() }

// Compile checks src and adds its patterns to m. Errors are wrapped in a FieldError that reports where.
func (m *Patterns) Compile(src *Match) (*MatchProg, error) { return m.compile(src, 0) }

func (m *Patterns) compile(src *Match, depth int) (*MatchProg, error) {
	if depth > maxExcept {
		return nil, fmt.Errorf("except is nested more than %d deep", maxExcept)
	}
	p := &MatchProg{src: src}
	ids := []*[]int32{&p.at, &p.through, &p.top, &p.any, &p.all, &p.none, &p.root, &p.creator}
	for n, group := range src.Groups() {
		for i, text := range group.Texts {
			id, err := m.addFunction(text)
			if err != nil {
				return nil, &FieldError{fmt.Sprintf("%s[%d]", group.Field, i), err}
			}
			*ids[n] = append(*ids[n], id)
		}
	}
	for i, c := range src.Class {
		if !slices.Contains(Classes(), c) {
			return nil, Fault(fmt.Sprintf("class[%d]", i), "unknown class %q; the classes are %s", c, Join(Classes()))
		}
	}
	if len(src.Through) > 0 && len(src.At) == 0 {
		return nil, Fault("through", "through says which frames may be above at, but at is missing")
	}
	for key, value := range src.Labels {
		if _, err := path.Match(value, ""); err != nil {
			return nil, Fault("labels."+key, "value %q: %w", value, err)
		}
	}
	for i := range src.Except {
		e, err := m.compile(&src.Except[i], depth+1)
		if err != nil {
			return nil, InField(fmt.Sprintf("except[%d]", i), err)
		}
		if e.Empty() {
			return nil, Fault(fmt.Sprintf("except[%d]", i), "an empty condition excepts everything")
		}
		p.except = append(p.except, e)
	}
	return p, nil
}

// Empty reports whether p holds for everything.
func (p *MatchProg) Empty() bool {
	s := p.src
	return len(p.Anchors()) == 0 && len(s.State) == 0 && len(s.Class) == 0 && len(p.none) == 0 && s.Count == Range{} &&
		s.Minutes == Range{} && len(s.Labels) == 0 && !s.Leaked && len(p.except) == 0
}

// Anchors are patterns one of which must be on the stack for p to hold; nil where p holds for any functions.
func (p *MatchProg) Anchors() []int32 {
	for _, ids := range [][]int32{p.at, p.any, p.root, p.creator} {
		if len(ids) > 0 {
			return ids
		}
	}
	for _, ids := range [][]int32{p.top, p.all} {
		if len(ids) > 0 {
			return ids[:1]
		}
	}
	return nil
}

// Classes returns the wait classes that a condition can name.
func Classes() []stackparse.Class {
	return []stackparse.Class{
		stackparse.ClassRunning, stackparse.ClassRunnable, stackparse.ClassSyscall, stackparse.ClassCgo,
		stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect, stackparse.ClassNilChan,
		stackparse.ClassNoCases, stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW,
		stackparse.ClassWaitGroup, stackparse.ClassCond, stackparse.ClassSemaphore, stackparse.ClassIO,
		stackparse.ClassSleep, stackparse.ClassGC, stackparse.ClassIdle, stackparse.ClassOther,
	}
}

// Join lists the values that a field can have, for messages.
func Join[T ~string](all []T) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = string(s)
	}
	return strings.Join(parts, ", ")
}

// maxIndexed bounds the functions that an Index remembers: programs with many stacks show some thousands. Others are
// looked up anew each time.
const maxIndexed = 1 << 13

// An Index holds what is known about each distinct function of one program, so that patterns are tried once a function
// and not once a frame.
type Index struct {
	m       *symbol.Finder
	program frame.Program
	funcs   map[string]funcInfo
}

type funcInfo struct {
	IDs []int32 // patterns that match it
	std bool    // runtime or standard library
}

// NewIndex returns an Index over the patterns of m for stacks of a program.
func NewIndex(m *Patterns, program frame.Program) *Index {
	return &Index{m: m.all.Finder(), program: program, funcs: map[string]funcInfo{}}
}

// For returns x where it is of that program, a new Index over the same patterns otherwise.
func (x *Index) For(program frame.Program) *Index {
	if x.program == program {
		return x
	}
	return &Index{m: x.m, program: program, funcs: map[string]funcInfo{}}
}

func (x *Index) Of(f *stackparse.Frame) funcInfo {
	info, ok := x.funcs[f.Func]
	if ok {
		return info
	}
	switch x.program.Class(f.Frame) {
	case frame.ClassRuntime, frame.ClassStdlib:
		info.std = true
	}
	info.IDs = x.m.Append(nil, f.Func)
	if len(x.funcs) < maxIndexed {
		x.funcs[f.Func] = info
	}
	return info
}

// A View is one bucket as conditions see it. Its slices are reused from bucket to bucket.
type View struct {
	d       *stackparse.Dump
	b       *stackparse.Bucket
	frames  []funcInfo // aligned with b.Frames
	shown   []int
	creator []int32
	// lenient is for roles in counted formats (debug=1, profiles), which show neither states nor creators.
	lenient bool
}

// Look points v at b.
func (v *View) Look(x *Index, d *stackparse.Dump, b *stackparse.Bucket) {
	v.d, v.b = d, b
	v.frames = v.frames[:0]
	for i := range b.Frames {
		if b.Frames[i].Elided != 0 {
			v.frames = append(v.frames, funcInfo{})
			continue
		}
		v.frames = append(v.frames, x.Of(&b.Frames[i]))
	}
	v.shown = rules.ShownFrames(b)
	v.creator = nil
	if b.CreatedBy != nil {
		v.creator = x.Of(b.CreatedBy).IDs
	}
}

// Anchored appends what byPattern lists for the patterns that functions of the stack match, each once, in order.
func (v *View) Anchored(to []int32, byPattern [][]int32) []int32 {
	for _, f := range v.frames {
		for _, id := range f.IDs {
			to = append(to, byPattern[id]...)
		}
	}
	for _, id := range v.creator {
		to = append(to, byPattern[id]...)
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// Likely reports whether the conditions hold that need no look at the frames.
func (p *MatchProg) Likely(b *stackparse.Bucket) bool {
	s := p.src
	return (len(s.Class) == 0 || slices.Contains(s.Class, b.Class)) && s.Count.Holds(b.Count) &&
		s.Minutes.Holds(int(b.MaxMinutes)) && (b.Leaked || !s.Leaked)
}

// likelyCounted is likely for formats that show no states: a stack whose frames do not show the class has none, and any
// class may be its.
func (p *MatchProg) likelyCounted(b *stackparse.Bucket) bool {
	return b.Class == stackparse.ClassOther && p.src.Count.Holds(b.Count) && (b.Leaked || !p.src.Leaked)
}

func (p *MatchProg) Holds(v *View) bool {
	s := p.src
	if !p.Likely(v.b) && !(v.lenient && p.likelyCounted(v.b)) {
		return false
	}
	if len(p.creator) > 0 && !p.created(v) || len(p.root) > 0 && !v.rooted(p.root) {
		return false
	}
	if len(p.at) > 0 && !p.standsAt(v) || len(p.top) > 0 && !p.tops(v) {
		return false
	}
	if len(p.any) > 0 && !v.has(p.any) || len(p.none) > 0 && v.has(p.none) {
		return false
	}
	for i := range p.all {
		if !v.has(p.all[i : i+1]) {
			return false
		}
	}
	if len(s.State) > 0 && !v.hasState(s.State) || len(s.Labels) > 0 && !v.hasLabels(s.Labels) {
		return false
	}
	for _, e := range p.except {
		if e.Holds(v) {
			return false
		}
	}
	return true
}

func (p *MatchProg) standsAt(v *View) bool {
	for _, f := range v.frames {
		if Overlap(f.IDs, p.at) {
			return true
		}
		if !f.std && !Overlap(f.IDs, p.through) {
			return false
		}
	}
	return false
}

func (p *MatchProg) tops(v *View) bool {
	if len(v.shown) < len(p.top) {
		return false
	}
	for i, id := range p.top {
		if !slices.Contains(v.frames[v.shown[i]].IDs, id) {
			return false
		}
	}
	return true
}

// created reports whether the creator matches. Counted formats do not name one: there the outermost frame
// replaces it, since what a library starts is its own function as a rule.
func (p *MatchProg) created(v *View) bool {
	return Overlap(v.creator, p.creator) || v.lenient && v.b.CreatedBy == nil && v.rooted(p.creator)
}

// rooted reports whether the outermost shown frame matches one of ids.
func (v *View) rooted(ids []int32) bool {
	return len(v.shown) > 0 && Overlap(v.frames[v.shown[len(v.shown)-1]].IDs, ids)
}

// has reports whether a frame of the stack matches one of ids.
func (v *View) has(ids []int32) bool {
	for _, f := range v.frames {
		if Overlap(f.IDs, ids) {
			return true
		}
	}
	return false
}

func (v *View) hasState(states []string) bool {
	for i := range v.b.Goroutines {
		if slices.Contains(states, v.d.StateOf(&v.b.Goroutines[i])) {
			return true
		}
	}
	return false
}

func (v *View) hasLabels(want map[string]string) bool {
	last := ^uint16(0)
	for i := range v.b.Goroutines {
		l := v.b.Goroutines[i].Labels
		if l == last || int(l) >= len(v.d.Labels) {
			continue
		}
		last = l
		if labelled(v.d.Labels[l], want) {
			return true
		}
	}
	return false
}

// labelled reports whether a printed label set, `key: value, …`, has every wanted label.
func labelled(set string, want map[string]string) bool {
	for key, value := range want {
		found := false
		for label := range strings.SplitSeq(set, ", ") {
			k, v, _ := strings.Cut(label, ": ")
			if k != key {
				continue
			}
			ok, _ := path.Match(value, v) // the pattern was checked when it was loaded
			found = found || ok
		}
		if !found {
			return false
		}
	}
	return true
}

// Overlap reports whether two lists of pattern ids have one in common.
func Overlap(a, b []int32) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

// addFunction adds a pattern of a condition on goroutines. Their dumps name every Go function with its package: what
// has none is a package that someone took for all of its functions.
func (m *Patterns) addFunction(text string) (int32, error) {
	if text != "panic" && symbol.IsSymbol(text) {
		return 0, fmt.Errorf("pattern %q names no function: write %s.* for all of a package", text, text)
	}
	return m.all.Add(text)
}
