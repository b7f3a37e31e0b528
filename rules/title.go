package rules

import "unicode/utf8"

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
