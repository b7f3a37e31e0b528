package hotspot

import (
	"testing"

	"github.com/gotriage/triage/profile"
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
	a, b := known.table(profile.KindCPU), more.table(profile.KindCPU)
	if len(a.claimants)+1 != len(b.claimants) || b.claimants[0].ID != "ACME001" ||
		a.patterns.Len()+1 != b.patterns.Len() {
		t.Errorf("%d claimants, %d patterns beside %d, %d", len(b.claimants), b.patterns.Len(),
			len(a.claimants), a.patterns.Len())
	}
}
