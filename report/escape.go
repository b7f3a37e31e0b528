package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes s safe to show in a terminal, on one line: control characters, line breaks, format characters (bidi
// overrides and isolates, zero-width and tag characters), other invisible or unassigned code points and bytes that
// are no UTF-8 become Go escapes (\x1b, \n, \u202e, \xff). What is printable stays as it is, a backslash too, so that
// Windows paths stay readable and Escape(Escape(s)) == Escape(s).
func Escape(s string) string {
	b := appendShown(nil, s, func(b []byte, c byte, r rune) []byte {
		switch {
		case c == '"' || c == '\\':
			return append(b, c)
		case r == utf8.RuneError:
			return fmt.Appendf(b, `\x%02x`, c)
		}
		q := strconv.QuoteRuneToASCII(r)
		return append(b, q[1:len(q)-1]...)
	})
	if b == nil {
		return s
	}
	return string(b)
}

// appendShown appends s: quotes, backslashes, bytes that are no UTF-8 (with r utf8.RuneError) and what is not showable
// through escape, which also gets the first byte. Nothing is appended to nil where all of s stays as it is.
func appendShown(b []byte, s string, escape func(b []byte, c byte, r rune) []byte) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if c >= utf8.RuneSelf && n > 1 && showable(r) {
			i += n
			continue
		}
		b = escape(append(b, s[start:i]...), c, r)
		i += n
		start = i
	}
	if b == nil {
		return nil
	}
	return append(b, s[start:]...)
}

// escapeASCII is Escape for terminals that show ASCII only: every other character is escaped as well.
func escapeASCII(s string) string {
	s = Escape(s)
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return s
	}
	q := strconv.QuoteToASCII(s)
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(q[1 : len(q)-1])
}

// showable reports whether a terminal shows r as a mark of its own. strconv.IsPrint excludes controls, format
// characters, private use, unassigned code points and every space but U+0020. The blank letters are the Hangul
// fillers and the Braille blank, which are letters and symbols to Unicode, but nothing to the eye.
func showable(r rune) bool {
	switch r {
	case 0x115f, 0x1160, 0x2800, 0x3164, 0xffa0:
		return false
	}
	return strconv.IsPrint(r)
}

// width is the number of terminal columns that s takes: marks none, East Asian wide characters and emoji two (the
// blocks are those of Unicode's EastAsianWidth W and F, roughly), anything else one.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && wide(r):
		return 2
	}
	return 1
}

func wide(r rune) bool {
	return r <= 0x115f || // Hangul Jamo
		r >= 0x2e80 && r <= 0xa4cf && r != 0x303f || // CJK, Kana, Yi
		r >= 0xac00 && r <= 0xd7a3 || // Hangul syllables
		r >= 0xf900 && r <= 0xfaff || // CJK compatibility
		r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || // full-width forms
		r >= 0x1f300 && r <= 0x1f64f || r >= 0x1f680 && r <= 0x1f6ff || r >= 0x1f900 && r <= 0x1f9ff || // emoji
		r >= 0x20000 && r <= 0x3fffd // CJK extensions
}
