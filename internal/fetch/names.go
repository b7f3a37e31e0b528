package fetch

import (
	"strconv"
	"strings"
)

// Every argument of kubectl is checked first, so that kubectl takes no name for a flag or another resource. The rules
// are those of RFC 1123 as Kubernetes applies them (apimachinery, pkg/util/validation).

// isDNSName accepts a subdomain: the name of a pod.
func isDNSName(s string) bool {
	if len(s) == 0 || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if !isDNSLabel(label) {
			return false
		}
	}
	return true
}

// isDNSLabel accepts the name of a namespace or a container.
func isDNSLabel(s string) bool {
	if len(s) == 0 || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// checkSelector accepts the characters of label selectors: key=value, key!=value, key in (a, b), !key.
func checkSelector(s string) error {
	const signs = "-_./=!,() "
	foreign := func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune(signs, r) }
	if s == "" || len(s) > 1024 || s[0] == '-' || strings.ContainsFunc(s, foreign) {
		return usage("-l app=web", "%q is no label selector", s)
	}
	return nil
}

// isUID accepts a UUID and the 32 hex digits that static pods have.
func isUID(s string) bool {
	hex := strings.ReplaceAll(s, "-", "")
	return len(hex) == 32 && (len(s) == 32 || len(s) == 36) && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

func isAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

func oneLine(s string) string {
	isSpace := func(r rune) bool { return isControl(r) || r == ' ' || r >= 0x80 && r < 0xa0 }
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "?"), isSpace), " ")
}
