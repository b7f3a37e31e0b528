package redact

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
	for c := range 256 {
		b := byte(c)
		lower, upper, digit := b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9'
		if lower || upper || digit {
			t[c] |= isWord | isBase64 | isLocal
		}
		if upper {
			t[c] |= isUpper
		}
		if digit {
			t[c] |= isNumber
		}
		switch b {
		case '-':
			t[c] |= isWord | isDash | isBase64 | isLocal
		case '.':
			t[c] |= isWord | isDot | isLocal
		case '_':
			t[c] |= isWord | isBase64 | isLocal
		case '+':
			t[c] |= isBase64 | isLocal
		case '/', '=':
			t[c] |= isBase64
		case '%':
			t[c] |= isLocal
		}
		if b <= ' ' {
			t[c] |= isEnd
		}
	}
	return t
}()

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

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
