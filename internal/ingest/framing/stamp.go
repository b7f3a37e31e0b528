package framing

import (
	"bytes"
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
		i++
		start := i
		for i < len(b) && isDigit(b[i]) {
			i++
		}
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
		j := i + 1
		for j < len(b) && isDigit(b[j]) {
			j++
		}
		if j > i+1 && j <= i+1+9 {
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
