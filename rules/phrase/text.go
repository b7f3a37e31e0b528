package phrase

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxTitle is the contract's bound on a title, in characters.
const MaxTitle = 100

// CutTitle keeps a title within MaxTitle: a culprit's name comes from a log and may be long.
func CutTitle(s string) string {
	if utf8.RuneCountInString(s) <= MaxTitle {
		return s
	}
	r := []rune(s)
	return string(r[:MaxTitle-1]) + "…"
}

// Cut shortens s to n characters, the last an ellipsis, and makes one line of it.
func Cut(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return strings.TrimRight(string(r[:n-1]), " ") + "…"
}

// MaxQuoted bounds a quoted text inside a sentence; the whole text is in the evidence.
const MaxQuoted = 160

// Quoted is a panic's text for a sentence, without a period at its end: the sentence has its own.
func Quoted(s string) string { return "“" + Cut(withoutPeriod(s), MaxQuoted) + "”" }

func withoutPeriod(s string) string {
	if head, ok := strings.CutSuffix(s, "."); ok && !strings.HasSuffix(head, ".") {
		return head
	}
	return s
}

// Sentence makes "the process …" begin with a capital; names of functions keep their first letter.
func Sentence(s string) string {
	if strings.HasPrefix(s, "the ") {
		return "T" + s[1:]
	}
	return s
}

// ContainsOne reports whether s contains any of the words.
func ContainsOne(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// InBrackets returns s in brackets behind a space, and "" for "".
func InBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// List writes words in a sentence: "a", "a and b", "a, b and c".
func List(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Some writes the first most names of a list and how many more there are: "a, b and 3 more".
func Some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
