package wait

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A standstill is a blockage with the dump that shows it.
type standstill struct {
	Dump     *rules.DumpInput
	Blockage *waitgraph.Blockage
	// again counts the other dumps of the process, a minute or more away, in which the same goroutine waits for the
	// same.
	again int
	doubt account.Doubt // of the verdict, for the texts
}

// A LockFinding is what a rule reports about a standstill.
type LockFinding struct {
	Culprit int // bucket
	Frame   int // the call in it that is at fault, 0 where that is the one that its stack is blamed for
	account.Account
}

// standstillRun applies explain to the blockages of some kinds that are worth a finding.
func standstillRun(explain func(*standstill) LockFinding, kinds ...waitgraph.BlockKind) run {
	return func(p *rules.Pass) (found []rules.Finding) {
		for _, d := range dumpsWithWaits(p) {
			known, waits := 0, parsed.Waits(d)
			for i := range waits.Blockages {
				if known == maxStandstills {
					break
				}
				s := standstill{Dump: d, Blockage: &waits.Blockages[i]}
				if !slices.Contains(kinds, s.Blockage.Kind) {
					continue
				}
				s.again = seenWaiting(p, d, s.Blockage.Links[0].Waiter)
				if v := s.verdict().but(waits.Part && s.weakest() < waitgraph.StrengthSure, mayBeMissing); v.guilty {
					s.doubt = v.doubt
					found = append(found, s.finding(explain(&s), v))
					known++
				}
			}
		}
		return found
	}
}

// maxStandstills bounds the findings of one rule in one dump: those with the most waiters. Chosen: more than anyone
// reads.
const maxStandstills = 100

// Thresholds. A lock changes hands within a millisecond when others wait (sync.Mutex's starvation mode), so that a wait
// of a minute means a holder that does not let go. Without minutes, and outside of tests, only an order of locks that
// their objects prove is an accusation: healthy programs under load showed up to 58 waiters of one lock, holders that
// wait for a slow consumer or an answer, and types of which one object's lock is taken under another's.
const (
	stuckMinutes = 1
	convoyLow    = 10
	convoyMedium = 100
)

// verdict reports whether the lock moves on no more, as far as the dump shows.
func (s *standstill) verdict() verdict {
	b := s.Blockage
	if s.doubtful() || awaitsChild(s.Dump, b) {
		return verdict{}
	}
	stuck := s.stuck()
	if b.Kind == waitgraph.Held {
		return s.convoyVerdict(stuck)
	}
	certain := stuck || parsed.Waits(s.Dump).Test
	strength := s.weakest()
	v := guilty()
	v.proven, v.inferred = s.proven(strength, stuck), s.inferred(strength)
	switch d := s.otherHolder(strength, certain); {
	case !certain && s.atWork():
		return verdict{}
	case !certain && s.heldElsewhere():
		return s.youngVerdict(strength)
	case b.Moves && !stuck || b.Served && !stuck:
		return verdict{}
	case d != "":
		return v.but(true, d)
	case !certain && s.ownLock():
		v.guilty = !b.Rival
		return v.but(true, s.ownDoubt(strength))
	case s.unheld() && stuck:
		if d, settled := s.unheldDoubt(strength); settled {
			v.inferred = true
			return v.but(true, d)
		}
	}
	v = v.but(true, s.heldDoubt(strength, certain))
	if v.doubt != "" || certain || strength >= waitgraph.StrengthObject && !s.goesOnInside() {
		return v
	}
	// Only types show the holder, or no goroutine seems to hold the lock, and no one has waited for long. It counts
	// where nobody moves: who has the lock waits too then, or will not come back to it.
	many := b.Waiters > 1
	v.guilty = strength > 0 || many && s.nobodyElse()
	return v.but(!many || hasAges(s.Dump) || !s.nobodyMoves(), noAge) // one may have come this moment
}

// atWork reports whether a goroutine is at work that may have the lock, or was just given it.
func (s *standstill) atWork() bool {
	return s.Blockage.Moves || s.Blockage.Busy || s.Dump.Counted() && s.goesOnInside()
}

// nobodyElse reports whether a lock that nobody seems to hold is held by nobody, as far as the form shows. Where stacks
// are only counted, another goroutine that is at work in the package may have it.
func (s *standstill) nobodyElse() bool {
	return !s.Dump.Counted() || !newView(s.Dump).goesOnIn(symbol.PackageOf(s.siteFunc(&s.Blockage.Links[0])))
}

// proven reports whether the stacks themselves prove the standstill, or two dumps that show the same goroutines in it.
func (s *standstill) proven(strength waitgraph.Strength, stuck bool) bool {
	return strength == waitgraph.StrengthSure && (stuck || s.ownLock()) ||
		s.again > 0 && strength >= waitgraph.StrengthObject
}

// inferred reports whether a holder is only inferred: it shows no more than a type that has the lock, an outer call of
// a waiter is as likely, or the holder was there since before the others came.
func (s *standstill) inferred(strength waitgraph.Strength) bool {
	if s.Dump.Counted() && s.ownLock() && s.Blockage.Links[0].Callback > 0 {
		return false // no form of its kind shows more
	}
	return strength < waitgraph.StrengthObject || s.Blockage.Either ||
		strength < waitgraph.StrengthSure && (s.cameBefore() || s.ownLock() && hasAges(s.Dump) && !s.stuck())
}

// heldDoubt is what speaks against the holder of a lock, or for a wait that ends.
func (s *standstill) heldDoubt(strength waitgraph.Strength, certain bool) account.Doubt {
	b, weak := s.Blockage, strength < waitgraph.StrengthSure
	switch {
	case weak && b.Rival:
		return mayBeRival
	case weak && s.cameBefore() && b.Minutes < longMinutes:
		return mayHaveOther
	case b.Either && !certain:
		return mayBeWaiter
	case certain && s.inSelect() && b.Minutes < longSelect:
		return mayBeTick
	}
	return ""
}

// otherHolder is why another goroutine may hold a lock instead of who waits for it: one that ran when the dump was
// made, that waits with the lock for what is at work, as a Close does, that sleeps, or that is missing. Methods of a
// library call each other on one object without its lock, so that an outer call which called nothing back is no better
// evidence.
func (s *standstill) otherHolder(strength waitgraph.Strength, certain bool) account.Doubt {
	b, waits := s.Blockage, parsed.Waits(s.Dump)
	weak := strength < waitgraph.StrengthObject && b.Sleeper.Strength == 0
	nested := strength < waitgraph.StrengthSure && b.Links[0].Callback == 0
	switch {
	case strength < waitgraph.StrengthObject && b.Sleeper.Strength > 0 && (certain || b.Waiters > 1):
		return mayHoldAsleep
	case b.Kind != waitgraph.DoubleLock:
		return ""
	case weak && waits.Hidden:
		return mayBeHidden
	case b.Alike && (nested || weak && certain):
		return mayBeParked
	case nested && waits.Part:
		return mayBeMissing
	}
	return ""
}

// stuck reports whether the lock has not moved for long: those who wait for it show that, and where its holder waits
// for others, that one has to show it too. In a test every goroutine should end.
func (s *standstill) stuck() bool {
	long := s.Blockage.Minutes >= stuckMinutes || s.again > 0
	return long && (!s.heldElsewhere() || parsed.Waits(s.Dump).Test || s.holderStays())
}

// youngVerdict is the verdict about a holder that waits for something that may come, where nothing shows for how long.
// It counts where who started it waits for the lock, and nothing else that this one started goes on.
func (s *standstill) youngVerdict(strength waitgraph.Strength) verdict {
	b := s.Blockage
	object, still := strength >= waitgraph.StrengthObject, false
	switch b.Kind {
	case waitgraph.HeldInWaitGroup:
		still = object && (b.Waiters > 1 && !b.Served || b.Waiters >= convoyMedium)
	case waitgraph.HeldInChannel:
		still = (object || strength >= waitgraph.StrengthType && b.Waiters > 1) && !b.Served && !s.inSelect()
	}
	if s.Dump.Counted() && b.Waiters >= convoyMedium && strength >= waitgraph.StrengthType && !s.inSelect() &&
		b.Kind != waitgraph.HeldInCond {
		// A lock has one holder: with fewer waiters for each than make a convoy, each may have a lock of its own.
		holders := s.Dump.Buckets[b.Links[0].Holder.Bucket].Count
		return guilty().but(holders*convoyLow > b.Waiters, holderYoung)
	}
	if !hasAges(s.Dump) && (b.Started && object || still && nobodyMoves(s.Dump, b.Links[0].Holder.Bucket)) {
		return verdict{guilty: true, inferred: true}
	}
	return verdict{guilty: !b.Served || b.Waiters >= convoyLow}.but(true, holderYoung)
}

// nobodyMoves reports whether no goroutine of the program or its libraries is in the middle of anything: then none of
// them holds the lock that others wait for, or the one that does cannot go on either.
func (s *standstill) nobodyMoves() bool {
	return nobodyMoves(s.Dump, s.Blockage.Links[0].Waiter.Bucket)
}

// heldElsewhere reports whether the holder waits for something that may come.
func (s *standstill) heldElsewhere() bool {
	switch s.Blockage.Kind {
	case waitgraph.HeldInChannel, waitgraph.HeldInWaitGroup, waitgraph.HeldInCond:
		return true
	}
	return false
}

// holderStays reports whether the holder itself has waited for long. Where it came lately, the lock went from hand to
// hand while the others waited. Where another one goes on that may end its wait, a slow answer takes its time, too:
// transfers that are booked one after the other show a minute in nearly every call.
func (s *standstill) holderStays() bool {
	h := s.Blockage.Links[0].Holder
	minutes := s.Dump.Buckets[h.Bucket].MaxMinutes
	if h.Strength >= waitgraph.StrengthSure {
		minutes = waitgraph.GoroutineOf(s.Dump.Dump, h.Ref).Minutes
	}
	if s.Blockage.Served {
		return minutes >= sureMinutes
	}
	return minutes >= stuckMinutes || s.again > 0
}

// longSelect is how long a holder must be in a select, in minutes, before no timeout will help: twice the usual ones
// of half a minute or a minute.
const longSelect = 2

func (s *standstill) convoyVerdict(stuck bool) verdict {
	b := s.Blockage
	h := b.Links[0].Holder
	many, moves := b.Waiters >= convoyMedium, b.Moves && !stuck
	if h.Strength < waitgraph.MinHolder || moves && !many {
		return verdict{}
	}
	v := verdict{guilty: stuck || b.Waiters >= convoyLow}
	if !many || !stuck {
		v.severity = rules.Medium
	}
	return v.but(moves, lockMoves).but(h.Strength < waitgraph.StrengthObject, weakHolder).
		but(s.holderQueues(), runByRun).but(!many && (!stuck || s.mayMoveOn()), queueMoves)
}

// mayMoveOn reports whether a lock of a convoy may change hands while others wait for it: none has waited for a minute
// for sure, or none for long, and the holder has come where it is since. A queue of thirty that moves on every three
// seconds shows the same goroutines in two dumps, and up to three minutes in the headers.
func (s *standstill) mayMoveOn() bool {
	waited := s.Blockage.Minutes
	holder := waitgraph.GoroutineOf(s.Dump.Dump, s.Blockage.Links[0].Holder.Ref).Minutes
	return !parsed.Waits(s.Dump).Test &&
		(waited < sureMinutes || waited < longMinutes && holder+minutesOff < waited)
}

// weakest is the strength of the least certain holder.
func (s *standstill) weakest() waitgraph.Strength {
	w := waitgraph.StrengthSure
	for _, l := range s.Blockage.Links {
		w = min(w, l.Holder.Strength)
	}
	return w
}

// inSelect reports whether what holds all up is a select, whose channels the dump does not show.
func (s *standstill) inSelect() bool {
	h := s.Blockage.Links[0].Holder
	return s.Blockage.Kind == waitgraph.HeldInChannel && s.Dump.Buckets[h.Bucket].Class == stackparse.ClassSelect
}

func (s *standstill) finding(st LockFinding, v verdict) rules.Finding {
	b := s.Dump.Buckets[st.Culprit]
	bl := rules.BlameBucket(s.Dump, b)
	if st.Frame > 0 {
		bl.Index, bl.Culprit = st.Frame, rules.PlaceOf(b.Frames[st.Frame].Frame)
	}
	f := rules.Finding{
		Severity: v.severity, Confidence: v.confidence(), Against: st.Against,
		Culprit: bl.Culprit, Path: bl.Path, Creator: bl.Creator,
		Evidence: st.Evidence, Why: st.Why, Fix: st.Fix, Notes: s.behind(),
		Next:  nextAt("locks", s.Dump, parsed.Waits(s.Dump).Test, b, bl.Index),
		Title: lockTitle(bl.Culprit, st.Act),
		Count: s.Blockage.Waiters,
	}
	return f
}

// seenWaiting counts the other dumps of the process in which the same goroutine waits for the same object on the same
// stack, a minute or more before or after: the dumps' stamps show it, or the minutes in its header, which have gone on.
func seenWaiting(p *rules.Pass, d *rules.DumpInput, r waitgraph.Ref) int {
	b := d.Buckets[r.Bucket]
	g := waitgraph.GoroutineOf(d.Dump, r)
	if d.Process == "" || g.ID == 0 || g.Wait == 0 {
		return 0
	}
	n := 0
	for _, other := range p.Dumps {
		if other == d || other.Process != d.Process {
			continue
		}
		i := slices.IndexFunc(other.Buckets, func(o *stackparse.Bucket) bool { return o.Key == b.Key })
		if i >= 0 && slices.ContainsFunc(other.Buckets[i].Goroutines, func(o stackparse.Goroutine) bool {
			return o.ID == g.ID && o.Wait == g.Wait && (o.Minutes != g.Minutes || apart(d, other))
		}) {
			n++
		}
	}
	return n
}

// apart reports whether two dumps were made a minute or more apart, as far as their stamps show.
func apart(a, b *rules.DumpInput) bool {
	x, okX := a.Time()
	y, okY := b.Time()
	return okX && okY && x.Sub(y).Abs() >= minApart
}

// behind reports how many goroutines the blockage stops, in how many instances, for how long.
func (s *standstill) behind() (notes []string) {
	b := s.Blockage
	text, longest := waitsVerb(b.Waiters)+" for the lock", ""
	switch {
	case b.Instances > 1:
		text = fmt.Sprintf("The same happens on %d locks: %s for them", b.Instances, waitsVerb(b.Waiters))
	case len(b.Links) > 1:
		text = waitsVerb(b.Waiters) + " for these locks"
	}
	if b.Victims > 0 {
		text += fmt.Sprintf(", %d of them behind other waiters", b.Victims)
	}
	if b.Minutes > 0 {
		longest = ", " + verb(b.Waiters, "", "the longest ") + "for about " + phrase.CountMinutes(b.Minutes)
	}
	if b.Waiters > max(1, len(b.Links)) || longest != "" {
		notes = append(notes, text+longest+".")
	}
	if s.again > 0 {
		notes = append(notes, fmt.Sprintf("The same goroutine waits there in %d dumps.", s.again+1))
	}
	return notes
}

// facts are those that sentences about a lock may use: {who} waits {at} a place, its {spot} or function's {name}, for
// an {object} that a goroutine {holds} by an {outer} call at the {outerSpot}, for a {reason}.
func (s *standstill) facts(l *waitgraph.Link) account.Facts {
	place, outer := culpritLine(s.Dump, l.Waiter.Bucket), callAt(s.Dump, l.Holder.Bucket, l.Holder.Frame)
	return account.Facts{Values: account.Values{
		"who": subject(s.Dump, l.Waiter), "at": rules.PlaceText(place), "spot": spot(place), "name": bareName(place),
		"object": objectName(&l.Object), "holds": holds(l.Holder.Strength), "outer": rules.PlaceText(outer),
		"outerSpot": spot(outer), "reason": byStrength(l.Holder.Strength,
			"which takes this lock", "which works on the same object", "in a method of the same type"),
	}}
}

// account writes the account of a rule.
func (s *standstill) account(rule string, f account.Facts, culprit int, evidence []rules.Evidence) LockFinding {
	if !slices.ContainsFunc(f.Cases, aboutTheProgram) {
		f.OfLibrary(rules.BlameBucket(s.Dump, s.Dump.Buckets[culprit]))
	}
	f.Doubt = s.doubt
	a := findings().Account(rule, f)
	a.Evidence = evidence
	return LockFinding{Culprit: culprit, Account: a}
}

// aboutTheProgram reports whether the texts of a case name what the program can do, also where a library waits.
func aboutTheProgram(kind string) bool {
	return slices.Contains([]string{"callback", "once", "panic", "other", "readers"}, kind)
}

// byStrength is what a strength of evidence lets a sentence claim.
func byStrength(s waitgraph.Strength, sure, object, less string) string {
	switch {
	case s >= waitgraph.StrengthSure:
		return sure
	case s >= waitgraph.StrengthObject:
		return object
	}
	return less
}

// holds is the verb for a candidate: a dump names no owner.
func holds(s waitgraph.Strength) string {
	return byStrength(s, "holds", "most likely holds", "may hold")
}

// because describes the evidence for a holder.
func because(d *rules.DumpInput, h waitgraph.Holder) string {
	at := rules.PlaceText(callAt(d, h.Bucket, h.Frame))
	if h.Passed {
		return "it is further on in " + at + " than the goroutines that wait there for the lock"
	}
	return byStrength(h.Strength, "it is in a call to "+at+" on the object that contains the lock",
		"it is inside "+at+", which takes this lock or works on the object that contains it",
		"it is inside "+at+", next to the code that takes the lock")
}

// lockTitle is waitTitle with a little room left.
func lockTitle(culprit rules.Place, act string) string {
	name, bare, at := rules.TitleParts(culprit)
	return rules.FirstTitle(phrase.Cut(bare+" "+act, phrase.MaxTitle-3), name+" "+act+at, bare+" "+act+at, bare+" "+act)
}

func dumpsWithWaits(p *rules.Pass) []*rules.DumpInput {
	return slices.DeleteFunc(p.AliveDumps(), func(d *rules.DumpInput) bool { return parsed.Waits(d) == nil })
}

// objectName names what goroutines wait for: "the mutex at 0xc000012048", "an RWMutex" where no address is reported.
func objectName(o *waitgraph.Object) string {
	kind, article := string(o.Kind), "a "
	switch o.Kind {
	case waitgraph.RWMutex:
		kind, article = "RWMutex", "an "
	case waitgraph.Once:
		kind = "sync.Once"
	}
	if o.Addr == 0 {
		return article + kind
	}
	return fmt.Sprintf("the %s at 0x%x", kind, o.Addr)
}

// waiterEvidence are the goroutines that wait for an object, one piece a stack, without those that have their own
// evidence: one of those names the object.
func waiterEvidence(d *rules.DumpInput, o *waitgraph.Object, known ...waitgraph.Ref) []rules.Evidence {
	var all []rules.Evidence
	for _, w := range o.Waiters[:min(len(o.Waiters), maxWaiterRows)] {
		others := slices.DeleteFunc(slices.Clone(w.Members), func(m int) bool {
			return slices.Contains(known, waitgraph.Ref{Bucket: w.Bucket, Member: m})
		})
		if len(others) == 0 {
			continue
		}
		e := rules.EvidenceOf(d, d.Buckets[w.Bucket], "")
		if !d.Counted() {
			var gs []stackparse.Goroutine
			for _, m := range others {
				gs = append(gs, d.Buckets[w.Bucket].Goroutines[m])
			}
			e = rules.EvidenceOfGoroutines(d, gs, "")
		}
		e.Count = w.Count - (len(w.Members) - len(others))
		e.Text = fmt.Sprintf("%s for the lock in %s", waitsVerb(e.Count), rules.PlaceText(culpritLine(d, w.Bucket)))
		all = append(all, e)
	}
	return all
}

// maxWaiterRows is how many stacks of waiters a finding lists. Chosen: the first show where the lock is taken.
const maxWaiterRows = 5

func waitsVerb(n int) string { return phrase.CountGoroutines(n) + verb(n, " waits", " wait") }

// classActs are what goroutines of a class do: "waits to send on a channel".
var classActs = map[stackparse.Class]string{stackparse.ClassChanSend: "waits to send on a channel",
	stackparse.ClassChanReceive: "waits to receive from a channel", stackparse.ClassSelect: "waits in a select",
	stackparse.ClassNilChan: "waits on a nil channel for ever", stackparse.ClassNoCases: "is in an empty " +
		"select for ever", stackparse.ClassWaitGroup: "waits for a WaitGroup", stackparse.ClassCond: "waits for " +
		"a signal (sync.Cond)", stackparse.ClassIO: "waits for the network",
	stackparse.ClassSyscall: "is in a system call", stackparse.ClassCgo: "is in C code",
	stackparse.ClassSleep: "sleeps", stackparse.ClassMutex: "waits for another lock",
	stackparse.ClassRWMutexR: "waits for another lock", stackparse.ClassRWMutexW: "waits for another lock",
	stackparse.ClassSemaphore: "waits for a semaphore"}

func classAct(c stackparse.Class) string { return cmp.Or(classActs[c], "works") }

// doubtful reports whether another goroutine may hold the lock, or another lock is the one that the holder has.
func (s *standstill) doubtful() bool {
	return s.hiddenInside() ||
		slices.ContainsFunc(s.Blockage.Links, func(l waitgraph.Link) bool { return l.Holder.Doubt })
}

// hiddenInside reports whether the standard library takes a lock that nobody is seen to hold, while the stack of a
// goroutine is not in the dump: the library gives back what it takes, so that goroutine has it. Requests that start
// child processes take turns at syscall.ForkLock. In a part of a dump its own methods say nothing either: those of a
// logger call each other.
func (s *standstill) hiddenInside() bool {
	l, waits := &s.Blockage.Links[0], parsed.Waits(s.Dump)
	unseen := l.Holder.Strength == 0 || waits.Part && l.Holder.Strength < waitgraph.StrengthObject
	return s.Blockage.Kind == waitgraph.DoubleLock && waits.Hidden && unseen && l.Site > 0 &&
		s.Dump.Program.Class(s.Dump.Buckets[l.Waiter.Bucket].Frames[l.Site].Frame) == frame.ClassStdlib
}
