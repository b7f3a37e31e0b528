package stackparse

import (
	"bytes"
	"math"
)

// A header is what runtime.goroutineheader prints, parsed. The forms by release (runtime/traceback.go, and
// proc.c before 1.5):
//
//	1.2        goroutine N [state]:
//	1.4-1.21   goroutine N [state( (scan))?(, M minutes)?(, locked to thread)?]:
//	1.22-      goroutine N( gp=0x… m=(nil|K mp=0x…))? […]:
//	1.24       …, synctest group N]:
//	1.25-      (durable) after the state; synctest bubble N
//	1.26-      (leaked) after the state; labels:{"k": "v"} as the brackets' last part (GODEBUG=tracebacklabels=1)
//	1.27-      labels after the brackets: […] {k: v, k2: "v w"}:
type header struct {
	id      uint64
	state   []byte
	minutes uint32
	bubble  uint16
	labels  []byte // between the braces, nil for none
	flags   Flags
	gp      bool // had the gp= part: a level 2 traceback of 1.22 or later
	outside bool // labels were outside the brackets (1.27+)
	// nameless is that of a goroutine whose frames were printed without a header: see Parser.faultingLine.
	nameless bool
}

var (
	headerPrefix = []byte("goroutine ")
	labelsIn     = []byte(" labels:{")
)

// parseHeader parses a whole line, without indentation; ok is false for anything that is not a header.
func parseHeader(line []byte) (h header, ok bool) {
	if len(line) < len("goroutine 1 [x]:") || line[len(line)-1] != ':' || !bytes.HasPrefix(line, headerPrefix) {
		return h, false
	}
	rest := line[len(headerPrefix) : len(line)-1]
	h.id, rest, ok = leadingUint(rest)
	if !ok || len(rest) == 0 || rest[0] != ' ' {
		return h, false
	}
	rest = rest[1:]
	if len(rest) > 0 && rest[0] == 'g' {
		if rest, ok = h.threadPart(rest); !ok {
			return h, false
		}
	}
	if len(rest) < 3 || rest[0] != '[' {
		return h, false
	}
	inner, ok := h.labelsPart(rest)
	return h, ok && h.bracketPart(inner)
}

// startsHeader reports whether a line begins as headers do; its end may be missing.
func startsHeader(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, headerPrefix)
	if !ok {
		return false
	}
	_, rest, ok = leadingUint(rest)
	if !ok || len(rest) < 2 {
		return ok
	}
	return rest[0] == ' ' && (rest[1] == '[' || bytes.HasPrefix(rest, []byte(" gp=")[:min(len(rest), 4)]))
}

// threadPart parses "gp=0x… m=nil " or "gp=0x… m=3 mp=0x… " and returns what follows.
func (h *header) threadPart(rest []byte) ([]byte, bool) {
	sp := bytes.IndexByte(rest, ' ')
	if sp < 0 || !bytes.HasPrefix(rest, []byte("gp=0x")) || !bytes.HasPrefix(rest[sp+1:], []byte("m=")) {
		return nil, false
	}
	h.gp = true
	rest = rest[sp+len(" m="):]
	if after, isNil := bytes.CutPrefix(rest, []byte("nil ")); isNil {
		return after, true
	}
	m, rest, ok := leadingUint(rest)
	if !ok || m > math.MaxInt32 {
		return nil, false
	}
	if after, has := bytes.CutPrefix(rest, []byte(" mp=0x")); has {
		sp = bytes.IndexByte(after, ' ')
		if sp < 0 {
			return nil, false
		}
		return after[sp+1:], true
	}
	return bytes.CutPrefix(rest, []byte(" "))
}

// labelsPart takes labels off the end of "[…]" or "[…] {…}", in either form, and returns what else the brackets hold.
func (h *header) labelsPart(rest []byte) (inner []byte, ok bool) {
	n := len(rest)
	if rest[n-1] == '}' { // 1.27: [state] {k: v}
		i := bytes.Index(rest, []byte("] {"))
		if i < 1 {
			return nil, false
		}
		h.labels, h.outside = rest[i+len("] {"):n-1], true
		return rest[1:i], true
	}
	if rest[n-1] != ']' {
		return nil, false
	}
	if n > 2 && rest[n-2] == '}' { // 1.26: [state labels:{"k": "v"}]
		if i := bytes.Index(rest, labelsIn); i > 0 {
			h.labels = rest[i+len(labelsIn) : n-2]
			return rest[1:i], true
		}
	}
	return rest[1 : n-1], true
}

// bracketPart parses what is between the brackets.
func (h *header) bracketPart(s []byte) bool {
	if len(s) == 0 {
		return false
	}
	comma := bytes.IndexByte(s, ',')
	if comma >= 0 {
		h.attributes(s[comma:])
		s = s[:comma]
	}
	for len(s) > 0 && s[len(s)-1] == ')' {
		switch {
		case bytes.HasSuffix(s, []byte(" (scan)")):
			h.flags |= FlagScan
		case bytes.HasSuffix(s, []byte(" (leaked)")):
			h.flags |= FlagLeaked
		case bytes.HasSuffix(s, []byte(" (durable)")):
			h.flags |= FlagDurable
		default:
			h.state = s
			return true
		}
		s = s[:bytes.LastIndexByte(s, ' ')]
	}
	h.state = s
	return len(s) > 0
}

// attributes parses ", 5 minutes, locked to thread, synctest bubble 3". Unknown ones are left alone: a later
// release may add some.
func (h *header) attributes(s []byte) {
	for len(s) > 2 && s[0] == ',' {
		s = s[2:]
		one := s
		if next := bytes.IndexByte(s, ','); next >= 0 {
			one, s = s[:next], s[next:]
		} else {
			s = nil
		}
		switch {
		case string(one) == "locked to thread":
			h.flags |= FlagLocked
		case bytes.HasSuffix(one, []byte(" minutes")):
			if n, _, ok := leadingUint(one); ok {
				h.minutes = uint32(min(n, math.MaxUint32))
			}
		case bytes.HasPrefix(one, []byte("synctest bubble ")), bytes.HasPrefix(one, []byte("synctest group ")):
			n, _, _ := leadingUint(one[bytes.LastIndexByte(one, ' ')+1:])
			h.bubble = uint16(min(n, math.MaxUint16))
		}
	}
}
