package stackparse

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// cutText copies at most n bytes of text, whole runes only.
func cutText(text []byte, n int) string {
	if len(text) <= n {
		return string(text)
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return string(text[:n])
}

// cleanText copies at most n bytes of text, whole runes only, with control characters other than newline and tab, and
// bytes that are no UTF-8, written as \xNN.
func cleanText(text []byte, n int) string {
	s := cutText(text, n)
	if utf8.ValidString(s) && strings.IndexFunc(s, isControl) < 0 {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		escape := isControl(r) || r == utf8.RuneError && size == 1
		need := size
		if escape {
			need = 4 * size
		}
		if len(out)+need > n {
			break
		}
		for _, b := range []byte(s[:size]) {
			if escape {
				out = fmt.Appendf(out, `\x%02x`, b)
			} else {
				out = append(out, b)
			}
		}
		s = s[size:]
	}
	return string(out)
}

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 }
