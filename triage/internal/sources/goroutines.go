package sources

import (
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse"
)

// goroutinesOf makes a dump of a goroutine profile.
func goroutinesOf(p *profile.Profile) *stackparse.Dump {
	stacks := func(yield func(stackparse.CountedStack) bool) {
		var frames []stackparse.Frame
		for i := range p.Stacks {
			st := &p.Stacks[i]
			frames = frames[:0]
			for _, f := range st.Frames {
				frames = append(frames, stackparse.Frame{Frame: p.At(f), Inlined: p.Frames[f].Inlined})
			}
			if !yield(stackparse.CountedStack{Frames: frames, Count: st.Values[p.Value], Labels: p.Labels[st.Label]}) {
				return
			}
		}
	}
	return stackparse.FromProfile(stacks, p.Kind == profile.KindGoroutineLeak, p.Time)
}
