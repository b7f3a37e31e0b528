// Package open finds and opens what the user names: files, folders, globs, standard input, archives and the archives in
// them, compressed or not. Walk hands on files as streams of bytes; what they mean is for its callers.
//
// Whatever an input does, memory, temporary space, depth and the bytes that come out stay within Limits, and nothing
// that an input names is ever opened: only paths that the caller names or that lie below a folder that the caller
// names.
//
// In layers, from below: limits and decompression (limits.go, decompress.go, file.go), archives and what is kept of
// them (archive.go, salvage.go, tar.go, spill.go), and the walk over all of it (walk.go, folder.go,
// listing.go, zipwalk.go, tarwalk.go, rotate.go).
package open

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/disk"
	"github.com/gotriage/triage/internal/ingest/origin"
)

// InsideArchive separates an archive's path from that of an entry in it.
const InsideArchive = origin.InsideArchive

// A Source is one stream to read: a file, an archive's entry, standard input, or the rotated files of one log, oldest
// first (by their names where Walk of this package found them, by their content where that of package ingest did).
type Source struct {
	Parts []Part
	// Origin is what the path of the newest part shows; package ingest fills it in.
	Origin origin.Origin
	// At is its place in the inputs.
	At Order
	// Allowance is what all files of the Walk may still become; nil for a source of its own.
	Allowance *Allowance
}

// Compare orders the sources of one Walk as they lie in the inputs, whatever the order in which they were visited.
func (s Source) Compare(o Source) int { return s.At.Compare(o.At) }

// Forget drops what it takes to read s; the paths of its parts stay. A report keeps thousands of sources that were
// read, and keeps no open archive with them.
func (s Source) Forget() {
	for i := range s.Parts {
		s.Parts[i].Open = func() (io.ReadCloser, error) { return nil, ErrForgotten }
	}
}

// A Part is one file of a Source.
type Part struct {
	// Path is as the user named the file or as it was found, "-" for standard input; that of an archive's entry follows
	// its archive's: bundle.zip!/nodes/n1.zip!/n1/logs/kubelet.log.
	Path string
	// Stored is Path with the entries' names as their archives store them ("./n1/kubelet.log", "/var/log/1.log"), for
	// commands that take one out; "" where they are those of Path.
	Stored string
	// Size in bytes is what the folder or archive states, -1 where unknown.
	Size int64
	// Open opens the file as it is stored, or as a *File.
	Open func() (io.ReadCloser, error)
	// Named marks a file that the user named, and not just its folder; Regular one that can be opened twice.
	Named, Regular bool
	// Modified is when the file was written last, as the folder or archive has it; zero where unknown.
	Modified time.Time
}

// ErrForgotten is the error of opening a part after Forget.
var ErrForgotten = errors.New("it was read before")

// A Skip is something that was not read, with the reason and, where there is one, a hint.
type Skip struct {
	Path, Reason, Hint string
	// Named marks a path of the command line, so that failing to read it is an exit status.
	Named bool
}

// Options bound what Walk does. The zero value means the defaults that each field names.
type Options struct {
	Stdin io.Reader
	// Only and Skip are globs over shown paths (see CheckGlob) of what is inside folders and archives. Where Only has
	// patterns, only what one of them matches is read; what one of Skip matches is never read.
	Only, Skip []string
	Limits
	// OpenFile opens a file on disk; nil means os.Open.
	OpenFile func(path string) (DiskFile, error)
	// Progress, where set, counts every file and the bytes read, compressed as they are stored. It is called from
	// several goroutines.
	Progress Progress
	// Link, where set, receives every link whose target is read under its own path: symbolic and hard links within an
	// archive, and within a folder. It is called from several goroutines.
	Link func(path, target string)
	// Piece is for tests: text is read in pieces of so many bytes. 0 is what measured fastest.
	Piece int
}

// A DiskFile is a file on disk, an *os.File but in tests.
type DiskFile interface {
	io.ReadCloser
	io.ReaderAt
}

// Disk opens a file by open, or by os.Open where that is nil.
func Disk(path string, open func(string) (DiskFile, error)) (DiskFile, error) {
	if open != nil {
		return open(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err // and no DiskFile that holds a nil
	}
	return f, nil
}

// A Progress counts how far a Walk is.
type Progress interface {
	Found(files int, bytes int64) // inputs on disk that will be read, and their size
	Read(bytes int)               // of those
}

// An Order is a place in the inputs: the number of an argument, then of an entry in its folder or archive, then in the
// archive within that, and so on.
type Order []int32

// Compare orders two places as they lie in the inputs.
func (o Order) Compare(p Order) int { return slices.Compare(o, p) }

// child is the i-th place below o.
func (o Order) child(i int) Order {
	c := make(Order, len(o)+1)
	copy(c, o)
	c[len(o)] = int32(min(i, 1<<31-1))
	return c
}

// An orderedSkip is a Skip with its place.
type orderedSkip struct {
	at Order
	Skip
}

// inOrder sorts skips as they lie in the inputs.
func inOrder(all []orderedSkip) []Skip {
	slices.SortStableFunc(all, func(a, b orderedSkip) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	out := make([]Skip, len(all))
	for i := range all {
		out[i] = all[i].Skip
	}
	return out
}

// ReasonOf explains why a path can't be opened, without the path.
func ReasonOf(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// HintOf suggests what to do about a path that can't be opened, "" where nothing is known to help.
func HintOf(path string, err error) string {
	switch {
	case strings.Contains(path, "://"):
		return "triage fetch URL captures from a pprof port; download any other page to a file first"
	case errors.Is(err, fs.ErrPermission):
		return "run as a user who may read it, or copy it"
	}
	return disk.Hint(err)
}

// holdHint suggests what to do about something that has no room until it is read.
func holdHint(what string, err error) string {
	if hint := disk.Hint(err); hint != "" {
		return hint + "; TMPDIR names the folder for temporary files, and --max-memory holds more in memory"
	}
	return "unpack " + what + " and name the folder"
}
