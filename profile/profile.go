// Package profile reads pprof profiles, binary and text, and measures them: which functions take which share, what
// calls them, which code they belong to, how certain a share is, and what changed between two profiles.
//
// Read makes a Profile, in which functions, frames, labels and stacks are distinct and refer to each other by index;
// Profile.Pprof converts it to the type of github.com/google/pprof/profile. NewView computes weights
// and classes of functions once, for the questions that a View answers: Top, Select, SplitByLabel, Blame. Compare
// and Merge take several profiles. All of it is bounded, whatever the input: no profile makes it panic or take
// memory without limit.
//
// Begin reading at Read (read.go), then at NewView (view.go). Blame (blame.go) names who asks for the work of a
// Selection: what Top lists is where the time goes, what Blame returns is who could change it.
//
// Stability: this is version 0 of the module. Before 1.0 exported names may change from one minor release to the next,
// with a note in CHANGELOG.md. The fields of the JSON report (triage/v1) do not: they are only added to.
package profile

import (
	"math"
	"time"

	"github.com/gotriage/triage/stackparse/frame"
)

// A Kind is what a profile measures.
type Kind string

// The kinds of profiles that Go programs write.
const (
	KindCPU           Kind = "cpu"
	KindHeap          Kind = "heap"   // what is in use, and what was allocated
	KindAllocs        Kind = "allocs" // the same samples, shown by what was allocated
	KindMutex         Kind = "mutex"
	KindBlock         Kind = "block"
	KindGoroutine     Kind = "goroutine"
	KindGoroutineLeak Kind = "goroutineleak"
	KindThreadCreate  Kind = "threadcreate"
	KindWall          Kind = "wall"  // fgprof: all goroutines, on a CPU or not
	KindOther         Kind = "other" // of another runtime, or of no kind that is known
)

// A Profile is one profile with everything interned: rules look at functions, of which there are few, and stacks
// refer to them.
type Profile struct {
	Kind Kind
	// Types are the sample types; Value is the one that shares are of (cpu: nanoseconds; heap: inuse_space; allocs:
	// alloc_space; mutex, block: delay; goroutine: count).
	Types []ValueType
	Value int
	// Functions and Frames are distinct; a Frame is a line of a function, Stacks refer to Frames.
	Functions []Function
	Frames    []Frame
	Stacks    []Stack
	// Labels are the distinct label sets of samples (pprof.Do), sorted "key: value" pairs; index 0 is none.
	Labels []LabelSet
	// Time is when it was taken, Duration how long it measured; zero where the profile doesn't say.
	Time     time.Time
	Duration time.Duration
	// Period is between two samples, in PeriodType's unit (cpu: 10,000,000 ns).
	Period     int64
	PeriodType ValueType
	// Go is the release that wrote it as far as function names show: "1.24-1.25", ">=1.21", "".
	Go string
	// Binary and BuildID name the program's file; Comments are the profile's.
	Binary, BuildID string
	Comments        []string
	// Unsymbolized is the share of the value in stacks most of whose frames have no function's name; Truncated the
	// share in stacks that were cut at the runtime's depth limit (see Stack.Cut).
	Unsymbolized, Truncated float64
	// Merged counts the profiles that were merged into this one, 1 for one as read.
	Merged int
	// Runtime is that of the profiled program, RuntimeGo to RuntimeNative, or "" where no function shows it.
	Runtime string
	// Unparsed counts the lines of a text form that are none of its grammar.
	Unparsed int
	// Difference reports that the file was one of two profiles (pprof's -diff_base), of which only the newer is here.
	Difference bool
	// Text reports the text form (debug=1), of which go tool pprof reads addresses and no names.
	Text bool
}

// A ValueType is what a sample's value counts: {"cpu", "nanoseconds"}.
type ValueType struct{ Type, Unit string }

// A Function is a function by name and file; lines are the frames' business.
type Function struct {
	Name, File string
}

// A Frame is a line of a function.
type Frame struct {
	Func    int32 // index into Functions
	Line    int32
	Inlined bool // into the next frame of a stack
}

// A Stack is a distinct call stack with its values, one per type.
type Stack struct {
	Frames []int32 // indices into Profile.Frames, leaf first
	Values []int64
	Label  int32 // index into Profile.Labels
	// Samples is how often it was seen: the count that confidence intervals need (cpu: samples; mutex, block:
	// contentions; heap: objects sampled, worked out from the sampling rate; 1 where it is not known).
	Samples int64
	// Cut reports that the stack has the runtime's limit of frames (cpu: 64; others: 32 up to Go 1.22, 128 since 1.23):
	// the outer ones are missing.
	Cut bool
}

// A LabelSet is the labels of a sample.
type LabelSet []string

// At returns the function and line of a frame, by its index.
func (p *Profile) At(i int32) frame.Frame {
	f := &p.Frames[i]
	fn := &p.Functions[f.Func]
	return frame.Frame{Func: fn.Name, File: fn.File, Line: int(f.Line)}
}

// Total is the sum of the value over all stacks.
func (p *Profile) Total() int64 {
	var n int64
	for i := range p.Stacks {
		n = addSaturated(n, p.Stacks[i].Values[p.Value])
	}
	return n
}

// Samples is how many samples the profile rests on.
func (p *Profile) Samples() int64 {
	var n int64
	for i := range p.Stacks {
		n = addSaturated(n, p.Stacks[i].Samples)
	}
	return n
}

// Cores is how many CPUs a CPU profile kept busy on average; 0 where that is not known.
func (p *Profile) Cores() float64 {
	if p.Kind != KindCPU || p.Duration <= 0 {
		return 0
	}
	return p.Seconds(p.Total()) / p.Duration.Seconds()
}

// Seconds is a value of the profile in seconds: of CPU time, of waiting, of time on the clock. Samples count their
// period. 0 where the value is no time.
func (p *Profile) Seconds(value int64) float64 {
	if p.Value >= len(p.Types) {
		return 0
	}
	unit := p.Types[p.Value].Unit
	if unit == "count" && p.Kind == KindCPU && p.PeriodType.Unit == "nanoseconds" {
		return float64(value) * float64(p.Period) / 1e9
	}
	if n := perSecond[unit]; n > 0 {
		return float64(value) / n
	}
	return 0
}

var perSecond = map[string]float64{"nanoseconds": 1e9, "microseconds": 1e6, "milliseconds": 1e3, "seconds": 1}

// addSaturated adds without wrapping round: sums of hostile values stay at the ends of the range.
func addSaturated(a, b int64) int64 {
	c := a + b
	if (c > a) == (b > 0) {
		return c
	}
	if b > 0 {
		return math.MaxInt64
	}
	if b < 0 {
		return math.MinInt64
	}
	return a
}
