package framing

import "bytes"

const esc = 0x1b

// appendPlain appends p to dst without terminal control sequences (ECMA-48, 5.4 and 5.6): colours (CSI), titles
// (OSC), Buildkite's timestamps (APC, ended by BEL), charset switches.
func appendPlain(dst, p []byte) []byte {
	for {
		i := bytes.IndexByte(p, esc)
		if i < 0 {
			return append(dst, p...)
		}
		dst = append(dst, p[:i]...)
		p = p[i+sequenceLen(p[i:]):]
	}
}

// sequenceLen is the length of the control sequence that p begins with. A sequence that its line cuts off reaches to
// the end, if it looks like one so far.
func sequenceLen(p []byte) int {
	if len(p) < 2 {
		return len(p)
	}
	switch c := p[1]; {
	case c == '[':
		for i := 2; i < len(p); i++ {
			switch b := p[i]; {
			case b >= 0x40 && b <= 0x7e:
				return i + 1
			case b < 0x20 || b > 0x3f:
				return i // broken: what follows is text
			}
		}
		return len(p)
	case c == ']' || c == '_' || c == 'P' || c == '^' || c == 'X':
		for i := 2; i < len(p); i++ {
			if p[i] == '\a' {
				return i + 1
			}
			if p[i] == esc && i+1 < len(p) && p[i+1] == '\\' {
				return i + 2
			}
		}
		return 2
	case c >= 0x20 && c <= 0x2f:
		return min(3, len(p))
	case c >= 0x30 && c <= 0x7e:
		return 2
	}
	return 1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// skipDigits returns the position of the first byte at or behind i that is no digit, or len(b).
func skipDigits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

func areDigits(b []byte) bool { return skipDigits(b, 0) == len(b) }

func isLowerAlnum(c byte) bool { return c >= 'a' && c <= 'z' || isDigit(c) }
