package logpattern

import (
	"bytes"
	"strings"
	"time"
)

// A role is what a changing word of a line means for the question whether anything moves.
type role uint8

const (
	plain    role = iota // it counts
	volatile             // a time, a duration, an id of a request, a port: differs each time and means nothing
	version              // a resourceVersion
	naming               // names the object
)

// isVolatileKey reports a plain key whose values differ each time and show no state; m is a time.Time's ("m=+0.012").
func isVolatileKey(word string) bool {
	switch word {
	case "time", "ts", "timestamp", "start", "end", "starttime", "endtime", "now", "date", "duration", "took",
		"elapsed", "latency", "responsetime", "timetaken", "delay", "age", "seconds", "ms", "durationms",
		"elapsedms", "pid", "tid", "thread", "threadid", "worker", "workerid", "goroutine", "id", "requestid",
		"reqid", "req", "rid", "reconcileid", "traceid", "spanid", "trace", "span", "correlationid", "auditid",
		"operationid", "transactionid", "txid", "taskid", "jobid", "caller", "file", "line", "port", "remoteaddr",
		"attempt", "attempts", "retry", "retries", "retrycount", "try", "iteration", "round", "loop", "counter",
		"requesttime", "lasttransitiontime", "lastupdatetime", "lastheartbeattime", "nonce", "seq":
		return true
	}
	return false
}

// plainKey is a key in lower case without separators, its path in nested objects left out.
func plainKey(key string) string {
	key = key[strings.LastIndexByte(key, '.')+1:]
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == ' ':
			return -1
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, key)
}

// roleOf is what the value of a key means, "" for a word of the message; before and after are the words around it.
func roleOf(key string, value, before, after []byte) role {
	switch k := plainKey(key); {
	case k == "rv" || isVersion(k, value) || key == "" && isVersion(string(before), value):
		return version
	case isVolatileKey(k) || strings.HasSuffix(k, "id") && k != "uid" && isIDKey([]byte(key)),
		isDuration(value) || isUUID(value) || bytes.HasPrefix(value, []byte("0x")) || isTime(value) || isPort(value),
		isCount(value, before, after),
		!isContent(k) && !isContent(string(bytes.ToLower(before))) && isRandom(value):
		return volatile
	}
	return plain
}

func isVersion(word string, value []byte) bool {
	return strings.EqualFold(word, "resourceVersion") ||
		strings.EqualFold(word, "version") && len(value) > 3 && allDigits(value)
}

// isCount reports a number that is a duration or counts rounds by the words around it: "Reconciliation #4711".
func isCount(value, before, after []byte) bool {
	word := bytes.ToLower(before)
	if allDigits(bytes.ReplaceAll(value, []byte("."), nil)) {
		return isUnit(after) || takesTime(word) || countsRounds(word)
	}
	return len(value) > 1 && value[0] == '#' && allDigits(value[1:]) && countsRounds(word)
}

func isRandom(b []byte) bool { return len(b) >= 8 && len(b) < 40 && isHex(b) && !allDigits(b) }

// isContentKey reports a key, or a word before a value, that makes a hexadecimal value that of some content.
func isContentKey(word string) bool {
	switch word {
	case "uid", "hash", "checksum", "digest", "sha", "sha256", "md5", "commit", "revision", "etag", "fingerprint",
		"templatehash", "podtemplatehash":
		return true
	}
	return false
}

func isContent(k string) bool { return isContentKey(strings.TrimRight(k, ":=")) }

func allDigits(b []byte) bool { return allBytes(b, isDigit) }

// allBytes reports whether b has bytes, all of which are accepted.
func allBytes(b []byte, accept func(byte) bool) bool {
	for _, c := range b {
		if !accept(c) {
			return false
		}
	}
	return len(b) > 0
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// isDuration accepts time.Duration's text: "1.2s", "1m30.5s", "250ms", "0s".
func isDuration(b []byte) bool {
	_, ok := duration(b)
	return ok
}

// isUnit reports a unit of durations.
func isUnit(word []byte) bool {
	switch string(word) {
	case "ms", "s", "us", "µs", "ns", "sec", "secs", "seconds", "second", "milliseconds", "millisecond", "minutes",
		"ago":
		return true
	}
	return false
}

// takesTime reports a word that is followed by a duration.
func takesTime(word []byte) bool {
	switch string(word) {
	case "took", "elapsed", "duration", "latency":
		return true
	}
	return false
}

// countsRounds reports a word that is followed by a number that only counts the rounds.
func countsRounds(word []byte) bool {
	switch string(word) {
	case "attempt", "attempts", "retry", "retries", "try", "iteration", "round", "loop", "reconciliation",
		"reconcile":
		return true
	}
	return false
}

// isTime accepts "2021-09-14T14:13:50.1Z", "14:13:50", "2021-09-14" and seconds since 1970.
func isTime(b []byte) bool {
	if len(b) >= 8 && b[2] == ':' {
		return new(timeParts).read("hh:ii:ss", b)
	}
	if len(b) >= 10 && (b[4] == '-' && b[7] == '-' || b[4] == '/' && b[7] == '/') && allDigits(b[:4]) &&
		allDigits(b[5:7]) && allDigits(b[8:10]) {
		return true
	}
	_, ok := epoch(b)
	return ok
}

func isUUID(b []byte) bool {
	return len(b) == 36 && b[8] == '-' && b[13] == '-' && b[18] == '-' && b[23] == '-' &&
		isHex(bytes.ReplaceAll(b, []byte("-"), nil))
}

func isHex(b []byte) bool {
	return allBytes(b, func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' })
}

// isPort accepts "10.0.0.1:43182" and "[::1]:43182" without its bracket: a connection's near port is new each time.
func isPort(b []byte) bool {
	i := bytes.IndexByte(b, ':')
	return i > 6 && bytes.Count(b[:i], []byte(".")) == 3 && allDigits(bytes.ReplaceAll(b[:i], []byte("."), nil)) &&
		i+1 < len(b) && isDigit(b[i+1])
}

// isName accepts what names an object: letters, digits, points, dashes, underscores, at most one or two slashes; not a
// number, a version, an address, a path or a place in code.
func isName(b []byte) bool {
	if len(b) < 2 || len(b) > 2*maxName || b[0] == '-' || b[0] == '/' || b[0] == '.' || b[len(b)-1] == '/' {
		return false
	}
	letters, slashes, dots := 0, 0, 0
	for _, c := range b {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			letters++
		case isDigit(c) || c == '-' || c == '_':
		case c == '.':
			dots++
		case c == '/':
			slashes++
		default:
			return false
		}
	}
	if letters == 0 || slashes > 2 || isUUID(b) || isDuration(b) {
		return false
	}
	if bytes.HasSuffix(b, []byte(".go")) || bytes.HasSuffix(b, []byte(".yaml")) || bytes.HasSuffix(b, []byte(".json")) {
		return false
	}
	// v1, v1beta1, v1.22.3
	return b[0] != 'v' || !isDigit(b[1]) || dots == 0 && len(b) >= 4 && !bytes.Contains(b, []byte("alpha")) &&
		!bytes.Contains(b, []byte("beta"))
}

// hasSign reports that a name has something that words of a sentence lack.
func hasSign(b []byte) bool {
	for _, c := range b {
		if isDigit(c) || c == '-' || c == '/' || c == '_' || c == '.' {
			return true
		}
	}
	return false
}

func duration(b []byte) (time.Duration, bool) {
	if len(b) < 2 || len(b) > 32 || !isDigit(b[0]) || isDigit(b[len(b)-1]) {
		return 0, false
	}
	d, err := time.ParseDuration(string(b))
	return d, err == nil && d >= 0
}

func firstDuration(text []byte, s *tokenScan) int {
	for i := range s.n {
		if isDuration(s.word(text, i)) {
			return i
		}
	}
	return -1
}

// isNamespaced accepts "namespace/name": two names in lower case.
func isNamespaced(word []byte) bool {
	i := bytes.IndexByte(word, '/')
	if i < 1 || bytes.LastIndexByte(word, '/') != i || i+1 == len(word) || bytes.IndexByte(word[:i], '.') >= 0 {
		return false
	}
	if !allBytes(word, func(c byte) bool { return !isUpper(c) && c != '_' }) {
		return false
	}
	// "policy/v1beta1", "apps/v1" are groups and versions; "text/plain" and the like are types of content.
	after := word[i+1:]
	if after[0] == 'v' && len(after) > 1 && isDigit(after[1]) && len(after) < 10 {
		return false
	}
	return len(after) > 1 && !isNoNamespace(word[:i])
}

// isNoNamespace reports a word before a slash that is no namespace.
func isNoNamespace(word []byte) bool {
	switch string(word) {
	case "application", "text", "image", "i", "n", "and", "http", "https", "read", "tcp", "udp", "linux", "amd64":
		return true
	}
	return false
}
