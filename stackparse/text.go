package stackparse

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
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

// leadingUint parses the decimal digits that s begins with, and returns what follows. It refuses none and more
// than 64 bits.
func leadingUint(s []byte) (n uint64, rest []byte, ok bool) {
	i := 0
	for i < len(s) && s[i]-'0' <= 9 {
		digit := uint64(s[i] - '0')
		if i >= 19 && (n > math.MaxUint64/10 || n*10 > math.MaxUint64-digit) {
			return 0, nil, false
		}
		n = n*10 + digit
		i++
	}
	return n, s[i:], i > 0
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
var hexDigits = [256]uint8{'0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6, '6': 7, '7': 8, '8': 9, '9': 10, 'a': 11,
	'b': 12, 'c': 13, 'd': 14, 'e': 15, 'f': 16}

// plainLabels prints a header's labels as `key: value, key: value`, whichever form they had: 1.26 quotes always, 1.27
// only what lies outside [A-Za-z0-9./_].
func plainLabels(text []byte) string {
	var out strings.Builder
	s := string(text)
	for s != "" {
		if s[0] == '"' {
			if q, err := strconv.QuotedPrefix(s); err == nil {
				if u, err := strconv.Unquote(q); err == nil {
					out.WriteString(u)
					s = s[len(q):]
					continue
				}
			}
		}
		out.WriteByte(s[0])
		s = s[1:]
	}
	return out.String()
}

// opensThread recognises the lines between "-----" and a thread's first header.
func opensThread(line []byte) bool {
	return startsCause(line) || isNote(line) || bytes.HasPrefix(line, []byte("PC=0x"))
}
