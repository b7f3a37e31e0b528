package rules

import "testing"

// A rule of the user is on the board beside the built-in ones.
func TestARuleOfTheUserIsOnTheBoard(t *testing.T) {
	all := profileRules()
	mine := *Find(all, "TR572")
	claims := *mine.claims.(*claimant)
	claims.id, claims.order, claims.stacks = "ACME001", 0, []StackMatch{{Frames: []string{"example.com/acme.*"}}}
	mine.claims = &claims
	known, more := NewBoard(all), NewBoard(append(all, &mine))
	if len(known.claimants)+1 != len(more.claimants) || more.claimants[0].id != "ACME001" || known.patterns.Len()+1 != more.patterns.Len() {
		t.Errorf("%d claimants, %d patterns beside %d, %d", len(more.claimants), more.patterns.Len(), len(known.claimants), known.patterns.Len())
	}
}
