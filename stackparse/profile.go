package stackparse

import (
	"iter"
	"time"
)

// A CountedStack is a stack of a goroutine profile, leaf first, calls inlined into one another innermost first.
type CountedStack struct {
	Frames []Frame
	Count  int64    // of goroutines
	Labels []string // "key: value", sorted
}

// FromProfile turns the stacks of a binary goroutine profile into a Dump of FormatProfile: distinct stacks with
// counts, the runtime's own frames included, without ids, states and creators. leaked reports that it is a
// goroutineleak profile: nothing can wake its goroutines; taken is when it was taken, zero for unknown. Frames and
// labels may be used again.
func FromProfile(stacks iter.Seq[CountedStack], leaked bool, taken time.Time) *Dump {
	stamp := ""
	if !taken.IsZero() {
		stamp = taken.UTC().Format(time.RFC3339Nano)
	}
	c := newCountedDump(FormatProfile, 1, stamp)
	for s := range stacks {
		c.add(s.Frames[:min(len(s.Frames), maxCountedFrames)], s.Count, leaked)
		c.label(s.Labels)
	}
	return c.finish()
}
