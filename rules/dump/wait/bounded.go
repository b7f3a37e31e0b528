package wait

import (
	"slices"
	"strconv"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// judgeQueue weighs a queue in front of something bounded, in which someone waits for minutes, or a crowd does.
func judgeQueue(w *waiters) verdict {
	lasts := w.since(sureMinutes) > 0
	return verdict{guilty: lasts || w.count >= manyQueued}.but(!lasts, noAge)
}

// httpPool is http-pool-exhausted (TR422).
func httpPool(w *waiters) verdict {
	dialling := w.countIn("http-dials")
	if w.total <= dialling {
		return verdict{}
	}
	v := judgeQueue(w)
	v = v.but(v.sure() && w.usersMove(), usersMove).but(v.sure() && isPart(w.d), partOfDump)
	open := w.leftOpen()
	if open > 0 {
		v = guilty().also("left open")
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
