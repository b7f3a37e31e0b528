package open

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
		a.w.skip(at, outNotice(shown, raw))
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
