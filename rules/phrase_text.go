package rules

import (
	"strings"
	"unicode/utf8"
)

// MaxTitle is the contract's bound on a title, in characters.
const MaxTitle = 100

// cutTitle keeps a title within MaxTitle: a culprit's name comes from a log and may be long.
func cutTitle(s string) string {
	if utf8.RuneCountInString(s) <= MaxTitle {
		return s
	}
	r := []rune(s)
	return string(r[:MaxTitle-1]) + "…"
}

// cut shortens s to n characters, the last an ellipsis, and makes one line of it.
func cut(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return strings.TrimRight(string(r[:n-1]), " ") + "…"
}

// maxQuoted bounds a quoted text inside a sentence; the whole text is in the evidence.
const maxQuoted = 160

// quoted is a panic's text for a sentence.
func quoted(s string) string { return "“" + cut(s, maxQuoted) + "”" }

// sentence makes "the process …" begin with a capital; names of functions keep their first letter.
func sentence(s string) string {
	if strings.HasPrefix(s, "the ") {
		return "T" + s[1:]
	}
	return s
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func containsOne(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}
