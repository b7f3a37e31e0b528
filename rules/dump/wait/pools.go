package wait

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
)

// poolRules are the rules about callers that queue for one of a bounded set of connections.
func poolRules(c *calls) []*rules.Rule {
	return []*rules.Rule{sqlPool(c), clientPool(c), httpPool(c)}
}

// sqlPool is sql-pool-exhausted (TR420).
func sqlPool(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At:    []string{"database/sql.(*DB).conn"},
		Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
	})
	use := newSQLUse(c)
	return c.rule("TR420", "sql-pool-exhausted", rules.Contention, rules.High, waiting, func(w *waiters) account {
		u := use.of(w.dumpIndex)
		elsewhere := u.elsewhere(w.dumpIndex, waiting, use.active)
		u.evidence = append(u.evidence, elsewhere...)
		return judgeSQLPool(w, w.total, u, len(elsewhere) > 0)
	})
}

// sqlUse reports how to see who uses connections of database/sql.
type sqlUse struct{ active, txs, rows *call }

func newSQLUse(c *calls) sqlUse {
	return sqlUse{
		active: c.compile(match.Match{
			Frames: match.FramesMatch{
				Any: []string{
					"database/sql.ctxDriver*", "database/sql.withLock", "database/sql.(*Rows).*",
					"database/sql.(*driverConn).*",
					"database/sql.(*DB).execDC", "database/sql.(*DB).queryDC", "database/sql.(*DB).beginDC",
					"database/sql.(*DB).pingDC",
				},
				None: []string{"database/sql.(*DB).conn", "database/sql.(*DB).connectionOpener"},
			},
			Except: []match.Match{{Creator: []string{"database/sql.*"}}},
		}),
		txs:  c.compile(match.Match{At: []string{"database/sql.(*Tx).awaitDone"}}),
		rows: c.compile(match.Match{At: []string{"database/sql.(*Rows).awaitDone"}}),
	}
}

// A connUse counts who uses connections of a pool.
type connUse struct {
	active, txs, rows int
	// openers are goroutines that began a transaction or result that is still open: the parents of those that watch it.
	openers  map[uint64]bool
	evidence []rules.Evidence
}

func (u sqlUse) of(s *dumpIndex) connUse {
	use := connUse{active: s.countIn(u.active), txs: s.countIn(u.txs), rows: s.countIn(u.rows),
		openers: map[uint64]bool{}}
	for i, b := range s.buckets(u.active) {
		if i == maxUsers {
			break
		}
		bl, _ := s.caller(b)
		e := rules.EvidenceOf(s.d, b, "")
		e.Text += " uses a connection in " + rules.PlaceText(bl.Culprit)
		use.evidence = append(use.evidence, e)
	}
	for _, b := range append(s.buckets(u.txs), s.buckets(u.rows)...) {
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
func (u connUse) elsewhere(s *dumpIndex, waiting, active *call) []rules.Evidence {
	var found []rules.Evidence
	for _, b := range s.d.Buckets {
		gs := u.of(b)
		if len(gs) == 0 || s.holds(waiting, b) || s.holds(active, b) {
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
func judgeSQLPool(w *waiters, waiting int, use connUse, elsewhere bool) account {
	ch := account{
		act: w.fill("waits for a database connection: {count}{span}"),
		why: fmt.Sprintf("%s in database/sql.(*DB).conn below %s%s: all connections that SetMaxOpenConns allows are "+
			"in use, and %d callers queue for one. %s",
			w.waits(), w.in(), w.span(), waiting, use),
		fix: w.fill("Look for who does not give connections back: close every Rows, commit or roll back every Tx on " +
			"all ways out, and never query through the DB while a Tx or Rows of it is open. Give the call in {in} a " +
			"context with a deadline."),
		next: append([]rules.Step{rules.Command("psql -c \"select pid, state, xact_start, query from pg_stat_activity where state <> " +
			"'idle' order by xact_start\"").Note("PostgreSQL's view of the connections")},
			secondDump(w.d.Target)...),
		evidence: use.evidence,
	}
	switch {
	case w.since(sureMinutes) > 0 && use.active == 0:
		ch.level = level{rules.High, rules.ConfMedium}
		own := use.among(w.buckets)
		if own > 0 {
			ch.why += fmt.Sprintf(" %s of the waiters began a transaction or result that is open, and so %s a "+
				"connection while waiting for another.", numberOf(own, w.count), verb(own, "keeps", "keep"))
		}
		if own > 0 || !elsewhere {
			ch.category = rules.Deadlock
		}
	case w.since(sureMinutes) > 0:
		ch.level = level{rules.Medium, rules.ConfMedium}
	case w.count >= manyQueued && waiting > use.active+use.txs:
		ch.level = level{rules.Low, rules.ConfLow}
	}
	return ch
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

// clientPool is client-pool-exhausted (TR421).
func clientPool(c *calls) *rules.Rule {
	waiting := c.compile(
		match.Match{
			At: []string{
				"github.com/jackc/puddle.(*Pool).*",
				"github.com/redis/go-redis/internal/pool.(*ConnPool).*",
				"github.com/go-redis/redis/internal/pool.(*ConnPool).*",
				"github.com/gomodule/redigo/redis.(*Pool).*", "github.com/garyburd/redigo/redis.(*Pool).*",
				"go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).checkOut",
				"github.com/valyala/fasthttp.(*HostClient).acquireConn",
				"github.com/valyala/fasthttp.(*HostClient).AcquireConn",
			},
			Through: []string{"golang.org/x/sync/semaphore.*", "github.com/redis/go-redis/internal.*"},
			Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive, stackparse.ClassChanSend,
				stackparse.ClassCond},
			Except: []match.Match{{Creator: []string{"github.com/jackc/**", "github.com/redis/**", "github.com/go-redis/**",
				"go.mongodb.org/**", "github.com/valyala/**"}}},
		},
	)
	return c.rule("TR421", "client-pool-exhausted", rules.Contention, rules.Medium, waiting, func(w *waiters) account {
		return account{
			level: queueSeverity(w),
			act:   w.fill("waits for a pooled connection: {count}{span}"),
			why: w.fill("{waits} for a connection of a client's pool below {in}{span}: all that the pool may " +
				"open are lent."),
			fix: w.fill("Release each connection on all ways out, give the call in {in} a context with a deadline, " +
				"and size the pool for the load."),
			next: secondDump(w.d.Target),
		}
	})
}

// queueSeverity weighs a queue in front of something bounded: medium where someone waits for minutes, low for a crowd.
func queueSeverity(w *waiters) level {
	switch {
	case w.since(sureMinutes) > 0:
		return level{rules.Medium, rules.ConfMedium}
	case w.count >= manyQueued:
		return level{rules.Low, rules.ConfLow}
	}
	return level{}
}

// httpPool is http-pool-exhausted (TR422).
func httpPool(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At: []string{
			"net/http.(*Transport).getConn",
			"net/http.(*http2ClientConn).awaitOpenSlotForStreamLocked",
			"golang.org/x/net/http2.(*ClientConn).awaitOpenSlotForStreamLocked",
			"net/http/internal/http2.(*ClientConn).awaitOpenSlotForStreamLocked",
		},
		Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassCond},
	})
	dials := c.compile(onStack("net/http.(*Transport).dialConnFor", "net/http.(*Transport).startDialConnFor",
		"net/http.(*Transport).startDialConnForLocked"))
	users := c.compile(onStack("net/http.(*persistConn).roundTrip", "net/http.(*bodyEOFSignal).Read"))
	return c.rule("TR422", "http-pool-exhausted", rules.Contention, rules.Medium, waiting, func(w *waiters) account {
		dialling := w.countIn(dials)
		if w.total <= dialling {
			return account{}
		}
		return account{
			level: queueSeverity(w),
			act:   w.fill("queues for an HTTP connection: {count}{span}"),
			why: fmt.Sprintf("%s for a connection below %s%s. %d requests stand there and %d connections are "+
				"being dialled: the others may not dial, because MaxConnsPerHost connections to their host "+
				"(HTTP/2: streams) are in use. %d goroutines are seen to use one.",
				w.waits(), w.in(), w.span(), w.total, dialling, w.countIn(users)),
			fix: w.fill("Read to the end and close the body of every response, give the client that {in} uses a " +
				"Timeout, and raise Transport.MaxConnsPerHost or bound the requests before it."),
			next: secondDump(w.d.Target),
		}
	})
}

// verb is the form of a verb that goes with n.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
