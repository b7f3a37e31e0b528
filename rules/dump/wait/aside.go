package wait

import (
	"slices"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// aside reports whether goroutines of the program wait for a tick, for work or for a signal, and have nothing to do
// with those of w: they are in the function that they began with, and no package of the program is on their stacks, or
// started them, that is on w's. What receives from a channel is nearly always in the package that sends on it, or was
// handed the channel by that; a reporter or a sweeper of another package that ticks once a minute is in every service.
// Of main, where all is wired, the place of the wait counts, and that the process listens to signals.
func (s *scene) aside(a, w *actor) bool {
	if a.move != paced || !s.idles(a) {
		return false
	}
	theirs := s.ownPackages(w.b.Frames)
	if a.inMain() {
		return a.b.Class == stackparse.ClassChanReceive && s.signals() &&
			!slices.Contains(theirs, s.name(a.b.Frames[a.site].Func).Package)
	}
	frames := a.b.Frames
	if a.b.CreatedBy != nil {
		frames = append(slices.Clip(frames), *a.b.CreatedBy)
	}
	return !slices.ContainsFunc(s.ownPackages(frames), func(pkg string) bool { return slices.Contains(theirs, pkg) })
}

// ownPackages are the packages of the program among some calls.
func (s *scene) ownPackages(frames []stackparse.Frame) (all []string) {
	for i := range frames {
		f := &frames[i]
		if f.Elided == 0 && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			all = append(all, s.name(f.Func).Package)
		}
	}
	return all
}

// signals reports whether the process listens to signals.
func (s *scene) signals() bool {
	return slices.ContainsFunc(s.actors, func(a actor) bool { return hasFunction(a.b, "os/signal.loop") })
}

// actorIn is the actor of a bucket of the dump.
func (s *scene) actorIn(b *stackparse.Bucket) *actor {
	return &s.actors[slices.Index(s.d.Buckets, b)]
}
