package framing

import (
	"bytes"
	"slices"
)

const (
	// minFalls is how many times the clock must go back in the first lines for a log to be called reversed, and
	// fallRatio how many times as often as forward: logs of several writers lie by a line or two, a restarted clock
	// falls once.
	minFalls  = 4
	fallRatio = 20
	// maxStamped is how many lines are looked at.
	maxStamped = 2000
)

// IsReversed reports whether the stamps at the beginning of text fall: journalctl -r writes the newest line first.
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
	return falls >= minFalls && rises*fallRatio <= falls
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
