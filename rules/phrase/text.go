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

// Cut shortens s to n characters and makes one line of it. An ellipsis stands for the middle of an error chain, whose
// end is its root ("read configuration …: connection refused"), else for the end.
func Cut(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	root := Root(s, n)
	r := []rune(s[:len(s)-len(root)])
	return strings.TrimRight(string(r[:n-1-utf8.RuneCountInString(root)]), " ") + "…" + root
}

// Root is the end of a chain that is to be shown in n characters, with as many of its links as leave room for the
// beginning: ": dial tcp 10.0.0.1:80: i/o timeout"; "" where the last link is longer, or s is no chain. Of an error the
// end matters more than the beginning.
func Root(s string, n int) (root string) {
	room := n/2 - 1
	if ContainsOne(strings.ToLower(s), errorWords...) {
		room = n - n/3 - 1
	}
	for rest := s; ; {
		i := strings.LastIndex(rest, ": ")
		if i <= 0 || utf8.RuneCountInString(s[i:]) > room {
			return root
		}
		root, rest = s[i:], rest[:i]
	}
}

// errorWords are in most errors' texts.
var errorWords = []string{"error", "fail", "unable to", "cannot", "can't", "could not", "panic", "dial ", "refused",
	"denied", "timeout"}

// Names in a title are words with a separator, or longer than any word. Fit leaves minName of them at the least, enough
// of both ends to find one in a list. Chosen.
const (
	separators = "-./:_"
	longWord   = 40
	minName    = 16
)

// Fit shortens s to n characters as Cut does, but takes them from the middle of the longest names: the sentence stays
// whole.
func Fit(s string, n int) string {
	words := strings.Fields(s)
	if 2*len(words)-1 > n {
		return Cut(s, n) // not for want of short names
	}
	size, names := len(words)-1, map[int]int{} // the lengths of names
	for i, w := range words {
		length := utf8.RuneCountInString(w)
		if size += length; strings.ContainsAny(w, separators) || length > longWord {
			names[i] = length
		}
	}
	limit := max(n, minName)
	for total := size; total > n && limit > minName; {
		limit, total = limit-1, size
		for _, length := range names {
			total -= max(length-limit, 0)
		}
	}
	for i := range names {
		words[i] = Shorten(words[i], limit)
	}
	return Cut(strings.Join(words, " "), n)
}

// Shorten writes an ellipsis for a name's middle, so that it has at most n characters.
func Shorten(name string, n int) string {
	if utf8.RuneCountInString(name) <= n {
		return name
	}
	r := []rune(name)
	head, tail := n/2, max(n-n/2-1, 0)
	return string(r[:head]) + "…" + string(r[len(r)-tail:])
}

// Restore writes a name in full where s has it without its middle.
func Restore(s, name string) string {
	for from := 0; ; {
		i := strings.Index(s[from:], "…")
		if i < 0 {
			return s
		}
		i += from
		from = i + len("…")
		head, tail := commonEnd(s[:i], name), commonStart(s[from:], name)
		if head < minEnd || tail < minEnd || head+tail > len(name) {
			continue
		}
		return s[:i-head] + name + s[from+tail:]
	}
}

// minEnd is how many bytes of a name must be there on both sides of an ellipsis.
const minEnd = minName/2 - 1

// commonEnd is the length of the word at the end of s, with its namespace or without, where a name begins with it; 0
// where it does not.
func commonEnd(s, name string) int {
	word := s[strings.LastIndexByte(s, ' ')+1:]
	for _, head := range []string{word, word[strings.LastIndexByte(word, '/')+1:]} {
		if strings.HasPrefix(name, head) {
			return len(head)
		}
	}
	return 0
}

// commonStart is the length of what s begins with, where a name ends with it and no more of a word follows but
// punctuation; 0 where there is none.
func commonStart(s, name string) int {
	word, _, _ := strings.Cut(s, " ")
	bare := strings.TrimRight(word, ":,;.'*")
	for _, tail := range []string{word, bare, strings.TrimSuffix(bare, "'s")} {
		if strings.HasSuffix(name, tail) {
			return len(tail)
		}
	}
	return 0
}

// MaxQuoted bounds a quoted text inside a sentence; the whole text is in the evidence.
const MaxQuoted = 160

// Quoted is a panic's text for a sentence, without a period at its end: the sentence has its own.
func Quoted(s string) string {
	if head, ok := strings.CutSuffix(s, "."); ok && !strings.HasSuffix(head, ".") {
		s = head
	}
	return "“" + Cut(s, MaxQuoted) + "”"
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

// OnlyIf is s where ok, else "".
func OnlyIf(ok bool, s string) string {
	if ok {
		return s
	}
	return ""
}
