package wait

import (
	"slices"
	"strings"
)

// beginsWithAny reports whether a name, in capitals or not, begins with one of the words, which are lower case.
func beginsWithAny(name string, words []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(name, word) })
}

// containsAny reports whether a name, in capitals or not, has one of the words, which are lower case, in it.
func containsAny(name string, words []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}
