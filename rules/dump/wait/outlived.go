package wait

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// fewPairs is how many calls must be seen with the goroutine that each has started, before those without their call
// count as left over. Chosen: one may be the first of its kind.
const fewPairs = 2

// outlived reports whether goroutines have outlived what each of them was started for: the calls that are still in the
// function that starts them have one each, and wait beside it, while many others have waited for a quarter of an hour
// since their call ended. What a call starts to stay, once for each key or session, is not there anew for each call.
func (o *orphan) outlived() bool {
	b := o.d.Buckets[o.o.Bucket]
	if b.CreatedBy == nil || !rules.Blameable(o.d.Program.Class(b.CreatedBy.Frame)) || !o.gone() ||
		waitingSince(b, forgottenMinutes) < manySenders {
		return false
	}
	pairs, single := o.pairs(b)
	if pairs < fewPairs || single > 0 {
		return false
	}
	came := arrivalOf(o.d, b)
	return came.came && !came.woken
}

// pairs counts the goroutines that are past the call in which the function that starts those of a bucket does so: those
// that have started one of them, and those that have not.
func (o *orphan) pairs(b *stackparse.Bucket) (pairs, single int) {
	parents := map[uint64]bool{}
	for i := range b.Goroutines {
		parents[b.Goroutines[i].Parent] = true
	}
	for _, other := range o.d.Buckets {
		at := slices.IndexFunc(other.Frames, func(f stackparse.Frame) bool { return f.Func == b.CreatedBy.Func })
		if at < 0 || other.Frames[at].Line <= b.CreatedBy.Line {
			continue
		}
		for i := range other.Goroutines {
			if parents[other.Goroutines[i].ID] {
				pairs++
			} else {
				single++
			}
		}
	}
	return pairs, single
}
