package hotspot

import (
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// A rule of the user is on the board beside the built-in ones.
func TestARuleOfTheUserIsOnTheBoard(t *testing.T) {
	all := Rules()
	mine := *rules.Find(all, "TR572")
	claims := *mine.Claims.(*Claimant)
	claims.ID, claims.Order, claims.Stacks = "ACME001", 0, []match.StackMatch{{Frames: []string{"example.com/acme.*"}}}
	mine.Claims = &claims
	known, more := NewBoard(all), NewBoard(append(all, &mine))
	if len(known.claimants)+1 != len(more.claimants) || more.claimants[0].ID != "ACME001" ||
		known.patterns.Len()+1 != more.patterns.Len() {
		t.Errorf("%d claimants, %d patterns beside %d, %d", len(more.claimants), more.patterns.Len(),
			len(known.claimants), known.patterns.Len())
	}
}
