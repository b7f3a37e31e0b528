package ingest

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	// maxEntries bounds what one archive may list; a capture of 50 pods has some 700 files, a support bundle 20,000 on disk.
	maxEntries = 10_000
	// maxUnpacked and unpackedRatio bound what an archive may become, all entries together: bombs reach 1,000 times their size
	// (deflate's limit is 1,032), or any number where entries overlap; logs and dumps reach 20 to 150 times.
	maxUnpacked   = 64 << 30
	unpackedRatio = 250
	// freeUnpacked is what any archive may become, however small: one dump of many equal stacks packs well.
	freeUnpacked = 64 << 20
	// maxDirectory bounds the list of files at an archive's end, which is read whole: 10,000 entries take some 2 MiB.
	maxDirectory = 16 << 20
	// maxEntryName bounds what is shown of an entry's name.
	maxEntryName = 512
	// insideArchive parts an archive's path from that of an entry in it.
	insideArchive = "!/"
)

var (
	errBomb      = fmt.Errorf("the archive unpacks to more than %d times its size", unpackedRatio)
	errDirectory = fmt.Errorf("its list of files is larger than %d MiB", maxDirectory>>20)
)

// isZip tells by the first bytes of a file.
func isZip(file io.ReaderAt) bool {
	var head [4]byte
	n, err := file.ReadAt(head[:], 0)
	return n == len(head) && (err == nil || err == io.EOF) && (string(head[:]) == "PK\x03\x04" || string(head[:]) == "PK\x05\x06")
}

// mayBeZip tells by a name whether a file found in a folder is worth a look at its first bytes.
func mayBeZip(name string) bool { return strings.EqualFold(path.Ext(name), ".zip") }

// zip adds the entries of an archive, each as a file of its own, and reports whether path is one. Nothing is written: an
// entry's name is only shown, and tells what a path tells (whose log it is, which files are one rotated log).
func (f *finder) zip(path string, named bool) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !isZip(file) {
		return false
	}
	if !f.first(path) {
		return true
	}
	a := &archiveFile{path: path, f: file, directory: maxDirectory}
	r, err := zip.NewReader(a, info.Size())
	if err != nil {
		f.skips = append(f.skips, Skip{Path: path, Reason: fmt.Sprintf("a zip archive that is broken: %v", err), Hint: "copy the file again", Named: named})
		return true
	}
	a.f, a.directory = nil, 0
	a.left.Store(min(maxUnpacked, max(freeUnpacked, unpackedRatio*info.Size())))
	added := f.entries(path, r.File, a)
	if added == 0 {
		f.skips = append(f.skips, Skip{Path: path, Reason: "the archive holds no readable files", Hint: "name the archive that holds the logs", Named: named})
	}
	return true
}

func (f *finder) entries(archive string, all []*zip.File, a *archiveFile) (added int) {
	seen := map[string]int{}
	for i, e := range all {
		if f.ctx.Err() != nil {
			break
		}
		if i >= maxEntries || len(f.files) >= maxFiles {
			f.skips = append(f.skips, Skip{Path: archive, Reason: fmt.Sprintf("more than %d files in the archive: the first were read", i), Hint: "unpack it and name a folder further down"})
			break
		}
		mode := e.Mode()
		if mode.IsDir() || strings.HasSuffix(e.Name, "/") {
			continue
		}
		name := archive + insideArchive + entryName(e.Name)
		if seen[name]++; seen[name] > 1 {
			name += fmt.Sprintf(" (%d)", seen[name])
		}
		if reason := unreadable(e, mode); reason != "" {
			f.skips = append(f.skips, Skip{Path: name, Reason: reason, Hint: "unpack the archive and name the file"})
			continue
		}
		f.files = append(f.files, Part{Path: name, regular: true, open: func() (io.ReadCloser, error) { return a.open(e) }})
		added++
	}
	return added
}

// unreadable says why an entry isn't read.
func unreadable(e *zip.File, mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "symbolic link in an archive: not followed"
	case !mode.IsRegular():
		return "no regular file"
	case e.Flags&1 != 0:
		return "encrypted"
	case e.Method != zip.Store && e.Method != zip.Deflate:
		return fmt.Sprintf("packed by method %d, which is neither store nor deflate", e.Method)
	}
	return ""
}

// entryName makes an entry's name a path below its archive: no root, no drive, no way up, no control characters.
func entryName(name string) string {
	name = strings.ToValidUTF8(strings.ReplaceAll(name, `\`, "/"), "?")
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, name)
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	if name == "" {
		return "(no name)"
	}
	if len(name) > maxEntryName {
		name = "…" + strings.ToValidUTF8(name[len(name)-maxEntryName:], "")
	}
	return name
}

// An archiveFile is a zip file that is open while one of its entries is. Its directory was read once; thousands of entries
// neither read it again nor keep the file open.
type archiveFile struct {
	path string
	left atomic.Int64 // bytes that may still come out

	mu        sync.Mutex
	f         *os.File
	users     int
	directory int64 // bytes that may still be read of the list of files; 0 once it was read
}

// ReadAt is called by open entries and, before there are any, by zip.NewReader.
func (a *archiveFile) ReadAt(p []byte, off int64) (int, error) {
	a.mu.Lock()
	f := a.f
	if a.directory > 0 {
		if a.directory -= int64(len(p)); a.directory <= 0 {
			f = nil
		}
	}
	a.mu.Unlock()
	if f == nil {
		return 0, errDirectory
	}
	return f.ReadAt(p, off)
}

func (a *archiveFile) open(e *zip.File) (io.ReadCloser, error) {
	if err := a.acquire(); err != nil {
		return nil, err
	}
	r, err := e.Open()
	if err != nil {
		return nil, errors.Join(err, a.release())
	}
	return &entryReader{r: r, a: a}, nil
}

func (a *archiveFile) acquire() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users == 0 {
		f, err := os.Open(a.path)
		if err != nil {
			return err
		}
		a.f = f
	}
	a.users++
	return nil
}

func (a *archiveFile) release() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users--; a.users > 0 {
		return nil
	}
	f := a.f
	a.f = nil
	return f.Close()
}

// An entryReader unpacks one entry, within what is left for the whole archive.
type entryReader struct {
	r      io.ReadCloser
	a      *archiveFile
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
	return errors.Join(e.r.Close(), e.a.release())
}
