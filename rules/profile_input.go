package rules

import (
	"github.com/gotriage/triage/profile"
)

// A ProfileInput is one profile with where it came from and what was found out about it before the rules run.
type ProfileInput struct {
	*profile.View
	Input   string // path for evidence
	Process string // as DumpInput.Process: groups the profiles and dumps of one process; "" where nothing tells
	Target  Target
	// Claims says which rule each stack belongs to (Board.Claims); nil where nobody asked, and then each rule claims alone.
	Claims *Claims
}

// unit is what a profile's shares are of, for sentences: "CPU", "the heap in use".
func unit(kind profile.Kind, value string) string {
	switch {
	case kind == profile.KindCPU:
		return "CPU"
	case kind == profile.KindMutex:
		return "the time that goroutines waited for locks"
	case kind == profile.KindBlock:
		return "the time that goroutines were blocked"
	case kind == profile.KindWall:
		return "the time of all goroutines"
	case value == "alloc_space":
		return "all bytes allocated"
	case value == "inuse_space":
		return "the heap in use"
	}
	return "the profile"
}
