package wait

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// httpNoTimeout is http-request-without-timeout (TR423).
func httpNoTimeout(w *waiters) verdict {
	if longPoll().MatchString(w.blame.Culprit.Function) {
		return verdict{}
	}
	return judgeAnswers(w).but(w.holds("http-proxies", w.buckets[0]) || w.passOn(), passesOn)
}

// passOn reports whether requests of clients wait in a function that passes on what others answer, as its name or that
// of its type shows: a client's long poll too, for as long as there is no news.
func (w *waiters) passOn() bool {
	n := symbol.ParseName(w.blame.Culprit.Function)
	return (containsAny(n.Func, passNames[:]) || containsAny(n.Receiver, passNames[:])) &&
		!slices.ContainsFunc(w.buckets, func(b *stackparse.Bucket) bool {
			return !slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool { return servesRequest(f.Func) })
		})
}

// passNames are words in the names of functions and types that pass on what others answer, whenever that comes.
var passNames = [...]string{"poll", "proxy", "relay", "tunnel", "forward", "stream", "event"}

// longPoll are names of functions that wait for news.
var longPoll = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)long_?poll|watch|subscribe|getupdates`)
})

// judgeCalls weighs calls of other processes that no one ended: a crowd, or a few.
func judgeCalls(w *waiters) verdict {
	n := w.since(longMinutes)
	return verdict{guilty: n > 1 || w.since(veryLongMinutes) > 0 || w.since(sureMinutes) >= pileUp}.
		but(n == 0, notForLong).but(n < pileUp, fewCalls)
}

// judgeAnswers weighs requests that wait for an answer, and commands that run. A crew that a process starts at once
// and that asks again and again may be asking for news: Consul's blocking queries take five minutes where nothing else
// is asked for, and ten at most (developer.hashicorp.com/consul/api-docs/features/blocking). Of those that have waited
// for longer, all have then waited for as long: builds that were started together, or polls without an end.
func judgeAnswers(w *waiters) verdict {
	v := judgeCalls(w)
	if !v.sure() {
		return v
	}
	a := arrivalOf(w.d, w.buckets...)
	return v.but(a.known && !a.came && (w.since(veryLongMinutes) == 0 || w.sameAge()), allAtOnce)
}

// sameAge reports whether nine in ten goroutines have waited for about as long as the oldest.
func (w *waiters) sameAge() bool {
	n := 0
	for _, b := range w.buckets {
		n += waitingSince(b, max(w.minutes, longSpan)-longSpan+1)
	}
	return 10*n >= 9*w.count
}

// minUnread is how many bodies that no one reads are a leak and no handful of streams whose readers are busy elsewhere;
// manyUnread are a leak without minutes, too.
const (
	minUnread  = pileUp
	manyUnread = 200
)

// bodiesEach is how many bodies there are at the least for each goroutine that could read one, where it is unlikely
// that they are about to do so and none shows it. It finds 12 more inputs of the lab's bugs; no healthy program, twin
// or server of testdata has that many for one.
const bodiesEach = 100

// httpBodyOpen is http-body-not-closed (TR424).
func httpBodyOpen(c *calls) *rules.Rule {
	const name = "http-body-not-closed"
	return waitRule("TR424", name, rules.Leak, rules.Medium, dumpRun(c, func(s *dumpIndex) []rules.Finding {
		all := s.gather(name)
		n := 0
		for _, w := range all {
			n += w.since(sureMinutes)
		}
		readers := s.countIn("http-readers")
		if len(all) == 0 {
			return nil
		}
		w, young, others := merge(all), n-readers < minUnread, s.mayHaveResponses()
		v := guilty()
		if young {
			if n = w.count; n-readers < manyUnread {
				return nil
			}
			v = v.but(readers > 0 || others*bodiesEach >= n, fewReaders)
		}
		bl, known := s.mostCalls("http-trips")
		// Downloads that are paused, and feeds that few read in turns, are opened at once.
		a := arrivalOf(w.d, w.buckets...)
		v = v.but(a.known && !a.came && !known, allAtOnce)
		if known {
			w.blame.Culprit, w.blame.Path = bl.Culprit, bl.Path
			v.cases = append(v.cases, "candidate")
		}
		v.values = account.Values{"open": strconv.Itoa(n - readers), "connections": strconv.Itoa(w.count),
			"wait": waitVerb(w.count, w.minutes), "readers": fewOf(readers),
			"are": verb(readers, "is", "are"), "known": w.sinceWhen(),
			"others": phrase.CountGoroutines(others)}
		found := w.findings(name, v)
		if !known {
			return w.unknownOpener(found, n-readers)
		}
		return found
	}))
}

// fewOf is a small number in a sentence: "none", "only 3".
func fewOf(n int) string {
	if n == 0 {
		return "none"
	}
	return "only " + strconv.Itoa(n)
}

// sinceWhen is a sentence about how long the waiters have waited at most.
func (w *waiters) sinceWhen() string {
	if w.minutes == 0 {
		return "The dump does not show how long they have waited"
	}
	return "They have waited" + w.span()
}

// mayHaveResponses counts the goroutines that may be about to read or close a response: those that run code of the
// program or of a module that it uses, main among them, and those that serve a request.
func (s *dumpIndex) mayHaveResponses() int {
	n := 0
	for _, b := range s.d.Buckets {
		code := s.d.CodeOf(b)
		for i := range b.Frames {
			f := &b.Frames[i]
			if f.Elided != 0 || rules.Blameable(code.Class(i)) || strings.HasSuffix(f.Func, ".ServeHTTP") {
				n += b.Count
				break
			}
		}
	}
	return n
}

// unknownOpener names, in findings about response bodies, the function of net/http that waits for them: no goroutine
// shows which of the program's lines opened them.
func (w *waiters) unknownOpener(found []rules.Finding, open int) []rules.Finding {
	b := w.buckets[0]
	at := slices.IndexFunc(b.Frames, func(f stackparse.Frame) bool { return f.Func == readLoop })
	for i := range found {
		found[i].Culprit = rules.PlaceOf(b.Frames[max(at, 0)].Frame)
		found[i].Title = fmt.Sprintf("response bodies are left open: %d net/http connections%s", open, w.span())
	}
	return found
}

// readLoop is the function of net/http in which a connection of a client waits.
const readLoop = "net/http.(*persistConn).readLoop"

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
func (s *dumpIndex) mostCalls(name string) (rules.Blame, bool) {
	type tally struct {
		bl rules.Blame
		n  int
	}
	var all []*tally
	byPlace := map[rules.Place]*tally{}
	for _, b := range s.buckets(name) {
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

// grpcNoDeadline is grpc-call-without-deadline (TR425).
func grpcNoDeadline(w *waiters) verdict {
	if longPoll().MatchString(w.blame.Culprit.Function) {
		return verdict{}
	}
	return judgeAnswers(w)
}

// minStreams is how many streams of one kind a connection carries before they are a leak: HTTP/2 recommends that a
// server allows at least 100 at a time (RFC 9113, 6.5.2), so that no sound design counts on more to one server.
const minStreams = 100

// grpcStreamLeak is grpc-stream-leak (TR426).
func grpcStreamLeak(w *waiters) verdict {
	if w.count < minStreams || w.blame.Creator == "" {
		return verdict{}
	}
	conns := max(1, w.countIn("grpc-connections"))
	left := w.orphans()
	if left < minStreams*conns {
		return verdict{}
	}
	return guilty().but(!w.keepComing(), allAtOnce).with(account.Values{
		"left": strconv.Itoa(left), "wait": waitVerb(left, w.minutes),
		"connections": phrase.Plural(conns, "connection"), "creator": symbol.ShortFunc(w.blame.Creator)})
}

// keepComing reports whether the waiters came one by one until lately, and the first of them a minute ago at least.
// Streams for all that a program follows are opened at its start, however many: 300 of the health protocol in
// testdata/gen/services/everyday.
func (w *waiters) keepComing() bool {
	a := arrivalOf(w.d, w.buckets...)
	return a.came && w.minutes > 0
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
		fn := b.Frames[i].Func
		if b.Frames[i].Elided != 0 || fn == plain || len(fn) > len(plain) && rules.PlainName(fn) == plain {
			return true // a PlainName is shorter, or the name itself
		}
	}
	return false
}

// manyLeftBehind is how many commands that have ended may be seen at a time while the rest of their output is copied,
// which takes no time. Chosen: three are no moment's chance.
const manyLeftBehind = 3

// childHangs is child-process-hangs (TR441).
func childHangs(w *waiters) verdict {
	v := judgeAnswers(w).but(waitsForChild(w.buckets[0]), childWorks)
	if w.holds("child-pipe", w.buckets[0]) {
		// The command has ended: what it left behind lives on with its output.
		if w.since(sureMinutes) > 0 || oldest(w.d) == 0 && w.count >= manyLeftBehind {
			v = guilty()
		}
		v.cases = []string{"pipe"}
	}
	return v
}

// fileLockWait is file-lock-wait (TR442).
func fileLockWait(w *waiters) verdict {
	opens := w.holds("file-lock-stores", w.buckets[0])
	// A goroutine that asks every 50 ms has no minutes in its header: bolt's is known by its frames, and that
	// it is no start-up by the age of the rest.
	if w.since(sureMinutes) == 0 && !opens {
		return verdict{}
	}
	return guilty().of(rules.Medium).but(!opens, standsBy).but(oldest(w.d) < sureMinutes, noAge)
}

// opensHang is open-hangs (TR458). Of the healthy programs of testdata one, which collects what others write to 14
// named pipes, has goroutines that wait there for minutes.
func opensHang(w *waiters) verdict {
	n := w.since(sureMinutes)
	return verdict{guilty: n > 0 || w.count >= manyQueued}.but(n == 0, noAge).but(true, pipeOpens)
}

// Thresholds of clientThrottled: client-go's default is 5 requests a second after a burst of 10, controller-runtime's
// 20 after 30. Ten waiters are two seconds of the first, a hundred are twenty (and five of the second).
const (
	fewThrottled  = 10
	manyThrottled = 100
)

// clientThrottled is client-throttled (TR433).
func clientThrottled(w *waiters) verdict {
	elects := slices.ContainsFunc(w.buckets, func(b *stackparse.Bucket) bool { return w.holds("leader-election", b) })
	switch {
	case w.since(sureMinutes) > 0, w.total >= manyThrottled && w.count >= fewThrottled:
		return guilty()
	case elects && w.total >= fewThrottled:
		return guilty().with(account.Values{"before": phrase.CountGoroutines(w.total - w.count)}, "elects")
	case w.count >= fewThrottled:
		return guilty().but(true, noAge)
	}
	return verdict{}
}

// Thresholds on requests of which a server has read the head, and waits for more of a body whose length it knows. The
// healthy dumps of testdata and of the corpus have none of sureMinutes: what comes slowly moves with each packet, and a
// peer that is gone is dropped before (net.Listen asks for keep-alives each 15 s, 9 of them). Any client can say
// nothing, so that a few are doubtful, and a hundred, which is chosen, are not.
const (
	someSilent = pileUp
	manySilent = 100
)

// bodiesAwaited is request-body-awaited (TR449).
func bodiesAwaited(w *waiters) verdict {
	n := w.since(sureMinutes)
	return verdict{guilty: n >= someSilent}.but(n < manySilent, silentFew).
		with(account.Values{"silent": strconv.Itoa(n)})
}

// judgeQueue weighs a queue in front of something bounded, in which someone waits for minutes, or a crowd does.
func judgeQueue(w *waiters) verdict {
	lasts := w.since(sureMinutes) > 0
	return verdict{guilty: lasts || w.count >= manyQueued}.but(!lasts, noAge)
}

// verb is the form of a verb that goes with n.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
