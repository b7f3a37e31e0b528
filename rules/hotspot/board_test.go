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
	own := *mine.Hotspots.(*Matcher)
	own.ID, own.Order, own.Stacks = "ACME001", 0, []match.StackMatch{{Frames: []string{"example.com/acme.*"}}}
	mine.Hotspots = &own
	known, more := NewBoard(all), NewBoard(append(all, &mine))
	a, b := known.ofKind(profile.KindCPU), more.ofKind(profile.KindCPU)
	if len(a.matchers)+1 != len(b.matchers) || b.matchers[0].ID != "ACME001" ||
		a.patterns.Len()+1 != b.patterns.Len() {
		t.Errorf("%d matchers, %d patterns beside %d, %d", len(b.matchers), b.patterns.Len(),
			len(a.matchers), a.patterns.Len())
	}
}
