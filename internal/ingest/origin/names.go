package origin

import "strings"

// InsideArchive separates an archive's path from that of an entry in it, in all paths that are shown:
// bundle.zip!/nodes/n1.zip!/n1/kubelet.log.
const InsideArchive = "!/"

// Names splits a shown path at its slashes; the mark of an archive counts as one.
func Names(shown string) []string {
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(shown, InsideArchive, "/"), `\`, "/"), "/")
}

// CutCompressed cuts the extension of a compressed format off a file's name; ext is "" where the name has none.
func CutCompressed(name string) (stem, ext string) {
	for _, ext := range [...]string{".gz", ".zst", ".bz2", ".xz"} {
		if stem, ok := strings.CutSuffix(name, ext); ok {
			return stem, ext
		}
	}
	return name, ""
}

// IsUID accepts a UUID and the 32 hex digits that static pods have.
func IsUID(s string) bool {
	return len(s) == 36 && strings.Count(s, "-") == 4 && IsHex(strings.ReplaceAll(s, "-", "")) ||
		len(s) == 32 && IsHex(s)
}

// IsHex accepts one hexadecimal digit or more.
func IsHex[T string | []byte](s T) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return len(s) > 0
}

// IsDNSLabel accepts an RFC 1123 label: what namespaces and containers are called.
func IsDNSLabel[T string | []byte](s T) bool {
	return len(s) <= 63 && IsDNSName(s) && !hasDot(s)
}

// IsDNSName accepts an RFC 1123 subdomain: what pods are called.
func IsDNSName[T string | []byte](s T) bool {
	if len(s) == 0 || len(s) > 253 || !isLowerAlnum(s[0]) || !isLowerAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLowerAlnum(c) && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

func hasDot[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] == '.' {
			return true
		}
	}
	return false
}

func isLowerAlnum(c byte) bool { return c >= 'a' && c <= 'z' || isDigit(c) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}
