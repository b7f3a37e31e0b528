package stackparse

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

// maxLogLine bounds Cause.LogLine, in bytes.
const maxLogLine = 1 << 10

// recentSlots is how many lines are kept, a power of two: a logged panic's value may have some lines of its own before
// the stack.
const recentSlots = 8

// recentLines keeps the last few lines, so that the line that introduces a stack can be read when the stack begins.
type recentLines struct {
	buf *[recentSlots][maxLogLine]byte
	len [recentSlots]int
	num [recentSlots]int64
	at  uint // slot of the next line
	n   int  // lines kept
}

// push runs for every line of a log: it only copies.
func (r *recentLines) push(text []byte, num int64) {
	if r.buf == nil {
		r.buf = new([recentSlots][maxLogLine]byte)
	}
	slot := r.at % recentSlots
	r.len[slot] = copy(r.buf[slot][:], text)
	r.num[slot] = num
	r.at++
	if r.n < recentSlots {
		r.n++
	}
}

// back returns the i-th line from the end, 0 being the newest.
func (r *recentLines) back(i int) (text []byte, num int64) {
	slot := (r.at - 1 - uint(i)) % recentSlots
	return r.buf[slot][:r.len[slot]], r.num[slot]
}

// introduction finds the log line that introduces the stack with its header in line header, and that line's number.
// Directly before the stack any word of a panic will do; farther up, at most recentSlots lines, only the forms
// of well-known handlers, and only where few other log lines came between.
func (r *recentLines) introduction(header int64) (*Cause, int64) {
	between := 0
	for i := range r.n {
		text, num := r.back(i)
		if header-num > recentSlots {
			return nil, 0
		}
		text = bytes.TrimRight(text, " \t\r")
		if len(text) == 0 {
			continue
		}
		if i == 0 && num == header {
			// What precedes the header in its own line: an unknown framing, or a message.
			if c := r.prefixed(len(text)); c != nil {
				return c, c.Line
			}
		}
		if c := knownHandler(text); c != nil {
			c.Line, c.LogLine = num, cleanText(text, maxLogLine)
			if c.Kind == CauseLogFatal {
				c.Before = r.errorsBefore(i + 1)
			}
			return c, num
		}
		if i == 0 && header-num <= 2 {
			switch {
			case isFatalLevel(text):
				return &Cause{
					Kind: CauseLogFatal, Line: num,
					Text: cleanText(message(text), maxCauseText), LogLine: cleanText(text, maxLogLine),
					Before: r.errorsBefore(i + 1),
				}, num
			case mentionsPanic(text):
				return loggedPanic(panicValue(text), text, num), num
			}
		}
		if looksLogged(text) {
			if between++; between > 3 {
				return nil, 0
			}
		}
	}
	return nil, 0
}

// maxErrorsBefore bounds Cause.Before. Chosen: what led to the fatal line is in the last one or two.
const maxErrorsBefore = 3

// errorsBefore are the lines from the i-th from the end on backwards that were logged as errors, or say that something
// failed or timed out; oldest first.
func (r *recentLines) errorsBefore(i int) []LoggedLine {
	var found []LoggedLine
	for ; i < r.n && len(found) < maxErrorsBefore; i++ {
		text, num := r.back(i)
		text = bytes.TrimRight(text, " \t\r")
		if !looksLogged(text) || !reportsError(text) {
			continue
		}
		found = append(found, LoggedLine{num, cleanText(message(text), maxLogLine)})
	}
	slices.Reverse(found)
	return found
}

// reportsError reports whether a log line is klog's of level error, or has a word of failures.
func reportsError(text []byte) bool {
	if klogMessage(text) != nil && text[0] == 'E' {
		return true
	}
	text = bytes.ToLower(text)
	for _, word := range [...]string{"error", "failed", "timed out", "deadline exceeded", "refused"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// prefixed finds a panic behind the same unknown prefix as the header has: "[00058.247] 05208.08054> panic: text".
func (r *recentLines) prefixed(n int) *Cause {
	for i := 1; i < r.n; i++ {
		text, num := r.back(i)
		text = bytes.TrimRight(text, " \t\r")
		at := bytes.Index(text, panicPrefix)
		kind := CausePanic
		if at < 0 {
			at, kind = bytes.Index(text, fatalPrefix), CauseFatal
		}
		if at <= 0 || at < n || at > n+2 || text[at-1] != ' ' && text[at-1] != '\t' {
			continue
		}
		c := &Cause{Kind: kind, Line: num}
		if kind == CauseFatal {
			c.Text = cleanText(text[at+len(fatalPrefix):], maxCauseText)
		} else {
			c.Panics = []Panic{newPanic(text[at+len(panicPrefix):])}
			c.Text = c.Panics[0].Text
		}
		return c
	}
	return nil
}

// knownHandler recognises the lines of panic handlers and fatal loggers that are followed by stacks.
func knownHandler(text []byte) *Cause {
	if i := bytes.Index(text, []byte(": panic serving ")); i >= 0 { // net/http and its http2
		value := text[i+len(": panic serving "):]
		if j := bytes.Index(value, []byte(": ")); j >= 0 { // behind the address: "127.0.0.1:4711", "[::1]:4711"
			value = value[j+2:]
		}
		return loggedPanic(value, text, 0)
	}
	msg := message(text)
	// k8s.io/apimachinery runtime.HandleCrash, controller-runtime
	if i := bytes.Index(msg, []byte("bserved a panic")); i >= 0 {
		return loggedPanic(observedValue(text, msg[i+len("bserved a panic"):]), text, 0)
	}
	if klogMessage(text) != nil && text[0] == 'F' {
		return &Cause{Kind: CauseLogFatal, Text: cleanText(msg, maxCauseText)}
	}
	if i := bytes.Index(text, []byte("panic recovered:")); i >= 0 { // gin's and others' recovery middleware
		return loggedPanic(text[i+len("panic recovered:"):], text, 0)
	}
	return nil
}

// raisedBefore is the panic of a stack with its header in line header, whose frames alone show that it is a panic's:
// the text before may be its value.
func (r *recentLines) raisedBefore(header int64) *Cause {
	for i := range r.n {
		text, num := r.back(i)
		if text = bytes.TrimRight(text, " \t\r"); len(text) == 0 {
			continue
		}
		value := panicValue(text)
		if header-num > 2 || len(value) == len(text) && !bytes.HasPrefix(text, runtimeError) {
			break
		}
		return loggedPanic(value, text, num)
	}
	return &Cause{Kind: CauseLoggedPanic, Line: header, Panics: []Panic{{Recovered: true}}}
}

// reportedPanics are the panics of which log lines have the value alone, as the error of a call that recovered them
// (controller-runtime: "Reconciler error" err="panic: value [recovered]").
type reportedPanics struct {
	first *Cause
	n     int
}

var recovered = []byte(" [recovered]")

func (r *reportedPanics) line(text []byte, num int64) {
	value := fieldValue(text, "err")
	if value == nil {
		value = fieldValue(text, "error")
	}
	value, isPanic := bytes.CutPrefix(value, panicPrefix)
	value, isRecovered := bytes.CutSuffix(value, recovered)
	if !isPanic || !isRecovered {
		return
	}
	if r.n++; r.first == nil {
		r.first = loggedPanic(value, text, num)
	}
}

var runtimeError = []byte("runtime error: ")

// panicValue returns the panic's value from a log line: a field, the runtime's own text, or else the message.
func panicValue(line []byte) []byte {
	for _, key := range [...]string{"panic", "error", "err"} {
		if v := fieldValue(line, key); v != nil {
			return v
		}
	}
	msg := message(line)
	if i := bytes.Index(msg, runtimeError); i >= 0 {
		msg = bytes.TrimRight(msg[i:], " ")
		if !balanced(msg) {
			msg = bytes.TrimSuffix(msg, []byte("]"))
		}
	}
	return msg
}

// observedValue returns the panic's value from what follows "Observed a panic", in its forms of 1.9 to 1.34:
//
//	Observed a panic: "value" (value)
//	Observed a panic: runtime.boundsError{…} (value)
//	"Observed a panic" panic="value" panicGoValue="…" stacktrace=<
//	{"msg":"Observed a panic","panic":"value",…}
func observedValue(text, rest []byte) []byte {
	if v := fieldValue(text, "panic"); v != nil {
		return v
	}
	rest = bytes.TrimLeft(rest, `:" `)
	if n := len(rest); n > 0 && rest[n-1] == ')' {
		if i := bytes.LastIndex(rest, []byte(" (")); i >= 0 {
			if v := rest[i+2 : n-1]; len(v) > 0 {
				return v
			}
		}
	}
	return rest
}

// loggedPanic makes the cause of a stack that a recovered panic's handler logged.
func loggedPanic(value, line []byte, num int64) *Cause {
	if v := fieldValue(line, "panic"); v != nil {
		value = v
	}
	text := cleanText(bytes.TrimSpace(value), maxCauseText)
	return &Cause{
		Kind: CauseLoggedPanic, Line: num, Text: text,
		Panics:  []Panic{{Text: text, Recovered: true}},
		LogLine: cleanText(bytes.TrimRight(line, ", "), maxLogLine), // behind a comma was the stack's field
	}
}

// klogMessage returns the message of a klog or glog line, "F0304 05:06:06.048422       1 manager.go:55] text", nil
// for other lines.
func klogMessage(text []byte) []byte {
	if len(text) < 30 || text[5] != ' ' || text[8] != ':' {
		return nil
	}
	if c := text[0]; c != 'I' && c != 'W' && c != 'E' && c != 'F' {
		return nil
	}
	for _, b := range text[1:5] {
		if b < '0' || b > '9' {
			return nil
		}
	}
	_, message, _ := bytes.Cut(text, []byte("] "))
	return message
}

// message returns a log line's message: klog's, or the msg field of logfmt and JSON, or the line itself.
func message(text []byte) []byte {
	if m := klogMessage(text); m != nil {
		return m
	}
	for _, key := range [...]string{"msg", "message"} {
		if v := fieldValue(text, key); v != nil {
			return v
		}
	}
	return text
}

// fieldValue returns the value of a quoted field, key="…" or "key":"…", nil where the line has none. A value whose
// end was cut off counts up to there.
func fieldValue(text []byte, key string) []byte {
	for _, form := range [...]string{` ` + key + `="`, `"` + key + `":"`, `"` + key + `": "`} {
		i := bytes.Index(text, []byte(form))
		if i < 0 {
			continue
		}
		quoted := text[i+len(form)-1:]
		end := 1
		for end < len(quoted) && quoted[end] != '"' {
			if quoted[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(quoted) {
			return quoted[1:]
		}
		quoted = quoted[:end+1]
		if s, err := strconv.Unquote(string(quoted)); err == nil {
			return []byte(s)
		}
		var s string
		if json.Unmarshal(quoted, &s) == nil {
			return []byte(s)
		}
		return quoted[1:end]
	}
	return nil
}

// isFatalLevel recognises the levels at which zap, logrus, zerolog and slog-like loggers end the process.
func isFatalLevel(text []byte) bool {
	return containsAny(text, `"level":"fatal"`, `"level":"panic"`, `"level":"FATAL"`, `"level": "fatal"`,
		`"severity":"FATAL"`, "level=fatal", "level=panic", "\tFATAL\t", "\tPANIC\t", " FATAL ")
}

// mentionsPanic reports whether a line mentions a panic that was caught.
func mentionsPanic(text []byte) bool {
	return containsAny(text, "panic", "Panic", "PANIC", "recovered", "Recovered")
}

func containsAny(text []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// looksLogged reports whether a line is a logger's, by its first bytes: klog, logfmt, JSON, a date.
func looksLogged(text []byte) bool {
	switch {
	case len(text) < 8:
		return false
	case text[0] == '{':
		return text[1] == '"'
	case text[0] == 't':
		return bytes.HasPrefix(text, []byte("time="))
	case text[0] == '2' || text[0] == '1':
		return isDate(text)
	}
	return klogMessage(text) != nil
}

// isDate recognises 2026-03-04, 2026/03/04.
func isDate(text []byte) bool {
	return len(text) >= 10 && text[4] == text[7] && (text[4] == '-' || text[4] == '/') &&
		text[3]-'0' <= 9 && text[5]-'0' <= 9 && text[9]-'0' <= 9
}

// reportedPanics emits the panics that log lines report, where no stack in the stream shows one.
func (p *Parser) reportedPanics() {
	if r := p.cause.reported; r.n > 0 && !p.panicked {
		db := p.newDump(r.first.Line, nil, r.first)
		db.dump.EndLine, db.dump.Seen, db.dump.LastLine = p.num, r.n, p.num
		db.dump.Truncated.Tail = true
		p.emit(db.finish())
	}
}

// lateHeader begins the goroutine whose header was taken for a part of a panic's text, at its first frame.
func (p *Parser) lateHeader(text, stamp []byte) {
	h, ok := parseHeader([]byte(p.cause.header))
	p.cause.header = ""
	if ok {
		p.openGoroutine(h, 0, stamp)
		p.frameLine(text, false)
	}
}
