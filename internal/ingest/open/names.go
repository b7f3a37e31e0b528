package open

import (
	"fmt"
	"hash/maphash"
	"path"
	"strings"
)

// maxEntryName bounds what is shown of an entry's name.
const maxEntryName = 512

// entryName makes an entry's name a path below its archive: no root, no drive, no way up, no control characters. out
// reports that it is more than untidy: a tool that unpacks the archive carelessly writes outside of it.
func entryName(name string) (clean string, out bool) {
	s := strings.ToValidUTF8(strings.ReplaceAll(name, `\`, "/"), "?")
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
	if len(s) >= 2 && s[1] == ':' && (s[0]|0x20) >= 'a' && (s[0]|0x20) <= 'z' {
		s, out = s[2:], true
	}
	out = out || strings.HasPrefix(s, "/") || s == ".." || strings.HasPrefix(path.Clean(s), "../") ||
		path.Clean(s) == ".."
	s = strings.TrimPrefix(path.Clean("/"+s), "/")
	if s == "" {
		s = "(no name)"
	}
	return tail(s, maxEntryName), out
}

// tail returns the last n bytes of s, whole characters.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return "…" + strings.ToValidUTF8(s[len(s)-n:], "")
}

// names numbers the names of one archive. It keeps hashes: a hostile list of names is long.
type names struct {
	seed maphash.Seed
	seen map[uint64]int32 // how often; 0 for a folder
	dir  string           // of the last name
}

func newNames() *names { return &names{seed: maphash.MakeSeed(), seen: map[uint64]int32{}} }

// add takes a name that entryName has cleaned, and returns it with a number where it isn't the first of that name.
func (n *names) add(name string) string {
	h := maphash.String(n.seed, name)
	n.seen[h]++
	if dir := path.Dir(name); dir != n.dir {
		n.dir = dir
		for ; dir != "." && dir != "/" && !n.has(dir); dir = path.Dir(dir) {
			n.folder(dir)
		}
	}
	if times := n.seen[h]; times > 1 {
		return fmt.Sprintf("%s (%d)", name, times)
	}
	return name
}

// has reports whether there is a file or folder of that name.
func (n *names) has(name string) bool {
	_, ok := n.seen[maphash.String(n.seed, name)]
	return ok || name == "." || name == ""
}

// folder notes a folder's name.
func (n *names) folder(name string) { n.seen[maphash.String(n.seed, name)] += 0 }
