// Package origin reads off a log's path where in a cluster the log was written: each collector of logs has a layout of
// its own. It holds the terms of such paths, too: names of the DNS, UIDs, what marks an archive's entry.
//
// Of takes a path and returns an Origin. Begin reading at Of; the layouts are in layouts.go.
package origin

import (
	"path/filepath"
	"strings"
)

// An Origin is where in a cluster a log was written, as far as its path or its framing shows.
type Origin struct {
	Namespace, Pod, PodUID, Container, Node string
	Restart                                 int // N of N.log, -1 where unknown
	// Previous marks the log of the container's instance before the one that ran when it was collected.
	Previous bool
	// Unit is the systemd unit whose journal it is, "kubelet" or "rke2-server" for instance.
	Unit string
}

// Known reports whether a container is known.
func (o Origin) Known() bool { return o.Pod != "" }

// Of reads an Origin off a file's shown path. The leading folders don't matter: bundles put everything anywhere, and
// the folders around an archive count for what is in it.
func Of(shown string) Origin {
	o := Origin{Restart: -1}
	names := Names(filepath.ToSlash(shown))
	last := &names[len(names)-1]
	if stem, _ := CutCompressed(*last); stem != "" {
		*last = stem
	}
	o.find(ofPods(), names)
	o.find(ofNodes(), names)
	return o
}

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
func IsHex(s string) bool { return s != "" && strings.Trim(s, "0123456789abcdefABCDEF") == "" }

// IsDNSLabel accepts an RFC 1123 label: what namespaces and containers are called.
func IsDNSLabel[T string | []byte](s T) bool { return isName(s, 63, '-') }

// IsDNSName accepts an RFC 1123 subdomain: what pods are called.
func IsDNSName[T string | []byte](s T) bool { return isName(s, 253, '.') }

// isName accepts at most so many letters and digits, with hyphens and the other sign between them.
func isName[T string | []byte](s T, most int, other byte) bool {
	if len(s) == 0 || len(s) > most || !isLowerAlnum(s[0]) || !isLowerAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLowerAlnum(c) && c != '-' && c != other {
			return false
		}
	}
	return true
}

func isLowerAlnum(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
