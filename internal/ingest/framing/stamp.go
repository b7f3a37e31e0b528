package framing

import (
	"bytes"
	"slices"
	"time"
)

// stampLen returns the length of the RFC 3339 timestamp that b begins with, 0 for none. Offsets may lack their colon
// (systemd's short-iso) and seconds may have up to nine decimals, after a point or a comma.
func stampLen(b []byte) int {
	const date = len("2026-11-20T18:05:32")
	if len(b) <= date || b[4] != '-' || b[7] != '-' || b[10] != 'T' || b[13] != ':' || b[16] != ':' {
		return 0
	}
	for _, i := range [...]int{0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18} {
		if !isDigit(b[i]) {
			return 0
		}
	}
	i := date
	if b[i] == '.' || b[i] == ',' {
		start := i + 1
		i = skipDigits(b, start)
		if i == start || i > start+9 {
			return 0
		}
	}
	if i >= len(b) {
		return 0
	}
	switch b[i] {
	case 'Z':
		return i + 1
	case '+', '-':
		if i+5 <= len(b) && areDigits(b[i+1:i+5]) {
			return i + 5
		}
		if i+6 <= len(b) && areDigits(b[i+1:i+3]) && b[i+3] == ':' && areDigits(b[i+4:i+6]) {
			return i + 6
		}
	}
	return 0
}

// clockLen returns the length of "18:05:32" or "18:05:32.123456" at the start of b, 0 for none.
func clockLen(b []byte) int {
	const clock = len("18:05:32")
	if len(b) < clock || b[2] != ':' || b[5] != ':' || !areDigits(b[0:2]) || !areDigits(b[3:5]) || !areDigits(b[6:8]) {
		return 0
	}
	i := clock
	if i < len(b) && b[i] == '.' {
		if j := skipDigits(b, i+1); j > i+1 && j <= i+1+9 {
			i = j
		}
	}
	return i
}

// monthStampLen returns the length of "Nov 20 18:05:32" or "Nov  2 18:05:32.123456", 0 for none.
func monthStampLen(b []byte) int {
	const date = len("Nov 20 ")
	if len(b) < date+8 || b[3] != ' ' || b[6] != ' ' || !isDigit(b[5]) || b[4] != ' ' && !isDigit(b[4]) {
		return 0
	}
	switch string(b[:3]) {
	case "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec":
	default:
		return 0
	}
	n := clockLen(b[date:])
	if n == 0 {
		return 0
	}
	return date + n
}

// fullStampLen returns the length of "Fri 2026-11-20 18:05:32 UTC", 0 for none.
func fullStampLen(b []byte) int {
	const date = len("Fri 2026-11-20 ")
	if len(b) < date+8 || b[3] != ' ' || b[8] != '-' || b[11] != '-' || b[14] != ' ' || !areDigits(b[4:8]) {
		return 0
	}
	n := clockLen(b[date:])
	if n == 0 || date+n >= len(b) || b[date+n] != ' ' {
		return 0
	}
	zone := bytes.IndexByte(b[date+n+1:], ' ')
	if zone < 1 || zone > 6 {
		return 0
	}
	return date + n + 1 + zone
}

// FirstStamp returns the first framing timestamp among the lines at the beginning of a log.
func FirstStamp(head []byte) (time.Time, bool) {
	for line := range bytes.Lines(bytes.TrimLeft(head, "\x00")) {
		stamp := line[:stampLen(line)]
		if len(stamp) == 0 && line[0] == '{' {
			if i := bytes.Index(line, []byte(`"time":"`)); i >= 0 {
				stamp = line[i+len(`"time":"`):]
				stamp = stamp[:stampLen(stamp)]
			}
		}
		if len(stamp) == 0 {
			continue
		}
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999-0700"} {
			if at, err := time.Parse(layout, string(stamp)); err == nil {
				return at, true
			}
		}
	}
	return time.Time{}, false
}

const (
	// minFalls is how many times the clock must go back in the first lines for a log to be called reversed, and
	// fallRatio how many times as often as forward: logs of several writers lie by a line or two, a restarted clock
	// falls once.
	minFalls  = 4
	fallRatio = 20
	// maxStamped is how many lines are looked at.
	maxStamped = 2000
)

// IsReversed reports whether the newest line comes first, as journalctl -r writes them: the stamps at the beginning of
// text fall, or there are none, and the headers of goroutines lie behind their stacks.
func IsReversed(text []byte) bool {
	var last, cur []byte
	falls, rises, seen := 0, 0, 0
	for line := range bytes.Lines(text) {
		key := appendWhen(cur[:0], line)
		if len(key) == 0 {
			continue
		}
		if seen++; seen > maxStamped {
			break
		}
		switch c := bytes.Compare(key, last); {
		case len(last) == 0:
		case c < 0:
			falls++
		case c > 0:
			rises++
		}
		last, cur = key, last
	}
	return falls >= minFalls && rises*fallRatio <= falls || seen == 0 && headersBehind(text)
}

// headersBehind reports whether a call, behind its file, lies in the line before a header of a goroutine, and no call
// in the one after any of them: prose may end as a call does.
func headersBehind(text []byte) bool {
	behind := 0
	var beforeLast, last []byte
	wasHeader := false
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		switch isHeader := bytes.HasPrefix(line, []byte("goroutine ")) && bytes.HasSuffix(line, []byte("]:")); {
		case wasHeader && isCall(line):
			return false
		case isHeader && isCall(last) && bytes.HasPrefix(beforeLast, []byte("\t")):
			behind++
			fallthrough
		default:
			beforeLast, last, wasHeader = last, line, isHeader
		}
	}
	return behind > 0
}

// isCall reports whether a line is a call as a traceback prints it: main.run(0xc000012345, ...).
func isCall(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte("("))
	return ok && bytes.HasSuffix(line, []byte(")")) && bytes.IndexByte(name, '.') > 0 && !bytes.ContainsAny(name, "\t ")
}

// appendWhen appends something by which the stamps of one log's lines compare; nothing where the line has none.
func appendWhen(dst, line []byte) []byte {
	if n := stampLen(line); n > 0 {
		// Without the zone, which would come between a second and its fractions.
		const date = len("2026-11-20T18:05:32")
		i := date
		for i < n && (line[i] == '.' || line[i] == ',' || isDigit(line[i])) {
			i++
		}
		return append(dst, line[:i]...)
	}
	if n := monthStampLen(line); n > 0 {
		month := bytes.Index([]byte("JanFebMarAprMayJunJulAugSepOctNovDec"), line[:3])
		day := line[4]
		if day == ' ' {
			day = '0'
		}
		dst = append(dst, byte(month), day)
		return append(dst, line[5:n]...)
	}
	if n := fullStampLen(line); n > 0 {
		return append(dst, line[4:n]...)
	}
	return dst
}

// IsHeadCut reports whether text begins in the middle of a line, as what tail -c leaves does: the first line has no
// stamp, and all that follow it have.
func IsHeadCut(text []byte) bool {
	const follow = 5
	n := 0
	shape := byte(0)
	for line := range bytes.Lines(text) {
		s := shapeOf(line)
		if n == 0 && (s != 0 || isBanner(line)) {
			return false
		}
		if n == 1 {
			shape = s
		}
		if n > 0 && (s == 0 || s != shape) {
			return false
		}
		if n++; n > follow {
			return true
		}
	}
	return false
}

// shapeOf classifies the beginning of a line, which all lines of a log have in common.
func shapeOf(line []byte) byte {
	switch {
	case stampLen(line) > 0:
		return 't'
	case monthStampLen(line) > 0:
		return 'm'
	case fullStampLen(line) > 0:
		return 'f'
	}
	return 0
}

// isBanner accepts what collectors and journalctl write before the first line.
func isBanner(line []byte) bool {
	line = bytes.TrimSpace(line)
	begins := []string{"-- ", "==", "#", "Hint:", "unable to ", "Error", "error", "failed to ", "Defaulted container"}
	return len(line) == 0 ||
		slices.ContainsFunc(begins, func(b string) bool { return bytes.HasPrefix(line, []byte(b)) })
}
