package logpattern

import (
	"bytes"

	"github.com/gotriage/triage/internal/jsonspan"
)

// A span is a part of a line.
type span struct{ start, end int }

func (s span) of(text []byte) []byte { return text[s.start:s.end] }

func (s span) holds(t token) bool { return int(t.start) >= s.start && int(t.end) <= s.end }

// A field is a key with its value: logfmt's, JSON's, klog's. The keys of nested JSON objects are joined with a point.
type field struct {
	key   string
	value span
}

// A shape is what a line consists of.
type shape struct {
	level          Level
	source, logger string
	msg            span
	fields         []field // without those that level, source, logger, msg and time came from
	time           span    // where the line's own time is; empty where it has none
}

// maxFields bounds the fields of a line that are read: more is a dumped object.
const maxFields = 32

// klogHead reads klog's header, `Lmmdd hh:mm:ss.uuuuuu tid file:line] ` (k8s.io/klog/v2, internal/severity and buffer):
// where the place is and where the message begins; ok is false for other lines.
func klogHead(b []byte) (place span, msg int, ok bool) {
	const fixed = len("I1120 18:05:32.123456")
	if len(b) < fixed+4 || b[5] != ' ' || b[8] != ':' || b[14] != '.' || b[fixed] != ' ' || !isDigit(b[1]) ||
		!isDigit(b[4]) || bytes.IndexByte([]byte("IWEFD"), b[0]) < 0 {
		return place, 0, false
	}
	i := fixed
	for i < len(b) && (b[i] == ' ' || isDigit(b[i])) {
		i++
	}
	end := bytes.IndexByte(b[i:min(len(b), i+128)], ']')
	if end <= 0 {
		return place, 0, false
	}
	place = span{i, i + end}
	msg = place.end + 1
	if msg < len(b) && b[msg] == ' ' {
		msg++
	}
	return place, msg, true
}

func readShape(text []byte) shape {
	var s shape
	if place, at, ok := klogHead(text); ok {
		s.level, s.source = letterLevels[text[0]], string(place.of(text))
		s.time = span{1, 21}
		s.msg = span{at, len(text)}
		s.readLogfmt(text, at)
		if at < len(text) && text[at] == '"' {
			if end := quotedEnd(text, at); end < len(text) {
				s.msg = span{at + 1, end - 1}
			}
		}
		s.sort(text)
		return s
	}
	if len(text) > 0 && text[0] == '{' {
		s.readJSON(text, 0, "", 0)
		s.sort(text)
		if s.msg.end == 0 {
			s.msg = span{0, len(text)}
		}
		return s
	}
	s.readLogfmt(text, 0)
	s.sort(text)
	if s.msg.end > 0 {
		return s
	}
	s.readHead(text)
	i := bytes.LastIndex(text, []byte("\t{"))
	if i <= s.msg.start {
		i = bytes.Index(text, []byte(" {\""))
	}
	if i > s.msg.start && text[len(text)-1] == '}' {
		s.readJSON(text, i+1, "", 0)
		s.sort(text)
		s.msg.end = i
	}
	return s
}

// letterLevels are the levels of klog's and capnslog's letters; capnslog is etcd's up to 3.4, which writes the letter
// behind the time: "2021-09-14 14:13:50.123456 W | etcdserver: ".
var letterLevels = map[byte]Level{
	'T': LevelDebug, 'D': LevelDebug, 'I': LevelInfo, 'N': LevelInfo, 'W': LevelWarn, 'E': LevelError, 'C': LevelFatal,
	'F': LevelFatal,
}

// sort takes out of the fields what has a place of its own.
func (s *shape) sort(text []byte) {
	kept := s.fields[:0]
	for _, f := range s.fields {
		v := f.value.of(text)
		switch f.key {
		case "time", "ts", "timestamp", "@timestamp", "t", "date", "asctime":
			if s.time.end == 0 {
				s.time = f.value
			}
		case "level", "lvl", "severity", "levelname", "log.level":
			if s.level == LevelUnknown {
				s.level = levelOf(v)
			}
		case "msg", "message", "@message":
			if s.msg.end == 0 {
				s.msg = f.value
			} else {
				kept = append(kept, f)
			}
		case "caller", "source", "pos", "file", "src", "source.file":
			if s.source == "" && len(v) < 128 && bytes.IndexByte(v, ' ') < 0 {
				s.source = string(v)
			} else {
				kept = append(kept, f)
			}
		case "logger", "component", "subsys", "@module", "logger_name":
			if s.logger == "" && len(v) < 128 {
				s.logger = string(v)
			}
			kept = append(kept, f)
		default:
			kept = append(kept, f)
		}
	}
	s.fields = kept
}

// readLogfmt finds `key=value` and `key="quoted value"` from at on.
func (s *shape) readLogfmt(text []byte, at int) {
	for at < len(text) && len(s.fields) < maxFields {
		eq := bytes.IndexByte(text[at:], '=')
		if eq < 0 {
			return
		}
		eq += at
		start := eq
		for start > at && isKeyByte(text[start-1]) {
			start--
		}
		first := start < eq && (start == 0 || text[start-1] == ' ' || text[start-1] == '\t' || text[start-1] == ',' ||
			text[start-1] == '(' || text[start-1] == '[')
		if !first || eq+1 >= len(text) || text[eq+1] == '=' || text[eq+1] == ' ' {
			at = eq + 1
			continue
		}
		v := span{eq + 1, eq + 1}
		if text[v.start] == '"' {
			end := quotedEnd(text, v.start)
			v = span{v.start + 1, max(v.start+1, end-1)}
			at = end
		} else {
			for v.end < len(text) && text[v.end] != ' ' && text[v.end] != '\t' {
				v.end++
			}
			at = v.end
		}
		s.fields = append(s.fields, field{string(text[start:eq]), v})
	}
}

func isKeyByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c == '.' || c == '-' ||
		c == '/' || c == '@'
}

// quotedEnd is the index behind the quote that ends the string whose opening quote is at i, or len(text).
func quotedEnd(text []byte, i int) int { return orEnd(text, jsonspan.SkipString(text, i)) }

func orEnd(text []byte, i int) int {
	if i < 0 {
		return len(text)
	}
	return i
}

// readJSON reads the members of the object that begins at i; damaged or cut JSON ends it. It returns the index behind.
func (s *shape) readJSON(text []byte, i int, prefix string, depth int) int {
	for i++; len(s.fields) < maxFields; {
		name, v := jsonspan.Member(text, i)
		if name == nil || v < 0 {
			return orEnd(text, v)
		}
		key := prefix + string(name)
		if text[v] == '{' && depth < 2 {
			i = s.readJSON(text, v, key+".", depth+1)
			continue
		}
		i = orEnd(text, jsonspan.SkipValue(text, v))
		value := span{v, i}
		if text[v] == '"' {
			value = span{v + 1, max(v+1, i-1)}
		}
		if s.fields == nil {
			s.fields = make([]field, 0, 8)
		}
		s.fields = append(s.fields, field{key, value})
	}
	return i
}

// levelOf reads a level's name, whatever its case, its colour and what is around it.
func levelOf(b []byte) Level {
	b = bytes.Trim(b, "[]()<>|:\" ")
	if len(b) > 10 {
		return LevelUnknown
	}
	switch string(bytes.ToLower(b)) {
	case "trace", "debug", "dbug", "dbg", "fine", "finer":
		return LevelDebug
	case "info", "information", "notice", "inf":
		return LevelInfo
	case "warn", "warning", "wrn":
		return LevelWarn
	case "error", "err", "eror", "severe":
		return LevelError
	case "fatal", "panic", "critical", "crit", "dpanic", "alert", "emerg", "ftl":
		return LevelFatal
	}
	return LevelUnknown
}

// readHead reads the head of a plain line: its time, its level, in any order with bracketed words and a place, as Go's
// log, zap's console, capnslog, Python's and Java's loggers write them.
func (s *shape) readHead(text []byte) {
	i := 0
	for words := 0; words < 8 && i < len(text); words++ {
		i = len(text) - len(bytes.TrimLeft(text[i:], " \t"))
		if n := timeLen(text[i:]); n > 0 && s.time.end == 0 {
			s.time = span{i, i + n}
			i += n
			for i < len(text) && (text[i] == ']' || text[i] == ':') {
				i++
			}
			continue
		}
		end := s.headWord(text, i, words)
		if end < 0 {
			break
		}
		i = end
	}
	s.msg = span{min(i, len(text)), len(text)}
}

// headWord takes the word at i where it belongs to a line's head, and returns the index behind it; -1 where the
// message begins. words is how many words come before.
func (s *shape) headWord(text []byte, i, words int) int {
	end := len(text)
	if n := bytes.IndexAny(text[i:], " \t"); n >= 0 {
		end = i + n
	}
	word := text[i:end]
	timed := s.time.end > 0
	bracketed := len(word) > 1 && word[0] == '['
	switch {
	case len(word) == 0:
	case bracketed && !timed && timeLen(word[1:]) > 0:
		return i + 1
	case s.level == LevelUnknown && isLevel(word, timed):
		s.level = levelOf(word)
	case s.level == LevelUnknown && timed && len(word) == 1 && bytes.HasPrefix(text[end:], []byte(" | ")):
		s.level = letterLevels[word[0]]
		end += 2
	case s.source == "" && isPlace(bytes.Trim(word, "[]():")):
		s.source = string(bytes.Trim(word, "[]():"))
	case s.logger == "" && s.level != LevelUnknown && end < len(text) && text[end] == '\t' && timed:
		s.logger = string(word)
	case bracketed && len(word) > 2 && word[len(word)-1] == ']' && words < 4 && !isNamespaced(word[1:len(word)-1]):
		if s.logger == "" {
			s.logger = string(word[1 : len(word)-1])
		}
	case len(word) == 1 && (word[0] == '-' || word[0] == '|'):
	default:
		return -1
	}
	return end
}

// isLevel accepts a word that is a level for certain: in capitals or brackets, or behind a time.
func isLevel(word []byte, behindTime bool) bool {
	return levelOf(word) != LevelUnknown && (word[0] == '[' || word[0] == '<' || behindTime ||
		isUpper(word[0]) && word[len(word)-1] == ':' || bytes.Equal(word, bytes.ToUpper(word)))
}

// isPlace accepts "controller/controller.go:114".
func isPlace(word []byte) bool {
	i := bytes.LastIndexByte(word, ':')
	if i < 1 || i+1 >= len(word) || len(word) > 120 {
		return false
	}
	dot := bytes.LastIndexByte(word[:i], '.')
	return allDigits(word[i+1:]) && dot > 0 && i-dot <= 5 && !isDigit(word[i-1])
}

// timeLen is the length of the time that b begins with, 0 for none.
func timeLen(b []byte) int {
	var c clock
	if t, n, form := c.first(b, timeISO, timeSyslog, timeAccess); form != timeISO || t > 0 {
		return n
	}
	return 0
}
