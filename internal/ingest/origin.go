package ingest

import (
	"path/filepath"
	"strings"
)

// originOf reads an Origin off a file's shown path. The leading folders don't matter: bundles put everything anywhere, and what
// stands around an archive counts for what is in it.
func originOf(shown string) Origin {
	o := Origin{Restart: -1}
	p := splitPlace(shown)
	for _, layout := range podLayouts {
		if layout(p, &o) {
			break
		}
	}
	for _, layout := range nodeLayouts {
		if layout(p, &o) {
			break
		}
	}
	return o
}

// A place is a shown path, taken apart.
type place struct {
	dirs []string // archives among them, by the name that they have
	file string   // without the ending of a compression
}

func splitPlace(shown string) place {
	names := namesOf(filepath.ToSlash(shown))
	last := len(names) - 1
	file := names[last]
	for _, ext := range compressedExtensions {
		if s, ok := strings.CutSuffix(file, ext); ok && s != "" {
			file = s
			break
		}
	}
	return place{names[:last], file}
}

// up is the folder that lies n above the file, 1 for its own; "" where there is none.
func (p place) up(n int) string {
	if n > len(p.dirs) {
		return ""
	}
	return p.dirs[len(p.dirs)-n]
}

// below returns the folders behind the last one called name, nil where there is none.
func (p place) below(name string) []string {
	for i := len(p.dirs) - 1; i >= 0; i-- {
		if p.dirs[i] == name {
			return p.dirs[i+1:]
		}
	}
	return nil
}

// known reports whether the path told anything.
func (o Origin) known() bool { return o.Pod != "" }

// isUID accepts a UUID and the 32 hex digits that static pods have.
func isUID(s string) bool {
	return len(s) == 36 && strings.Count(s, "-") == 4 && isHex(strings.ReplaceAll(s, "-", "")) ||
		len(s) == 32 && isHex(s)
}

func isHex[T string | []byte](s T) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return len(s) > 0
}

// isDNSLabel accepts an RFC 1123 label: what namespaces and containers are called.
func isDNSLabel[T string | []byte](s T) bool {
	return len(s) <= 63 && isDNSName(s) && !hasDot(s)
}

// isDNSName accepts an RFC 1123 subdomain: what pods are called.
func isDNSName[T string | []byte](s T) bool {
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
