package stackparse

import (
	"slices"

	"github.com/gotriage/triage/internal/frame"
)

// A Sample holds the words that one goroutine's calls were printed with. Words tell receivers, so that somebody can ask
// which goroutines work on the object that others wait for.
type Sample struct {
	Index int // into Bucket.Goroutines
	// Words are those that may be addresses, leaf first. Calls of the runtime and of sync are left out, inlined calls
	// have none, and of each call only the first maxCallWords are looked at.
	Words []Word
}

// A Word is an argument word that may be an address: 48 bits of value (user space of amd64 and arm64), and in the others
// where it stood.
type Word uint64

const (
	wordBits      = 48
	wordUncertain = 1 << wordBits
	argShift      = wordBits + 1
	frameShift    = argShift + 2
)

// Value is the word as printed.
func (w Word) Value() uint64 { return uint64(w) & (1<<wordBits - 1) }

// Uncertain says that it was printed with "?": the register may have been reused (Go 1.18+).
func (w Word) Uncertain() bool { return w&wordUncertain != 0 }

// Arg is its position among the words of the call: 0 is the receiver of a method with one.
func (w Word) Arg() int { return int(w >> argShift & 3) }

// Frame is the index of its call in Bucket.Frames.
func (w Word) Frame() int { return int(w >> frameShift) }

// Bounds on what is kept. A lock's holders and waiters are told apart by their words, so goroutines that may hold or wait
// for one are kept in greater number; cycles that come again and again (one a request) need no more examples. Workers wait
// in a Cond as often as in a channel: more than a few of those made the founding dump's parse a twentieth slower.
const (
	maxSamples     = 8
	maxLockSamples = 64
	maxCallWords   = 4
	// maxDumpWords bounds a dump's words: 2 MiB.
	maxDumpWords = 1 << 18
	// minAddress: below lie small integers, lengths and flags. No system maps the first 64 KiB.
	minAddress = 1 << 16
)

// samplesOf is how many goroutines of a class are worth a sample.
func samplesOf(c Class) int {
	switch c {
	case ClassIdle, ClassGC:
		return 0
	case ClassChanSend, ClassMutex, ClassRWMutexR, ClassRWMutexW, ClassWaitGroup, ClassSemaphore:
		return maxLockSamples
	}
	return maxSamples
}

// wordFrames are the calls whose words are worth keeping. Behind a gap there are none: one goroutine of a stack may have
// room for frames that are another's gap, and then counts them otherwise.
func wordFrames(frames []Frame) []uint8 {
	var at []uint8
	for i := range frames[:min(len(frames), maxArgs)] {
		f := &frames[i]
		if f.Elided != 0 {
			break
		}
		if f.Inlined || blocksForOthers(f.Func) || frame.PackageOf(f.Func) == "" {
			continue
		}
		at = append(at, uint8(i))
	}
	return at
}

// A wordArena is where the words of a dump's samples stand, many samples to an allocation.
type wordArena struct {
	free []Word // behind its length there is room for a sample
	used int    // words of all samples
}

// Sizes of an allocation, in words.
const (
	minArena = 2 * maxArgs * maxCallWords
	maxArena = 1 << 13
)

// next returns an empty slice with room for one sample.
func (r *wordArena) next() []Word {
	if cap(r.free)-len(r.free) < maxArgs*maxCallWords {
		r.free = make([]Word, 0, min(max(r.used, minArena), maxArena))
	}
	return r.free[len(r.free):]
}

// keep returns what was written to the slice that next returned.
func (r *wordArena) keep(words []Word) []Word {
	r.free = r.free[:len(r.free)+len(words)]
	r.used += len(words)
	return words[:len(words):len(words)]
}

// sample keeps the words of the goroutine in b, which is the last of bucket's goroutines so far.
func (db *dumpBuilder) sample(b *block, s *rawStack) {
	bk := s.bucket
	if !s.sampled {
		return
	}
	if len(bk.Samples) >= samplesOf(bk.Class) {
		// Nearly all goroutines end here: those that follow are not to ask again, unless the class may change (see add).
		s.sampled = bk.Class == ClassRunnable || bk.Class == ClassRunning
		return
	}
	if db.words.used >= maxDumpWords {
		db.dump.SamplesCut = true
		return
	}
	words := db.words.next()
	for _, i := range s.shape.words {
		if int(i) < b.depth && b.args[i] >= 0 {
			words = callWords(words, b.text[b.args[i]:], Word(i)<<frameShift)
		}
	}
	if len(words) == 0 {
		return
	}
	if n := len(bk.Samples); n == cap(bk.Samples) && n > 0 {
		bk.Samples = slices.Grow(bk.Samples, maxSamples) // of most stacks there is one goroutine, or there are many
	}
	bk.Samples = append(bk.Samples, Sample{Index: bk.Count - 1, Words: db.words.keep(words)})
}

// callWords appends the addresses among the first words of a call, whose arguments s begins with; at is the call.
func callWords(words []Word, s []byte, at Word) []Word {
	for n := Word(0); n < maxCallWords; {
		for len(s) > 0 && s[0] == '{' {
			s = s[1:]
		}
		none := len(s) > 0 && s[0] == '}' // a struct without fields has no word
		value, rest := leadingHex(s)
		w := at | n<<argShift
		if len(rest) > 0 && rest[0] == '?' {
			w |= wordUncertain
			rest = rest[1:]
		}
		if value >= minAddress && value < 1<<wordBits {
			words = append(words, w|Word(value))
		}
		for len(rest) > 0 && rest[0] != ',' && rest[0] != ')' && rest[0] != '\n' {
			rest = rest[1:] // closing braces, "_", "..."
		}
		if len(rest) < 2 || rest[0] != ',' {
			return words
		}
		if !none {
			n++
		}
		s = rest[2:]
	}
	return words
}

// leadingHex reads "0x1f"; 0 where s begins with none, or with more than 16 digits.
func leadingHex(s []byte) (value uint64, rest []byte) {
	if len(s) < 3 || s[0] != '0' || s[1] != 'x' {
		return 0, s
	}
	i := 2
	for i < len(s) {
		d := hexDigits[s[i]]
		if d == 0 {
			break
		}
		value = value<<4 | uint64(d-1)
		i++
	}
	if i > 2+16 {
		return 0, s
	}
	return value, s[i:]
}

// hexDigits holds 1 + the value of each digit that the runtime prints, 0 for other bytes.
var hexDigits = [256]uint8{'0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6, '6': 7, '7': 8, '8': 9, '9': 10, 'a': 11, 'b': 12, 'c': 13, 'd': 14, 'e': 15, 'f': 16}
