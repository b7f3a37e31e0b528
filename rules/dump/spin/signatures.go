package spin

import (
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// A signature is what one dump shows of a spinner.
type signature struct {
	id, name string
	accuses  func(a *active, all []active) bool
	facts    func(a *active, f *account.Facts) // beside those of all signatures; may be nil
	doubts   func(a *active) bool              // whether honest work shows the same; may be nil
}

func signatures() []signature {
	return []signature{
		{"TR101", "busy-wait", yields, nil, nil},
		{"TR102", "polling-select", polls, pollFacts, nil},
		{"TR103", "zero-timer-loop", startsTimers, nil, nil},
		{"TR105", "clock-spin", readsClock, nil, nil},
		{"TR106", "atomic-spin", spinsOnValue, nil, nil},
		{"TR107", "tight-loop", loopsTight, tightFacts, mayWork},
		{"TR108", "unstoppable-loop", cannotStop, nil, nil},
		{"TR110", "lock-poll", locksOverAndOver, lockFacts, nil},
	}
}

// yields is busy-wait (TR101). See mayAllocate.
func yields(a *active, _ []active) bool { return a.act == actYields && a.d.RoleOf(a.index) == nil }

// mayAllocate reports whether it may have been an allocation that yielded: one that owes the collector work does when
// it is to be stopped, as all are for a debug=2 dump, where its caller seems to have called Gosched. (A handler that
// made slices, of 510 dumps of healthy busy programs.) A loop that waits is mostly the goroutine's own function.
func (a *active) mayAllocate() bool {
	if a.act != actYields || len(a.goroutines) > 1 || a.d.Format != stackparse.FormatDebug2 {
		return false
	}
	last := a.bucket.Shown[len(a.bucket.Shown)-1]
	return a.blame().Index != last
}

// polls is polling-select (TR102).
// A channel operation that need not wait is rarely caught in the act, unless it is all that is done; a receive that
// found something and a question to a context are what busy code does as well.
func polls(a *active, all []active) bool {
	if a.excused() {
		return false
	}
	switch a.act {
	case actPolls:
		if a.mayPark() {
			return alone(all) && woken(all) == 0 && !a.servesRequest()
		}
		return crowd(all) <= maxCrowd
	case actReceives:
		return alone(all) && woken(all) == 0 && !a.talks() && !a.near().sends && !a.servesRequest()
	case actAsksContext:
		return alone(all) && woken(all) == 0 && !a.peerWaits() && !a.servesRequest()
	}
	return false
}

// excused reports whether the goroutine has a role, and is not one that should be waiting in it: a loop over events
// receives them, or asks its context, without an end when its channel was closed.
func (a *active) excused() bool {
	r := a.d.RoleOf(a.index)
	return r != nil && !(r.Idle && (a.act == actReceives || a.act == actAsksContext))
}

// mayPark reports whether the goroutine is in a select without a default case: its closed channel makes a loop spin,
// but so is it when it was just woken and takes its channels' locks (runtime.selectgo, whose sixth word is block).
func (a *active) mayPark() bool {
	for i := range a.bucket.Frames {
		if a.bucket.Frames[i].Func == "runtime.selectgo" {
			w := a.bucket.Args()[i].Words
			return len(w) > 5 && w[5].Known && !w[5].Uncertain && w[5].Value == 1
		}
	}
	return false
}

func pollFacts(a *active, f *account.Facts) {
	switch a.act {
	case actReceives:
		f.Cases = append(f.Cases, "receives")
	case actAsksContext:
		f.Cases = append(f.Cases, "asks a context")
	}
}

// maxPollSleep is the longest time.Sleep that may still be a poll: with 1 ms a loop takes about a hundredth of a CPU.
const maxPollSleep = time.Millisecond

// startsTimers is zero-timer-loop (TR103).
func startsTimers(a *active, all []active) bool {
	if a.act != actTimes || a.d.RoleOf(a.index) != nil || crowd(all) > 0 || woken(all) > 0 || a.peerWaits() {
		return false
	}
	sleep, ok := SleepTime(a.bucket)
	if !ok && sleep >= maxPollSleep && written(sleep) {
		return false // a stale word is what it was mostly: a length as people write them is no chance
	}
	return !ok || sleep > maxTinySleep && sleep < maxPollSleep // else TR104's, or a sleep of some length
}

// readsClock is clock-spin (TR105).
func readsClock(a *active, all []active) bool {
	return a.act == actClock && a.d.RoleOf(a.index) == nil && crowd(all) == 0 && woken(all) == 0 && !a.peerWaits()
}

// spinsOnValue is atomic-spin (TR106).
func spinsOnValue(a *active, all []active) bool {
	switch {
	case a.d.RoleOf(a.index) != nil:
		return false
	case a.act == actLooksUp: // some 20 ns and more, by the map's size and the key: not as sure
		return alone(all) && !a.peerWaits() && !a.servesRequest()
	}
	return a.act == actAtomic && crowd(all) <= maxCrowd && !a.backsOff()
}

// loopsTight is tight-loop (TR107).
func loopsTight(a *active, all []active) bool {
	return a.act == actOwn && a.d.RoleOf(a.index) == nil && alone(all) && a.onCPU() && !a.leafIsLibrary() &&
		!a.servesRequest() && !a.runtimeWorks() && !a.calledBack() && !a.peerWaits() && !a.joined()
}

// mayWork reports whether the goroutine may do honest work: that one computes alone is what a batch or a job in the
// background shows too.
func mayWork(a *active) bool { return !a.tinyLoop() || a.hasData() }

// hasData reports whether a function of the loop got a slice or a string: a checksum over data is as small a loop as
// one that waits for a flag.
func (a *active) hasData() bool {
	lists := a.bucket.WordLists()
	for i := a.leaf; i >= 0 && i < len(a.bucket.Frames) && !isLibrary(a.d, a.bucket.Frames[i].Frame); i++ {
		if len(values(lists[i])) > 0 {
			return true
		}
	}
	return false
}

// Bounds of a loop that has no room for work: bytes from the beginning of each function to where it was caught, and
// functions. Nine spinners of the fixtures and of real incidents (Go 1.18 to 1.27, amd64 and 386) were caught within
// 0x3b bytes of at most two functions; healthy computations (a matrix product, a simulation, an interpreter, parsers,
// decoders) beyond 0x4a, or below more functions.
const (
	maxTinyCode  = 64
	maxTinyCalls = 2
)

// tinyLoop reports whether the goroutine was caught in the first bytes of the only functions that its goroutine, or
// the library that calls it back, runs: a loop that looks at something and does nothing.
func (a *active) tinyLoop() bool {
	args, calls := a.bucket.Args(), 0
	inlined := false
	for i := a.leaf; i >= 0 && i < len(a.bucket.Frames); i++ {
		f := &a.bucket.Frames[i]
		if inlined = f.Inlined; inlined {
			continue // its code is the caller's
		}
		if f.Elided != 0 {
			return false
		}
		if isLibrary(a.d, f.Frame) {
			break
		}
		if calls++; calls > maxTinyCalls || args[i].Offset > maxTinyCode || args[i].Offset == 0 && !args[i].AtEntry {
			return false
		}
	}
	return calls > 0 && !inlined // a wrapper that is not printed has the code
}

func tightFacts(a *active, f *account.Facts) {
	f.Values["doing"] = "with no call below it"
	if a.blame().Index > a.leaf {
		f.Values["doing"] = "about to run " + rules.PlaceText(rules.PlaceOf(a.bucket.Frames[a.leaf].Frame)) +
			" once more"
	}
	if mayWork(a) {
		f.Cases = append(f.Cases, "may work")
	}
}

// servesRequest reports whether the goroutine serves an HTTP or RPC request: it may compute, and one dump can't show
// for how long.
func (a *active) servesRequest() bool {
	for _, i := range a.bucket.Shown {
		n := symbol.ParseName(symbol.StripVendor(a.bucket.Frames[i].Func))
		switch {
		case n.Package == "net/http" && n.Receiver == "conn" && n.Func == "serve",
			n.Package == "google.golang.org/grpc" && n.Receiver == "Server",
			n.Package == "net/rpc" && n.Receiver == "service":
			return true
		}
	}
	return false
}

// cannotStop is unstoppable-loop (TR108).
// It asks for more quiet than alone does: without a stack, that nothing else goes on is all the evidence. What
// main.main started is mostly what the program is for, and one that has started others is no loop without a call.
func cannotStop(a *active, all []active) bool {
	return a.act == actNoStack && a.bucket.CreatedBy != nil && !isLibrary(a.d, a.bucket.CreatedBy.Frame) &&
		a.bucket.CreatedBy.Func != "main.main" && alone(all) && woken(all) == 0 && !a.talks() && !a.peerWaits() &&
		!a.joined() && !a.starts()
}

// locksOverAndOver is lock-poll (TR110).
func locksOverAndOver(a *active, all []active) bool {
	return a.act == actFastLock && a.d.RoleOf(a.index) == nil && alone(all) && !a.servesRequest() && !a.peerWaits()
}

// lockFacts separates TryLock, which may fail, from locks that are taken and released.
func lockFacts(a *active, f *account.Facts) {
	if strings.HasSuffix(a.called(), "TryLock") || strings.HasSuffix(a.called(), "TryRLock") {
		f.Cases = append(f.Cases, "tries")
	}
}

// maxTinySleep is the longest sleep that counts as none. The runtime needs 50 to 100 µs to put a thread to sleep and
// wake it on Linux (timer slack is 50 µs, prctl(2)), so a loop with a shorter sleep never idles; 10 µs leaves a margin
// for back-offs that begin small.
const maxTinySleep = 10 * time.Microsecond

// tinySleep is tiny-sleep-loop (TR104).
func tinySleep() *rules.Rule {
	return spinRule("TR104", "tiny-sleep-loop", rules.NeedsDump|rules.NeedsStates, func(p *rules.Pass, report accuser) {
		known := reported{}
		for _, d := range p.AliveDumps() {
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
	sleeps := func(f stackparse.Frame) bool { return f.Func == "time.Sleep" }
	if !slices.ContainsFunc(b.Frames, sleeps) {
		return 0, false // reading the words is the expensive part
	}
	args := b.Args()
	for i := range b.Frames {
		if !sleeps(b.Frames[i]) || len(args[i].Words) == 0 {
			continue
		}
		w := args[i].Words[0]
		return time.Duration(w.Value), w.Known && !w.Uncertain
	}
	return 0, false
}
