package redact

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gotriage/triage/internal/disk"
	"github.com/gotriage/triage/internal/ingest/open"
)

// The errors of an IN or OUT that can't be used; nothing was written.
var (
	ErrExists  = errors.New("it already exists")
	ErrSame    = errors.New("it would be written into the input")
	ErrNoName  = errors.New("a folder's copy is a folder, which needs a name")
	ErrForm    = errors.New("its name implies a format other than the input's")
	ErrNoInput = errors.New("it can't be read")
)

// Copy writes a redacted copy of in, a file, a folder or an archive, to out, in the same form: folders as folders,
// archives as archives, compressed as the input is (xz and bzip2 as gzip, unless out's name ends in .xz). "-" names the
// standard streams. What is read twice, to know the names of nodes before the first log, is everything but a text on
// standard input.
//
// Nothing appears at out before it is whole, and nothing is written anywhere else but in deleted temporary files. What
// is in in and isn't in out is in the Summary. The error is for what ends it: in that can't be read at all, out that
// can't be written, a cancelled context.
func Copy(ctx context.Context, in, out string, o CopyOptions) (*Summary, error) {
	o.Limits = o.Limits.WithDefaults()
	c := &copier{ctx: ctx, o: o, t: NewText(o.Options), sum: &Summary{}}
	if o.Check {
		c.sum.Places = map[Class][]Place{}
		c.t.found = &places{of: c.sum.Places}
		out = stdStream
		c.o.Stdout = io.Discard
	}
	err := c.run(in, out)
	c.sum.Counts = c.t.Counts()
	if err == nil {
		err = c.t.names.err
	}
	return c.sum, err
}

func (c *copier) run(in, out string) error {
	info, err := c.check(in, out)
	if err != nil {
		return err
	}
	if in == stdStream {
		if c.o.Stdin == nil {
			return fmt.Errorf("standard input: %w", ErrNoInput)
		}
		return c.stream(c.o.Stdin, out, stdStream)
	}
	if info.IsDir() {
		c.begin()
		// Everything is looked at once before anything is written, so that a name is known in the first log too. What
		// can't be read is skipped: the copy reports it.
		_ = c.walk(in, func(e entry) error {
			c.learnEntry(e, 0)
			return c.ctx.Err()
		})
		return c.folder(in, out)
	}
	if open.IsMostlyHoles(info) {
		return fmt.Errorf("%s: %w: %s", in, ErrNoInput, mostlyHoles)
	}
	f, err := open.Disk(in, c.o.OpenFile)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", in, ErrNoInput, err)
	}
	defer f.Close()
	// A pipe, or a file of /proc, whose size is unknown: it is read once.
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return c.stream(f, out, in)
	}
	return c.file(f, info.Size(), in, out)
}

const stdStream = "-"

// check refuses what can't be done before anything is read.
func (c *copier) check(in, out string) (fs.FileInfo, error) {
	if out != stdStream {
		info, err := os.Lstat(out)
		if err == nil && (!c.o.Force || !info.Mode().IsRegular()) {
			err = ErrExists
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", out, err)
		}
	}
	if in == stdStream {
		return nil, nil
	}
	info, err := os.Stat(in)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w: %w", in, ErrNoInput, err)
	case out == stdStream && info.IsDir() && !c.o.Check:
		return nil, fmt.Errorf("standard output: %w", ErrNoName)
	case out != stdStream && disk.Within(out, info):
		return nil, fmt.Errorf("%s: %w", out, ErrSame)
	}
	return info, nil
}

// stream copies what is read once: text as it comes, the rest by way of a file that is deleted.
func (c *copier) stream(r io.Reader, out, name string) error {
	c.begin()
	br := bufio.NewReaderSize(r, headSize)
	head, err := br.Peek(headSize)
	if form, _ := formOfHead(head, err == io.EOF); form == formText && open.Compression(head) == "" {
		o := c.open(br)
		defer o.close()
		return c.output(o, name, out)
	}
	kept, err := c.keep(br)
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	defer kept.Drop()
	return c.file(kept, kept.Size(), name, out)
}

// file copies one file, which may be an archive.
func (c *copier) file(f io.ReaderAt, size int64, in, out string) error {
	c.size = size
	c.begin()
	c.learnFrom(c.openAt(f, size), "", 0)
	if err := c.ctx.Err(); err != nil {
		return err
	}
	c.begin()
	o := c.openAt(f, size)
	defer o.close()
	if o.err != nil {
		return fmt.Errorf("%s: %w: %w", in, ErrNoInput, o.err)
	}
	if err := formOf(out, o); err != nil {
		return err
	}
	if reason := c.refusal(o, 0); reason != "" {
		return fmt.Errorf("%s: %w: %s", in, ErrNoInput, reason)
	}
	return c.output(o, in, out)
}

// whole writes one file as the output.
func (c *copier) whole(w io.Writer, o *opened, name, out string) error {
	o.write = formats(o.layers, out)
	if len(o.layers) > 0 && len(o.write) > 0 && o.write[0] != o.layers[0] {
		c.sum.Recompressed = o.layers[0] + " is written as " + o.write[0]
	}
	if name != stdStream {
		name, _ = c.t.entryName(filepath.Base(name)) // one that a copy may have
	}
	return c.body(w, o, name, 0)
}

// output writes to a new file beside out, which takes its place when it is whole. It is for the owner's eyes until a
// person looked at what may be left in it.
func (c *copier) output(o *opened, name, out string) error {
	if out == stdStream {
		if c.o.Stdout == nil {
			return errors.New("there is no standard output")
		}
		return c.whole(c.o.Stdout, o, name, out)
	}
	f, err := disk.Create(out)
	if err != nil {
		return fmt.Errorf("writing the copy: %w", err)
	}
	defer f.Abandon()
	if err := c.whole(f, o, name, out); err != nil {
		return err
	}
	if err = f.Commit(c.o.Force); errors.Is(err, fs.ErrExist) { // it was made meanwhile
		return fmt.Errorf("%s: %w", out, ErrExists)
	} else if err != nil {
		return fmt.Errorf("writing the copy: %w", err)
	}
	return nil
}

func (c *copier) folder(in, out string) (err error) {
	c.begin()
	if c.o.Check {
		return c.walk(in, c.target(nothing{}, "", 0).add)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+".*.tmp")
	if err != nil {
		return fmt.Errorf("writing %s: %w", out, err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(tmp)
		}
	}()
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return fmt.Errorf("writing %s: %w", out, err)
	}
	b := c.target(&folderOut{root}, "", 0)
	if err = c.walk(in, b.add); err == nil {
		err = c.report(b)
	}
	if err = errors.Join(err, root.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp, out); err != nil {
		return fmt.Errorf("writing %s: %w", out, err)
	}
	return nil
}

// formOf refuses names for out that promise another archive than there will be.
func formOf(out string, o *opened) error {
	m := archiveName().FindStringSubmatch(filepath.Base(out))
	if m != nil && (m[1] != "" && o.form != formZip || m[1] == "" && o.form != formTar) {
		return fmt.Errorf("%s: %w (%s)", out, ErrForm, o.form)
	}
	return nil
}

var archiveName = onUse(`(?i)(\.zip$)|\.(?:tar(?:\..*)?|t[gx]z)$`)
