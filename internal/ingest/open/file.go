package open

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A File is one with its compression taken off, whose first bytes may have been looked at.
type File struct {
	br     *bufio.Reader
	layers []*Layer      // of compression, outermost first
	first  *bufio.Reader // over raw
	raw    io.ReadCloser
	closed bool
}

// NewFile takes the compression off rc, as many as two layers. It takes rc over: Close closes it.
func NewFile(rc io.ReadCloser) *File {
	first := peekers.Get().(*bufio.Reader)
	first.Reset(rc)
	br, layers := decompress(first)
	return &File{br: br, layers: layers, raw: rc, first: first}
}

// peekers are kept for the next file: a bundle has thousands, most of them smaller than a peeker's buffer.
var peekers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, peekSize) }}

// Read reads the decompressed content. A layer of compression that fails ends it: Err has the error then.
func (f *File) Read(p []byte) (int, error) { return f.br.Read(p) }

// Reader returns the buffer that Read reads from, which may be looked at.
func (f *File) Reader() *bufio.Reader { return f.br }

// Layers returns the layers of compression, outermost first.
func (f *File) Layers() []*Layer { return f.layers }

// Err returns the error that ended a layer of compression, the outermost's first; nil for none.
func (f *File) Err() error {
	for _, l := range f.layers {
		if l.err != nil {
			return l.err
		}
	}
	return nil
}

// Wait makes reads wait for as long as the file takes, whatever becomes of the walk's context: it is for a goroutine
// that nobody waits for.
func (f *File) Wait() {
	if c, ok := f.raw.(*contextReader); ok {
		c.waits = true
	}
}

// Close closes the file and its decompressors.
func (f *File) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	closeLayers(f.layers)
	err := f.raw.Close()
	f.first.Reset(nil)
	peekers.Put(f.first)
	return err
}

// A Container is what may hold files.
type Container uint8

// The containers.
const (
	NoContainer Container = iota
	Zip
	Tar
)

// tarBlock is the size of everything in a tar, and of an entry's header.
const tarBlock = 512

// container looks at the first bytes. Of something that comes slowly (patient is false) it looks at what one read gave,
// so that a log that grows is not waited for.
func (f *File) container(patient bool) Container {
	n := tarBlock
	if !patient {
		if _, err := f.br.Peek(1); err != nil {
			return NoContainer
		}
		n = min(n, f.br.Buffered())
	}
	head, _ := f.br.Peek(n)
	return ContainerOf(head)
}

// ContainerOf identifies a container by its first bytes, of which 512 are enough.
func ContainerOf(head []byte) Container {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return Zip
	case isTarHeader(head):
		return Tar
	}
	return NoContainer
}

// isTarHeader recognises a header by its checksum (POSIX.1-1988, ustar): six octal digits for the sum of all bytes, its
// own place counted as blanks. Old implementations summed signed bytes.
func isTarHeader(head []byte) bool {
	const at, size = 148, 8
	if len(head) < tarBlock || head[0] == 0 {
		return false
	}
	field := strings.Trim(string(head[at:at+size]), " \x00")
	want, err := strconv.ParseInt(field, 8, 32)
	if err != nil {
		return false
	}
	var unsigned, signed int64
	for i, c := range head[:tarBlock] {
		if i >= at && i < at+size {
			c = ' '
		}
		unsigned += int64(c)
		signed += int64(int8(c))
	}
	return want == unsigned || want == signed
}

// archiveExtensions are what archives are called. Names decide nothing but whether a file that --only doesn't want is
// opened to see what it holds.
var archiveExtensions = []string{
	".zip", ".tar", ".tgz", ".txz", ".tbz", ".tbz2", ".tzst", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".jar",
}

func calledArchive(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(archiveExtensions, func(ext string) bool { return strings.HasSuffix(name, ext) })
}

// A diskFile reports to a progress, if there is one, what is read of it.
type diskFile struct {
	DiskFile
	progress Progress
}

// disk opens a file that the walk found.
func (o Options) disk(path string) (*diskFile, error) {
	f, err := Disk(path, o.OpenFile)
	if err != nil {
		return nil, err
	}
	return &diskFile{f, o.Progress}, nil
}

func (f *diskFile) Read(p []byte) (int, error) { return f.count(f.DiskFile.Read(p)) }

func (f *diskFile) ReadAt(p []byte, off int64) (int, error) {
	return f.count(f.DiskFile.ReadAt(p, off))
}

func (f *diskFile) count(n int, err error) (int, error) {
	if f.progress != nil {
		f.progress.Read(n)
	}
	return n, err
}
