package open

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// zip lists the archive f, which o has opened, and gives its entries to the visitors.
func (w *walker) zip(f file, o *File) {
	a, around := w.randomAccess(f, o)
	if a == nil {
		return
	}
	defer around.release()
	l := &zipList{w: w, f: f, a: a, around: around, names: newNames()}
	r, err := a.List(w.o.MaxEntries)
	if err == nil {
		l.list(len(r.File), func(i int) zipEntry { return listed(a, r.File[i]) })
		r.File = nil // every entry holds r: those that are done must not live as long as the last
	} else if found := salvaged(w.ctx, a, w.o.MaxEntries); len(found) > 0 {
		l.list(len(found), func(i int) zipEntry { return found[i] })
		w.skip(f.at, salvageSkip(f.Path, len(found), err))
	} else {
		w.skip(f.at, Skip{
			Path: f.Path, Reason: fmt.Sprintf("a zip archive that is broken: %v", err), Hint: "copy the file again",
			Named: f.Named,
		})
		return
	}
	if len(l.files) == 0 && l.left == 0 && !l.full {
		w.skipEmpty(f)
	}
	w.countExcluded(f.at, f.Path, l.left)
	w.submit(l.files)
}

// randomAccess returns f as an archive with what must be released when its entries were read. It closes o.
func (w *walker) randomAccess(f file, o *File) (*Archive, *refCount) {
	defer func() { _ = o.Close() }()
	f.around.retain()
	if len(o.layers) == 0 && f.random != nil {
		return f.random(), newRefCount(f.around.release)
	}
	size := f.Size
	if len(o.layers) > 0 {
		size = -1 // it is that of the compressed archive
	}
	k, err := w.store.Keep(&metered{r: o, a: w.allowance}, size)
	if k == nil {
		f.around.release()
		w.skip(f.at, Skip{
			Path: f.Path, Reason: "an archive that can't be held: " + err.Error(),
			Hint: "unpack it and name the folder", Named: f.Named,
		})
		return nil, nil
	}
	// A part of a zip has no list of files: opening it fails.
	return ArchiveOf(k, k.size), newRefCount(func() {
		k.Drop()
		f.around.release()
	})
}

// A zipList makes files of a zip's entries.
type zipList struct {
	w      *walker
	f      file
	a      *Archive
	around *refCount
	names  *names
	files  []file
	links  []link
	left   int  // files that Only and Skip leave out
	full   bool // MaxEntries ended it
}

// list takes n entries. None is made that is one too many: a list may have a million.
func (l *zipList) list(n int, entry func(int) zipEntry) {
	for i := range n {
		if l.w.ctx.Err() != nil || !l.w.admit(l.f.at, l.f.Path) {
			l.full = true
			break
		}
		l.entry(l.f.at.child(i), entry(i))
	}
	l.w.reportLinks(l.f, l.links, l.names.has)
}

func (l *zipList) entry(at Order, e zipEntry) {
	mode := e.Mode()
	name, out := entryName(e.Name)
	if mode.IsDir() || strings.HasSuffix(e.Name, "/") {
		l.names.folder(name)
		return
	}
	name = l.names.add(name)
	shown := l.f.Path + InsideArchive + name
	switch {
	case out:
		l.w.skip(at, outNotice(shown, e.Name))
	case mode&fs.ModeSymlink != 0:
		if len(l.links) < maxLinks && l.w.filter.wants(shown[l.f.base:]) {
			l.links = append(l.links, link{at: at, name: name, target: targetIn(e), shown: shown})
		}
		return
	}
	reason := "no regular file"
	if mode.IsRegular() {
		reason = Unpackable(e.FileHeader)
	}
	if reason != "" {
		l.w.skip(at, Skip{Path: shown, Reason: reason, Hint: "unpack the archive and name the file"})
		return
	}
	if !l.w.filter.mayHold(shown[l.f.base:]) {
		l.left++
		return
	}
	f := file{
		Part:  Part{Path: shown, Size: int64(min(e.UncompressedSize64, 1<<62)), Regular: true, Open: e.open},
		at:    at,
		depth: l.f.depth + 1, base: l.f.base, around: l.around,
	}
	if e.Method == zip.Store {
		f.random = func() *Archive {
			off, err := e.offset()
			if err != nil {
				return newArchive(0, func() (io.ReaderAt, error) { return nil, err }, func() error { return nil })
			}
			return l.a.part(off, int64(e.CompressedSize64))
		}
	}
	l.files = append(l.files, f)
}
