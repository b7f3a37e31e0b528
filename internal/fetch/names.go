package fetch

import "strings"

// What goes to kubectl is checked first, so that no name is ever taken for a flag or another resource. The rules are those of
// RFC 1123 as Kubernetes applies them (apimachinery, pkg/util/validation).

// isDNSName accepts a subdomain: what pods are called.
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

// isDNSLabel accepts what namespaces and containers are called.
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
	ok := s != "" && len(s) <= 1024 && s[0] != '-'
	for i := 0; ok && i < len(s); i++ {
		c := s[i]
		ok = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(signs, c) >= 0
	}
	if !ok {
		return usage("-l app=web", "%q is no label selector", s)
	}
	return nil
}

// isUID accepts a UUID and the 32 hex digits that static pods have.
func isUID(s string) bool {
	hex := strings.ReplaceAll(s, "-", "")
	return len(hex) == 32 && (len(s) == 32 || len(s) == 36) && strings.Trim(hex, "0123456789abcdefABCDEF") == ""
}
