package sources

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/jsonspan"
)

// A sketch is a sample of a log's lines, small and comparable: a copy of the log, whole or cut, with or without
// framing, has the same lines in its own. Of all lines those whose hash ends in enough zeros are kept (distinct
// sampling), so that two sketches agree on which.
type sketch struct {
	seed  maphash.Seed // the same for all sources of a run
	lines int64
	// stamped are lines with the time of their framing, plain are the texts of lines with a time of their own: what
	// two replicas log at different times differs in both.
	stamped, plain sample
	noStamp        int64 // lines whose framing has no time
	// digest is a hash of the first digestLines lines, without framing.
	digest  uint64
	scratch []byte // for text without its escapes
}

// digestLines bounds the lines that are hashed for digest. Chosen: a dump of a hundred goroutines, for next to no time.
const digestLines = 4096

// sketchSize bounds a sample: with 256 lines a share of 98% can be separated from one of 90%.
const sketchSize = 256

// A sample is the hashes that end in level zeros. Between two settlings some are in it twice.
type sample struct {
	level int
	keys  []uint64
}

func (s *sample) add(h uint64) {
	if bits.TrailingZeros64(h) < s.level {
		return
	}
	if s.keys = append(s.keys, h); len(s.keys) >= 2*sketchSize {
		s.settle()
	}
}

// settle leaves each hash once, in order, and at most sketchSize of them.
func (s *sample) settle() {
	slices.Sort(s.keys)
	s.keys = slices.Compact(s.keys)
	for len(s.keys) > sketchSize {
		s.level++
		s.keys = slices.DeleteFunc(s.keys, func(k uint64) bool { return bits.TrailingZeros64(k) < s.level })
	}
}

// end settles the sample of a log that was read: most are short, and kept in no more room than they need.
func (s *sample) end() {
	s.settle()
	s.keys = slices.Clone(s.keys)
}

// line takes a line with the time of its framing, nil for none.
func (k *sketch) line(text, stamp []byte) {
	for n := len(text); n > 0 && text[n-1] <= ' '; n-- {
		text = text[:n-1]
	}
	if len(text) == 0 {
		return
	}
	h := maphash.Bytes(k.seed, text)
	if k.lines++; k.lines <= digestLines {
		k.digest = bits.RotateLeft64(k.digest, 5) ^ h
	}
	if len(stamp) == 0 {
		k.noStamp++
	} else {
		k.stamped.add(h ^ bits.RotateLeft64(maphash.Bytes(k.seed, plainStamp(stamp)), 17))
	}
	if bits.TrailingZeros64(h) >= k.plain.level && hasClock(text) {
		k.plain.add(h)
	}
}

// escaped takes what text takes, with the escapes of a JSON string.
func (k *sketch) escaped(lines []byte) {
	k.scratch = jsonspan.AppendUnquoted(k.scratch[:0], lines)
	k.text(k.scratch)
}

// text takes whole lines without the time of a framing.
func (k *sketch) text(lines []byte) {
	for len(lines) > 0 {
		i := bytes.IndexByte(lines, '\n')
		k.line(lines[:i], nil)
		lines = lines[i+1:]
	}
}

// plainStamp is an RFC 3339 time in UTC without what may be written in several ways: its zone and the zeros at the end
// of its fraction.
func plainStamp(stamp []byte) []byte {
	n := len(stamp)
	switch {
	case n < len("2006-01-02T15:04:05Z") || stamp[10] != 'T':
		return stamp // a journal's, klog's
	case stamp[n-1] == 'Z':
		stamp = stamp[:n-1]
	case string(stamp[n-6:]) == "+00:00":
		stamp = stamp[:n-6]
	default:
		at, err := time.Parse(time.RFC3339Nano, string(stamp))
		if err != nil {
			return stamp
		}
		stamp = at.UTC().AppendFormat(nil, "2006-01-02T15:04:05.999999999")
	}
	if bytes.IndexByte(stamp, '.') >= 0 {
		stamp = bytes.TrimRight(bytes.TrimRight(stamp, "0"), ".")
	}
	return stamp
}

// hasClock reports a time of day with its seconds' fraction: 09:23:52.352042, 09:23:52,352.
func hasClock(text []byte) bool {
	const most = 256
	text = text[:min(len(text), most)]
	for i := 2; i < len(text); i++ {
		next := bytes.IndexByte(text[i:], ':')
		if i += next; next < 0 || i+7 >= len(text) {
			return false
		}
		if text[i+3] == ':' && (text[i+6] == '.' || text[i+6] == ',') && isNumber(text[i-2:i]) &&
			isNumber(text[i+1:i+3]) && isNumber(text[i+4:i+6]) && isNumber(text[i+7:i+8]) {
			return true
		}
	}
	return false
}

func isNumber(b []byte) bool {
	for _, c := range b {
		if !digit(c) {
			return false
		}
	}
	return true
}
