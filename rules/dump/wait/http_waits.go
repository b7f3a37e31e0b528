package wait

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
)

// httpRules are the rules about requests that do not come to their end.
func httpRules(c *calls) []*rules.Rule {
	return []*rules.Rule{httpNoTimeout(c), httpBodyOpen(c)}
}

// httpNoTimeout is http-request-without-timeout (TR423).
func httpNoTimeout(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At: []string{
			"net/http.(*persistConn).roundTrip",
			"net/http.(*http2ClientConn).roundTrip", "net/http.(*http2ClientConn).RoundTrip",
			"golang.org/x/net/http2.(*ClientConn).roundTrip", "golang.org/x/net/http2.(*ClientConn).RoundTrip",
			"net/http/internal/http2.(*ClientConn).roundTrip", "net/http/internal/http2.(*ClientConn).RoundTrip",
		},
		Class: []stackparse.Class{stackparse.ClassSelect},
		Except: []match.Match{calledBack(), {Frames: match.FramesMatch{Any: []string{
			// Calls that are answered when something happens, and not before.
			"github.com/hashicorp/consul/api.*", "github.com/hashicorp/nomad/api.*",
			"go.etcd.io/etcd/client.(*httpWatcher).*",
			"github.com/docker/docker/client.(*Client).ContainerWait",
			"github.com/moby/moby/client.(*Client).ContainerWait",
		}}}},
	})
	proxied := c.compile(onStack("net/http/httputil.(*ReverseProxy).ServeHTTP"))
	return c.rule("TR423", "http-request-without-timeout", rules.Leak, rules.Medium, waiting, func(w *waiters) account {
		if longPoll().MatchString(w.blame.Culprit.Function) {
			return account{}
		}
		ch := account{
			level: callSeverity(w),
			act:   w.fill("waits for an HTTP response without a timeout: {count}{span}"),
			why: w.fill("{waits} for the header of a response below {in}{span}, and no timeout has ended that: the " +
				"server hangs, or the connection is dead and nobody noticed."),
			fix: w.fill("Set a Timeout on the http.Client that {in} uses (or Transport.ResponseHeaderTimeout), or " +
				"give its request a context with a deadline."),
			next: secondDump(w.d.Target),
		}
		if ch.severity == rules.Medium && w.holds(proxied, w.buckets[0]) {
			ch.severity = rules.Low // what is proxied may be a client's long poll
		}
		return ch
	})
}

// longPoll are names of functions that wait for news.
var longPoll = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)long_?poll|watch|subscribe|getupdates`)
})

// callSeverity weighs calls of other processes that no one ended: a crowd that is stuck is medium, a few are low.
func callSeverity(w *waiters) level {
	switch n := w.since(longMinutes); {
	case n >= pileUp:
		return level{rules.Medium, rules.ConfMedium}
	case n > 1, w.since(veryLongMinutes) > 0:
		return level{rules.Low, rules.ConfLow}
	}
	return level{}
}

// minUnread is how many bodies that no one reads are a leak and no handful of streams whose readers are busy elsewhere.
const minUnread = pileUp

// httpBodyOpen is http-body-not-closed (TR424).
func httpBodyOpen(c *calls) *rules.Rule {
	const id = "TR424"
	// A connection of HTTP/1 between requests is in Peek, in IO; in the select of its own function it hands a
	// response over for a moment and then waits for the body's end.
	open := c.compile(match.Match{
		Top:     []string{"net/http.(*persistConn).readLoop"},
		Class:   []stackparse.Class{stackparse.ClassSelect},
		Creator: []string{"net/http.(*Transport).*"},
	})
	reading := c.compile(onStack("net/http.(*bodyEOFSignal).Read", "net/http.(*readWriteCloserBody).Read"))
	trips := c.compile(match.Match{At: []string{"net/http.(*persistConn).roundTrip", "net/http.(*Transport).getConn"},
		Class: []stackparse.Class{stackparse.ClassSelect}})
	return dumpRule(id, "http-body-not-closed", rules.Leak, rules.Medium, dumpRun(c, func(s *dumpIndex) []rules.Finding {
		all := s.gather(id, open)
		n := 0
		for _, w := range all {
			n += w.since(sureMinutes)
		}
		readers := s.countIn(reading)
		if n-readers < minUnread {
			return nil
		}
		w := merge(all)
		candidate, sure := "", rules.ConfLow
		if bl, ok := s.mostCalls(trips); ok {
			w.blame.Culprit, w.blame.Path, sure = bl.Culprit, bl.Path, rules.ConfMedium
			candidate = fmt.Sprintf(" The connections don't say who asked; %s makes requests in this dump and is "+
				"the candidate.", rules.PlaceText(bl.Culprit))
		}
		return []rules.Finding{w.finding(account{
			level: level{rules.Medium, sure},
			act:   fmt.Sprintf("leaves response bodies open: %d connections%s", n-readers, w.span()),
			why: fmt.Sprintf("%d client connections wait for the end of a response's body%s, and %d goroutines "+
				"read one: nobody reads or closes the other bodies, and each keeps its connection with two "+
				"goroutines.%s", w.count, w.span(), readers, candidate),
			fix: "Close the body of every response on all ways out: defer resp.Body.Close() right behind the " +
				"check of the error, also where only the status is of interest.",
			next: []rules.Step{rules.Command("grep -rnE 'http\\.(Get|Post|Head)|\\.Do\\(' --include='*.go' .").Note(
				"each needs a Body.Close on all ways out")},
		})}
	}))
}

// merge makes one group of several.
func merge(all []*waiters) *waiters {
	w := *all[0]
	for _, o := range all[1:] {
		w.buckets = append(w.buckets[:len(w.buckets):len(w.buckets)], o.buckets...)
		w.count += o.count
		w.minutes = max(w.minutes, o.minutes)
	}
	return &w
}

// mostCalls blames the caller with most goroutines in those buckets; false where none is the program's or a
// dependency's.
func (s *dumpIndex) mostCalls(k *call) (rules.Blame, bool) {
	type tally struct {
		bl rules.Blame
		n  int
	}
	var all []*tally
	byPlace := map[rules.Place]*tally{}
	for _, b := range s.buckets(k) {
		bl, own := s.caller(b)
		if !own {
			continue
		}
		t := byPlace[bl.Culprit]
		if t == nil {
			t = &tally{bl: bl}
			byPlace[bl.Culprit] = t
			all = append(all, t)
		}
		t.n += b.Count
	}
	best := -1
	for i, t := range all {
		if best < 0 || t.n > all[best].n {
			best = i
		}
	}
	if best < 0 {
		return rules.Blame{}, false
	}
	return all[best].bl, true
}
