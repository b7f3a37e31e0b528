package stackparse

import (
	"bytes"
	"regexp"
	"sync"
	"unicode/utf8"
)

// pendingUnparsed holds the lines outside the grammar since the last line of the dump. When the dump goes on they are
// inside it, and are reported; when it does not, they follow it and are no part of it.
type pendingUnparsed struct {
	lines int
	first []UnparsedLine // at most maxUnparsed
}

// maxUnparsedText bounds what is kept of an unparsed line, in bytes.
const maxUnparsedText = 256

func (u *pendingUnparsed) add(num int64, text []byte) {
	u.lines++
	if len(u.first) < maxUnparsed {
		u.first = append(u.first, UnparsedLine{Line: num, Text: cutText(text, maxUnparsedText)})
	}
}

// dropLast removes the last line: its two halves were found.
func (u *pendingUnparsed) dropLast() {
	if u.lines == len(u.first) && u.lines > 0 {
		u.first = u.first[:u.lines-1]
	}
	u.lines = max(u.lines-1, 0)
}

func (u *pendingUnparsed) reset() { u.lines, u.first = 0, u.first[:0] }

// commit reports the lines: the dump goes on.
func (u *pendingUnparsed) commit(dump *Dump) {
	if u.lines == 0 {
		return
	}
	dump.UnparsedLines += u.lines
	if room := maxUnparsed - len(dump.Unparsed); room > 0 {
		dump.Unparsed = append(dump.Unparsed, u.first[:min(room, len(u.first))]...)
	}
	u.reset()
}

// cutText copies at most n bytes of text, whole runes only.
func cutText(text []byte, n int) string {
	if len(text) <= n {
		return string(text)
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return string(text[:n])
}

// logStart matches where a log line begins: klog, logrus, zap's JSON, zap's console and the log package, RFC 3339.
var logStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[IWEF]\d{4} \d\d:\d\d:\d\d\.|time="?\d{4}-|\{"|\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d`)
})

// splicedHead returns what stands before a log line that was written into the middle of another line: two writers
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
