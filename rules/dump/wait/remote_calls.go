package wait

import (
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
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
	return c.rule("TR423", "http-request-without-timeout", rules.Leak, rules.Medium, waiting, func(w *waiters) verdict {
		v := callSeverity(w)
		switch {
		case longPoll().MatchString(w.blame.Culprit.Function):
			return verdict{}
		case v.severity == rules.Medium && w.holds(proxied, w.buckets[0]):
			v.severity = rules.Low // what is proxied may be a client's long poll
		}
		return v
	})
}

// longPoll are names of functions that wait for news.
var longPoll = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)long_?poll|watch|subscribe|getupdates`)
})

// callSeverity weighs calls of other processes that no one ended: a crowd that is stuck is medium, a few are low.
func callSeverity(w *waiters) verdict {
	switch n := w.since(longMinutes); {
	case n >= pileUp:
		return medium()
	case n > 1, w.since(veryLongMinutes) > 0:
		return low()
	}
	return verdict{}
}

// minUnread is how many bodies that no one reads are a leak and no handful of streams whose readers are busy elsewhere.
const minUnread = pileUp

// httpBodyOpen is http-body-not-closed (TR424).
func httpBodyOpen(c *calls) *rules.Rule {
	const id, name = "TR424", "http-body-not-closed"
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
	return dumpRule(id, name, rules.Leak, rules.Medium, dumpRun(c, func(s *dumpIndex) []rules.Finding {
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
		v := verdict{severity: rules.Medium, confidence: rules.ConfLow}
		if bl, ok := s.mostCalls(trips); ok {
			w.blame.Culprit, w.blame.Path = bl.Culprit, bl.Path
			v = medium()
			v.cases = []string{"candidate"}
		}
		v.values = account.Values{"open": strconv.Itoa(n - readers), "connections": strconv.Itoa(w.count),
			"readers": strconv.Itoa(readers)}
		return w.findings(name, v)
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
	if len(all) == 0 {
		return rules.Blame{}, false
	}
	return slices.MaxFunc(all, func(a, b *tally) int { return a.n - b.n }).bl, true
}

// dialRules are the rules about connections that do not come up.
func dialRules(c *calls) []*rules.Rule {
	return []*rules.Rule{dialStuck(c), dnsPileUp(c)}
}

// dialStuck is handshake-stuck (TR429).
func dialStuck(c *calls) *rules.Rule {
	// Linux gives a connect up after 127 s by default (tcp_syn_retries, ip-sysctl), a TLS handshake has no end of its
	// own.
	waiting := c.compile(match.Match{
		Frames: match.FramesMatch{Any: []string{
			"crypto/tls.(*Conn).clientHandshake", "crypto/tls.(*Conn).serverHandshake", "net.(*netFD).connect",
		}},
		Class: []stackparse.Class{stackparse.ClassIO, stackparse.ClassSelect},
	})
	asking := c.compile(match.Match{At: []string{"net/http.(*Transport).getConn"},
		Class: []stackparse.Class{stackparse.ClassSelect}})
	return c.rule("TR429", "handshake-stuck", rules.Leak, rules.Medium, waiting, func(w *waiters) verdict {
		w.blameRequest(asking)
		return callSeverity(w)
	})
}

// minLookups is how many look-ups are more than a burst of new connections. Ten per cent of what the standard library
// allows itself at a time in C: 500, a thread each (net.concurrentThreadsLimit).
const minLookups = 50

// dnsPileUp is dns-lookups-pile-up (TR430).
func dnsPileUp(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At: []string{"net.(*Resolver).lookupIPAddr", "net.(*Resolver).LookupHost", "net.(*Resolver).LookupAddr",
			"net.(*Resolver).LookupSRV", "net.(*Resolver).LookupTXT", "net.(*Resolver).LookupCNAME"},
		Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive, stackparse.ClassIO},
		// The look-up's own goroutines: their callers are counted.
		Except: []match.Match{{Creator: []string{"net.*", "internal/singleflight.*"}}},
	})
	inC := c.compile(onStack("net._C_getaddrinfo", "net._C_getnameinfo", "net.cgoLookupIPCNAME", "net.cgoLookupHostIP",
		"net.cgoLookupPort", "net.cgoResSearch"))
	asking := c.compile(match.Match{At: []string{"net/http.(*Transport).getConn"},
		Class: []stackparse.Class{stackparse.ClassSelect}})
	return c.rule("TR430", "dns-lookups-pile-up", rules.Contention, rules.Medium, waiting, func(w *waiters) verdict {
		var v verdict
		switch {
		case w.since(sureMinutes) >= pileUp || w.count >= minLookups && w.since(sureMinutes) > 0:
			v = medium()
		case w.count >= minLookups:
			v = low()
		default:
			return v
		}
		w.blameRequest(asking)
		threads := w.countIn(inC)
		if threads > 0 {
			v.cases = []string{"in C"}
		}
		v.values = account.Values{"threads": strconv.Itoa(threads)}
		return v
	})
}

// blameRequest names the caller of most requests that wait for a connection where w dials one for net/http, whose dials
// have goroutines of their own that name no one.
func (w *waiters) blameRequest(asking *call) {
	if w.blame.Index >= 0 || !hasFunction(w.buckets[0], "net/http.(*Transport).dialConn") {
		return
	}
	if asks, ok := w.mostCalls(asking); ok {
		w.blame.Culprit = asks.Culprit
	}
}

// grpcRules are the rules about calls and streams of grpc-go.
func grpcRules(c *calls) []*rules.Rule {
	return []*rules.Rule{grpcNoDeadline(c), grpcStreamLeak(c), grpcDialBlocked(c), grpcStreamQuota(c)}
}

// grpcAnswer are the functions in which a client waits for what its server sends, by release of grpc-go.
func grpcAnswer() []string {
	return []string{
		"google.golang.org/grpc/internal/transport.(*recvBufferReader).*",
		"google.golang.org/grpc/internal/transport.(*Stream).waitOnHeader",
		"google.golang.org/grpc/internal/transport.(*ClientStream).waitOnHeader",
		"google.golang.org/grpc/internal/transport.(*Stream).Header",
		"google.golang.org/grpc/internal/transport.(*ClientStream).Header",
	}
}

// grpcInvoke are the functions that make a unary call.
func grpcInvoke() []string {
	return []string{"google.golang.org/grpc.invoke", "google.golang.org/grpc.Invoke",
		"google.golang.org/grpc.(*ClientConn).Invoke"}
}

// grpcNoDeadline is grpc-call-without-deadline (TR425).
func grpcNoDeadline(c *calls) *rules.Rule {
	waiting := c.compile(
		match.Match{
			At: grpcAnswer(), Frames: match.FramesMatch{Any: grpcInvoke()},
			Class:  []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
			Except: []match.Match{calledBack()},
		},
		// A call that waits for a connection: with WaitForReady, or while one is being made.
		match.Match{
			At: []string{"google.golang.org/grpc.(*pickerWrapper).pick"}, Frames: match.FramesMatch{Any: grpcInvoke()},
			Class:  []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
			Except: []match.Match{calledBack()},
		},
	)
	return c.rule("TR425", "grpc-call-without-deadline", rules.Leak, rules.Medium, waiting, func(w *waiters) verdict {
		if longPoll().MatchString(w.blame.Culprit.Function) {
			return verdict{}
		}
		return callSeverity(w)
	})
}

// minStreams is how many streams of one kind a connection carries before they are a leak: HTTP/2 recommends that a
// server allows at least 100 at a time (RFC 9113, 6.5.2), so that no sound design counts on more to one server.
const minStreams = 100

// grpcStreamLeak is grpc-stream-leak (TR426).
func grpcStreamLeak(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At:    grpcAnswer(),
		Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
		Frames: match.FramesMatch{
			Any: []string{"google.golang.org/grpc.(*clientStream).RecvMsg",
				"google.golang.org/grpc.(*addrConnStream).RecvMsg"},
			None: grpcInvoke(),
		},
		Except: []match.Match{{Creator: []string{"google.golang.org/grpc/**"}}},
	})
	connections := c.compile(onStack("google.golang.org/grpc/internal/transport.(*http2Client).reader"))
	return c.rule("TR426", "grpc-stream-leak", rules.Leak, rules.Medium, waiting, func(w *waiters) verdict {
		if w.count < minStreams || w.blame.Creator == "" {
			return verdict{}
		}
		conns := max(1, w.countIn(connections))
		left := w.orphans()
		if left < minStreams*conns {
			return verdict{}
		}
		return medium().with(account.Values{"left": strconv.Itoa(left), "connections": phrase.Plural(conns, "connection"),
			"creator": rules.PlainName(w.blame.Creator)})
	})
}

// orphans counts the waiters whose creator, the function with the go statement, is over: the goroutine that ran it is
// gone, or its stack holds that function no more. Headers name that goroutine since Go 1.21; without a name no one is
// an orphan.
func (w *waiters) orphans() int {
	running := map[uint64]bool{} // goroutines that are still in the creator
	creator := rules.PlainName(w.blame.Creator)
	for _, b := range w.d.Buckets {
		if !hasFunction(b, creator) {
			continue
		}
		for i := range b.Goroutines {
			running[b.Goroutines[i].ID] = true
		}
	}
	n := 0
	for _, b := range w.buckets {
		for i := range b.Goroutines {
			if parent := b.Goroutines[i].Parent; parent != 0 && !running[parent] {
				n++
			}
		}
	}
	return n
}

// hasFunction reports whether a stack holds a function, by its plain name, or may hold it where frames are missing.
func hasFunction(b *stackparse.Bucket, plain string) bool {
	for i := range b.Frames {
		if b.Frames[i].Elided != 0 || rules.PlainName(b.Frames[i].Func) == plain {
			return true
		}
	}
	return false
}

// grpcDialBlocked is grpc-dial-blocked (TR427).
func grpcDialBlocked(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At:      []string{"google.golang.org/grpc.DialContext", "google.golang.org/grpc.Dial"},
		Through: []string{"google.golang.org/grpc.*", "google.golang.org/grpc/internal/**"},
		Class:   []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
	})
	return c.rule("TR427", "grpc-dial-blocked", rules.Contention, rules.Medium, waiting, func(w *waiters) verdict {
		if w.since(longMinutes) == 0 {
			return verdict{}
		}
		return medium()
	})
}

// grpcStreamQuota is grpc-stream-limit (TR428).
func grpcStreamQuota(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At:    []string{"google.golang.org/grpc/internal/transport.(*http2Client).NewStream"},
		Class: []stackparse.Class{stackparse.ClassSelect},
	})
	open := c.compile(match.Match{At: grpcAnswer(), Class: []stackparse.Class{stackparse.ClassSelect,
		stackparse.ClassChanReceive}})
	return c.rule("TR428", "grpc-stream-limit", rules.Contention, rules.Medium, waiting, func(w *waiters) verdict {
		return queueSeverity(w).with(account.Values{"open": strconv.Itoa(w.countIn(open))})
	})
}
