package open

import (
	"fmt"
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
			a.w.skip(l.at, Skip{Path: l.shown, Reason: reason, Hint: "copy the file that it stands for"})
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
	return "", "symbolic link that leads in a circle"
}

// shownName cleans a name out of an archive for messages.
func shownName(name string) string {
	clean, _ := entryName(name)
	return clean
}

// A listing is what the entries of one archive have shown so far.
type listing struct {
	w     *walker
	f     file // the archive
	names *names
	links []link
	found int // files that are read
	left  int // files that Only and Skip leave out
}

func (w *walker) list(f file) listing { return listing{w: w, f: f, names: newNames()} }

// add takes the name of an entry that is no folder. out reports one that leads out of the archive, which is skipped
// with a notice or read under a name that does not.
func (a *listing) add(at Order, raw string) (f file, name string, out bool) {
	name, out = entryName(raw)
	name = a.names.add(name)
	shown := a.f.Path + InsideArchive + name
	if out {
		a.w.skip(at, Skip{
			Path: shown,
			Reason: fmt.Sprintf("name leads out of the archive: %q is read and shown as %s",
				tail(strings.ToValidUTF8(raw, "?"), maxEntryName), path.Base(shown)),
			Hint: "triage writes nothing, but a tool that unpacks this archive may write elsewhere: don't unpack it",
		})
	}
	return file{Part: Part{Path: shown, Regular: true}, at: at, depth: a.f.depth + 1, base: a.f.base}, name, out
}

// link notes the entry f as a link.
func (a *listing) link(f file, name string, target func() string) {
	if len(a.links) < maxLinks && a.w.filter.wants(f.Path[f.base:]) {
		a.links = append(a.links, link{at: f.at, name: name, target: target(), shown: f.Path})
	}
}

// wants counts the entry f, and reports whether it is looked at.
func (a *listing) wants(f file) bool {
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
		a.w.skipFile(a.f, "the archive holds no readable files", "name the archive that holds the logs")
	}
}
