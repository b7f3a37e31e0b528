package sources

import (
	"bytes"
	"encoding/binary"
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
	digest uint64
	room   []byte // for text without its escapes
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
		s.raise(s.level + 1)
	}
}

// end settles the sample of a log that was read: most are short, and kept in no more room than they need.
func (s *sample) end() {
	s.settle()
	s.keys = slices.Clone(s.keys)
}

// raise asks for more zeros.
func (s *sample) raise(level int) {
	if level > s.level {
		s.level = level
		s.keys = slices.DeleteFunc(s.keys, func(k uint64) bool { return bits.TrailingZeros64(k) < level })
	}
}

// shortLog is how many lines of a log are sampled without regard to the cost: of a longer one every 16th is enough.
const shortLog = 512

// quickBits is how many bits of a key come from some bytes alone: once a sample wants more zeros than these, the hash
// of 15 lines in 16 is not made.
const quickBits = 4

// quick are the lowest bits of a key, by the bytes of a text that differ most: where times have their seconds, and its
// end.
func quick(text []byte) uint64 {
	n := len(text)
	if n < 8 {
		return uint64(n) & (1<<quickBits - 1)
	}
	const odd = 0x9e3779b97f4a7c15 // of the golden ratio: its product's upper bits depend on all bits
	v := binary.LittleEndian.Uint64(text[n-8:])
	if n >= 24 {
		v += binary.LittleEndian.Uint64(text[8:])*3 + binary.LittleEndian.Uint64(text[16:])*5
	}
	return v * odd >> (64 - quickBits)
}

// skips reports whether a key with these lowest bits is none of the sample, whatever the others are.
func (s *sample) skips(low uint64) bool { return s.level >= quickBits && low != 0 }

// line takes a line with the time of its framing, nil for none.
func (k *sketch) line(text, stamp []byte) {
	for n := len(text); n > 0 && text[n-1] <= ' '; n-- {
		text = text[:n-1]
	}
	if len(text) == 0 {
		return
	}
	if k.lines++; k.lines == shortLog {
		k.stamped.raise(quickBits)
		k.plain.raise(quickBits)
	}
	if k.lines <= digestLines {
		k.digest = bits.RotateLeft64(k.digest, 5) ^ maphash.Bytes(k.seed, text)
	}
	words := quick(text)
	whole := uint64(0) // the text's hash, once it is made
	if len(stamp) == 0 {
		k.noStamp++
	} else {
		stamp = plainStamp(stamp)
		// The lines of one write, as those of a dump, have one time.
		if low := (quick(stamp) + words) & (1<<quickBits - 1); !k.stamped.skips(low) {
			whole = maphash.Bytes(k.seed, text)
			h := whole ^ bits.RotateLeft64(maphash.Bytes(k.seed, stamp), 17)
			k.stamped.add(h<<quickBits | low)
		}
	}
	if !k.plain.skips(words) {
		if whole == 0 {
			whole = maphash.Bytes(k.seed, text)
		}
		if h := whole<<quickBits | words; bits.TrailingZeros64(h) >= k.plain.level && hasClock(text) {
			k.plain.add(h)
		}
	}
}

// escaped takes what text takes, with the escapes of a JSON string.
func (k *sketch) escaped(lines []byte) {
	k.room = jsonspan.AppendUnquoted(k.room[:0], lines)
	k.text(k.room)
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
