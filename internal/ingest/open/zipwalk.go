package open

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/gotriage/triage/internal/disk"
)

// zip lists the archive f, which o has opened, and gives its entries to the visitors.
func (w *walker) zip(f foundFile, o *File) {
	a, around := w.randomAccess(f, o)
	if a == nil {
		return
	}
	defer around.release()
	l := &zipList{listing: w.list(f), a: a, around: around}
	r, err := a.List(w.o.MaxEntries)
	if err == nil {
		l.list(len(r.File), func(i int) zipEntry { return listed(a, r.File[i]) })
		r.File = nil // every entry holds r: those that are done must not live as long as the last
	} else if found := salvaged(w.ctx, a, w.o.MaxEntries); len(found) > 0 {
		l.list(len(found), func(i int) zipEntry { return found[i] })
		w.skip(f.at, salvageSkip(f.Path, len(found), err))
	} else {
		w.skipFile(f, fmt.Sprintf("a zip archive that is broken: %v", err),
			cmp.Or(disk.Hint(err), "copy the file again"))
		return
	}
	w.submit(l.files)
}

// randomAccess returns f as an archive with what must be released when its entries were read. It closes o.
func (w *walker) randomAccess(f foundFile, o *File) (*Archive, *refCount) {
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
		w.skipFile(f, "an archive that can't be held: "+err.Error(), holdHint("it", err))
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
	listing
	a      *Archive
	around *refCount
	files  []foundFile
}

// list takes n entries. None is made that is one too many: a list may have a million.
func (l *zipList) list(n int, entry func(int) zipEntry) {
	i := 0
	for ; i < n && l.w.ctx.Err() == nil && l.w.admit(l.f.at, l.f.Path); i++ {
		l.entry(l.f.at.child(i), entry(i))
	}
	l.end(i == n)
}

func (l *zipList) entry(at Order, e zipEntry) {
	mode := e.Mode()
	if mode.IsDir() || strings.HasSuffix(e.Name, "/") {
		name, _ := entryName(e.Name)
		l.names.folder(name)
		return
	}
	f, name, out := l.add(at, e.Name)
	f.Modified = e.Modified
	if !out && mode&fs.ModeSymlink != 0 {
		l.link(f, name, func() string { return targetIn(e) })
		return
	}
	reason := "not a regular file"
	if mode.IsRegular() {
		reason = Unpackable(e.FileHeader)
	}
	if reason != "" {
		l.w.skipFile(f, reason, "unpack the archive and pass the file")
		return
	}
	if !l.wants(f) {
		return
	}
	f.Size, f.Open, f.around = int64(min(e.UncompressedSize64, 1<<62)), e.open, l.around
	if e.Method == zip.Store {
		f.random = func() *Archive {
			off, err := e.offset()
			if err != nil {
				return newArchive(0, func() (io.ReaderAt, func() error, error) { return nil, nil, err })
			}
			return l.a.part(off, int64(e.CompressedSize64))
		}
	}
	l.files = append(l.files, f)
}
