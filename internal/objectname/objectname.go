// Package objectname takes names of Kubernetes objects apart: which part was given, and which nobody chose.
package objectname

import "strings"

// uuidLen is the length of a UUID's text (RFC 9562): 8-4-4-4-12 hexadecimal digits.
const uuidLen = 36

// Stem returns what a name begins with, where its end was made up: a UUID, or a word behind the last hyphen of letters
// and digits, five or more, as hashes and random words are. ok is false for a name that says something to its end. The
// stem of a name that is a UUID is "".
func Stem(name string) (stem string, ok bool) {
	if n := len(name) - uuidLen; n >= 0 && isUUID(name[n:]) && (n == 0 || name[n-1] == '-' || name[n-1] == '.') {
		return name[:n], true
	}
	i := strings.LastIndexByte(name, '-') + 1
	if i < 2 || !MadeUp(name[i:]) {
		return "", false
	}
	return name[:i], true
}

// MadeUp reports a word that no one chose: five lower-case letters and digits or more, both of them.
func MadeUp(word string) bool {
	digits, letters := 0, 0
	for _, c := range word {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'z':
			letters++
		default:
			return false
		}
	}
	return len(word) >= 5 && digits > 0 && letters > 0
}

func isUUID(s string) bool {
	for i := range len(s) {
		c := s[i]
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		if hyphen != (c == '-') || !hyphen && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
