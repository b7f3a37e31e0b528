package logpattern

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

// A phrase is a wording that a word of it triggers: all parts are in the line, in order. All is in lower case.
type phrase struct {
	sign  Sign
	parts []string
}

// wordings are what each sign looks like, from the sources named beside them; of two that fit, that of the smaller sign
// counts. A wording is written "trigger | part | part", where the word alone is not enough.
var wordings = []struct {
	sign Sign
	list string // separated by semicolons
}{
	// mm/oom_kill.c: Linux 2.6 and later.
	{SignOOMKilled, `
		memory | out of memory: kill; oom-kill:constraint | oom-kill:constraint=`},
	// apiserver, registry/generic/registry/store.go: OptimisticLockErrorMsg.
	{SignConflict, `
		modified | the object has been modified; precondition | invalid object | precondition failed`},
	// client-go, rest/request.go: up to 0.18, 0.19 to 0.33, 0.34.
	{SignThrottled, `
		throttling | throttling request took; throttling | client-side throttling;
		waited | waited before sending request`},
	// etcd 3.3 to 3.6.
	{SignEtcdSlow, `
		apply | apply request took too long; long | took too long | to execute; fdatasync | slow fdatasync;
		heartbeat | failed to send out heartbeat on time; readindex | readindex response took too long`},
	{SignEtcdTimeout, `
		etcdserver | etcdserver: request timed out; etcdserver | etcdserver: leader changed;
		etcdserver | etcdserver: no leader; etcdserver | etcdserver: too many requests`},
	{SignEtcdLeader, `
		term | became leader at term; term | elected leader | at term; term | lost leader | at term`},
	// client-go tools/leaderelection, controller-runtime, wrangler.
	{SignLeaderLost, `
		lost | leader election lost; lost | leaderelection lost; leading | stopped leading;
		lease | failed to renew lease; lease | lost lease; lease | failed to hold lease`},
	{SignLeaderGained, `
		lease | successfully acquired lease; leader | became leader; leader | became the leader;
		leading | started leading`},
	// client-go tools/cache/reflector.go, all releases; the API server's answer 410.
	{SignWatchEnded, `
		watch | unexpected eof during watch; watch | watch of | ended with; watch | failed to watch;
		watch | watch of | closed with; watch | watch channel | closed; watch | watch close;
		old | too old resource version; old | resourceversion for the provided watch is too old`},
	{SignRequeued, `
		requeuing; requeueing; re-queuing; re-queueing; requeued; requeue; re-adding; readding; re-added;
		re-enqueuing; re-enqueueing; reenqueuing; queue | back to queue; queue | back to the queue`},
	// What programs print once, when they start.
	{SignStarted, `
		manager | starting manager; starting | starting kubernetes; version | starting | version;
		starting | starting rke2; starting | starting k3s; starting | starting etcd; version | go version: go;
		golang | golang settings; server | server starting; agent | starting agent; version | operator version;
		version | controller version; build | build info; controller | starting controller manager`},
	// client-go rest/request.go and golang.org/x/time/rate; tools/leaderelection/leaderelection.go.
	{SignLimited, `
		limiter | client rate limiter wait returned an error`},
	{SignRenewal, `
		lock | error retrieving resource lock; lock | failed to update lock;
		lock | error initially creating leader election record`},
	// Access logs: a server's clients set their rate.
	{SignLiveness, `
		http/1.1; http/1.0; http/2.0; http/2; http.request.method; get | "get /; post | "post /`},
}

// A phrasebook holds phrases by their trigger, and what triggers begin with.
type phrasebook struct {
	phrases  map[string][]phrase
	triggers beginnings
}

// knownPhrases are wordings, taken apart for the first log.
var knownPhrases = sync.OnceValue(func() *phrasebook {
	book := &phrasebook{phrases: map[string][]phrase{}}
	for _, w := range wordings {
		for text := range strings.SplitSeq(w.list, ";") {
			parts := strings.Split(strings.TrimSpace(text), " | ")
			book.phrases[parts[0]] = append(book.phrases[parts[0]], phrase{w.sign, parts[1:]})
			book.triggers.add(parts[0])
		}
	}
	return book
})

// isLivenessWord reports whether lines with a word repeat by design.
func isLivenessWord(word []byte) bool {
	switch string(word) {
	case "heartbeat", "heartbeats", "healthz", "readyz", "livez", "healthcheck", "probe", "probes", "probing",
		"prober", "metrics", "scrape", "scraped", "scraping", "keepalive", "ping", "pong", "resync", "resyncing",
		"raft", "liveness", "readiness", "uptime", "stats", "statistics", "telemetry", "monitor", "monitoring",
		"poll", "polling", "polled":
		return true
	}
	return false
}

// livenessPairs are two words of such lines.
var livenessPairs = []string{
	"health check", "health checks", "health status", "renewed lease", "renewing lease", "renew lease", "lease renewed",
	"leader lease", "node status", "still alive", "garbage collection", "garbage collect", "garbage collected",
}

// A beginnings is what words of a set begin with: for each first byte a bit for each length. Most words of a line are
// passed over for these alone.
type beginnings [256]uint32

func (b *beginnings) add(word string) { b[word[0]] |= 1 << min(len(word), 31) }

// mayHold reports whether the set may have a word in lower case.
func (b *beginnings) mayHold(word []byte) bool {
	return len(word) > 0 && b[word[0]]&(1<<min(len(word), 31)) != 0
}

// maxTrigger is the length of the longest trigger, and more than that of any word of isLivenessWord.
const maxTrigger = 24

func signOf(text []byte, sh *shape, s *tokenScan, sub subject) Sign {
	best, book := SignNone, knownPhrases()
	var low []byte
	var buf [maxTrigger]byte
	for i := range s.n {
		word := s.word(text, i)
		if len(word) > maxTrigger {
			continue
		}
		word = lower(buf[:0], word)
		if !book.triggers.mayHold(word) {
			continue
		}
		for _, p := range book.phrases[string(word)] {
			if best != SignNone && best <= p.sign {
				continue
			}
			if low == nil && len(p.parts) > 0 {
				low = bytes.ToLower(text)
			}
			if containsAll(low, p.parts) {
				best = p.sign
			}
		}
	}
	if best == SignNone && isLiveness(text, sh, s, sub) {
		return SignLiveness
	}
	return best
}

// lower appends word to buf in lower case, ASCII letters only.
func lower(buf, word []byte) []byte {
	for _, c := range word {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return buf
}

// isLiveness looks for words of isLivenessWord in the message, without the name of what it is about.
func isLiveness(text []byte, sh *shape, s *tokenScan, sub subject) bool {
	var buf, pair [2*maxTrigger + 1]byte
	before := []byte(nil)
	for i := range s.n {
		t := s.tokens[i]
		word := text[t.start:t.end]
		if !sh.msg.holds(t) || i == sub.nameTok || i == sub.nsTok || len(word) > maxTrigger {
			before = nil
			continue
		}
		word = lower(buf[:0], bytes.TrimLeft(word, "/"))
		if isLivenessWord(word) {
			return true
		}
		if before != nil && slices.Contains(livenessPairs, string(append(append(before, ' '), word...))) {
			return true
		}
		before = append(pair[:0], word...)
	}
	return false
}

func containsAll(low []byte, parts []string) bool {
	for _, p := range parts {
		i := bytes.Index(low, []byte(p))
		if i < 0 {
			return false
		}
		low = low[i+len(p):]
	}
	return true
}
