package rules

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/stackparse"
)

// sameFunction are the goroutines whose stacks hold the culprit's function, without the crashed one.
func (c *crash) sameFunction() []goroutinesOf {
	fn := PlainName(c.blame.Culprit.Function)
	if fn == "" {
		return nil
	}
	last := fn[strings.LastIndexByte(fn, '.')+1:] // of a million frames few pass this far cheaper test
	var found []goroutinesOf
	for _, b := range c.d.Buckets {
		for _, i := range shownFrames(b) {
			if f := &b.Frames[i]; strings.Contains(f.Func, last) && PlainName(f.Func) == fn {
				found = appendOthers(found, c, b, nil)
				break
			}
		}
	}
	return found
}

// goroutinesOf are some goroutines of a bucket.
type goroutinesOf struct {
	b  *stackparse.Bucket
	gs []stackparse.Goroutine
}

// appendOthers appends those goroutines of b that are not the crashed one and satisfy keep (nil: all).
func appendOthers(to []goroutinesOf, c *crash, b *stackparse.Bucket, keep func(*stackparse.Goroutine) bool) []goroutinesOf {
	var gs []stackparse.Goroutine
	for i := range b.Goroutines {
		g := &b.Goroutines[i]
		if c.g != nil && g.ID == c.g.ID || keep != nil && !keep(g) {
			continue
		}
		gs = append(gs, *g)
	}
	if len(gs) == 0 {
		return to
	}
	return append(to, goroutinesOf{b, gs})
}

// shownFrames are the indices of b's frames that count; all of them where the parser did not choose.
func shownFrames(b *stackparse.Bucket) []int {
	if len(b.Shown) > 0 {
		return b.Shown
	}
	return indices(len(b.Frames))
}

func countAll(all []goroutinesOf) int {
	n := 0
	for _, o := range all {
		n += len(o.gs)
	}
	return n
}

// bucketEvidence lists groups of goroutines, at most maxCrashEvidence of them.
func bucketEvidence(d *DumpInput, all []goroutinesOf) []Evidence {
	var list []Evidence
	for _, o := range all[:min(len(all), maxCrashEvidence)] {
		e := EvidenceOfGoroutines(d, o.gs, "")
		if p := BlameBucket(d, o.b).Culprit; p.Function != "" {
			e.Text += " in " + placeName(p)
			if at := placeLine(p); at != "" {
				e.Text += " at " + at
			}
		}
		list = append(list, e)
	}
	return list
}

// blocked is a bucket of goroutines that wait.
type blocked struct {
	goroutinesOf
	rank    int
	culprit int // index into b.Frames
}

// place is who is to blame for the wait.
func (b *blocked) place() Place { return PlaceOf(b.b.Frames[b.culprit].Frame) }

// blockedIn lists the buckets whose goroutines satisfy keep and stand in code that can be blamed, the likeliest root
// first: what waits for something that only itself or nobody could give comes before what waits for others to finish.
// Runtime goroutines and those of the standard library alone wait by their nature.
func blockedIn(d *DumpInput, keep func(*stackparse.Bucket, *stackparse.Goroutine) bool) []blocked {
	var found []blocked
	for _, b := range d.Buckets {
		var gs []stackparse.Goroutine
		for i := range b.Goroutines {
			if g := &b.Goroutines[i]; g.Flags&stackparse.FlagG0 == 0 && keep(b, g) {
				gs = append(gs, *g)
			}
		}
		if len(gs) == 0 {
			continue
		}
		i := culpritIndex(d.Program, b.Frames, shownFrames(b))
		if i < 0 || !blameable(d.Program.Class(b.Frames[i].Frame)) {
			continue
		}
		found = append(found, blocked{goroutinesOf{b, gs}, waitRank(b.Class), i})
	}
	slices.SortStableFunc(found, func(a, b blocked) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		// main first: it is what the process stands for.
		if am, bm := a.isMain(), b.isMain(); am != bm {
			if am {
				return -1
			}
			return 1
		}
		return len(b.gs) - len(a.gs)
	})
	return found
}

func (b *blocked) isMain() bool { return b.gs[0].ID == 1 }

func blameable(c frame.Class) bool { return c != frame.ClassRuntime && c != frame.ClassStdlib }

// waitRank orders waits by how likely they are the root of a standstill: a lock or a channel operation that cannot
// go on holds others up, while a WaitGroup, and main's select {}, only wait for the rest to end.
func waitRank(c stackparse.Class) int {
	switch c {
	case stackparse.ClassNilChan:
		return 0
	case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW:
		return 1
	case stackparse.ClassChanSend:
		return 2
	case stackparse.ClassCond, stackparse.ClassSemaphore:
		return 3
	case stackparse.ClassSelect:
		return 4
	case stackparse.ClassChanReceive:
		return 5
	case stackparse.ClassWaitGroup:
		return 6
	case stackparse.ClassNoCases:
		return 7
	}
	return 8
}

// waitAct says what a goroutine of a class does, third person, and what mends it, imperative.
func waitAct(c stackparse.Class) (act, fix string) {
	switch c {
	case stackparse.ClassNilChan:
		return "waits for a nil channel", "Make the channel before it is used; a nil channel blocks for ever."
	case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW:
		return "waits for a lock", "Find who holds the lock: a second Lock by the same goroutine, two locks taken in opposite order, a return without Unlock (use defer)."
	case stackparse.ClassChanSend:
		return "sends to a channel that nobody receives from", "Give the channel a receiver that outlives its senders, buffer it for as many sends as there are, or select with ctx.Done()."
	case stackparse.ClassCond:
		return "waits for a Cond that nobody signals", "Call Signal or Broadcast after each change of the condition, with the lock held, and wait in a loop that tests it first."
	case stackparse.ClassSemaphore:
		return "waits for a semaphore", "Find who should release it: a lock, a WaitGroup or a Cond of the sync package."
	case stackparse.ClassSelect:
		return "waits in a select", "Make sure that one of its cases can come true: someone sends, closes or cancels."
	case stackparse.ClassChanReceive:
		return "receives from a channel that nobody sends to", "Close the channel when the last sender is done (a range over it ends only then), or make sure that each receive has its send."
	case stackparse.ClassWaitGroup:
		return "waits for a WaitGroup", "Make each counted goroutine reach its Done (defer it first), and count only those that start."
	case stackparse.ClassNoCases:
		return "waits in an empty select for nothing", "Wait for a signal, a context or an error channel instead of an empty select."
	case stackparse.ClassSleep:
		return "sleeps", "Wait for the event itself instead of sleeping."
	case stackparse.ClassIO:
		return "waits for input", "Set a deadline on the connection or file."
	case stackparse.ClassRunning, stackparse.ClassRunnable:
		return "still runs", "See whether its loop can end."
	}
	return "waits", "See what it waits for."
}

// blockedEvidence lists blocked buckets, at most maxCrashEvidence of them.
func blockedEvidence(d *DumpInput, all []blocked) []Evidence {
	groups := make([]goroutinesOf, 0, len(all))
	for _, b := range all {
		groups = append(groups, b.goroutinesOf)
	}
	return bucketEvidence(d, groups)
}

// blame makes a blocked bucket's first goroutine the one that the crash is about.
func (c *crash) blameBlocked(b blocked) {
	c.b, c.g = b.b, &b.gs[0]
	c.blameFrom(0)
}
