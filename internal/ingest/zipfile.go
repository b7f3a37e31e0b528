package ingest

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/flate"
)

// directoryEach bounds the list of files at an archive's end, which is read whole: bytes for each file that may be listed.
// 10,000 entries of a bundle take some 2 MiB; an entry takes 46 and its name, and six times that in memory.
const directoryEach = 256

var errDirectory = errors.New("its list of files is too large")

// An archive is one with random access. What it lies in is open only while somebody reads: thousands of entries neither read
// the list of files again nor keep the file open.
type archive struct {
	// acquire opens what the archive lies in, release closes it.
	acquire func() (io.ReaderAt, error)
	release func() error
	size    int64
	left    atomic.Int64 // bytes that may still come out

	mu        sync.Mutex
	r         io.ReaderAt // nil while nobody reads
	users     int
	directory int64 // bytes that may still be read of the list of files; 0 once it was read
}

func newArchive(size int64, acquire func() (io.ReaderAt, error), release func() error) *archive {
	a := &archive{acquire: acquire, release: release, size: size}
	a.left.Store(mayExpandTo(size))
	return a
}

// diskArchive is one that is a file.
func (w *walker) diskArchive(path string, size int64) *archive {
	var f *os.File
	return newArchive(size, func() (_ io.ReaderAt, err error) {
		if f, err = os.Open(path); err != nil {
			return nil, err
		}
		if w.o.Progress != nil {
			return &progressAt{f, w.o.Progress}, nil
		}
		return f, nil
	}, func() error { return f.Close() })
}

type progressAt struct {
	r io.ReaderAt
	p Progress
}

func (a *progressAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := a.r.ReadAt(p, off)
	a.p.Read(n)
	return n, err
}

// keptArchive is one that a vault keeps.
func keptArchive(k *kept) *archive {
	return newArchive(k.size, func() (io.ReaderAt, error) { return k, nil }, func() error { return nil })
}

// part is an archive that is stored in a without compression.
func (a *archive) part(off, size int64) *archive {
	return newArchive(size, func() (io.ReaderAt, error) {
		if err := a.use(); err != nil {
			return nil, err
		}
		return io.NewSectionReader(a, off, size), nil
	}, a.leave)
}

func (a *archive) use() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users == 0 {
		r, err := a.acquire()
		if err != nil {
			return err
		}
		a.r = r
	}
	a.users++
	return nil
}

func (a *archive) leave() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users--; a.users > 0 {
		return nil
	}
	a.r = nil
	return a.release()
}

// ReadAt is for who uses the archive.
func (a *archive) ReadAt(p []byte, off int64) (int, error) {
	a.mu.Lock()
	r := a.r
	if a.directory > 0 {
		if a.directory -= int64(len(p)); a.directory <= 0 {
			a.directory, r = 1, nil // every further read fails too
		}
	}
	a.mu.Unlock()
	if r == nil {
		return 0, errDirectory
	}
	return r.ReadAt(p, off)
}

// list reads the list of files.
func (a *archive) list(maxEntries int) (*zip.Reader, error) {
	if err := a.use(); err != nil {
		return nil, err
	}
	a.mu.Lock()
	a.directory = directoryEach*int64(maxEntries) + 1<<20
	a.mu.Unlock()
	r, err := zip.NewReader(a, a.size)
	a.mu.Lock()
	a.directory = 0
	a.mu.Unlock()
	if err == nil {
		r.RegisterDecompressor(zip.Deflate, inflater)
	}
	return r, errors.Join(err, a.leave())
}

// inflaters are kept for the next entry: a bundle has thousands, and each takes 40 KiB.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(strings.NewReader("")) }}

func inflater(r io.Reader) io.ReadCloser {
	f := inflaters.Get().(io.ReadCloser)
	// The only error is that of a dictionary, and there is none.
	_ = f.(flate.Resetter).Reset(r, nil)
	return &pooledInflater{f}
}

type pooledInflater struct{ io.ReadCloser }

func (p *pooledInflater) Read(b []byte) (int, error) {
	if p.ReadCloser == nil {
		return 0, io.ErrClosedPipe
	}
	return p.ReadCloser.Read(b)
}

func (p *pooledInflater) Close() error {
	if p.ReadCloser == nil {
		return nil
	}
	err := p.ReadCloser.Close()
	inflaters.Put(p.ReadCloser)
	p.ReadCloser = nil
	return err
}

// entry opens one entry of the list.
func (a *archive) entry(e *zip.File) (io.ReadCloser, error) {
	return a.unpacked(e.UncompressedSize64, e.Open)
}

// unpacked opens an entry that says that it has so many bytes.
func (a *archive) unpacked(says uint64, open func() (io.ReadCloser, error)) (io.ReadCloser, error) {
	// What an entry says is believed where it is too much: it need not be unpacked to know.
	if says > uint64(max(0, a.left.Load())) {
		return nil, fmt.Errorf("%w: from %s to %s, as it says", errBomb, sizeName(a.size), sizeName(int64(min(says, 1<<62))))
	}
	if err := a.use(); err != nil {
		return nil, err
	}
	r, err := open()
	if err != nil {
		return nil, errors.Join(err, a.leave())
	}
	return &entryReader{r: r, a: a}, nil
}

// An entryReader unpacks one entry, within what is left for the whole archive.
type entryReader struct {
	r      io.ReadCloser
	a      *archive
	closed bool
}

func (e *entryReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if e.a.left.Add(-int64(n)) < 0 {
		return 0, errBomb
	}
	return n, err
}

func (e *entryReader) Close() error {
	if e.closed {
		return nil
	}
	e.closed = true
	return errors.Join(e.r.Close(), e.a.leave())
}

// zip lists the archive f, which o has opened, and gives its entries to the visitors.
func (w *walker) zip(f file, o *opened) {
	a, within := w.randomAccess(f, o)
	if a == nil {
		return
	}
	defer within.release()
	l := &zipList{w: w, f: f, a: a, within: within, names: newNames()}
	r, err := a.list(w.o.MaxEntries)
	if err == nil {
		l.list(len(r.File), func(i int) packed { return listed(a, r.File[i]) })
		r.File = nil // every entry holds r: those that are done must not live as long as the last
	} else if found := salvaged(w.ctx, a, w.o.MaxEntries); len(found) > 0 {
		l.list(len(found), func(i int) packed { return found[i] })
		w.skip(f.at, salvage(f.Path, len(found), err))
	} else {
		w.skip(f.at, Skip{Path: f.Path, Reason: fmt.Sprintf("a zip archive that is broken: %v", err), Hint: "copy the file again", Named: f.named})
		return
	}
	if len(l.files) == 0 && l.left == 0 && !l.full {
		w.skip(f.at, Skip{Path: f.Path, Reason: "the archive holds no readable files", Hint: "name the archive that holds the logs", Named: f.named})
	}
	w.leaveOut(f.at, f.Path, l.left)
	w.submit(l.files)
}

// randomAccess returns f as an archive with what must be released when its entries were read. It closes o.
func (w *walker) randomAccess(f file, o *opened) (*archive, *hold) {
	defer func() { _ = o.Close() }()
	f.within.take()
	if len(o.layers) == 0 && f.random != nil {
		return f.random(), newHold(f.within.release)
	}
	k, err := w.vault.keep(&metered{r: o, a: w.allowance}, sizeOf(f, o))
	if k == nil {
		f.within.release()
		w.skip(f.at, Skip{Path: f.Path, Reason: "an archive that can't be held: " + err.Error(), Hint: "unpack it and name the folder", Named: f.named})
		return nil, nil
	}
	// A part of a zip has no list of files: opening it says so.
	return keptArchive(k), newHold(func() {
		k.drop()
		f.within.release()
	})
}

// sizeOf is what f will have once o has taken its compression off, -1 where nobody knows.
func sizeOf(f file, o *opened) int64 {
	if len(o.layers) > 0 {
		return -1
	}
	return f.Size
}

// A zipList makes files of a zip's entries.
type zipList struct {
	w      *walker
	f      file
	a      *archive
	within *hold
	names  *names
	files  []file
	links  []link
	left   int  // files that Only and Skip leave out
	full   bool // MaxEntries ended it
}

// A packed file is one entry of a zip.
type packed struct {
	*zip.FileHeader
	open func() (io.ReadCloser, error)
	// offset is where its bytes begin; of a stored one they can be read in place.
	offset func() (int64, error)
}

// listed is an entry of an archive's list.
func listed(a *archive, e *zip.File) packed {
	return packed{&e.FileHeader, func() (io.ReadCloser, error) { return a.entry(e) }, func() (int64, error) {
		if err := a.use(); err != nil {
			return 0, err
		}
		off, err := e.DataOffset()
		return off, errors.Join(err, a.leave())
	}}
}

// list takes n entries. None is made that is one too many: a list may have a million.
func (l *zipList) list(n int, entry func(int) packed) {
	for i := range n {
		if l.w.ctx.Err() != nil || !l.w.admit(l.f.at, l.f.Path) {
			l.full = true
			break
		}
		l.entry(l.f.at.child(i), entry(i))
	}
	l.w.tellLinks(l.f, l.links, l.names.has)
}

func (l *zipList) entry(at order, e packed) {
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
		if len(l.links) < maxLinks && l.w.choice.wants(shown[l.f.base:]) {
			l.links = append(l.links, link{at: at, name: name, target: targetIn(e), shown: shown})
		}
		return
	}
	if reason := unreadable(e, mode); reason != "" {
		l.w.skip(at, Skip{Path: shown, Reason: reason, Hint: "unpack the archive and name the file"})
		return
	}
	if !l.w.choice.mayHold(shown[l.f.base:]) {
		l.left++
		return
	}
	f := file{
		Part:  Part{Path: shown, Size: int64(min(e.UncompressedSize64, 1<<62)), regular: true, open: e.open},
		at:    at,
		depth: l.f.depth + 1, base: l.f.base, within: l.within,
	}
	if e.Method == zip.Store {
		f.random = func() *archive {
			off, err := e.offset()
			if err != nil {
				return newArchive(0, func() (io.ReaderAt, error) { return nil, err }, func() error { return nil })
			}
			return l.a.part(off, int64(e.CompressedSize64))
		}
	}
	l.files = append(l.files, f)
}

// targetIn reads what a symbolic link leads to: its content.
func targetIn(e packed) string {
	const maxTarget = 4096 // PATH_MAX
	r, err := e.open()
	if err != nil {
		return ""
	}
	defer func() { _ = r.Close() }()
	target, err := io.ReadAll(io.LimitReader(r, maxTarget))
	if err != nil {
		return ""
	}
	return string(target)
}

// unreadable says why an entry isn't read.
func unreadable(e packed, mode fs.FileMode) string {
	switch {
	case !mode.IsRegular():
		return "no regular file"
	case e.Flags&1 != 0:
		return "encrypted"
	case e.Method != zip.Store && e.Method != zip.Deflate:
		return fmt.Sprintf("packed by method %d, which is neither store nor deflate", e.Method)
	}
	return ""
}
