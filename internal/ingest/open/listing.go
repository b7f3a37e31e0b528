package open

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"path"
	"strings"
)

const (
	// maxLinks bounds the links of an archive that are looked at; a bundle of troubleshoot has one for each container's
	// log.
	maxLinks = 50_000
	// maxLinkHops ends a chain of links; Linux follows 40.
	maxLinkHops = 40
)

// A link is a symbolic or hard link inside an archive. Links are never followed: what they lead to is read where it
// lies.
type link struct {
	at           Order
	name, target string // both as paths below the archive
	shown        string
}

// targetOf returns what a link leads to as a path below the archive, "" where that is outside. An absolute target is a
// path on the machine that the archive was made on: it is tried below each folder around the link whose path repeats
// its beginning (cri/var/log/containers/x → /var/log/pods/y is cri/var/log/pods/y).
func targetOf(name, target string, has func(string) bool) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if !strings.HasPrefix(target, "/") {
		clean := path.Join(path.Dir(name), target)
		if clean == ".." || strings.HasPrefix(clean, "../") {
			return ""
		}
		return clean
	}
	clean := strings.TrimPrefix(path.Clean(target), "/")
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		below := clean
		if dir != "." {
			below = dir + "/" + clean
		}
		if has(below) {
			return below
		}
		if dir == "." || dir == "/" {
			return ""
		}
	}
}

// reportLinks reports each link of an archive whose target is read under its own path, and why others can't be read.
func (a *listing) reportLinks() {
	byName := make(map[string]int, len(a.links))
	for i, l := range a.links {
		byName[l.name] = i
	}
	for i, l := range a.links {
		target, reason := resolve(a.links, byName, i, a.names.has)
		if reason != "" {
			a.w.skip(l.at, Skip{Path: l.shown, Reason: reason, Hint: "copy the file that it links to"})
		} else if a.w.o.Link != nil {
			a.w.o.Link(l.shown, a.f.Path+InsideArchive+shownName(target))
		}
	}
}

// resolve follows the names from the i-th link on.
func resolve(links []link, byName map[string]int, i int, has func(string) bool) (target, reason string) {
	exists := func(name string) bool {
		_, ok := byName[name]
		return ok || has(name)
	}
	for range maxLinkHops {
		target = targetOf(links[i].name, links[i].target, exists)
		if target == "" {
			return "", "symbolic link that leads out of the archive: not followed"
		}
		next, isLink := byName[target]
		if !isLink && !has(target) {
			return "", fmt.Sprintf("symbolic link to %s, which is not in the archive", shownName(target))
		}
		if !isLink {
			return target, ""
		}
		i = next
	}
	return "", "symbolic link that is in a loop"
}

// shownName cleans a name out of an archive for messages.
func shownName(name string) string {
	clean, _ := entryName(name)
	return clean
}

// A listing is what the entries of one archive have shown so far.
type listing struct {
	w     *walker
	f     foundFile // the archive
	names *names
	links []link
	found int // files that are read
	left  int // files that Only and Skip leave out
}

func (w *walker) list(f foundFile) listing { return listing{w: w, f: f, names: newNames()} }

// add takes the name of an entry that is no folder. out reports one that leads out of the archive, which is skipped
// with a notice or read under a name that does not.
func (a *listing) add(at Order, raw string) (f foundFile, name string, out bool) {
	name, out = entryName(raw)
	name = a.names.add(name)
	shown := a.f.Path + InsideArchive + name
	if out {
		a.w.skip(at, Skip{
			Path: shown,
			Reason: fmt.Sprintf("name leads out of the archive: %q is read and shown as %s",
				tail(strings.ToValidUTF8(raw, "?"), maxEntryName), path.Base(shown)),
			Hint: "triage writes nothing, but tools that unpack this archive may write outside the folder: don't " +
				"unpack it to files; `tar -xO` and `unzip -p` only print",
		})
	}
	stored := ""
	if rooted := raw != name && path.Clean("/"+raw) == "/"+name; rooted || a.f.Stored != "" {
		stored = cmp.Or(a.f.Stored, a.f.Path) + InsideArchive + name
		if rooted { // ./n1/kubelet.log, /var/log/pods/…
			stored = strings.TrimSuffix(stored, name) + raw
		}
	}
	part := Part{Path: shown, Stored: stored, Regular: true}
	return foundFile{Part: part, at: at, depth: a.f.depth + 1, base: a.f.base},
		name, out
}

// link notes the entry f as a link.
func (a *listing) link(f foundFile, name string, target func() string) {
	if len(a.links) < maxLinks && a.w.filter.wants(f.Path[f.base:]) {
		a.links = append(a.links, link{at: f.at, name: name, target: target(), shown: f.Path})
	}
}

// wants counts the entry f, and reports whether it is looked at.
func (a *listing) wants(f foundFile) bool {
	if !a.w.filter.mayHold(f.Path[f.base:]) {
		a.left++
		return false
	}
	a.found++
	return true
}

// end reports what was left out. whole is false where not all entries were seen.
func (a *listing) end(whole bool) {
	a.reportLinks()
	a.w.countExcluded(a.f.at, a.f.Path, a.left)
	if whole && a.found+a.left == 0 {
		a.w.skipFile(a.f, "the archive contains no readable files", "pass the archive that contains the logs")
	}
}

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
	below := path.Clean(s)
	if out = out || strings.HasPrefix(s, "/") || below == ".." || strings.HasPrefix(below, "../"); out {
		below = strings.TrimPrefix(path.Clean("/"+s), "/")
	}
	if s = below; s == "" || s == "." {
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
