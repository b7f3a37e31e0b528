package open

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/flate"
)

// directoryEach bounds the list of files at an archive's end, which is read whole: bytes for each file that may be
// listed. 10,000 entries of a bundle take some 2 MiB; an entry takes 46 and its name, and six times that in memory.
const directoryEach = 256

var errDirectory = errors.New("its list of files is too large")

// An Archive is a zip with random access. The file around it is open only while an entry is read: thousands of entries
// neither read the list of files again nor keep the file open.
type Archive struct {
	// acquire opens what the archive lies in.
	acquire func() (r io.ReaderAt, release func() error, err error)
	size    int64
	left    atomic.Int64 // bytes that may still come out

	mu        sync.Mutex
	r         io.ReaderAt // nil while unused
	release   func() error
	users     int
	directory int64 // bytes that may still be read of the list of files; 0 once it was read
}

func newArchive(size int64, acquire func() (io.ReaderAt, func() error, error)) *Archive {
	a := &Archive{acquire: acquire, size: size}
	a.left.Store(mayExpandTo(size))
	return a
}

// ArchiveOf returns the archive in r, which has size bytes and stays open.
func ArchiveOf(r io.ReaderAt, size int64) *Archive {
	return newArchive(size, func() (io.ReaderAt, func() error, error) { return r, func() error { return nil }, nil })
}

// diskArchive is one that is a file.
func (o Options) diskArchive(path string, size int64) *Archive {
	return newArchive(size, func() (io.ReaderAt, func() error, error) {
		f, err := o.disk(path)
		if err != nil {
			return nil, nil, err
		}
		return f, f.Close, nil
	})
}

// part is an archive that is stored in a without compression.
func (a *Archive) part(off, size int64) *Archive {
	return newArchive(size, func() (io.ReaderAt, func() error, error) {
		return io.NewSectionReader(a, off, size), a.leave, a.use()
	})
}

func (a *Archive) use() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users == 0 {
		r, release, err := a.acquire()
		if err != nil {
			return err
		}
		a.r, a.release = r, release
	}
	a.users++
	return nil
}

func (a *Archive) leave() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users--; a.users > 0 {
		return nil
	}
	a.r = nil
	return a.release()
}

// ReadAt reads from what use has opened.
func (a *Archive) ReadAt(p []byte, off int64) (int, error) {
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

// List reads the list of files, where that isn't too long for so many entries.
func (a *Archive) List(maxEntries int) (*zip.Reader, error) {
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
	if errors.Is(err, zip.ErrInsecurePath) {
		err = nil
	}
	if err == nil {
		r.RegisterDecompressor(zip.Deflate, inflater)
	}
	return r, errors.Join(err, a.leave())
}

// inflaters are kept for the next entry: a bundle has thousands, and each takes 44 KiB.
var inflaters = sync.Pool{New: func() any {
	in := bufio.NewReader(strings.NewReader(""))
	return &bufferedInflater{flate.NewReader(in), in}
}}

// A bufferedInflater is a decompressor with the buffer before it.
type bufferedInflater struct {
	io.ReadCloser
	in *bufio.Reader
}

func inflater(r io.Reader) io.ReadCloser {
	f := inflaters.Get().(*bufferedInflater)
	f.in.Reset(r)
	// The only error is that of a dictionary, and there is none.
	_ = f.ReadCloser.(flate.Resetter).Reset(f.in, nil)
	return &pooledInflater{f}
}

type pooledInflater struct{ *bufferedInflater }

func (p *pooledInflater) Read(b []byte) (int, error) {
	if p.bufferedInflater == nil {
		return 0, io.ErrClosedPipe
	}
	return p.bufferedInflater.Read(b)
}

func (p *pooledInflater) Close() error {
	if p.bufferedInflater == nil {
		return nil
	}
	err := p.bufferedInflater.Close()
	inflaters.Put(p.bufferedInflater)
	p.bufferedInflater = nil
	return err
}

// Open opens one entry of the list. It fails where the entry states a size that the whole archive may not have.
func (a *Archive) Open(e *zip.File) (io.ReadCloser, error) {
	return a.unpacked(e.UncompressedSize64, e.Open)
}

// unpacked opens an entry that states that it has so many bytes.
func (a *Archive) unpacked(size uint64, open func() (io.ReadCloser, error)) (io.ReadCloser, error) {
	// A stated size that is too much is believed: the entry need not be unpacked to know.
	if size > uint64(max(0, a.left.Load())) {
		return nil, fmt.Errorf("%w: from %s to %s, as it declares", errBomb, sizeName(a.size),
			sizeName(int64(min(size, 1<<62))))
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
	a      *Archive
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

// Unpackable returns why an entry can't be unpacked, "" where it can.
func Unpackable(h *zip.FileHeader) (reason string) {
	switch {
	case h.Flags&1 != 0:
		return "encrypted"
	case h.Method != zip.Store && h.Method != zip.Deflate:
		return fmt.Sprintf("packed with method %d, which is neither store nor deflate", h.Method)
	}
	return ""
}

// A zipEntry is one file of a zip.
type zipEntry struct {
	*zip.FileHeader
	open func() (io.ReadCloser, error)
	// offset is where its bytes begin; of a stored one they can be read there.
	offset func() (int64, error)
}

// listed is an entry of an archive's list of files.
func listed(a *Archive, e *zip.File) zipEntry {
	return zipEntry{&e.FileHeader, func() (io.ReadCloser, error) { return a.Open(e) }, func() (int64, error) {
		if err := a.use(); err != nil {
			return 0, err
		}
		off, err := e.DataOffset()
		return off, errors.Join(err, a.leave())
	}}
}

// targetIn reads what a symbolic link leads to: its content.
func targetIn(e zipEntry) string {
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
