package schema

import (
	"cmp"
	"strconv"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/rules"
)

// Stacks are the dumps and profiles of the inputs with all their stacks, for the forms of other tools. They are no part
// of the report.
type Stacks struct {
	Sources  []StackSource
	Findings []rules.Finding
	Skipped  []Skipped
}

// A StackSource is the stacks of one dump or profile.
type StackSource struct {
	Input string // path
	Line  int64  // where a dump begins, 0 for a profile
	// Pod is NAMESPACE/POD of the process, "" where nothing names it.
	Pod string
	// Kind is what it measures: goroutine, cpu, heap, mutex, …
	Kind string
	// Profile is valid: its samples refer to its own locations and functions, and have a value for each type.
	Profile *pprof.Profile
	// Value indexes Profile.SampleType: the one that shares are of.
	Value int
}

// Name is PATH:LINE of a dump, PATH of a profile.
func (s *StackSource) Name() string {
	if s.Line == 0 {
		return s.Input
	}
	return s.Input + ":" + strconv.FormatInt(s.Line, 10)
}

// A StackDiff is the stacks of both sides of a comparison.
type StackDiff struct {
	// Kind, Type, Unit and Rate are as in ProfileDiff; those of goroutines are "goroutine", "goroutine", "goroutines"
	// and "amount".
	Kind, Type, Unit, Rate string
	Before, After          StackSide
}

// A StackSide is one of them.
type StackSide struct {
	Profiles []*pprof.Profile // valid, of one kind
	Value    int              // indexes SampleType of each
	Per      float64          // how much of the rate one unit of a value is
	Chance   float64          // how much of it one sample is, 0 where the values are exact
}

// The labels of a goroutine in the profile of a dump, in the names of CockroachDB's goroutine profiles (debug=3 of its
// pprof endpoint), which stackparse.FromProfile reads back.
const (
	LabelGoroutine = "go::goroutine"              // number
	LabelParent    = "go::goroutine_created_by"   // number: the creator's id
	LabelState     = "go::goroutine_state"        // as the header prints it
	LabelMinutes   = "go::goroutine_wait_minutes" // number, in minutes
)

// Labels of triage's own.
const (
	LabelRole    = "role"       // as triage rules lists it
	LabelWait    = "wait"       // the class of the wait: select, mutex, …
	LabelCreator = "created_by" // the function that started the goroutine
)

// A Call is one line of a stack.
type Call struct {
	Function, File string
	Line           int64
}

// Calls returns the stack of a sample, leaf first, what was inlined one by one.
func Calls(s *pprof.Sample) []Call {
	out := make([]Call, 0, len(s.Location)+1)
	for _, l := range s.Location {
		if len(l.Line) == 0 {
			out = append(out, Call{Function: "0x" + strconv.FormatUint(l.Address, 16)})
		}
		for _, at := range l.Line {
			c := Call{Function: "?", Line: at.Line}
			if at.Function != nil {
				c.Function, c.File = cmp.Or(at.Function.Name, at.Function.SystemName, "?"), at.Function.Filename
			}
			out = append(out, c)
		}
	}
	return out
}
