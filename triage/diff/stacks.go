package diff

import (
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/triage/internal/convert"
	"github.com/gotriage/triage/triage/schema"
)

// stacksOf are the stacks of what was compared: profiles kind by kind, then the dumps that the sides have chosen.
func stacksOf(before, after *Side, pairs []profilePair, diffs []schema.ProfileDiff) (list []schema.StackDiff) {
	for i, p := range pairs {
		d := &diffs[i]
		list = append(list, schema.StackDiff{
			Kind: d.Kind, Type: d.Type, Unit: d.Unit, Rate: d.Rate,
			Before: p.before.stacks(d.Before.Value), After: p.after.stacks(d.After.Value),
		})
	}
	if len(before.chosen) > 0 && len(after.chosen) > 0 {
		list = append(list, schema.StackDiff{
			Kind: string(profile.KindGoroutine), Type: "goroutine", Unit: "goroutines",
			Rate: string(profile.RateAmount), Before: before.goroutines(), After: after.goroutines(),
		})
	}
	return list
}

// stacks are those of a side whose whole is a rate's value.
func (s *kindSide) stacks(whole float64) schema.StackSide {
	out := schema.StackSide{Value: s.view.Value}
	out.Profiles = append(out.Profiles, s.view.Pprof())
	if total := s.view.All.Value; total != 0 {
		out.Per = whole / float64(total)
	}
	if n := s.view.EffectiveSamples(); n > 0 {
		out.Chance = whole / n
	}
	return out
}

// goroutines are the stacks of a side's dumps: their numbers are exact.
func (s *Side) goroutines() schema.StackSide {
	out := schema.StackSide{Per: 1}
	for _, d := range s.chosen {
		out.Profiles = append(out.Profiles, convert.DumpStacks(d, ""))
	}
	return out
}
