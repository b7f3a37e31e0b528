package redact

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/ingest/open"
)

// CopyOptions are what Copy redacts and what it does with what it can't.
type CopyOptions struct {
	Options
	// Limits are those of reading (MaxDepth, MaxEntries, MaxExpanded, MaxFile, MaxBlob, MaxMemory, MaxTemp); zero means
	// the default that each names.
	open.Limits
	// KeepBinary copies binary files that are no profiles as they are. They may hold anything.
	KeepBinary bool
	// Check writes nothing: the Summary says what would be replaced, and where.
	Check bool
	// Force replaces a file at OUT.
	Force bool
	// OpenFile opens a file on disk; nil means os.Open.
	OpenFile func(path string) (open.DiskFile, error)
	// Stdin and Stdout are read and written for "-".
	Stdin  io.Reader
	Stdout io.Writer
}

// A copier is one run of Copy.
type copier struct {
	ctx     context.Context
	o       CopyOptions
	t       *Text
	sum     *Summary
	failed  error // of writing
	entries int
	size    int64 // of IN, 0 where it isn't one file
	// allowance is what may still come out of IN.
	allowance *open.Allowance
}

// begin sets the allowances anew: the input is read twice.
func (c *copier) begin() {
	c.entries, c.allowance = 0, open.NewAllowance(c.o.Limits)
	if c.size > 0 {
		c.allowance = open.NewInputAllowance(c.o.Limits, c.size)
	}
}

// A form is what a file is once its compression is off.
type form string

const (
	formText    form = "text"
	formZip     form = "a zip archive"
	formTar     form = "a tar archive"
	formProfile form = "a profile"
	formBinary  form = "a binary file"
)

// An opened file has its layers of compression off.
type opened struct {
	br     *bufio.Reader
	layers []string // outermost first
	write  []string // the layers that the copy gets
	form   form
	why    string        // of a binary file: what it is
	err    error         // it can't be read at all
	zip    *open.Archive // of a zip archive that needs no copy to be read at any place
	files  []*zip.File   // of a zip archive, after list
	// profile is a profile's redacted form.
	profile []byte
	was     []byte // the profile, with CopyOptions.Check
	closes  []func()
}

func (o *opened) close() {
	for _, f := range o.closes {
		f()
	}
}

// open takes the compression off r and identifies what is in it.
func (c *copier) open(r io.Reader) *opened {
	f := open.NewFile(io.NopCloser(r))
	o := &opened{closes: []func(){func() { _ = f.Close() }}}
	for _, l := range f.Layers() {
		if err := l.Refused(); err != nil {
			o.err = fmt.Errorf("a %s stream that is broken: %w", l.Format(), err)
			return o
		}
		o.layers = append(o.layers, l.Format())
	}
	o.br = heads.Get().(*bufio.Reader)
	o.br.Reset(open.Meter(&strictReader{c.ctx, f}, c.allowance))
	o.closes = append(o.closes, func() {
		o.br.Reset(nil)
		heads.Put(o.br)
	})
	head, err := o.br.Peek(headSize)
	if len(head) == 0 && err != io.EOF {
		o.err = err
		return o
	}
	o.form, o.why = formOfHead(head, err == io.EOF)
	return o
}

// heads are the buffers of opened files that are closed.
var heads = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, headSize) }}

// openAt is open for what can be read at any place.
func (c *copier) openAt(r io.ReaderAt, size int64) *opened {
	o := c.open(io.NewSectionReader(r, 0, size))
	if o.form == formZip && len(o.layers) == 0 {
		o.zip = open.ArchiveOf(r, size)
	}
	return o
}

// openEntry is open for an entry, which may be a file on disk.
func (c *copier) openEntry(r io.ReadCloser) *opened {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return c.openAt(f, info.Size())
		}
	}
	return c.open(r)
}

// A strictReader returns the error that ended a layer of compression, where File ends like any other.
type strictReader struct {
	ctx context.Context
	f   *open.File
}

func (r *strictReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.f.Read(p)
	if err == io.EOF && r.f.Err() != nil {
		err = r.f.Err()
	}
	return n, err
}

func (c *copier) keep(r io.Reader) (*open.Kept, error) {
	kept, err := open.NewSpillStore(c.o.Limits).Keep(r, -1)
	if err != nil && kept != nil {
		kept.Drop()
	}
	return kept, err
}

func (c *copier) list(o *opened) error {
	if o.zip == nil {
		kept, err := c.keep(o.br)
		if err != nil {
			return err
		}
		o.closes = append(o.closes, kept.Drop)
		o.zip = open.ArchiveOf(kept, kept.Size())
	}
	r, err := o.zip.List(c.o.MaxEntries)
	if err == nil {
		o.files = r.File
	}
	return err
}

// mostlyHoles is why a sparse file is left out: its copy would have its holes written out.
const mostlyHoles = "a sparse file that is nearly all holes"

// An entry is a file of what is read.
type entry struct {
	name string // as the archive or folder has it
	at   time.Time
	mode fs.FileMode
	open func() (io.ReadCloser, error)
	deny string // why it isn't even opened
}

// each calls visit with each entry of the archive in o. It returns visit's error, or in broken that of an archive that
// breaks.
func (c *copier) each(o *opened, visit func(entry) error) (broken, err error) {
	if o.form == formZip {
		for _, f := range o.files {
			if err = visit(zipEntry(o.zip, f)); err != nil {
				break
			}
		}
		return nil, err
	}
	broken = open.Tars(c.ctx, o.br, func(h *tar.Header, content io.Reader) bool {
		if h.Typeflag != tar.TypeXGlobalHeader {
			err = visit(tarEntry(h, content))
		}
		return err == nil
	})
	if err == nil {
		err = c.ctx.Err()
	}
	return broken, err
}

func zipEntry(a *open.Archive, f *zip.File) entry {
	e := entry{name: f.Name, at: f.Modified, mode: f.Mode(), open: func() (io.ReadCloser, error) { return a.Open(f) }}
	if strings.HasSuffix(f.Name, "/") {
		e.mode |= fs.ModeDir
	}
	if !e.mode.IsDir() {
		e.deny = open.Unpackable(&f.FileHeader)
	}
	return e
}

func tarEntry(h *tar.Header, r io.Reader) entry {
	e := entry{name: h.Name, at: h.ModTime, open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	if open.IsHoles(h) {
		e.deny = mostlyHoles
		return e
	}
	switch h.Typeflag {
	case tar.TypeDir:
		e.mode = fs.ModeDir
	case tar.TypeReg, tar.TypeGNUSparse:
	case tar.TypeSymlink, tar.TypeLink:
		e.deny = "a link"
	default:
		e.deny = "not a regular file"
	}
	return e
}

// walk calls visit with what lies below the folder in, in sorted order. Links are not followed.
func (c *copier) walk(in string, visit func(entry) error) error {
	return filepath.WalkDir(in, func(at string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(in, at)
		if relErr != nil || rel == "." {
			return err
		}
		e := entry{
			name: filepath.ToSlash(rel), mode: d.Type(), open: func() (io.ReadCloser, error) {
				return open.Disk(at, c.o.OpenFile)
			},
		}
		if err != nil {
			e.mode, e.deny = 0, "it can't be read: "+cause(err)
		} else if info, err := d.Info(); err == nil {
			e.at = info.ModTime()
			if e.mode.IsRegular() && open.IsMostlyHoles(info) {
				e.deny = mostlyHoles
			}
		}
		return visit(e)
	})
}

// cause describes an error without the path, which may identify something.
func cause(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// formOfHead identifies what begins with head; whole where there is no more.
func formOfHead(head []byte, whole bool) (form, string) {
	switch {
	case open.ContainerOf(head) == open.Zip:
		return formZip, ""
	case open.ContainerOf(head) == open.Tar:
		return formTar, ""
	case ingest.IsProfile(head, whole):
		return formProfile, ""
	}
	if name := magicName(head); name != "" {
		return formBinary, name
	}
	if text := bytes.Trim(head, "\x00"); len(text) > 0 && ingest.IsBinary(text, whole) {
		return formBinary, "a binary file"
	}
	return formText, ""
}

// magicName names files that may look like text and hold memory or databases: whatever was in them would be in the
// copy.
func magicName(head []byte) string {
	for _, m := range []struct {
		at          int
		magic, name string
	}{
		{0, "\xff\xfe", "text in UTF-16: convert it to UTF-8"}, {0, "\xfe\xff", "text in UTF-16: convert it to UTF-8"},
		{0, "\x7fELF", "an executable or a core dump"}, {0, "JAVA PROFILE ", "a heap dump"},
		{0, "LPKSHHRH", "a journal in its binary form"}, {0, "SQLite format 3\x00", "a database"},
		{16, "\xed\xda\x0c\xed", "a database"}, {0, "%PDF-", "a document"}, {0, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
	} {
		if len(head) > m.at && bytes.HasPrefix(head[m.at:], []byte(m.magic)) {
			return m.name
		}
	}
	line, _, _ := bytes.Cut(head[:min(len(head), 64)], []byte("\n"))
	switch {
	case bytes.HasPrefix(line, []byte("go1")) && bytes.HasSuffix(line, []byte(" heap dump")):
		return "a heap dump"
	case bytes.HasPrefix(head, []byte("go 1.")) && bytes.Contains(head[:min(len(head), 32)], []byte(" trace\x00")):
		return "an execution trace"
	}
	return ""
}
