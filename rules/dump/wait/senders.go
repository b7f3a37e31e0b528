package wait

import (
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// mayMove reports whether senders look like those of healthy programs, although who started them has left; own reports
// that each sends on a channel of its own. Ages of staleMinutes, or how they came, show that nobody takes what they
// hold: in healthy programs 80 cursors wait for clients that come back within a minute, and 141 shards for one merger.
func (o *orphan) mayMove(own bool) bool {
	g := o.o
	b := o.d.Buckets[g.Bucket]
	few := g.Count < manyAlike
	switch {
	case !own:
		return o.sectionLives()
	case o.byMethod() && o.sectionLives():
		return true
	case 2*g.Owners >= g.Count: // sessions with a generator each
		return true
	case few && 10*g.Count < mostShare*o.d.Goroutines && o.byMethod(): // others may read the field that is its channel
		return true
	case !few, 2*waitingSince(b, staleMinutes) >= g.Count:
		return false
	}
	came := arrivalOf(o.d, b)
	return !came.came
}

// deserted reports whether who started senders has ended and all others rest, where they came one by one until now, or
// have waited for minutes. Of 141 guilty programs of the lab 18 have five senders or more in one stack that came so, in
// a dump that lists goroutines, while all others rest; of 339 healthy ones none, though 22 have as many senders. Of the
// 18 the starters have mostly left their function alone: such ones may have given each tenant a generator.
func (o *orphan) deserted() bool {
	s := newView(o.d)
	if !o.gone() || !s.othersRest(s.actorIn(o.d.Buckets[o.o.Bucket])) {
		return false
	}
	if 2*waitingSince(o.d.Buckets[o.o.Bucket], staleMinutes) >= o.o.Count {
		return true
	}
	came := arrivalOf(o.d, o.d.Buckets[o.o.Bucket])
	return came.came
}

// othersRest reports whether nobody but main is in the middle of anything besides some senders, or may come round to
// what they have, at a tick or for work. Main may make what they are started for, with pauses; where it waits for a
// channel itself it may be their reader.
func (s *view) othersRest(w *actor) bool {
	return !s.anyIn(w, func(a *actor) bool {
		if !a.own && !a.foreign || s.sameSite(a, w) {
			return false
		}
		return a.move == paced && !s.aside(a, w) || !a.inMain() && (s.goesOn(a, w) || s.inModule(a, w.module))
	})
}

// byMethod reports whether the senders run a method: a closure sends on a channel that only its function knows.
func (o *orphan) byMethod() bool {
	f := homeOf(o.d, o.d.Buckets[o.o.Bucket])
	if f == nil {
		return false
	}
	n := symbol.ParseName(rules.PlainName(f.Func))
	return n.Receiver != "" && n.Closure == ""
}

// sectionLives reports whether a goroutine that is at work, or waits for the world outside, is in the function that
// calls the one which waits, or in another method of its type: it is past the send and makes room for the next. In a
// method of the type it may wait for a tick too: a fetcher that a site's limit slows down has 1,240 found pages
// waiting, a trail that is written every ten minutes twelve departments.
func (o *orphan) sectionLives() bool {
	b := o.d.Buckets[o.o.Bucket]
	i := rules.BlameBucket(o.d, b).Index
	if i < 0 {
		return false
	}
	waits := symbol.ParseName(rules.PlainName(b.Frames[i].Func))
	caller := ""
	for _, j := range rules.ShownFrames(b) {
		if f := &b.Frames[j]; j > i && f.Elided == 0 && rules.Blameable(o.d.Program.Class(f.Frame)) {
			caller = rules.PlainName(f.Func)
			break
		}
	}
	for k, other := range o.d.Buckets {
		paced := other.Class == stackparse.ClassChanReceive || other.Class == stackparse.ClassSelect
		if k == o.o.Bucket || !lives(other) && !paced {
			continue
		}
		for _, j := range rules.ShownFrames(other) {
			fn := rules.PlainName(other.Frames[j].Func)
			if fn == caller && caller != "" && !paced {
				return true
			}
			n := symbol.ParseName(fn)
			if waits.Receiver != "" && n.Receiver == waits.Receiver && n.Package == waits.Package &&
				(!paced || n.Func != waits.Func) {
				return true
			}
		}
	}
	return false
}

// lives reports whether goroutines of a bucket compute, or wait for what comes from outside or with time.
func lives(b *stackparse.Bucket) bool {
	switch b.Class {
	case stackparse.ClassRunning, stackparse.ClassRunnable, stackparse.ClassIO, stackparse.ClassSleep,
		stackparse.ClassSyscall, stackparse.ClassCgo:
		return true
	}
	return b.Active > 0
}

// forgotten reports whether many have waited for so long to send on one channel that no reader takes turns with them,
// whatever has come round since. Where no addresses show the channel, the object that they all work on has to: limiters
// of tenants have one that is full each. Where that isn't shown either, those that ask for a slot, as a name shows, and
// came one by one until now, ask for one of the same.
func (o *orphan) forgotten() bool {
	g, b := o.o, o.d.Buckets[o.o.Bucket]
	if g.Mode != waitgraph.ModeSend || waitingSince(b, forgottenMinutes) < sharedSenders || o.sectionLives() {
		return false
	}
	if g.Objects > 0 {
		return g.Most >= sharedSenders
	}
	if workOnOne(b) == 0 && o.takesSlot() {
		return arrivalOf(o.d, b).came
	}
	return workOnOne(b) >= sharedSenders
}

// takesSlot reports whether goroutines wait in a function that takes a slot, as its name shows.
func (o *orphan) takesSlot() bool {
	b, w := o.d.Buckets[o.o.Bucket], &newView(o.d).actors[o.o.Bucket]
	return w.site >= 0 && beginsWithAny(symbol.ParseName(b.Frames[w.site].Func).Func, sectionNames[:])
}

// workOnOne is how many goroutines of a bucket are known to be in methods of one object.
func workOnOne(b *stackparse.Bucket) int {
	counts, most := map[uint64]int{}, 0
	for i := range b.Samples {
		for _, w := range b.Samples[i].Words {
			if w.Arg() == 0 && !w.Uncertain() && symbol.ParseName(b.Frames[w.Frame()].Func).Receiver != "" {
				counts[w.Value()]++
				most = max(most, counts[w.Value()])
				break
			}
		}
	}
	return most
}
