package wait

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// explainDouble is double-lock (TR406).
func explainDouble(s *standstill) LockFinding {
	l := &s.Blockage.Links[0]
	f := s.facts(l)
	b := s.Dump.Buckets[l.Waiter.Bucket]
	frame := l.Callback
	switch {
	case l.Panic > 0:
		f.Cases = []string{"panic"}
		frame = rules.BlameBelow(s.Dump, b, l.Panic).Index
		place := callAt(s.Dump, l.Waiter.Bucket, frame)
		f.Values["panicked"], f.Values["panickedSpot"] = rules.PlaceText(place), spot(place)
	case s.awaitsReaders() && s.Blockage.Sleeper.Strength == 0:
		f.Cases = []string{"readers"}
	case l.Holder.Strength == 0:
		f.Cases = []string{"nobody"}
		maps.Copy(f.Values, s.sleeperFacts(l))
	case l.Object.Kind == waitgraph.Once:
		f.Cases = []string{"once"}
	case l.Callback > 0:
		f.Cases = []string{"callback"}
		maps.Copy(f.Values, callbackFacts(b, l.Site, l.Callback, l.Holder.Frame))
	}
	f.Values["where"] = "around " + f.Values["spot"]
	if n := symbol.ParseName(s.siteFunc(l)); n.Receiver != "" {
		f.Values["where"] = fmt.Sprintf("in the methods of %s", n.Receiver)
	}
	evidence := []rules.Evidence{goroutineAt(s.Dump, l.Waiter, " waits for "+f.Values["object"])}
	evidence = append(evidence, s.sleeperEvidence()...)
	evidence = append(evidence, s.handedFacts(&f)...)
	evidence = append(evidence, waiterEvidence(s.Dump, &l.Object, l.Waiter)...)
	found := s.account("double-lock", f, l.Waiter.Bucket, evidence)
	found.Frame = frame
	return found
}

// sleeperFacts are what sentences about a goroutine that may hold a lock asleep may use, if there is one.
func (s *standstill) sleeperFacts(l *waitgraph.Link) account.Values {
	h := s.Blockage.Sleeper
	if h.Strength == 0 {
		return nil
	}
	place, reason := culpritLine(s.Dump, h.Bucket), "and was given the address of the lock, or of the object that "+
		"contains it"
	own, typ := callAt(s.Dump, h.Bucket, h.Frame), symbol.ParseName(s.siteFunc(l)).Receiver
	if typ != "" && symbol.ParseName(own.Function).Receiver == typ {
		reason = "in a method of the type whose methods take it"
	}
	return account.Values{"sleeper": subject(s.Dump, h.Ref), "sleeperAt": rules.PlaceText(place),
		"sleeperReason": reason}
}

func (s *standstill) sleeperEvidence() []rules.Evidence {
	if h := s.Blockage.Sleeper; h.Strength > 0 {
		return []rules.Evidence{goroutineAt(s.Dump, h.Ref, " sleeps, and may hold the lock")}
	}
	return nil
}

// siteFunc is the function in which the waiter of a link takes the lock.
func (s *standstill) siteFunc(l *waitgraph.Link) string {
	if b := s.Dump.Buckets[l.Waiter.Bucket]; l.Site > 0 {
		return b.Frames[l.Site].Func
	}
	return culpritLine(s.Dump, l.Waiter.Bucket).Function
}

// explainCycle is lock-cycle (TR407).
func explainCycle(s *standstill) LockFinding {
	links := s.Blockage.Links
	var evidence []rules.Evidence
	var waiters []waitgraph.Ref
	var calls, why []string // that hold one lock and take the next; why
	for i := range links {
		l := &links[i]
		at := rules.PlaceText(culpritLine(s.Dump, l.Waiter.Bucket))
		waiters = append(waiters, l.Waiter)
		evidence = append(evidence, goroutineAt(s.Dump, l.Waiter, " in "+at))
		why = append(why, fmt.Sprintf("%s waits at %s for %s, which %s %s.", subject(s.Dump, l.Waiter), at,
			objectName(&l.Object), idOf(s.Dump, l.Holder.Ref), holds(l.Holder.Strength)))
		if name := bareName(callAt(s.Dump, l.Holder.Bucket, l.Holder.Frame)); !slices.Contains(calls, name) {
			calls = append(calls, name)
		}
	}
	for i := range links {
		evidence = append(evidence, waiterEvidence(s.Dump, &links[i].Object, waiters...)...)
	}
	first, other := culpritLine(s.Dump, links[0].Waiter.Bucket), culpritLine(s.Dump, links[1].Waiter.Bucket)
	name, last := symbol.ShortFunc(other.Function), len(calls)-1
	if first.Package == other.Package {
		name = bareName(other)
	}
	f := account.Facts{Values: account.Values{"other": name, "more": strconv.Itoa(len(links) - 1),
		"calls": strings.Join(calls[:last], ", "), "last": calls[last]}}
	if len(links) > 2 {
		why[1] = fmt.Sprintf("The chain continues over %d goroutines, and the last waits for the first.", len(links))
		f.Cases = append(f.Cases, "many")
	}
	f.Values["links"] = strings.Join(why[:2], " ")
	if first.Function == other.Function {
		f.Cases = append(f.Cases, "one function")
	}
	if last == 0 {
		f.Cases = append(f.Cases, "one call")
	}
	return s.account("lock-cycle", f, links[0].Waiter.Bucket, evidence)
}

// explainReader is rwmutex-recursion (TR408).
func explainReader(s *standstill) LockFinding {
	l := &s.Blockage.Links[0]
	o := &l.Object
	var reader, writer waitgraph.Ref
	for _, w := range o.Waiters {
		r := waitgraph.Ref{Bucket: w.Bucket, Member: w.Members[0]}
		switch w.Mode {
		case waitgraph.ModeRLock:
			reader = r
		case waitgraph.ModePending:
			writer = r
		}
	}
	if l.Self && l.Holder.Strength > 0 && l.Holder.Bucket != writer.Bucket {
		reader = l.Holder.Ref
	}
	place, by := culpritLine(s.Dump, reader.Bucket), rules.PlaceText(culpritLine(s.Dump, writer.Bucket))
	f := s.facts(l)
	maps.Copy(f.Values, account.Values{"who": subject(s.Dump, reader), "at": rules.PlaceText(place),
		"name": bareName(place), "writer": idOf(s.Dump, writer)})
	evidence := []rules.Evidence{goroutineAt(s.Dump, reader, " waits to read "+f.Values["object"]),
		goroutineAt(s.Dump, writer, " waits to write in "+by)}
	switch {
	case !l.Self:
		f.Cases = []string{"other"}
		h := l.Holder
		maps.Copy(f.Values, account.Values{"holder": subject(s.Dump, h.Ref),
			"does": classAct(s.Dump.Buckets[h.Bucket].Class), "spot": spot(culpritLine(s.Dump, h.Bucket))})
		evidence = append(evidence,
			goroutineAt(s.Dump, h.Ref, " "+f.Values["holds"]+" a read lock: "+because(s.Dump, h)))
	case l.Holder.Strength > 0:
		f.Cases = []string{"self"}
	default:
		f.Cases = []string{"nobody"}
		maps.Copy(f.Values, s.sleeperFacts(l))
	}
	evidence = append(evidence, s.sleeperEvidence()...)
	evidence = append(evidence, s.handedFacts(&f)...)
	evidence = append(evidence, waiterEvidence(s.Dump, o, reader, writer)...)
	return s.account("rwmutex-recursion", f, reader.Bucket, evidence)
}

// explainHeld is lock-channel-cycle (TR409).
// Other rules explain with it a lock whose holder is on another stack.
func explainHeld(s *standstill) LockFinding {
	l := &s.Blockage.Links[0]
	h, class := l.Holder, s.Dump.Buckets[l.Holder.Bucket].Class
	place, waiter := culpritLine(s.Dump, h.Bucket), culpritLine(s.Dump, l.Waiter.Bucket)
	at := rules.PlaceText(place)
	f := account.Facts{Cases: []string{string(class)}, Values: account.Values{
		"who": subject(s.Dump, h.Ref), "waits": classAct(class), "at": at, "spot": spot(place),
		"does": cmp.Or(heldActs[class], classAct(class)), "under": byStrength(h.Strength,
			" under a lock", " (most likely under a lock)", " (maybe under a lock)"),
		"holds": holds(h.Strength), "object": objectName(&l.Object),
		"waiter": subject(s.Dump, l.Waiter), "waitsAt": rules.PlaceText(waiter), "waiterSpot": spot(waiter),
	}}
	if l.Object.Kind == waitgraph.Once {
		f.Cases = append(f.Cases, "once")
	}
	evidence := []rules.Evidence{goroutineAt(s.Dump, h.Ref, fmt.Sprintf(" %s %s: %s", f.Values["holds"],
		f.Values["object"], strings.Replace(because(s.Dump, h), at, "this function", 1)))}
	caller, how := s.callUnderLock(h)
	if how != "" {
		f.Cases = append(f.Cases, how)
	}
	if caller > 0 {
		by := callAt(s.Dump, h.Bucket, caller)
		f.Values["callerSpot"], f.Values["callee"] = spot(by), symbol.ShortFunc(place.Function)
	}
	evidence = append(evidence, s.victimEvidence()...)
	evidence = append(evidence, waiterEvidence(s.Dump, &l.Object, h.Ref)...)
	finding := s.account("lock-channel-cycle", f, h.Bucket, evidence)
	finding.Frame = caller
	return finding
}

// victimEvidence are the goroutines that wait for those who wait in the blockage, most first.
func (s *standstill) victimEvidence() (all []rules.Evidence) {
	links := slices.SortedStableFunc(slices.Values(s.Blockage.Behind), func(a, b waitgraph.Link) int {
		return b.Object.Count - a.Object.Count
	})
	for _, l := range links[:min(len(links), maxVictimRows)] {
		waiters := waiterEvidence(s.Dump, &l.Object, l.Holder.Ref)
		for _, e := range waiters[:min(len(waiters), 1)] {
			w := l.Object.Waiters[0]
			e.Text = fmt.Sprintf("%s behind %s in %s", waitsVerb(e.Count), idOf(s.Dump, l.Holder.Ref),
				rules.PlaceText(culpritLine(s.Dump, w.Bucket)))
			all = append(all, e)
		}
	}
	return all
}

// maxVictimRows is how many locks of victims a finding lists. Chosen: the crowd is behind one mostly.
const maxVictimRows = 2

// callUnderLock returns the program's own call that is at fault for a wait of the holder in a dependency, 0 where there
// is none, and the case that explains it: the program's lock is held over the call, or the dependency takes the
// lock below it.
func (s *standstill) callUnderLock(h waitgraph.Holder) (at int, how string) {
	held, own := s.Blockage.Kind == waitgraph.Held, ownCaller(s.Dump, h.Bucket)
	switch {
	case held && h.Strength < waitgraph.StrengthObject, own == 0:
		return 0, ""
	case held:
		return own, "dependency"
	case h.Frame > 0 && s.Dump.Program.Class(s.Dump.Buckets[h.Bucket].Frames[h.Frame].Frame) == frame.ClassOwn:
		return h.Frame, "over a call"
	}
	return 0, ""
}

// ownCaller returns the program's own call that leads to the one in a dependency which a bucket would be blamed for:
// what a dependency does under its lock, its callers alone can keep away from each other. It is 0 where there is none.
func ownCaller(d *rules.DumpInput, bucket int) int {
	b := d.Buckets[bucket]
	at := rules.BlameBucket(d, b).Index
	if at < 0 || d.Program.Class(b.Frames[at].Frame) != frame.ClassDependency {
		return 0
	}
	for _, i := range rules.ShownFrames(b) {
		f := &b.Frames[i]
		if i > at && f.Elided == 0 && d.Program.Class(f.Frame) == frame.ClassOwn && !d.Program.Framework(f.Frame) {
			return i
		}
	}
	return 0
}

// heldActs are what goroutines of a class do with a lock held, where that is not their classAct.
var heldActs = map[stackparse.Class]string{stackparse.ClassChanSend: "sends on a channel",
	stackparse.ClassChanReceive: "receives from a channel"}

// explainConvoy is lock-convoy (TR415).
func explainConvoy(s *standstill) LockFinding {
	st := explainHeld(s)
	h := s.Blockage.Links[0].Holder
	lock := "a lock it " + holds(h.Strength)
	if h.Strength >= waitgraph.StrengthSure {
		lock = "its lock"
	}
	does := classAct(s.Dump.Buckets[h.Bucket].Class)
	st.Act = fmt.Sprintf("%s while %s for %s", does, others(s.Blockage.Waiters), lock)
	return st
}

// others is "3 others wait", "another one waits".
func others(n int) string {
	if n == 1 {
		return "another one waits"
	}
	return fmt.Sprintf("%d others wait", n)
}

// bareName is a function's name without its package.
func bareName(p rules.Place) string {
	name := symbol.ShortFunc(p.Function)
	if _, bare, ok := strings.Cut(name, "."); ok && bare != "" {
		return bare
	}
	return name
}

// callbackFacts are what sentences about a re-entry may use: an {outer} call called the {callback} back, which {calls}
// the code that takes the lock {at} a place.
func callbackFacts(b *stackparse.Bucket, site, callback, outer int) account.Values {
	place := func(i int) rules.Place { return rules.PlaceOf(b.Frames[i].Frame) }
	return account.Values{
		"callback": rules.PlaceText(place(callback)), "callbackName": symbol.ShortFunc(b.Frames[callback].Func),
		"callbackSpot": spot(place(callback)), "at": rules.PlaceText(place(site)), "spot": spot(place(site)),
		"calls": bareName(place(callback - 1)), "outer": rules.PlaceText(place(outer)), "outerSpot": spot(place(outer)),
		"outerName": bareName(place(outer)),
	}
}

// goesOnInside reports whether a goroutine goes on in a method of a type whose locks are in a circle: where two locks
// are merely busy their owners are there.
func (s *standstill) goesOnInside() bool {
	if s.Blockage.Kind != waitgraph.LockCycle {
		return false
	}
	sc := newView(s.Dump)
	for i := range s.Blockage.Links {
		l := &s.Blockage.Links[i]
		for _, ref := range []waitgraph.Ref{l.Waiter, l.Holder.Ref} {
			if key := sc.lockKey(&sc.actors[ref.Bucket]); key != "" && sc.busyIn(key) {
				return true
			}
		}
	}
	return false
}
