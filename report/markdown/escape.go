package markdown

import (
	"strings"

	"github.com/gotriage/triage/report"
)

// plain makes s text of one line: no character of it is markup, a link or a mention (GitHub Flavored Markdown, section
// 2.4: a backslash before ASCII punctuation makes it plain; @ and : would still be found in mentions and links).
func plain(s string) string {
	var b strings.Builder
	for _, c := range strings.Join(strings.Fields(report.Escape(s)), " ") {
		switch {
		case c == '@':
			b.WriteString("&#64;")
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_[]#|~$", c):
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	// A link needs no brackets to be one: www. and a scheme are enough (section 6.9).
	return strings.NewReplacer("://", "&#58;//", "www.", "www&#46;").Replace(b.String())
}

// code makes s a code span, with more backticks around it than it holds in a row (section 6.3).
func code(s string) string {
	s = strings.Join(strings.Fields(report.Escape(s)), " ")
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// fence makes lines a fenced block, whose fence is longer than any in it (section 4.5).
func fence(language string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	n := 3
	for _, l := range lines {
		n = max(n, longestRun(l, '`')+1)
	}
	ticks := strings.Repeat("`", n)
	return ticks + language + "\n" + strings.Join(lines, "\n") + "\n" + ticks
}

// longestRun is the length of the longest run of c in s.
func longestRun(s string, c byte) (longest int) {
	run := 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
