package stackparse

import (
	"bytes"
	"regexp"
	"sync"
	"unicode/utf8"
)

// A doubt holds the lines that no part of the grammar knows since the last one that it does. When the dump goes on
// they were inside it and are reported; when it does not, they stand after it and are none of its business.
type doubt struct {
	lines int
	first []UnparsedLine // at most MaxUnparsed
}

// maxUnparsedText bounds what is kept of an unparsed line, in bytes.
const maxUnparsedText = 256

func (d *doubt) add(num int64, text []byte) {
	d.lines++
	if len(d.first) < MaxUnparsed {
		d.first = append(d.first, UnparsedLine{Line: num, Text: cutText(text, maxUnparsedText)})
	}
}

// undo takes the last line back: its two halves were found.
func (d *doubt) undo() {
	if d.lines == len(d.first) && d.lines > 0 {
		d.first = d.first[:d.lines-1]
	}
	d.lines = max(d.lines-1, 0)
}

func (d *doubt) drop() { d.lines, d.first = 0, d.first[:0] }

// settle says that the dump went on.
func (d *doubt) settle(dump *Dump) {
	if d.lines == 0 {
		return
	}
	dump.UnparsedLines += d.lines
	if room := MaxUnparsed - len(dump.Unparsed); room > 0 {
		dump.Unparsed = append(dump.Unparsed, d.first[:min(room, len(d.first))]...)
	}
	d.drop()
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
