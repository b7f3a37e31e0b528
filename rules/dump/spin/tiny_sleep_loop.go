package spin

import (
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// maxTinySleep is the longest sleep that counts as none. The runtime needs 50 to 100 µs to put a thread to sleep and
// wake it on Linux (timer slack is 50 µs, prctl(2)), so a loop with a shorter sleep never idles; 10 µs leaves a margin
// for back-offs that begin small.
const maxTinySleep = 10 * time.Microsecond

// tinySleep is tiny-sleep-loop (TR104).
func tinySleep() *rules.Rule {
	return spinRule("TR104", "tiny-sleep-loop", rules.NeedsDump|rules.NeedsStates, func(p *rules.Pass, report accuser) {
		known := reported{}
		for _, d := range p.AskedDumps() {
			for i, b := range d.Buckets {
				if b.Class != stackparse.ClassSleep || d.RoleOf(i) != nil || len(b.Goroutines) == 0 {
					continue
				}
				sleep, ok := SleepTime(b)
				if !ok || sleep > maxTinySleep || !written(sleep) {
					continue
				}
				a := known.rest(active{d: d, bucket: b, index: i, goroutines: b.Goroutines, leaf: -1})
				f := a.facts()
				f.Values["sleep"] = sleep.String()
				report(a, f)
			}
		}
	})
}

// written reports whether a duration looks like one that is in the source: two significant digits at most. What a
// rate limiter computes is as short by chance, once in a while, and hardly ever as round.
func written(d time.Duration) bool {
	for d >= 100 && d%10 == 0 {
		d /= 10
	}
	return d < 100
}

// SleepTime reads the duration from the words of the bucket's time.Sleep frame. A word marked as stale shows nothing.
func SleepTime(b *stackparse.Bucket) (time.Duration, bool) {
	args := b.Args()
	for i := range b.Frames {
		if b.Frames[i].Func != "time.Sleep" || len(args[i].Words) == 0 {
			continue
		}
		w := args[i].Words[0]
		return time.Duration(w.Value), w.Known && !w.Uncertain
	}
	return 0, false
}
