package stackparse

import "github.com/gotriage/triage/internal/symbol"

// Bounds on what is kept. A lock's holders and waiters differ by their words, so goroutines that may hold or wait for
// one are kept in greater number; cycles that come again and again (one a request) need no more examples. Workers wait
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

// wordFrames are the calls whose words are worth keeping. Behind a gap there are none: one goroutine of a stack may
// have room for frames that are another's gap, and then counts them otherwise.
func wordFrames(frames []Frame) []uint8 {
	var at []uint8
	for i := range frames[:min(len(frames), maxArgs)] {
		f := &frames[i]
		if f.Elided != 0 {
			break
		}
		if !f.Inlined && !symbol.WaitsForOthers(f.Func) && symbol.PackageOf(f.Func) != "" {
			at = append(at, uint8(i))
		}
	}
	return at
}

// A wordArena holds the words of a dump's samples, many samples to an allocation.
type wordArena struct {
	sample []Word // room for one
	free   []Word // behind its length there is room
	used   int    // words of all samples, those that are shared with the dump before included
}

// Sizes of an allocation, in words.
const (
	minArena = 1 << 6
	maxArena = 1 << 13
)

// next returns an empty slice with room for one sample, until the next call.
func (r *wordArena) next() []Word {
	if r.sample == nil {
		r.sample = make([]Word, 0, maxArgs*maxCallWords)
	}
	return r.sample
}

// keep returns a copy of words that lasts.
func (r *wordArena) keep(words []Word) []Word {
	if cap(r.free)-len(r.free) < len(words) {
		r.free = make([]Word, 0, max(len(words), min(max(r.used, minArena), maxArena)))
	}
	from := len(r.free)
	r.free = append(r.free, words...)
	return r.free[from:len(r.free):len(r.free)]
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
