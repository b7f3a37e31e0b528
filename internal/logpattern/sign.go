package logpattern

import "bytes"

// A Sign is what a line's wording says, where client-go, controller-runtime, etcd, Kubernetes or the kernel always say it so.
type Sign uint8

// The signs. Several may fit a line: the first in this order counts.
const (
	SignNone         Sign = iota
	SignConflict          // a write lost against another: "the object has been modified"
	SignThrottled         // client-go's own rate limiter made a request wait
	SignEtcdSlow          // etcd: "apply request took too long", slow fdatasync, heartbeat overdue
	SignEtcdTimeout       // "etcdserver: request timed out", "etcdserver: leader changed"
	SignEtcdLeader        // a raft election: "became leader at term", "lost leader"
	SignLeaderLost        // a controller lost its lease
	SignLeaderGained      // a controller acquired its lease
	SignWatchEnded        // a watch ended before its time, or its version was too old: the reflector lists anew
	SignRequeued          // a work queue takes a key again
	SignOOMKilled         // the kernel killed a process for memory
	SignStarted           // a program's first line
	SignLiveness          // a probe, heartbeat, lease, metrics scrape or access log: repeats by design
)

// A phrase is a wording: trigger is one word of it, in lower case, all parts stand in the line one behind the other.
type phrase struct {
	sign    Sign
	trigger string
	parts   []string
}

// phrases are wordings in lower case, from the sources named beside them; of two that fit, that of the smaller sign counts.
var phrases = byTrigger([]phrase{
	// mm/oom_kill.c: Linux 2.6 and later.
	{SignOOMKilled, "memory", []string{"out of memory: kill"}}, {SignOOMKilled, "oom-kill:constraint", []string{"oom-kill:constraint="}},
	// apiserver, registry/generic/registry/store.go: OptimisticLockErrorMsg.
	{SignConflict, "modified", []string{"the object has been modified"}}, {SignConflict, "precondition", []string{"invalid object", "precondition failed"}},
	// client-go, rest/request.go: up to 0.18, 0.19 to 0.33, 0.34.
	{SignThrottled, "throttling", []string{"throttling request took"}}, {SignThrottled, "throttling", []string{"client-side throttling"}},
	{SignThrottled, "waited", []string{"waited before sending request"}},
	// etcd 3.3 to 3.6.
	{SignEtcdSlow, "apply", []string{"apply request took too long"}}, {SignEtcdSlow, "long", []string{"took too long", "to execute"}}, {SignEtcdSlow, "fdatasync", []string{"slow fdatasync"}},
	{SignEtcdSlow, "heartbeat", []string{"failed to send out heartbeat on time"}}, {SignEtcdSlow, "readindex", []string{"readindex response took too long"}},
	{SignEtcdTimeout, "etcdserver", []string{"etcdserver: request timed out"}}, {SignEtcdTimeout, "etcdserver", []string{"etcdserver: leader changed"}},
	{SignEtcdTimeout, "etcdserver", []string{"etcdserver: no leader"}}, {SignEtcdTimeout, "etcdserver", []string{"etcdserver: too many requests"}},
	{SignEtcdLeader, "term", []string{"became leader at term"}}, {SignEtcdLeader, "term", []string{"elected leader", "at term"}}, {SignEtcdLeader, "term", []string{"lost leader", "at term"}},
	// client-go tools/leaderelection, controller-runtime, wrangler.
	{SignLeaderLost, "lost", []string{"leader election lost"}}, {SignLeaderLost, "lost", []string{"leaderelection lost"}}, {SignLeaderLost, "leading", []string{"stopped leading"}},
	{SignLeaderLost, "lease", []string{"failed to renew lease"}}, {SignLeaderLost, "lease", []string{"lost lease"}}, {SignLeaderLost, "lease", []string{"failed to hold lease"}},
	{SignLeaderGained, "lease", []string{"successfully acquired lease"}}, {SignLeaderGained, "leader", []string{"became leader"}},
	{SignLeaderGained, "leader", []string{"became the leader"}}, {SignLeaderGained, "leading", []string{"started leading"}},
	// client-go tools/cache/reflector.go, all releases; the API server's answer 410.
	{SignWatchEnded, "watch", []string{"unexpected eof during watch"}}, {SignWatchEnded, "watch", []string{"watch of", "ended with"}}, {SignWatchEnded, "watch", []string{"failed to watch"}},
	{SignWatchEnded, "watch", []string{"watch of", "closed with"}}, {SignWatchEnded, "watch", []string{"watch channel", "closed"}}, {SignWatchEnded, "watch", []string{"watch close"}},
	{SignWatchEnded, "old", []string{"too old resource version"}}, {SignWatchEnded, "old", []string{"resourceversion for the provided watch is too old"}},
	{SignRequeued, "requeuing", nil}, {SignRequeued, "requeueing", nil}, {SignRequeued, "re-queuing", nil}, {SignRequeued, "re-queueing", nil}, {SignRequeued, "requeued", nil}, {SignRequeued, "requeue", nil},
	{SignRequeued, "re-adding", nil}, {SignRequeued, "readding", nil}, {SignRequeued, "re-added", nil}, {SignRequeued, "re-enqueuing", nil}, {SignRequeued, "re-enqueueing", nil}, {SignRequeued, "reenqueuing", nil},
	{SignRequeued, "queue", []string{"back to queue"}}, {SignRequeued, "queue", []string{"back to the queue"}},
	// What programs print once, when they start.
	{SignStarted, "manager", []string{"starting manager"}}, {SignStarted, "starting", []string{"starting kubernetes"}}, {SignStarted, "version", []string{"starting", "version"}},
	{SignStarted, "starting", []string{"starting rke2"}}, {SignStarted, "starting", []string{"starting k3s"}}, {SignStarted, "starting", []string{"starting etcd"}},
	{SignStarted, "version", []string{"go version: go"}}, {SignStarted, "golang", []string{"golang settings"}}, {SignStarted, "server", []string{"server starting"}}, {SignStarted, "agent", []string{"starting agent"}},
	{SignStarted, "version", []string{"operator version"}}, {SignStarted, "version", []string{"controller version"}}, {SignStarted, "build", []string{"build info"}}, {SignStarted, "controller", []string{"starting controller manager"}},
	// Access logs: a server's clients set their rate.
	{SignLiveness, "http/1.1", nil}, {SignLiveness, "http/1.0", nil}, {SignLiveness, "http/2.0", nil}, {SignLiveness, "http/2", nil}, {SignLiveness, "http.request.method", nil},
	{SignLiveness, "get", []string{"\"get /"}}, {SignLiveness, "post", []string{"\"post /"}},
})

func byTrigger(list []phrase) map[string][]phrase {
	m := make(map[string][]phrase, len(list))
	for _, p := range list {
		m[p.trigger] = append(m[p.trigger], p)
	}
	return m
}

// livenessWords are words, and pairs of words, of lines that repeat by design.
var livenessWords = map[string]bool{
	"heartbeat": true, "heartbeats": true, "healthz": true, "readyz": true, "livez": true, "healthcheck": true, "probe": true, "probes": true, "probing": true, "prober": true,
	"metrics": true, "scrape": true, "scraped": true, "scraping": true, "keepalive": true, "ping": true, "pong": true, "resync": true, "resyncing": true, "raft": true,
	"liveness": true, "readiness": true, "uptime": true, "stats": true, "statistics": true, "telemetry": true, "monitor": true, "monitoring": true, "poll": true, "polling": true, "polled": true,
	"health check": true, "health checks": true, "health status": true, "renewed lease": true, "renewing lease": true, "renew lease": true, "lease renewed": true, "leader lease": true, "node status": true, "still alive": true,
	"garbage collection": true, "garbage collect": true, "garbage collected": true,
}

// maxTrigger is the length of the longest trigger, and more than that of any word of livenessWords.
const maxTrigger = 24

// signOf reads the wording of a line.
func signOf(text []byte, sh *shape, s *scan, sub subject) Sign {
	best := SignNone
	var low []byte
	var buf [maxTrigger]byte
	for i := range s.n {
		word := text[s.tokens[i].start:s.tokens[i].end]
		if len(word) > maxTrigger {
			continue
		}
		for _, p := range phrases[string(lower(buf[:0], word))] {
			if best != SignNone && best <= p.sign {
				continue
			}
			if low == nil && p.parts != nil {
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

// isLiveness looks for livenessWords in the message, without the name of what it is about.
func isLiveness(text []byte, sh *shape, s *scan, sub subject) bool {
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
		if livenessWords[string(word)] {
			return true
		}
		if before != nil && livenessWords[string(append(append(before, ' '), word...))] {
			return true
		}
		before = append(pair[:0], word...)
	}
	return false
}

// containsAll reports whether all parts stand in low, one behind the other.
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
