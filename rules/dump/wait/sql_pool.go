package wait

import (
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// sqlPool is sql-pool-exhausted (TR420).
func sqlPool(w *waiters) verdict {
	u := connections(w.dumpIndex)
	elsewhere, evidence := u.elsewhere(w.dumpIndex)
	u.evidence = append(u.evidence, evidence...)
	return judgeSQLPool(w, u, elsewhere)
}

// A connUse counts who uses connections of a pool.
type connUse struct {
	active, txs, rows int
	// openers are goroutines that began a transaction or result that is still open: the parents of those that watch it.
	openers  map[uint64]bool
	evidence []rules.Evidence
}

// connections sees who uses connections of database/sql.
func connections(s *dumpIndex) connUse {
	use := connUse{active: s.countIn("sql-users"), txs: s.countIn("sql-transactions"), rows: s.countIn("sql-results"),
		openers: map[uint64]bool{}}
	for i, b := range s.buckets("sql-users") {
		if i == maxUsers {
			break
		}
		bl, _ := s.caller(b)
		e := rules.EvidenceOf(s.d, b, "")
		e.Text += " uses a connection in " + rules.PlaceText(bl.Culprit)
		use.evidence = append(use.evidence, e)
	}
	for _, b := range append(s.buckets("sql-transactions"), s.buckets("sql-results")...) {
		for i := range b.Goroutines {
			use.openers[b.Goroutines[i].Parent] = true
		}
	}
	delete(use.openers, 0)
	return use
}

// among counts the goroutines of some buckets that keep a transaction or result open.
func (u connUse) among(buckets []*stackparse.Bucket) int {
	n := 0
	for _, b := range buckets {
		n += len(u.of(b))
	}
	return n
}

func (u connUse) of(b *stackparse.Bucket) []stackparse.Goroutine {
	return rules.GoroutinesWhere(b, func(g *stackparse.Goroutine) bool { return u.openers[g.ID] })
}

// elsewhere are the buckets, with the evidence, of openers that neither wait for a connection nor use one: they hold
// theirs while they do something else, or have forgotten it.
func (u connUse) elsewhere(s *dumpIndex) (found []*stackparse.Bucket, evidence []rules.Evidence) {
	for _, b := range s.d.Buckets {
		gs := u.of(b)
		if len(gs) == 0 || s.holds("sql-pool-exhausted", b) || s.holds("sql-users", b) {
			continue
		}
		bl, _ := s.caller(b)
		e := rules.EvidenceOfGoroutines(s.d, gs, "")
		e.Text += " began a transaction or result that is still open, and is in " + rules.PlaceText(bl.Culprit)
		evidence = append(evidence, e)
		if found = append(found, b); len(found) == maxUsers {
			break
		}
	}
	return found, evidence
}

// maxUsers bounds the groups of users that a finding lists: enough to see which query holds the pool.
const maxUsers = 5

// judgeSQLPool weighs one caller's queue; elsewhere are the goroutines that hold a connection and do something else.
func judgeSQLPool(w *waiters, use connUse, elsewhere []*stackparse.Bucket) verdict {
	var v verdict
	values := account.Values{"use": use.String()}
	own := use.among(w.buckets)
	if own > 0 {
		v.cases = []string{"own"}
		values["own"], values["keep"] = numberOf(own, w.count), verb(own, "keeps", "keep")
	}
	lasting := w.since(sureMinutes) > 0
	shared := w.sharedWith(elsewhere)
	if shared != "" {
		v.cases = append(v.cases, "circle")
		values["shared"] = shared
	}
	switch {
	case lasting && own == 0 && shared == "" && w.sectionMoves():
		v = guilty().of(rules.Medium).but(true, furtherOn)
	case lasting && use.active == 0:
		v.guilty = true
		if own > 0 || len(elsewhere) == 0 || shared != "" {
			v.category = rules.Deadlock
		}
	case lasting:
		v = guilty().of(rules.Medium)
	case use.active == 0 && w.nobodyMoves():
		v.guilty, v.category = true, rules.Deadlock
		v.cases = append(v.cases, "nobody")
	case w.count >= manyQueued && w.total > use.active+use.txs:
		v = guilty().of(rules.Medium).but(true, noAge)
	}
	v.values, v.evidence = values, use.evidence
	return v.but(own == 0 && shared == "" && w.total > w.count && !w.callsItself(), anyCaller)
}

// callsItself reports whether a function that waits for a connection is further out on the stack of another that does:
// it asks for a second one, most likely with the first in use.
func (w *waiters) callsItself() bool {
	queued := w.dumpIndex.buckets("sql-pool-exhausted")
	return slices.ContainsFunc(queued, func(b *stackparse.Bucket) bool {
		bl, _ := w.caller(b)
		return slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
			return f.Func != bl.Culprit.Function && slices.ContainsFunc(queued, func(o *stackparse.Bucket) bool {
				other, own := w.caller(o)
				return own && o != b && other.Culprit.Function == f.Func
			})
		})
	})
}

// sectionMoves reports whether a goroutine is in a function that others of the queue call the database from, at work or
// in a wait that began lately: it is further on, with rows or a transaction open, and gives its connection back in
// time.
func (w *waiters) sectionMoves() bool {
	callers := map[string]bool{}
	for _, b := range w.dumpIndex.buckets("sql-pool-exhausted") {
		if bl, own := w.caller(b); own {
			callers[bl.Culprit.Function] = true
		}
	}
	s := newView(w.d)
	return slices.ContainsFunc(s.actors, func(a actor) bool {
		return (a.move >= asks || a.b.MaxMinutes < sureMinutes) && !w.holds("sql-pool-exhausted", a.b) &&
			slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool { return callers[f.Func] })
	})
}

// nobodyMoves reports whether no goroutine of the program may give a connection back, as far as a dump without minutes
// shows: all that is not in the queue waits for other goroutines.
func (w *waiters) nobodyMoves() bool {
	s := newView(w.d)
	var libraries []string // of the queue: who waits there for another goroutine, waits for the queue
	for i := range s.actors {
		if a := &s.actors[i]; slices.Contains(w.buckets, a.b) {
			libraries = append(libraries, s.librariesOf(a)...)
		}
	}
	for i := range s.actors {
		a := &s.actors[i]
		switch {
		case w.holds("sql-pool-exhausted", a.b):
			if s.ageOf(a) == young {
				return false
			}
		case !a.own && !a.foreign, a.move == asks && slices.Contains(libraries, a.module):
		case a.move == paced && s.aside(a, s.actorIn(w.buckets[0])):
		case a.move >= asks, a.move == paced && !(a.inMain() && (a.root == a.site || s.farFrom(a, w.buckets[0]))):
			return false
		}
	}
	return true
}

// farFrom reports whether goroutines wait in a package of the program that is on no stack of a queue: main waits for a
// signal or its servers in a helper's.
func (s *view) farFrom(a *actor, queue *stackparse.Bucket) bool {
	return a.site >= 0 && !slices.Contains(s.ownPackages(queue.Frames), s.name(a.b.Frames[a.site].Func).Package)
}

// sharedWith names a function outside of the standard library that is on the stack of a waiter and on that of a
// goroutine which holds a connection and waits there for another one: they wait for each other. "" for none.
func (w *waiters) sharedWith(elsewhere []*stackparse.Bucket) string {
	for _, b := range elsewhere {
		if !slices.Contains(peerClasses(), b.Class) || b.Active > 0 {
			continue
		}
		for _, i := range rules.ShownFrames(b) {
			f := &b.Frames[i]
			if f.Elided != 0 || !rules.Blameable(w.d.Program.Class(f.Frame)) {
				continue
			}
			for _, waiter := range w.buckets {
				if hasFunction(waiter, rules.PlainName(f.Func)) {
					return symbol.ShortFunc(f.Func)
				}
			}
			break // further out are handlers and the like, which have nothing to do with it
		}
	}
	return ""
}

// String identifies who uses connections, as a sentence.
func (u connUse) String() string {
	open := ""
	switch {
	case u.txs > 0 && u.rows > 0:
		open = fmt.Sprintf("; %d transactions and %d results are open", u.txs, u.rows)
	case u.txs > 0:
		open = fmt.Sprintf("; %d transactions are open", u.txs)
	case u.rows > 0:
		open = fmt.Sprintf("; %d results are open", u.rows)
	}
	switch u.active {
	case 0:
		return "No goroutine in the dump is using one" + open + ": connections were not returned, or their holders " +
			"wait for something else."
	case 1:
		return "One goroutine is using one" + open + "."
	}
	return fmt.Sprintf("%d goroutines are using one%s.", u.active, open)
}
