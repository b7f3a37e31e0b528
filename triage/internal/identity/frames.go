package identity

import (
	"iter"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// FramesOf runs over the frames of the dumps' distinct stacks, creators and race accesses included.
func FramesOf(dumps []*rules.DumpInput) iter.Seq[frame.Frame] {
	return func(yield func(frame.Frame) bool) {
		for _, d := range dumps {
			for _, b := range d.Buckets {
				if !yieldFrames(yield, b.Frames) || b.CreatedBy != nil && !yield(b.CreatedBy.Frame) {
					return
				}
			}
			for _, r := range d.Races {
				if !yieldFrames(yield, r.Frames) {
					return
				}
			}
		}
	}
}

func yieldFrames(yield func(frame.Frame) bool, frames []stackparse.Frame) bool {
	for _, f := range frames {
		if f.Elided == 0 && !yield(f.Frame) {
			return false
		}
	}
	return true
}
