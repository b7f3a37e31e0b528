package rules

import (
	"time"

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
	// Claims identifies which rule each stack belongs to (Board.Claims); where it is nil, each rule claims alone.
	Claims StackClaims
}

// StackClaims is what the rules claim of the stacks of one profile; a Board makes it, and its rules read it.
type StackClaims interface {
	// Claimed reports whether a rule claims any stack.
	Claimed(rule string) bool
}
