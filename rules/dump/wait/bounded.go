package wait

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// queueSeverity weighs a queue in front of something bounded: medium where someone waits for minutes, low for a crowd.
func queueSeverity(w *waiters) verdict {
	switch {
	case w.since(sureMinutes) > 0:
		return medium()
	case w.count >= manyQueued:
		return low()
	}
	return verdict{}
}

// httpPool is http-pool-exhausted (TR422).
func httpPool(w *waiters) verdict {
	dialling := w.countIn("http-dials")
	if w.total <= dialling {
		return verdict{}
	}
	v := queueSeverity(w)
	if v.severity == rules.Medium && (w.usersMove() || isPart(w.d)) {
		v = low()
	}
	open := w.leftOpen()
	if open > 0 {
		v.cases = []string{"left open"}
		if v.severity != rules.Medium {
			v = medium()
			v.confidence, v.cases = rules.ConfLow, []string{"left open"}
		}
	}
	v.values = account.Values{
		"dialling": verb(dialling, "1 connection is", strconv.Itoa(dialling)+" connections are"),
		"users":    phrase.CountGoroutines(w.countIn("http-users")),
		"open":     verb(open, "1 connection waits", strconv.Itoa(open)+" connections wait"),
	}
	return v
}

// isPart reports whether goroutines are missing in a dump: who uses what others wait for may be among them.
func isPart(d *rules.DumpInput) bool {
	waits := parsed.Waits(d)
	return waits != nil && waits.Part
}

// usersMove reports whether goroutines read the responses of the connections that others wait for, and have all come to
// where they are lately: the queue goes on, however long it is.
func (w *waiters) usersMove() bool {
	users := w.dumpIndex.buckets("http-users")
	return len(users) > 0 && !slices.ContainsFunc(users, func(b *stackparse.Bucket) bool {
		return b.MaxMinutes >= sureMinutes
	})
}

// leftOpen is how many connections wait for the end of bodies that nobody reads, while a crowd waits for a connection,
// none is dialled, and nobody of the program is in the middle of anything: who has the bodies has forgotten them. It is
// 0 where that is not so.
func (w *waiters) leftOpen() int {
	open := w.countIn("http-body-not-closed")
	if w.total < pileUp || w.countIn("http-users") > 0 || w.countIn("http-dials") > 0 || open == 0 {
		return 0
	}
	s := newScene(w.d)
	first := s.actorIn(w.buckets[0])
	if s.ageOf(first) == young || s.anyIn(first, func(a *actor) bool {
		return !w.holds("http-pool-exhausted", a.b) && s.goesOn(a, first)
	}) {
		return 0
	}
	return open
}

// verb is the form of a verb that goes with n.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// semaphoreHeld is semaphore-held (TR437).
func semaphoreHeld(w *waiters) verdict {
	if w.since(sureMinutes) == 0 {
		return verdict{}
	}
	h, ok := w.holders()
	if !ok {
		return verdict{}
	}
	v := medium()
	if !slices.ContainsFunc(h.buckets, func(b *stackparse.Bucket) bool { return !waitsForChild(b) }) {
		v = low() // a limit on tools that take hours is there for their length
	}
	v.evidence = []rules.Evidence{rules.EvidenceOf(w.d, w.buckets[0], "")}
	v.evidence[0].Text += ", waiting for one of them to end"
	v.values = account.Values{"asking": phrase.CountGoroutines(w.count), "asks": w.waits(), "below": w.in(),
		"since": w.span(), "slots": "the only slot", "blocked": "The only holder is blocked"}
	if h.count > 1 {
		v.values["slots"] = fmt.Sprintf("all %d slots", h.count)
		v.values["blocked"] = fmt.Sprintf("All %d holders are blocked", h.count)
	}
	w.blame, w.buckets, w.count, w.minutes = h.blame, h.buckets, h.count, h.minutes
	return v
}

// holders are the goroutines that hold what w waits for: an errgroup's own where the waiters call its Go, else those of
// the waiters' go statement that got past Acquire. It is false unless all of them wait, in one function, for minutes.
func (w *waiters) holders() (*waiters, bool) {
	group := hasFunction(w.buckets[0], "golang.org/x/sync/errgroup.(*Group).Go")
	if !group && w.buckets[0].CreatedBy == nil {
		return nil, false
	}
	parents := map[uint64]bool{}
	for _, b := range w.buckets {
		for i := range b.Goroutines {
			parents[b.Goroutines[i].ID] = true
		}
	}
	h := &waiters{dumpIndex: w.dumpIndex}
	for _, b := range w.d.Buckets {
		if b.CreatedBy == nil || w.holds("semaphore-held", b) {
			continue
		}
		creator := rules.PlainName(b.CreatedBy.Func)
		switch {
		case group && (creator != "golang.org/x/sync/errgroup.(*Group).Go" || !startedBy(b, parents)):
			continue
		case !group && !sameCreator(b, w.buckets[0]):
			continue
		}
		bl, own := w.caller(b)
		if !own || b.Active > 0 || waitingSince(b, sureMinutes) < b.Count || !slices.Contains(waitClasses(), b.Class) ||
			h.count > 0 && bl.Culprit.Function != h.blame.Culprit.Function {
			return nil, false
		}
		if h.count == 0 {
			h.blame = bl
		}
		h.add(b, b.Count)
	}
	return h, h.count > 0
}

// startedBy reports whether one of parents started goroutines of b; where headers name no parents anyone may have.
func startedBy(b *stackparse.Bucket, parents map[uint64]bool) bool {
	return slices.ContainsFunc(b.Goroutines, func(g stackparse.Goroutine) bool {
		return g.Parent == 0 || parents[g.Parent]
	})
}

// sameCreator reports whether two stacks come from one go statement.
func sameCreator(a, b *stackparse.Bucket) bool {
	x, y := a.CreatedBy, b.CreatedBy
	return rules.PlainName(x.Func) == rules.PlainName(y.Func) && x.File == y.File && x.Line == y.Line
}
