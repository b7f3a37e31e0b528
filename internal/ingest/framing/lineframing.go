package framing

import (
	"bytes"
	"encoding/binary"
)

// A LineFraming is how the line of a goroutine's header is framed, where nothing else than the line decides that: a
// line that is framed in the same way is of the same writer, whatever was read before it. The zero one is that of no
// line.
//
// It is asked for lines of one text, one behind the other.
type LineFraming struct {
	kind framing
	// head precedes the text. Of CRI, syslog and the journal it has the time, from one place to another; of docker's
	// records, which have it behind the text, to is its length.
	head     []byte
	from, to int
	// second is the time of CRI's or docker's last line without its fraction.
	second []byte
	// tail follows the text and precedes the time, of docker's records.
	tail []byte
	// escapes is false where the text is known to have no backslash.
	escapes bool
}

var dockerHead = []byte(`{"log":"`)

const (
	dockerStream = `\n","stream":"`
	dockerTime   = `","time":"`
	// seconds is the length of a time's date and seconds, minStamp that of the shortest that is taken for one, maxStamp
	// that of the longest.
	seconds  = len("2026-11-20T18:05:32")
	minStamp = len("2026-11-20T18:05:32Z")
	maxStamp = len("2026-11-20T18:05:32.123456789+00:00")
)

// lineFramingOf returns the framing of line, of which unframe has made unframed; the zero one where it has none.
func lineFramingOf(line []byte, unframed *unframedLine) LineFraming {
	if len(unframed.text) == 0 || len(unframed.stamp) == 0 {
		return LineFraming{}
	}
	switch unframed.kind {
	case dockerJSON:
		return dockerLineFraming(line, unframed)
	case cri, syslog, journald:
	default:
		return LineFraming{}
	}
	n := len(line) - len(unframed.text)
	if n <= 0 || &line[len(line)-1] != &unframed.text[len(unframed.text)-1] {
		return LineFraming{}
	}
	i := bytes.Index(line[:n], unframed.stamp)
	if i < 0 || &line[i] != &unframed.stamp[0] || unframed.kind == cri && (i > 0 || len(unframed.stamp) < minStamp) {
		return LineFraming{}
	}
	k := LineFraming{kind: unframed.kind, head: line[:n], from: i, to: i + len(unframed.stamp)}
	if k.kind == cri {
		k.second = line[:seconds]
	}
	return k
}

// dockerLineFraming is lineFramingOf for a record in the form that docker itself writes.
func dockerLineFraming(line []byte, unframed *unframedLine) LineFraming {
	at := len(dockerHead)
	if len(line) <= at+len(unframed.text) || &line[at] != &unframed.text[0] || !bytes.HasPrefix(line, dockerHead) {
		return LineFraming{}
	}
	tail := line[at+len(unframed.text):]
	const time = len(dockerStream) + len("stderr")
	const n = time + len(dockerTime)
	if len(tail) != n+len(unframed.stamp)+len(`"}`) || string(tail[:len(dockerStream)]) != dockerStream ||
		string(tail[time:n]) != dockerTime || len(unframed.stamp) < minStamp {
		return LineFraming{}
	}
	return LineFraming{
		kind: dockerJSON, head: line[:at], to: len(unframed.stamp), tail: tail[:n], second: tail[n : n+seconds],
	}
}

// octalTab is what rsyslog makes of a tab, see unoctal.
const octalTab = "#011"

// Syntax returns what the text of a line ends with, how a tab may be written in it, and the bytes that show that more
// than the framing must be taken off a line.
func (lf *LineFraming) Syntax() (end byte, tab, never string) {
	switch {
	case lf.kind == dockerJSON:
		return '\\', `\t`, "\n"
	case lf.kind == cri && lf.escapes:
		return '\n', "", `\`
	case lf.kind == cri:
		return '\n', "", ""
	case lf.escapes:
		return '\n', octalTab, `#\`
	}
	return '\n', octalTab, "#"
}

// AfterLine returns what follows the line whose text ends at a place: where its framing ends, -1 where that isn't of
// this form, and where the text of the next line begins, -1 where that isn't.
func (lf *LineFraming) AfterLine(text []byte, end int) (behind, next int) {
	behind = end + 1
	switch lf.kind {
	case cri:
		return behind, lf.criTextStart(text, behind)
	case dockerJSON:
		return lf.afterDockerLine(text, end)
	}
	if !lf.beginsAlike(text[behind:]) {
		return behind, -1
	}
	return behind, behind + len(lf.head)
}

// LastStamp returns the time of the last of some whole lines.
func (lf *LineFraming) LastStamp(lines []byte) []byte {
	from := bytes.LastIndexByte(lines[:len(lines)-1], '\n') + 1
	line := lines[from : len(lines)-1]
	switch lf.kind {
	case cri:
		return line[:max(0, lf.stampEnd(line, 0))]
	case dockerJSON:
		to := len(line) - len(`"}`)
		return line[bytes.LastIndexByte(line[:to], '"')+1 : to]
	}
	return line[lf.from:lf.to]
}

// afterDockerLine is AfterLine for a record.
func (lf *LineFraming) afterDockerLine(text []byte, end int) (behind, next int) {
	if !bytes.HasPrefix(text[end:], lf.tail) {
		return -1, -1
	}
	end = lf.stampEnd(text, end+len(lf.tail))
	if end < 0 || len(text)-end < len("\"}\n") || string(text[end:end+len("\"}\n")]) != "\"}\n" {
		return -1, -1
	}
	behind = end + len("\"}\n")
	if !bytes.HasPrefix(text[behind:], dockerHead) {
		return behind, -1
	}
	return behind, behind + len(dockerHead)
}

// criTextStart returns where the text of a line of CRI begins, -1 where the line is not of the form. Times differ in
// length. See unframeCRI.
func (lf *LineFraming) criTextStart(text []byte, at int) int {
	if lf.beginsLikeHead(text[at:]) {
		return at + len(lf.head)
	}
	at = lf.stampEnd(text, at)
	behind := lf.head[lf.to:]
	if at < 0 || !bytes.HasPrefix(text[at:], behind[:len(behind)-1]) {
		return -1
	}
	at += len(behind)
	switch {
	case at > len(text):
	case text[at-1] == ' ':
		return at
	case text[at-1] == '\n':
		return at - 1 // an empty line, and its blank cut off
	}
	return -1
}

// beginsLikeHead reports whether a text begins as the header's line does, the fraction of the time excepted, as most
// lines of a dump do. It compares eight bytes at a time, which overlap: calls that compare each part took a tenth of
// the time of a log.
func (lf *LineFraming) beginsLikeHead(text []byte) bool {
	n := len(lf.head)
	if len(text) < n || lf.to < seconds+8 || lf.to > seconds+16 || n < lf.to+8 || n > lf.to+16 {
		return false
	}
	head, text := lf.head[:n], text[:n]
	at := func(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }
	return at(text, lf.to) == at(head, lf.to) && at(text, n-8) == at(head, n-8) && at(text, 0) == at(lf.second, 0) &&
		at(text, 8) == at(lf.second, 8) && at(text, seconds-8) == at(lf.second, seconds-8) &&
		isTime(at(text, seconds)) && isTime(at(text, lf.to-8))
}

// stampEnd returns where the time ends that begins at a place, -1 where none does. Most lines of a dump are of one
// second.
func (lf *LineFraming) stampEnd(text []byte, at int) int {
	if len(text)-at < minStamp {
		return -1
	}
	if second := text[at : at+seconds]; string(second) != string(lf.second) {
		if !sameButDigits(second, lf.second) {
			return -1
		}
		lf.second = second
	}
	most := min(len(text), at+maxStamp)
	if end := at + lf.to; end < most && !ofTime(text[end]) && areOfTime(text[at+seconds:end]) {
		return end // as long as that of the header
	}
	end := at + seconds
	for end < most && ofTime(text[end]) {
		end++
	}
	if end < at+minStamp {
		return -1
	}
	return end
}

// ofTime reports whether a byte may be one of a fraction and a zone: of the signs, the digits and Z, and some between.
func ofTime(c byte) bool { return c-'+' <= 'Z'-'+' }

// areOfTime reports whether eight bytes or more are all of a time, eight by eight; false for fewer.
func areOfTime(text []byte) bool {
	if len(text) < 8 {
		return false
	}
	for n := len(text); ; n = max(n-8, 8) {
		if !isTime(binary.LittleEndian.Uint64(text[n-8:])) {
			return false
		}
		if n == 8 {
			return true
		}
	}
}

// isTime is ofTime for eight bytes at once.
func isTime(v uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	return v&high == 0 && (v+(0x80-'+')*ones)&high == high && (v+(0x7f-'Z')*ones)&high == 0
}

// beginsAlike reports whether rest begins as the line before it does, digits of the time excepted. Most lines of a dump
// have one time.
func (lf *LineFraming) beginsAlike(rest []byte) bool {
	if bytes.HasPrefix(rest, lf.head) {
		return true
	}
	n := len(lf.head)
	if len(rest) < n || string(rest[lf.to:n]) != string(lf.head[lf.to:]) ||
		string(rest[:lf.from]) != string(lf.head[:lf.from]) ||
		!sameButDigits(rest[lf.from:lf.to], lf.head[lf.from:lf.to]) {
		return false
	}
	lf.head = rest[:n]
	return true
}

// sameButDigits reports whether two texts of one length differ in digits alone. It skips what is equal eight by eight.
func sameButDigits(a, b []byte) bool {
	for i := 0; i < len(a); i++ {
		if i+8 <= len(a) && binary.LittleEndian.Uint64(a[i:]) == binary.LittleEndian.Uint64(b[i:]) {
			i += 7
			continue
		}
		if c, d := a[i], b[i]; c != d && (!isDigit(c) || !isDigit(d)) {
			return false
		}
	}
	return true
}
