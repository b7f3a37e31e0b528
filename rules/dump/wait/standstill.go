package wait

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// A standstill is a blockage with the dump that shows it.
type standstill struct {
	Dump     *rules.DumpInput
	Blockage *waitgraph.Blockage
	// again counts the other dumps of the process, a minute or more away, in which the same goroutine waits for the
	// same.
	again int
}

// A LockFinding is what a rule reports about a standstill.
type LockFinding struct {
	Culprit int // bucket
	Frame   int // the call in it that is at fault, 0 where that is the one that its stack is blamed for
	account.Account
}

// standstillRun applies explain to the blockages of some kinds that are worth a finding.
func standstillRun(explain func(*standstill) LockFinding, kinds ...waitgraph.BlockKind) run {
	return func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
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
				if severity, confidence, ok := s.verdict(); ok {
					if waits.Part && s.weakest() < waitgraph.StrengthSure {
						confidence = rules.ConfLow // one that is missing may have the lock
					}
					found = append(found, s.finding(explain(&s), severity, confidence))
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

// verdict reports how bad it is and how sure; ok is false where the lock may move on.
func (s *standstill) verdict() (rules.Severity, rules.Confidence, bool) {
	b := s.Blockage
	if s.doubtful() || awaitsChild(s.Dump, b) {
		return "", "", false
	}
	stuck := s.stuck()
	if b.Kind == waitgraph.Held {
		return s.convoyVerdict(stuck)
	}
	certain := stuck || parsed.Waits(s.Dump).Test
	strength := s.weakest()
	switch {
	case !certain && (b.Moves || b.Busy):
		return "", "", false
	case !certain && s.heldElsewhere():
		return s.youngVerdict(strength)
	case b.Moves && !stuck || b.Served && !stuck:
		return "", "", false
	case strength < waitgraph.StrengthObject && s.othersMayHold(certain),
		strength < waitgraph.StrengthSure && (s.parkedMayHold() || s.leftOut()):
		return rules.Low, rules.ConfLow, true
	case !certain && s.ownLock():
		return s.ownVerdict(strength)
	}
	if severity, confidence, ok := s.unheldVerdict(strength); ok {
		return severity, confidence, true
	}
	return s.accusedVerdict(strength, certain)
}

// accusedVerdict is the verdict about a blockage of which nothing speaks for another reason.
func (s *standstill) accusedVerdict(
	strength waitgraph.Strength, certain bool,
) (rules.Severity, rules.Confidence, bool) {
	b, confidence := s.Blockage, rules.ConfMedium
	if strength == waitgraph.StrengthSure && s.stuck() || s.again > 0 && strength > 0 {
		confidence = rules.ConfHigh
	}
	switch {
	case strength < waitgraph.StrengthSure && (b.Rival || s.cameBefore() && b.Minutes < longMinutes):
		return rules.Low, rules.ConfLow, true
	case strength < waitgraph.StrengthSure && s.cameBefore():
		return rules.Medium, rules.ConfLow, true
	case s.transfers():
		return rules.Low, rules.ConfLow, true
	case b.Either && certain:
		return rules.Medium, rules.ConfLow, true
	case b.Either:
		return rules.Low, rules.ConfLow, true
	case certain && (s.inSelect() && b.Minutes < longSelect || s.mayBeDone()):
		return rules.Medium, rules.ConfLow, true // one of its channels may be a timer's
	case strength >= waitgraph.StrengthObject && (certain || !s.goesOnInside()):
		return rules.High, confidence, true
	case certain:
		return rules.High, rules.ConfLow, true
	}
	return s.typesVerdict(strength)
}

// othersMayHold reports whether one that ran when the dump was made may hold a lock instead of who waits for it, or one
// that waits with it for what is at work, as a Close does, or one that sleeps.
func (s *standstill) othersMayHold(certain bool) bool {
	if s.Blockage.Sleeper.Strength > 0 {
		return certain || s.Blockage.Waiters > 1
	}
	return s.Blockage.Kind == waitgraph.DoubleLock && (parsed.Waits(s.Dump).Hidden || certain && s.Blockage.Alike)
}

// parkedMayHold reports whether a goroutine that waits for no lock is as likely to hold the one that others wait for as
// an outer call on the stack of one of them, which called nothing back: methods of a library call each other on one
// object without its lock.
func (s *standstill) parkedMayHold() bool {
	b := s.Blockage
	return b.Kind == waitgraph.DoubleLock && b.Alike && b.Links[0].Callback == 0
}

// stuck reports whether the lock has not moved for long: those who wait for it show that, and where its holder waits
// for others, that one has to show it too. In a test every goroutine should end.
func (s *standstill) stuck() bool {
	long := s.Blockage.Minutes >= stuckMinutes || s.again > 0
	return long && (!s.heldElsewhere() || parsed.Waits(s.Dump).Test || s.holderStays())
}

// youngVerdict is the verdict about a holder that waits for something that may come, where nothing shows for how long.
// It counts where who started it waits for the lock, and nothing else that this one started goes on.
func (s *standstill) youngVerdict(strength waitgraph.Strength) (rules.Severity, rules.Confidence, bool) {
	b := s.Blockage
	if b.Started && strength >= waitgraph.StrengthObject && !hasAges(s.Dump) {
		return rules.Medium, rules.ConfLow, true
	}
	if b.Kind == waitgraph.HeldInWaitGroup && strength >= waitgraph.StrengthObject && !hasAges(s.Dump) &&
		(b.Waiters > 1 && !b.Served || b.Waiters >= convoyMedium) && nobodyMoves(s.Dump, b.Links[0].Holder.Bucket) {
		return rules.Medium, rules.ConfLow, true
	}
	if b.Kind == waitgraph.HeldInChannel && (strength >= waitgraph.StrengthObject ||
		strength >= waitgraph.StrengthType && b.Waiters > 1) && !b.Served && !s.inSelect() &&
		!hasAges(s.Dump) && nobodyMoves(s.Dump, b.Links[0].Holder.Bucket) {
		return rules.Medium, rules.ConfLow, true
	}
	return rules.Low, rules.ConfLow, !b.Served || b.Waiters >= convoyLow
}

// typesVerdict is the verdict about a lock whose holder only types show, or that no goroutine seems to hold, where no
// one has waited for long. It counts where nobody moves: who has the lock waits too then, or will not come back to it.
func (s *standstill) typesVerdict(strength waitgraph.Strength) (rules.Severity, rules.Confidence, bool) {
	many := s.Blockage.Waiters > 1
	if many && !hasAges(s.Dump) && s.nobodyMoves() {
		return rules.Medium, rules.ConfLow, true
	}
	return rules.Low, rules.ConfLow, many || strength > 0 // one may have come this moment
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

func (s *standstill) convoyVerdict(stuck bool) (rules.Severity, rules.Confidence, bool) {
	b := s.Blockage
	h := b.Links[0].Holder
	switch {
	case h.Strength < waitgraph.MinHolder:
		return "", "", false
	case b.Moves && !stuck:
		return rules.Low, rules.ConfLow, b.Waiters >= convoyMedium
	case h.Strength < waitgraph.StrengthObject:
		// It may be at work on another of these objects.
		return rules.Low, rules.ConfLow, stuck || b.Waiters >= convoyLow
	case s.holderQueues():
		return rules.Low, rules.ConfMedium, stuck || b.Waiters >= convoyLow
	case b.Waiters < convoyMedium && s.mayMoveOn():
		return rules.Low, rules.ConfMedium, stuck || b.Waiters >= convoyLow
	case b.Waiters >= convoyMedium && stuck:
		return rules.High, rules.ConfMedium, true
	case b.Waiters >= convoyMedium, stuck:
		return rules.Medium, rules.ConfMedium, true
	}
	return rules.Low, rules.ConfLow, b.Waiters >= convoyLow
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

func (s *standstill) finding(st LockFinding, severity rules.Severity, confidence rules.Confidence) rules.Finding {
	b := s.Dump.Buckets[st.Culprit]
	bl := rules.BlameBucket(s.Dump, b)
	if st.Frame > 0 {
		bl.Index, bl.Culprit = st.Frame, rules.PlaceOf(b.Frames[st.Frame].Frame)
	}
	if s.again > 0 {
		st.Why += fmt.Sprintf(" The same goroutine waits there in %d dumps.", s.again+1)
	}
	f := rules.Finding{
		Severity: severity, Confidence: confidence,
		Culprit: bl.Culprit, Path: bl.Path, Creator: bl.Creator,
		Evidence: st.Evidence, Why: st.Why + s.behind(), Fix: st.Fix,
		Next:  nextAt("locks", s.Dump, parsed.Waits(s.Dump).Test, b, bl.Index),
		Title: lockTitle(bl.Culprit, st.Act),
		Count: s.Blockage.Waiters,
	}
	return f
}

// explained reports whether a rule reports a lock of the dump already.
func explained(d *rules.DumpInput, wait uint64) bool {
	if !waitsAsked(d) {
		return false
	}
	waits := parsed.Waits(d)
	for i := range waits.Blockages {
		s := standstill{Dump: d, Blockage: &waits.Blockages[i], again: 1}
		if !slices.Contains(s.Blockage.Addrs, wait) {
			continue
		}
		if _, _, ok := s.verdict(); ok || awaitsChild(d, s.Blockage) {
			return true
		}
	}
	return false
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
func (s *standstill) behind() string {
	text := ""
	if n := s.Blockage.Waiters; n > max(1, len(s.Blockage.Links)) {
		switch {
		case s.Blockage.Instances > 1:
			text = fmt.Sprintf(" The same happens on %d locks; %s for them in all", s.Blockage.Instances, waitsVerb(n))
		case len(s.Blockage.Links) > 1:
			text = fmt.Sprintf(" %s for these locks in all", waitsVerb(n))
		default:
			text = fmt.Sprintf(" %s for the lock in all", waitsVerb(n))
		}
		if v := s.Blockage.Victims; v > 0 {
			text += fmt.Sprintf(", %d of them behind others that do", v)
		}
		if s.Blockage.Minutes > 0 {
			text += fmt.Sprintf(", the longest for about %s", phrase.CountMinutes(s.Blockage.Minutes))
		}
		text += "."
	} else if s.Blockage.Minutes > 0 && n == 1 {
		text = fmt.Sprintf(" It has waited for about %s.", phrase.CountMinutes(s.Blockage.Minutes))
	} else if s.Blockage.Minutes > 0 {
		text = fmt.Sprintf(" They have waited for up to about %s.", phrase.CountMinutes(s.Blockage.Minutes))
	}
	if s.again == 0 && !hasAges(s.Dump) {
		text += " How long is unknown: the dump shows no wait times, which Go records only while it collects garbage."
	}
	return text
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
	if s.Blockage.Kind == waitgraph.DoubleLock && slices.Contains(f.Cases, "library called") &&
		!slices.Contains(f.Cases, "nobody") {
		f.Cases = append(f.Cases, "library twice")
	}
	a := findings().Account(rule, f)
	a.Evidence = evidence
	return LockFinding{Culprit: culprit, Account: a}
}

// aboutTheProgram reports whether the texts of a case name what the program can do, also where a library waits.
func aboutTheProgram(kind string) bool {
	return slices.Contains([]string{"callback", "once", "panic", "sleeper", "other", "readers",
		"own readers"}, kind)
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
	return byStrength(h.Strength, "it is in a call of "+at+" on the object that contains the lock",
		"it is inside "+at+", which takes this lock or works on the object that contains the lock",
		"it is inside "+at+", next to the code that takes the lock")
}

// lockTitle is waitTitle with a little room left.
func lockTitle(culprit rules.Place, act string) string {
	name, bare, at := rules.TitleParts(culprit)
	return rules.FirstTitle(phrase.Cut(bare+" "+act, phrase.MaxTitle-3), name+" "+act+at, bare+" "+act+at, bare+" "+act)
}

// waitsAsked reports whether a dump's waits show what is wrong: someone asked for it, or a test did not end. A
// process that died of something else was stopped in the middle of things.
func waitsAsked(d *rules.DumpInput) bool {
	return parsed.Waits(d) != nil && rules.Asked(d)
}

func dumpsWithWaits(p *rules.Pass) []*rules.DumpInput {
	return slices.DeleteFunc(p.AskedDumps(), func(d *rules.DumpInput) bool { return parsed.Waits(d) == nil })
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
		b := d.Buckets[w.Bucket]
		var gs []stackparse.Goroutine
		for _, m := range w.Members {
			if !slices.Contains(known, waitgraph.Ref{Bucket: w.Bucket, Member: m}) {
				gs = append(gs, b.Goroutines[m])
			}
		}
		if len(gs) == 0 {
			continue
		}
		e := rules.EvidenceOfGoroutines(d, gs, "")
		e.Count = w.Count - (len(w.Members) - len(gs))
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
