package redact

import (
	"bytes"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/jsonspan"
)

// What a byte may be a part of.
const (
	isWord   = 1 << iota // of a word: letters, digits, - . _
	isUpper              // a capital
	isNumber             // a digit
	isDot
	isDash
	isBase64 // of base64 and base64url, padding too
	isLocal  // of a mail address before its @
	isEnd    // ends a bare value: spaces and controls
)

// charClass is looked at for every byte: the scanner's one pass.
var charClass = func() (t [256]uint8) {
	const capitals, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	for _, e := range []struct {
		chars string
		mask  uint8
	}{
		{"abcdefghijklmnopqrstuvwxyz-_" + capitals + digits, isWord | isBase64 | isLocal},
		{capitals, isUpper}, {digits, isNumber}, {"-", isDash}, {".", isWord | isDot | isLocal},
		{"+", isBase64 | isLocal}, {"/=", isBase64}, {"%", isLocal},
	} {
		for _, c := range []byte(e.chars) {
			t[c] |= e.mask
		}
	}
	for c := range ' ' + 1 {
		t[c] |= isEnd
	}
	return t
}()

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

func allDigits(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
	}
	return len(b) > 0
}

// run is the end of the run of bytes with one of the classes in mask, from i on.
func run(b []byte, i, hi int, mask uint8) int {
	for i < hi && charClass[b[i]]&mask != 0 {
		i++
	}
	return i
}

// trimEnd is where src[i:j] ends without the dots and hyphens at its end.
func trimEnd(b []byte, i, j int) int {
	for j > i && (b[j-1] == '.' || b[j-1] == '-') {
		j--
	}
	return j
}

// wordSet makes a set of the words in list, which spaces separate, when it is asked for the first time.
func wordSet(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			set[w] = true
		}
		return set
	})
}

func has[T []byte | string](set func() map[string]bool, word T) bool { return set()[string(word)] }

// lower is b in small letters, to be looked up.
func lower(b []byte) string { return string(bytes.ToLower(b)) }

func lineEnd(b []byte, i int) int {
	if j := bytes.IndexByte(b[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(b)
}

// quoteAt recognises a quote with the backslashes that escapes within escapes give it: ", \", \\\". ok is false where
// there is none at i; slashes is how many precede it.
func quoteAt(b []byte, i, hi int) (slashes int, ok bool) {
	n := i
	for n < hi && b[n] == '\\' && n-i < maxEscapes {
		n++
	}
	if n >= hi || b[n] != '"' || (n-i)&(n-i+1) != 0 {
		return 0, false
	}
	return n - i, true
}

// maxEscapes is how many backslashes a quote may have: JSON in a string in a string in a string has seven.
const maxEscapes = 15

// closing finds the quote that closes a string opened by one with that many backslashes; start is behind the opening
// one. It returns where the closing quote's backslashes begin, -1 where nothing closes it.
func closing(b []byte, start, hi, slashes int) int {
	for i := start; i < hi; i++ {
		j := bytes.IndexByte(b[i:hi], '"')
		if j < 0 {
			return -1
		}
		i += j
		n := 0
		for i-n-1 >= start && b[i-n-1] == '\\' {
			n++
		}
		// One escaped character of this level takes slashes+1 backslashes more.
		if n%(2*(slashes+1)) == slashes {
			return i - slashes
		}
		if n < slashes {
			return -1 // a quote of an outer level: the string is cut
		}
	}
	return -1
}

// skipSpace skips white space, escaped line breaks and tabs too.
func skipSpace(b []byte, i, hi int) int {
	for {
		i = jsonspan.SkipSpace(b[:hi], i)
		j := i
		for j < hi && b[j] == '\\' && j-i < maxEscapes {
			j++
		}
		if j == i || j >= hi || b[j] != 'n' && b[j] != 't' && b[j] != 'r' {
			return i
		}
		i = j + 1
	}
}

func skipBlanks(b []byte, i, hi int) int {
	for i < hi && b[i] == ' ' {
		i++
	}
	return i
}

// skipEscape skips \n, \t, \u0026 and their kin, so that what follows begins a word. A quote's own backslashes are
// skipped one by one.
func skipEscape(b []byte, i, hi int) int {
	for i < hi && b[i] == '\\' {
		i++
	}
	if i >= hi {
		return i
	}
	switch b[i] {
	case 'n', 't', 'r':
		return i + 1
	case 'u':
		if i+5 <= hi && isHex(b[i+1]) && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]) {
			return i + 5
		}
	}
	return i
}

// skipColour skips a terminal's escape sequence at i.
func skipColour(b []byte, i, hi int) int {
	if i < hi && b[i] == 0x1b {
		if k := bytes.IndexByte(b[i:min(hi, i+10)], 'm'); k > 0 {
			return i + k + 1
		}
	}
	return i
}

// wordBefore is the word before b[i] in small letters, of at most long letters: between lie at least one and at most
// gap of the separators.
func wordBefore(b []byte, i, gap, long int, separators string) string {
	before := b[max(0, i-gap-long):i]
	word := bytes.TrimRight(before, separators)
	if n := len(before) - len(word); n == 0 || n > gap {
		return ""
	}
	return lower(word[bytes.LastIndexFunc(word, func(r rune) bool { return r >= 0x80 || !isAlpha(byte(r)) })+1:])
}
