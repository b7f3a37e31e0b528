package markdown

import (
	"regexp"
	"strings"
	"sync"

	"github.com/gotriage/triage/report"
)

// acts matches what a page links or turns into a picture behind the renderer, whatever is escaped in its text:
// addresses, mentions of users, numbers of issues, short names of pictures.
var acts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`@|://|#\d|(?i:\bGH-\d|www\.|mailto:|xmpp:|:[a-z0-9_+-]*[a-z_+-][a-z0-9_+-]*:)`)
})

// plain makes s text of one line: no character of it is markup, a link or a mention (GitHub Flavored Markdown, section
// 2.4: a backslash before ASCII punctuation makes it plain). A word that would be linked all the same becomes code,
// which nothing looks into.
func plain(s string) string {
	words := strings.Fields(report.Escape(s))
	for i, word := range words {
		if !acts().MatchString(word) {
			if words[i] = markup().Replace(word); i == 0 && bullets().MatchString(word) {
				words[i] = word[:len(word)-1] + `\` + word[len(word)-1:]
			}
			continue
		}
		inner := strings.TrimLeft(word, "(“")
		head := word[:len(word)-len(inner)]
		inner = strings.TrimRight(inner, "”).,;:")
		words[i] = head + code(inner) + word[len(head)+len(inner):]
	}
	return strings.Join(words, " ")
}

// bullets matches a word that begins a list, or underlines a heading, at the beginning of a line.
var bullets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-+=]+|\d+[.)])$`) })

// markup makes plain text of the signs of markup.
var markup = sync.OnceValue(func() *strings.Replacer {
	pairs := []string{"<", "&lt;", ">", "&gt;", "&", "&amp;"}
	for _, c := range "\\`*_[]#|~$" {
		pairs = append(pairs, string(c), `\`+string(c))
	}
	return strings.NewReplacer(pairs...)
})

// code makes s a code span, with more backticks around it than it holds in a row (section 6.3).
func code(s string) string {
	s = strings.Join(strings.Fields(report.Escape(s)), " ")
	ticks := strings.Repeat("`", longestRun(s)+1)
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
		n = max(n, longestRun(l)+1)
	}
	ticks := strings.Repeat("`", n)
	return ticks + language + "\n" + strings.Join(lines, "\n") + "\n" + ticks
}

// longestRun is the length of the longest run of backticks in s.
func longestRun(s string) (longest int) {
	for run := range strings.FieldsFuncSeq(s, func(c rune) bool { return c != '`' }) {
		longest = max(longest, len(run))
	}
	return longest
}
