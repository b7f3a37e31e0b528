package redact

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// maxName bounds an entry's name: what file systems and tar's older readers take.
const maxName = 255

// entryName makes the name that an entry has in the copy: below its root, without what a name may do to a terminal or a
// file system, and redacted. sub is why the name isn't taken as it is, "" where it is.
func (t *Text) entryName(name string) (clean, sub string) {
	safe := strings.ToValidUTF8(strings.ReplaceAll(name, `\`, "/"), "_")
	safe = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || !printable(r) {
			return '_'
		}
		return r
	}, safe)
	safe = strings.TrimPrefix(path.Clean("/"+safe), "/")
	if safe == "" {
		safe = "_"
	}
	if len(safe) > 1 && safe[1] == ':' && isAlpha(safe[0]) { // a drive
		safe = safe[:1] + "_" + safe[2:]
	}
	if trimmed := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/"); trimmed != safe {
		sub = fmt.Sprintf("its name was unsafe: %.200q", t.String(name))
	}
	segs := strings.Split(safe, "/")
	for i, seg := range segs {
		segs[i] = t.segment(seg)
	}
	return strings.Join(segs, "/"), sub
}

func printable(r rune) bool {
	return r < 0x80 || r >= 0xa0 && (r < 0x200b || r > 0x206f) && r != utf8.RuneError && r != 0xfeff
}

// segment redacts one name of a path; its extensions stay.
func (t *Text) segment(seg string) string {
	stem := stemOf(seg)
	out := t.String(stem) + seg[len(stem):]
	if len(out) > maxName {
		out = strings.ToValidUTF8(out[:maxName/2], "") + "_" + strings.ToValidUTF8(out[len(out)-maxName/3:], "")
	}
	return out
}

// uniqueNames hands out names that are used once, whatever the case of their letters: some file systems ignore it.
type uniqueNames struct {
	used map[string]bool
	next map[string]int // the number that a name's next double gets
}

func newUniqueNames() *uniqueNames {
	return &uniqueNames{used: map[string]bool{}, next: map[string]int{}}
}

func (p *uniqueNames) name(name string) string {
	stem := stemOf(name)
	first := strings.ToLower(name)
	free := name
	for p.used[strings.ToLower(free)] {
		p.next[first] = max(p.next[first]+1, 2)
		free = fmt.Sprintf("%s (%d)%s", stem, p.next[first], name[len(stem):])
	}
	p.used[strings.ToLower(free)] = true
	return free
}

// rename gives a file whose compression changes to gzip the extension of that: .tar.xz becomes .tar.gz.
func rename(name string) string {
	for _, r := range []struct{ from, to string }{
		{".txz", ".tgz"}, {".tbz2", ".tgz"}, {".tbz", ".tgz"}, {".xz", ".gz"}, {".bz2", ".gz"},
	} {
		if stem, ok := strings.CutSuffix(name, r.from); ok {
			return stem + r.to
		}
	}
	return name
}
