package crash

import (
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/stackparse"
)

// sameFunction are the goroutines whose stacks hold the culprit's function, without the crashed one.
func (c *crash) sameFunction() []wait.GoroutinesOf {
	fn := rules.PlainName(c.blame.Culprit.Function)
	if fn == "" {
		return nil
	}
	last := fn[strings.LastIndexByte(fn, '.')+1:] // of a million frames few pass this far cheaper test
	var found []wait.GoroutinesOf
	for _, b := range c.d.Buckets {
		for _, i := range rules.ShownFrames(b) {
			if f := &b.Frames[i]; strings.Contains(f.Func, last) && rules.PlainName(f.Func) == fn {
				found = appendOthers(found, c, b, nil)
				break
			}
		}
	}
	return found
}

// appendOthers appends those goroutines of b that are not the crashed one and satisfy keep (nil: all).
func appendOthers(to []wait.GoroutinesOf, c *crash, b *stackparse.Bucket,
	keep func(*stackparse.Goroutine) bool) []wait.GoroutinesOf {
	gs := rules.GoroutinesWhere(b, func(g *stackparse.Goroutine) bool {
		return (c.g == nil || g.ID != c.g.ID) && (keep == nil || keep(g))
	})
	if len(gs) == 0 {
		return to
	}
	return append(to, wait.GoroutinesOf{Bucket: b, Goroutines: gs})
}

func countAll(all []wait.GoroutinesOf) int {
	n := 0
	for _, o := range all {
		n += len(o.Goroutines)
	}
	return n
}

// bucketEvidence lists groups of goroutines, at most maxCrashEvidence of them.
func bucketEvidence(d *rules.DumpInput, all []wait.GoroutinesOf) []rules.Evidence {
	var list []rules.Evidence
	for _, o := range all[:min(len(all), maxCrashEvidence)] {
		e := rules.EvidenceOfGoroutines(d, o.Goroutines, "")
		if p := rules.BlameBucket(d, o.Bucket).Culprit; p.Function != "" {
			e.Text += " in " + rules.PlaceName(p) + atLine(p)
		}
		list = append(list, e)
	}
	return list
}

// atLine is " at engine.go:70" where the line is known.
func atLine(p rules.Place) string {
	if at := rules.PlaceLine(p); at != "" {
		return " at " + at
	}
	return ""
}

// waitAct describes what a goroutine of a class does, third person, and what fixes it, imperative.
func waitAct(c stackparse.Class) (act, fix string) {
	switch c {
	case stackparse.ClassNilChan:
		return "waits for a nil channel", "Make the channel before it is used; a nil channel blocks for ever."
	case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW:
		return "waits for a lock", "Find who holds the lock: a second Lock by the same goroutine, two locks taken in " +
			"opposite order, a return without Unlock (use defer)."
	case stackparse.ClassChanSend:
		return "sends to a channel that nobody receives from", "Give the channel a receiver that outlives its " +
			"senders, buffer it for as many sends as there are, or select with ctx.Done()."
	case stackparse.ClassCond:
		return "waits for a Cond that nobody signals", "Call Signal or Broadcast after each change of the condition, " +
			"with the lock held, and wait in a loop that tests it first."
	case stackparse.ClassSemaphore:
		return "waits for a semaphore", "Find who should release it: a lock, a WaitGroup or a Cond of the sync package."
	case stackparse.ClassSelect:
		return "waits in a select", "Make sure that one of its cases can come true: someone sends, closes or cancels."
	case stackparse.ClassChanReceive:
		return "receives from a channel that nobody sends to", "Close the channel when the last sender is done (a " +
			"range over it ends only then), or make sure that each receive has its send."
	case stackparse.ClassWaitGroup:
		return "waits for a WaitGroup", "Make each counted goroutine reach its Done (defer it first), and count only " +
			"those that start."
	case stackparse.ClassNoCases:
		return "waits in an empty select for nothing", "Wait for a signal, a context or an error channel instead of " +
			"an empty select."
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
func blockedEvidence(d *rules.DumpInput, all []wait.Blocked) []rules.Evidence {
	groups := make([]wait.GoroutinesOf, 0, len(all))
	for _, b := range all {
		groups = append(groups, b.GoroutinesOf)
	}
	return bucketEvidence(d, groups)
}

// blameBlocked makes a blocked bucket's first goroutine the one that the crash is about.
func (c *crash) blameBlocked(b wait.Blocked) {
	c.b, c.g = b.Bucket, &b.Goroutines[0]
	c.blameFrom(0)
}
