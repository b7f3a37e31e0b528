package wait

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// sqlPool is sql-pool-exhausted (TR420).
func sqlPool(w *waiters) verdict {
	u := connections(w.dumpIndex)
	elsewhere := u.elsewhere(w.dumpIndex)
	u.evidence = append(u.evidence, elsewhere...)
	return judgeSQLPool(w, u, len(elsewhere) > 0)
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

// elsewhere is the evidence of openers that neither wait for a connection nor use one: they hold theirs while they do
// something else, or have forgotten it.
func (u connUse) elsewhere(s *dumpIndex) []rules.Evidence {
	var found []rules.Evidence
	for _, b := range s.d.Buckets {
		gs := u.of(b)
		if len(gs) == 0 || s.holds("sql-pool-exhausted", b) || s.holds("sql-users", b) {
			continue
		}
		bl, _ := s.caller(b)
		e := rules.EvidenceOfGoroutines(s.d, gs, "")
		e.Text += " began a transaction or result that is open, and stands in " + rules.PlaceText(bl.Culprit)
		if found = append(found, e); len(found) == maxUsers {
			break
		}
	}
	return found
}

// maxUsers bounds the groups of users that a finding lists: enough to see which query holds the pool.
const maxUsers = 5

// judgeSQLPool weighs one caller's queue; elsewhere reports that goroutines which hold a connection do something else.
func judgeSQLPool(w *waiters, use connUse, elsewhere bool) verdict {
	var v verdict
	values := account.Values{"use": use.String()}
	switch {
	case w.since(sureMinutes) > 0 && use.active == 0:
		v.severity, v.confidence = rules.High, rules.ConfMedium
		own := use.among(w.buckets)
		if own > 0 {
			v.cases = []string{"own"}
			values["own"], values["keep"] = numberOf(own, w.count), verb(own, "keeps", "keep")
		}
		if own > 0 || !elsewhere {
			v.category = rules.Deadlock
		}
	case w.since(sureMinutes) > 0:
		v = medium()
	case w.count >= manyQueued && w.total > use.active+use.txs:
		v = low()
	}
	v.values, v.evidence = values, use.evidence
	return v
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
		return "No goroutine is seen to use one" + open + ": they were not given back, or who holds them waits for " +
			"something else."
	case 1:
		return "One goroutine is seen to use one" + open + "."
	}
	return fmt.Sprintf("%d goroutines are seen to use one%s.", u.active, open)
}

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
	return queueSeverity(w).with(account.Values{"dialling": strconv.Itoa(dialling),
		"users": strconv.Itoa(w.countIn("http-users"))})
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
	v.evidence = []rules.Evidence{rules.EvidenceOf(w.d, w.buckets[0], "")}
	v.evidence[0].Text += ", waiting for one of them to end"
	v.values = account.Values{"asking": phrase.CountGoroutines(w.count), "asks": w.waits(), "below": w.in(),
		"since": w.span(), "slots": "the only slot", "stand": "The only holder stands"}
	if h.count > 1 {
		v.values["slots"] = fmt.Sprintf("all %d slots", h.count)
		v.values["stand"] = fmt.Sprintf("All %d holders stand", h.count)
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
