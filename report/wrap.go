package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	eastasian "golang.org/x/text/width"

	"github.com/gotriage/triage/rules/phrase"
)

// Widths in columns.
const (
	defaultWidth = 100 // without a terminal
	minWidth     = 40  // below that lines overflow rather than fall apart
	maxProse     = 112 // longer lines of prose are hard to read, however wide the terminal
	labelWidth   = 4   // "next"
)

// collapse turns every run of white space into one space.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// wrap breaks text between words into lines of at most w columns; a longer word is broken as headOfWord does.
func wrap(text string, w int) []string {
	w = max(w, 8)
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		n := width(word)
		if line != "" && used+1+n > w {
			lines = append(lines, line)
			line, used = "", 0
		}
		for n > w {
			part := headOfWord(word, w)
			lines = append(lines, part)
			word = word[len(part):]
			n -= width(part)
		}
		if line != "" {
			line += " "
			used++
		}
		line += word
		used += n
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// head is the longest prefix of s in w columns.
func head(s string, w int) string {
	n := 0
	for i, r := range s {
		n += runeWidth(r)
		if n > w {
			return s[:i]
		}
	}
	return s
}

// headOfWord is what of a longer word fits into w columns: up to the slash behind which the rest fits, so that a name
// is in one piece; else up to the last separator in its second half, else all that fits.
func headOfWord(s string, w int) string {
	part := head(s, w)
	if i := strings.LastIndexByte(part, '/') + 1; i > 0 && width(s[i:]) <= w {
		return part[:i]
	}
	if i := strings.LastIndexAny(part, "-./_") + 1; i > len(part)/2 {
		return part[:i]
	}
	return part
}

// tail is the longest suffix of s in w columns.
func tail(s string, w int) string {
	n := width(s)
	for i, r := range s {
		if n <= w {
			return s[i:]
		}
		n -= runeWidth(r)
	}
	return ""
}

// cut shortens s at its end to w columns.
func cut(s string, w int, ellipsis string) string {
	if width(s) <= w {
		return s
	}
	return strings.TrimRight(head(s, max(w-width(ellipsis), 0)), " ") + ellipsis
}

// cutRemark is cut for a sentence: where the cut would leave a remark in brackets open, the remark is left out. An
// error chain keeps its root.
func cutRemark(s string, w int, ellipsis string) string {
	c := cut(s, w, ellipsis)
	if root := phrase.Root(s, w); c != s && root != "" {
		return cut(s[:len(s)-len(root)], w-width(root), ellipsis) + root
	}
	var opened []int
	for i := range len(c) {
		switch {
		case c[i] == '(':
			opened = append(opened, i)
		case c[i] == ')' && len(opened) > 0:
			opened = opened[:len(opened)-1]
		}
	}
	if c == s || len(opened) == 0 || opened[0] < max(w/3, 1) || c[opened[0]-1] != ' ' {
		return c
	}
	at := opened[0] - 1
	rest := s[at+len(" ("):]
	if strings.HasSuffix(rest, ")") && strings.Count(rest, ")") == strings.Count(rest, "(")+1 {
		return s[:at] // it was the end of the sentence
	}
	return s[:at] + " " + ellipsis
}

// cutLeft shortens s at its beginning to w columns, for paths.
func cutLeft(s string, w int, ellipsis string) string {
	if width(s) <= w {
		return s
	}
	return ellipsis + tail(s, max(w-width(ellipsis), 0))
}

// pad fills s with spaces up to w columns.
func pad(s string, w int) string {
	return s + strings.Repeat(" ", max(w-width(s), 0))
}

// padLeft fills s with spaces in front up to w columns.
func padLeft(s string, w int) string {
	return strings.Repeat(" ", max(w-width(s), 0)) + s
}

// wrapCommand breaks a shell command into lines of at most w columns where the shell allows it: at white space outside
// of quotes, each line but the last ending in " \". The comment is above it, so that what is copied is the command
// alone. A long word stays whole and may be wider.
func wrapCommand(cmd, comment string, w int) []string {
	var lines []string
	if comment != "" {
		for _, l := range wrap(comment, w-2) {
			lines = append(lines, "# "+l)
		}
	}
	if width(cmd) <= w {
		return append(lines, cmd)
	}
	line := ""
	for i, word := range flagsWithValues(shellWord().FindAllString(cmd, -1), w-len(`   \`)) {
		switch {
		case i == 0:
			line = word
		case width(line)+1+width(word)+len(` \`) > w:
			lines = append(lines, line+` \`)
			line = "  " + word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// flagsWithValues joins a flag, and a pipe, with the word behind it where both fit into w columns: they stay on one
// line.
func flagsWithValues(words []string, w int) []string {
	var units []string
	for _, word := range words {
		last := len(units) - 1
		if last >= 0 && flagAlone().MatchString(units[last]) && !strings.HasPrefix(word, "-") &&
			width(units[last])+1+width(word) <= w {
			units[last] += " " + word
		} else {
			units = append(units, word)
		}
	}
	return units
}

// flagAlone matches a flag without a value behind =, and what joins commands.
var flagAlone = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(--?[a-z][a-z-]*|\||>|&&)$`) })

// shellWord matches what lies between the white space that the shell splits at: plain characters, escaped ones, and
// what is in quotes, which may not be closed.
var shellWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)(?:[^ \t'"\\]|\\.?|'[^']*'?|"(?:[^"\\]|\\.?)*"?)+`)
})

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

// width is the number of terminal columns that s takes: marks none, East Asian wide characters and emoji two (Unicode's
// EastAsianWidth W and F), anything else one.
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
	}
	if k := eastasian.LookupRune(r).Kind(); k == eastasian.EastAsianWide || k == eastasian.EastAsianFullwidth {
		return 2
	}
	return 1
}

// Fill lays paragraphs of text out in lines of at most columns. An empty line divides paragraphs; one that begins with
// white space stays as it is.
func Fill(text string, columns int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if strings.TrimLeft(p, " \t") == p {
			paragraphs[i] = strings.Join(wrap(p, columns), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}
