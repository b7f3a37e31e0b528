package redact

import (
	"archive/tar"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/ingest/open"
)

// refusal returns why a file is left out of the copy, "" where it isn't.
func (c *copier) refusal(o *opened, depth int) string {
	var err error
	switch {
	case o.err != nil:
		return "damaged: " + o.err.Error()
	case (o.form == formZip || o.form == formTar) && depth >= c.o.MaxDepth:
		return fmt.Sprintf("archives are nested more than %d deep (--max-depth)", c.o.MaxDepth)
	case o.form == formBinary && !c.o.KeepBinary:
		return o.why + ": it can't be redacted (--keep-binary copies it as it is)"
	// What must be seen whole before its copy begins: a zip archive's list of files is at its end.
	case o.form == formZip:
		err = c.list(o)
	case o.form == formProfile:
		err = c.redactProfile(o)
	}
	if err != nil {
		return "damaged: " + cause(err)
	}
	return ""
}

func (c *copier) redactProfile(o *opened) error {
	raw, err := io.ReadAll(io.LimitReader(o.br, c.o.MaxBlob+1))
	if err != nil {
		return err
	}
	if int64(len(raw)) > c.o.MaxBlob {
		return errors.New("the profile is larger than the limit (--max-blob)")
	}
	if o.profile, err = c.t.Profile(raw); err != nil && c.o.KeepBinary {
		o.profile, err = raw, nil
	}
	if c.o.Check {
		o.was = raw
	}
	return err
}

// body writes what is in o, compressed as o.write says, and notes what is wrong with it as a change of name, its own in
// the copy; so deep, 0 for the input itself. Its error ends the run: it is of writing or of the context.
func (c *copier) body(w io.Writer, o *opened, name string, depth int) error {
	path := name
	if depth == 0 {
		path = "" // paths in the summary begin with the outermost archive's entries
	}
	if err := c.content(sink{w, c}, o, path, name, depth); err != nil {
		if err := cmp.Or(c.failed, c.ctx.Err()); err != nil {
			return err
		}
		c.sum.change(path, "damaged: everything before the damage was kept ("+cause(err)+")")
	}
	c.sum.Files++
	return nil
}

func (c *copier) content(out io.Writer, o *opened, path, name string, depth int) (err error) {
	for _, format := range o.write {
		z, zerr := compressor(format, out)
		if zerr != nil {
			return zerr
		}
		defer func() { err = errors.Join(err, z.Close()) }()
		out = sink{z, c}
	}
	switch o.form {
	case formZip, formTar:
		return c.archive(out, o, path, depth)
	case formProfile:
		c.t.found.changed(o.was, o.profile, Place{name, 0})
		_, err = out.Write(o.profile)
		return err
	case formBinary:
		_, err = io.Copy(out, o.br)
		return err
	}
	in := &inspector{w: out, path: path, sum: c.sum}
	if c.t.found != nil {
		c.t.found.path, c.t.found.line = path, 0
	}
	defer in.end()
	return c.t.Copy(in, o.br, name)
}

// A sink keeps the first error of writing, which ends the run: errors of reading only end a file.
type sink struct {
	w io.Writer
	c *copier
}

func (s sink) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	if err != nil && s.c.failed == nil {
		s.c.failed = fmt.Errorf("writing the copy: %w", err)
	}
	return n, err
}

// An archive is what is written: a zip, a tar, a folder.
type archive interface {
	dir(name string, at time.Time) error
	// file begins a file; finish ends it.
	file(name string, at time.Time) (w io.Writer, finish func() error, err error)
}

// A target is one archive or folder that is being copied.
type target struct {
	c     *copier
	out   archive
	names uniqueNames
	path  string // its own, redacted, in front of its entries' in the summary
	depth int
}

func (c *copier) target(out archive, path string, depth int) *target {
	if path != "" {
		path += "!/"
	}
	return &target{c: c, out: out, names: uniqueNames{map[string]bool{}, map[string]int{}}, path: path, depth: depth}
}

// add copies one entry. Its error ends the run: what is wrong with the entry is in the summary.
func (b *target) add(e entry) error {
	c := b.c
	if err := c.ctx.Err(); err != nil {
		return err
	}
	name, unsafe := c.t.entryName(e.name)
	c.t.found.changed([]byte(e.name), []byte(name), Place{b.path + name, 0})
	if e.mode.IsDir() {
		if b.names.used[strings.ToLower(name)] {
			return nil
		}
		return b.out.dir(name, e.at)
	}
	switch {
	case e.deny != "":
	case e.mode&fs.ModeSymlink != 0:
		e.deny = "a symbolic link"
	case !e.mode.IsRegular():
		e.deny = "not a regular file"
	}
	if c.entries++; c.entries > c.o.MaxEntries {
		e.deny = fmt.Sprintf("more than %d files (--max-entries)", c.o.MaxEntries)
	}
	if e.deny != "" {
		c.sum.drop(b.path+name, e.deny)
		return nil
	}
	r, err := e.open()
	if err != nil {
		c.sum.drop(b.path+name, "it can't be read: "+cause(err))
		return nil
	}
	defer r.Close()
	if unsafe != "" {
		c.sum.change(b.path+name, unsafe)
	}
	return b.opened(e, name, c.openEntry(r))
}

func (b *target) opened(e entry, name string, o *opened) error {
	c := b.c
	defer o.close()
	if name == reportName && b.depth == 0 && o.form == formText { // where that of the new copy goes
		if head, _ := o.br.Peek(len(reportHead)); string(head) == reportHead {
			c.sum.change(name, "it was the summary of an earlier copy")
			return nil
		}
	}
	if reason := c.refusal(o, b.depth); reason != "" {
		c.sum.drop(b.path+name, reason)
		return nil
	}
	o.write = formats(o.layers, "")
	if len(o.layers) > 0 && o.layers[0] != o.write[0] {
		if to := rename(name); to != name {
			c.sum.change(b.path+name, "now "+path.Base(to)+": "+o.layers[0]+" is written as "+o.write[0])
			name = to
		}
	}
	if free := b.names.name(name); free != name {
		c.sum.change(b.path+free, "another file has its name")
		name = free
	}
	w, finish, err := b.out.file(name, e.at)
	if blocked(err) {
		c.sum.drop(b.path+name, "a folder or file is in the way: "+cause(err))
		return nil
	}
	if err != nil {
		return fmt.Errorf("writing the copy: %w", err)
	}
	err = c.body(w, o, b.path+name, b.depth+1)
	if kept, ok := w.(*open.Kept); ok && errors.Is(err, open.ErrNoRoom) {
		kept.Drop()
		c.failed = nil
		c.sum.drop(b.path+name, cause(errors.Unwrap(err)))
		return nil
	}
	if err != nil {
		return err
	}
	return finish()
}

// archive writes an archive of the same form as that in o; path is its own in the summary.
func (c *copier) archive(w io.Writer, o *opened, path string, depth int) error {
	z := newZipOut(w)
	out, end := archive(z), z.z.Close
	if o.form == formTar {
		t := &tarOut{w: tar.NewWriter(w), kept: open.NewSpillStore(c.o.Limits)}
		out, end = t, t.w.Close
	}
	b := c.target(out, path, depth)
	broken, err := c.each(o, b.add)
	if err == nil && depth == 0 {
		if broken != nil {
			c.sum.change("", "damaged: everything before the damage was kept ("+broken.Error()+")")
			broken = nil
		}
		err = c.report(b)
	}
	if err == nil {
		err = end()
	}
	return cmp.Or(err, broken)
}

// report writes the summary into the outermost box.
func (c *copier) report(b *target) error {
	c.sum.Counts = c.t.Counts()
	w, finish, err := b.out.file(b.names.name(reportName), time.Time{})
	if err == nil {
		_, err = io.WriteString(w, reportHead+
			"Pseudonyms like ip-1 and host-2 stand for the same value everywhere in it.\n\n"+c.sum.String())
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", reportName, err)
	}
	return finish()
}
