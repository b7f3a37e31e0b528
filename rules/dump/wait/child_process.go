package wait

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
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
		if ref, ok := childStartedBy(d, h, children); ok {
			return waitgraph.Holder{Ref: ref, Strength: h.Strength}
		}
	case waitgraph.DoubleLock, waitgraph.ReaderRecursion:
		if h.Strength > 0 {
			break
		}
		ref, ok := childBeside(d, b.Links[0].Waiter.Bucket, children)
		if !ok {
			ref, ok = childAlone(d, b, children)
		}
		if ok {
			return waitgraph.Holder{Ref: ref, Strength: waitgraph.StrengthFile}
		}
	}
	return waitgraph.Holder{}
}

// childStartedBy returns a goroutine that waits for a child process and was started by a lock's holder, in a function
// that is called with the lock: one that it started before is none of what it waits for.
func childStartedBy(d *rules.DumpInput, h waitgraph.Holder, children []int) (waitgraph.Ref, bool) {
	if d.Buckets[h.Bucket].Class == stackparse.ClassChanSend {
		return waitgraph.Ref{}, false
	}
	id, n := waitgraph.GoroutineOf(d.Dump, h.Ref).ID, names{}
	inside := map[string]bool{}
	for _, f := range d.Buckets[h.Bucket].Frames[:h.Frame+1] {
		inside[n.enclosing(f.Func)] = rules.Blameable(d.Program.Class(f.Frame))
	}
	for _, i := range children {
		b := d.Buckets[i]
		if !slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool { return inside[n.enclosing(f.Func)] }) {
			continue
		}
		for m := range b.Goroutines {
			if b.Goroutines[m].Parent == id {
				return waitgraph.Ref{Bucket: i, Member: m}, true
			}
		}
	}
	return waitgraph.Ref{}, false
}

// childBeside returns a goroutine that waits for a child process below a function in which a waiter takes its lock: one
// of the package that takes it, or the first that calls into that package. A helper that returns what unlocks is on no
// stack any more.
func childBeside(d *rules.DumpInput, waiter int, children []int) (waitgraph.Ref, bool) {
	inside := map[string]bool{}
	pkg := ""
	for _, f := range d.Buckets[waiter].Frames {
		class := d.Program.Class(f.Frame)
		if f.Func == "main.main" || !rules.Blameable(class) || d.Program.Framework(f.Frame) {
			continue
		}
		inside[f.Func] = true
		if at := symbol.PackageOf(f.Func); pkg == "" {
			pkg = at
		} else if at != pkg {
			break
		}
	}
	for _, i := range children {
		if slices.ContainsFunc(d.Buckets[i].Frames, func(f stackparse.Frame) bool { return inside[f.Func] }) {
			return waitgraph.Ref{Bucket: i}, true
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
