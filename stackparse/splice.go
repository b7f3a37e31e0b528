package stackparse

import (
	"bytes"
	"regexp"
	"sync"
)

// logStart matches where a log line begins: klog, logrus, zap's JSON, zap's console and the log package, RFC 3339.
var logStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[IWEF]\d{4} \d\d:\d\d:\d\d\.|time="?\d{4}-|\{"|\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d`)
})

// splicedHead returns what precedes a log line that was written into the middle of another line: two writers
// shared a pipe, and the runtime writes each fragment of a frame with its own write(2). Nil where there is no such.
func splicedHead(text []byte) []byte {
	at := logStart().FindIndex(text[:min(len(text), 4096)])
	if at == nil || len(bytes.TrimSpace(text[:at[0]])) == 0 {
		return nil
	}
	return text[:at[0]]
}

// joins reports whether whole, the first half of a line and the line behind the log line that split it, is a line that
// may follow in the stack; half is where the second half begins in it and alone what that half is by itself. Log lines
// with some prefix of their own are not halves of the frame behind them.
func (b *block) joins(whole []byte, half int, alone []byte) bool {
	switch b.pending {
	case pendFunc, pendCreated:
		return looksLikePath(whole) && (half <= 0 || bytes.IndexByte(whole[:half], '=') < 0)
	case pendClosed:
		return false
	}
	if bytes.HasPrefix(whole, []byte("created by ")) || isElided(whole) {
		return true
	}
	if !isFuncLine(whole) {
		return false
	}
	at := argsStart(alone)
	return at <= 0 || bytes.IndexByte(alone[:at], '.') < 0 || half > 0 && bytes.ContainsAny(whole[:half], "./")
}
