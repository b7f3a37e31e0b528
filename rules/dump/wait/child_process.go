package wait

import (
	"slices"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// childWaits are the buckets of a dump whose goroutines wait for a child process to end. One whose child has ended, and
// that waits for the rest of its output, is none of them: nothing works for it.
var childWaits = rules.DerivedOfDump(func(d *rules.DumpInput) []int {
	var all []int
	for i, b := range d.Buckets {
		if waitsForChild(b) {
			all = append(all, i)
		}
	}
	return all
})

// waitsForChild reports whether a goroutine waits for the end of another process, which works meanwhile. What os/exec
// has for that calls os.(*Process).Wait.
func waitsForChild(b *stackparse.Bucket) bool {
	return slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
		switch f.Func {
		case "os.(*Process).Wait", "os.(*Process).wait", "syscall.Wait4", "golang.org/x/sys/unix.Wait4",
			"golang.org/x/sys/unix.Waitid":
			return true
		}
		return false
	})
}

// awaitsChild reports whether a child process explains why a lock is held.
func awaitsChild(d *rules.DumpInput, b *waitgraph.Blockage) bool {
	return childHolding(d, b).Strength > 0
}

// childHolding returns the goroutine whose wait for a child process explains why a lock is held: its holder, one that
// the holder started there and waits for, or, where no holder is to be seen, one that came through the code that takes
// the lock, or the only one that can be. Strength is 0 for none, below StrengthObject for one that may.
func childHolding(d *rules.DumpInput, b *waitgraph.Blockage) waitgraph.Holder {
	children, h := childWaits.Of(d), b.Links[0].Holder
	if len(children) == 0 {
		return waitgraph.Holder{}
	}
	switch b.Kind {
	case waitgraph.Held:
		// Where one bucket may hold many locks, as many of its goroutines have to.
		if slices.Contains(children, h.Bucket) && (!h.Doubt || b.Instances <= d.Buckets[h.Bucket].Count) {
			return h
		}
	case waitgraph.HeldInChannel, waitgraph.HeldInWaitGroup:
		if ref, ok := childBelow(d, d.Buckets[h.Bucket].Frames[:h.Frame+1], children,
			waitgraph.GoroutineOf(d.Dump, h.Ref).ID); ok &&
			d.Buckets[h.Bucket].Class != stackparse.ClassChanSend {
			return waitgraph.Holder{Ref: ref, Strength: h.Strength}
		}
	case waitgraph.DoubleLock, waitgraph.ReaderRecursion:
		if h.Strength > 0 {
			break
		}
		ref, ok := childBelow(d, d.Buckets[b.Links[0].Waiter.Bucket].Frames, children, 0)
		if !ok {
			ref, ok = childAlone(d, b, children)
		}
		if ok {
			return waitgraph.Holder{Ref: ref, Strength: waitgraph.StrengthFile}
		}
	}
	return waitgraph.Holder{}
}

// childBelow returns a goroutine that waits for a child process below one of some calls, which lead to a lock: a helper
// that returns what unlocks is on no stack any more, and what a goroutine starts is on another one.
// If parent is not 0, it must have started the goroutine.
func childBelow(d *rules.DumpInput, calls []stackparse.Frame, children []int, parent uint64) (waitgraph.Ref, bool) {
	n, inside := names{}, map[string]bool{}
	for _, f := range calls {
		if f.Func != "main.main" && rules.Blameable(d.Program.Class(f.Frame)) && !d.Program.Framework(f.Frame) {
			inside[n.enclosing(f.Func)] = true
		}
	}
	for _, i := range children {
		b := d.Buckets[i]
		if !slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool { return inside[n.enclosing(f.Func)] }) {
			continue
		}
		if parent == 0 {
			return waitgraph.Ref{Bucket: i}, true
		}
		m := slices.IndexFunc(b.Goroutines, func(g stackparse.Goroutine) bool { return g.Parent == parent })
		if m >= 0 {
			return waitgraph.Ref{Bucket: i, Member: m}, true
		}
	}
	return waitgraph.Ref{}, false
}

// childAlone returns the goroutine that waits for a child process for as long as many wait for a lock, where it is the
// only one near that goes on: the function that took the lock may be on no other stack, and its object in no call that
// is printed. Before a quarter of an hour, that is too little to say so.
func childAlone(d *rules.DumpInput, b *waitgraph.Blockage, children []int) (waitgraph.Ref, bool) {
	if b.Minutes < forgottenMinutes || b.Waiters < convoyLow {
		return waitgraph.Ref{}, false
	}
	s := standstill{Dump: d, Blockage: b}
	r, ok := s.releaser()
	return r.Ref, ok && r.near && r.stays && r.alone && slices.Contains(children, r.Bucket)
}
