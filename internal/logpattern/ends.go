package logpattern

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/jsonspan"
)

// An End is what a process may have said last: an error behind which its writer has nothing but a stack, its usage or
// the first line of its next start.
type End struct {
	Stream      int32
	Line, After int64 // the line's number, and that of the last line behind it that belongs to it
	Time        time.Time
	Text        string // the line, at most maxEnd bytes
	Message     string
	Level       Level
	Source      string
	Fields      []Field // with their whole values
	Fatal       bool    // its level or its words say that the process ends
	Runs        int     // how many starts of the process ended so
	Starts      int     // of the process
	Sure        bool    // the line that begins each start names a version or a program
	Count       int64   // lines of its pattern
	Last        bool    // the writer says no more
}

// Bounds of ends: writers that are watched, different ends of one, bytes of a line, lines of its farewell.
const (
	maxEndStreams = 256
	maxEnds       = 4
	maxEnd        = 16 << 10
	maxFarewell   = 8
	startLines    = 3 // lines among which the one that begins each start is
)

// An endMark is what a line means for the question whether the process ends with it.
type endMark uint8

const (
	markOther    endMark = iota // the process goes on
	markError                   // an error that may be the last
	markFatal                   // an error that the process says it ends with
	markTail                    // belongs to the line before: a stack, a usage
	markFarewell                // said on the way out
)

// A writer is what is known of one stream's starts and of what may be its last words.
type writer struct {
	lines  int64
	last   int64 // line
	start  int   // pattern of the line that begins each start, -1 for none
	sure   bool
	starts int
	// lastError is the pattern of the last error, nil where the process went on; text, line and time are that line's.
	lastError *minedPattern
	fatal     bool
	usage     bool
	after     int
	text      []byte
	line      int64
	tail      int64
	time      lineTime
	ends      []*endedRun
}

type endedRun struct {
	p    *minedPattern
	runs int
	last bool
	w    writer // as it was at the last of them
}

// followWriter follows what a stream's process says; f is the form of the line, nil where it has none.
func (m *Miner) followWriter(f *lineForm, line *logLine) {
	if line.stream < 0 || line.stream >= maxEndStreams {
		return
	}
	for int(line.stream) >= len(m.writers) {
		m.writers = append(m.writers, &writer{start: -1, starts: 1})
	}
	w, text := m.writers[line.stream], line.whole
	w.last = line.num
	what := markOther
	if f != nil {
		what = f.mark
		if w.beginsRun(f, text) {
			w.endRun(false)
			w.lastError, w.usage = nil, false
		}
	}
	w.lines++
	switch {
	case w.lastError != nil && (what == markTail || w.usage):
		if w.tail = line.num; bytes.HasSuffix(w.text, []byte(":")) { // errors follow one by one
			w.text = append(append(w.text, ' '), bytes.TrimLeft(text[:min(len(text), maxEnd/2)], " \t*-")...)
		}
	case w.lastError != nil && isUsage(text) && (w.fatal || ofCommand(w.text)):
		w.fatal, w.usage, w.tail = true, true, line.num
	case what == markFatal, what == markError && (w.lastError == nil || !w.fatal || w.after > 2):
		w.lastError, w.fatal, w.after = f.pattern, what == markFatal, 0
		w.line, w.tail, w.time = line.num, line.num, line.time
		w.text = append(w.text[:0], text[:min(len(text), maxEnd/2)]...)
		w.text = append(w.text, text[max(len(w.text), len(text)-maxEnd/2):]...)
	case w.lastError == nil:
	case w.fatal && (what != markOther || w.after < 2) && w.after < maxFarewell:
		w.after++
		w.tail = line.num
	default:
		w.lastError = nil
	}
}

// beginsRun reports whether a line is the first of another start, and learns that line from the first start.
func (w *writer) beginsRun(f *lineForm, text []byte) bool {
	if f.pattern.id == w.start {
		if w.lastError != nil {
			w.starts++
		}
		return w.lastError != nil
	}
	if w.start >= 0 || w.lines >= startLines || f.mark == markError || f.mark == markFatal {
		return false
	}
	low := strings.ToLower(string(text))
	w.sure = f.pattern.sign == SignStarted || containsAny(low, "version", "commit", "gomaxprocs", " build", "go1.")
	if w.sure || containsAny(low, "starting", "started", "initializ", "booting", "launching", "loading config") {
		w.start = f.pattern.id
	}
	return false
}

// endRun files the last words of a start.
func (w *writer) endRun(last bool) {
	if w.lastError == nil {
		return
	}
	for _, e := range w.ends {
		if e.p == w.lastError {
			e.runs, e.last = e.runs+1, last
			e.w.text = append(e.w.text[:0], w.text...)
			e.w.line, e.w.tail, e.w.time = w.line, w.tail, w.time
			return
		}
	}
	if len(w.ends) == maxEnds {
		copy(w.ends, w.ends[1:])
		w.ends = w.ends[:maxEnds-1]
	}
	e := &endedRun{p: w.lastError, runs: 1, last: last, w: *w}
	e.w.text, e.w.ends = bytes.Clone(w.text), nil
	w.ends = append(w.ends, e)
}

// endsOf are the ends of all streams.
func (m *Miner) endsOf() (all []*End) {
	for stream, w := range m.writers {
		w.endRun(true)
		for _, e := range w.ends {
			sh := readShape(e.w.text)
			out := &End{Stream: int32(stream), Line: e.w.line, After: e.w.tail, Text: clean(e.w.text), Level: sh.level,
				Source: sh.source, Message: clean(jsonspan.AppendUnquoted(nil, sh.msg.of(e.w.text))), Fatal: e.w.fatal,
				Runs: e.runs, Starts: w.starts, Sure: w.sure, Count: e.p.count, Last: e.last}
			if e.w.time.known {
				out.Time = m.time(e.w.time.nanos)
			}
			for _, f := range sh.fields {
				out.Fields = append(out.Fields, Field{f.key, clean(jsonspan.AppendUnquoted(nil, f.value.of(e.w.text)))})
			}
			all = append(all, out)
		}
		m.log.Spoke = append(m.log.Spoke, w.last)
	}
	return all
}

func clean(b []byte) string { return strings.ToValidUTF8(string(b), "�") }

// isUsage reports the line with which a command's usage begins.
func isUsage(text []byte) bool {
	return slices.ContainsFunc([]string{"Usage:", "Usage of ", "usage: ", "Run '", "See '"},
		func(words string) bool { return bytes.HasPrefix(text, []byte(words)) })
}

// ofCommand reports an error that a command prints before its usage: cobra's, package flag's and urfave/cli's.
func ofCommand(text []byte) bool {
	low := strings.ToLower(string(text[:min(len(text), 32)]))
	return slices.ContainsFunc([]string{"error: ", "unknown ", "flag provided", "incorrect usage"},
		func(words string) bool { return strings.HasPrefix(low, words) })
}

// markOf is what a line of a new form means.
func markOf(text []byte, sh *shape) endMark {
	if isFrame(text) || text[0] == '\t' || text[0] == ' ' || bytes.HasPrefix(text, []byte("exit status ")) ||
		bytes.IndexByte(text, ' ') < 0 && bytes.IndexByte(text, '.') > 0 && text[0] != '{' {
		return markTail
	}
	if text[0] == '{' && sh.level == LevelUnknown && sh.time.end == 0 {
		return markOther // data, no record of a log
	}
	low := strings.ToLower(string(text))
	if sh.level != LevelUnknown && sh.level < LevelError {
		if containsAny(low, farewells...) && !containsAny(low, "signal", "sigterm", "interrupt") {
			return markFarewell
		}
		return markOther
	}
	switch {
	case sh.level == LevelFatal, low == "killed", containsAny(low, fatalWords...):
		return markFatal
	case sh.level == LevelError, containsAny(low, errorWords...):
		return markError
	case containsAny(low, farewells...):
		return markFarewell
	}
	return markOther
}

// fatalWords are those of errors that end a process: of controller-runtime, client-go, Kubernetes' component-base, the
// kernel, shells and supervisors. errorWords make a plain line an error, farewells one that is said on the way out.
var (
	fatalWords = []string{"problem running manager", "unable to start manager", "unable to set up manager",
		"unable to create controller", "\"command failed\"", "leaderelection lost", "leader election lost",
		"signal: killed", "out of memory: kill", "exiting"}
	errorWords = []string{"error", "fail", "cannot", "can't", "could not", "couldn't", "unable to", "refused", "denied",
		"timeout", "timed out", "no such", "not found", "invalid", "unauthorized", "forbidden", "missing", "x509",
		"exceeded", "no space", "already in use", "unknown flag", "unknown shorthand flag", "not defined: ", "required",
		"unsupported",
		"deadline", "read-only", "mismatch", "no matches for kind"}
	farewells = []string{"shutting down", "shutdown", "stopping", "stopped", "closing", "closed", "exit", "flush",
		"bye",
		"drain", "wait completed", "terminat"}
)

func containsAny(low string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(low, w) })
}
