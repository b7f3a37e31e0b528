package rules

import (
	"regexp"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
)

// A ProfileInput is one profile with where it came from and what was found out about it before the rules run.
type ProfileInput struct {
	*profile.View
	Input   string // path for evidence
	Process string // as DumpInput.Process: groups the profiles and dumps of one process; "" where it is unknown
	Target  Target
	// Age is how long the process has lived at least, as dumps of it show; 0 where none does.
	Age time.Duration
	// Hotspots identifies which rule each stack belongs to (Board.Hotspots); where it is nil, each rule takes stacks by
	// itself.
	Hotspots StackOwners
}

// StackOwners is which rule has which stacks of one profile; a Board makes it, and its rules read it.
type StackOwners interface {
	// Has reports whether a rule has any stack.
	Has(rule string) bool
}

// Path is the profile's path for commands; FILE for standard input.
func (in *ProfileInput) Path() string {
	if in.Input == "" || in.Input == "-" {
		return "FILE"
	}
	return in.Input
}

// Peek shows who calls a function and what it calls, with what each takes. It needs no source, unlike pprof's -list. A
// profile in text form is taken again in the one with names.
func (in *ProfileInput) Peek(function string) Step {
	if in.Text {
		return in.Target.Profile(string(in.Kind))
	}
	name := symbol.ShortFunc(function)
	if !strings.HasSuffix(function, name) { // without the version of its module
		name = function
	}
	return Command("go tool pprof -peek " + Quote(regexp.QuoteMeta(name)+"$") + " " + Quote(in.Path()))
}
