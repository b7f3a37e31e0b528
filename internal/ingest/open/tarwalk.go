package open

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/disk"
)

// peekEntry is what is looked at of a compressed entry to see whether it holds a tar.
const peekEntry = 64 << 10

// A streamedArchive is one streamed archive, with the archives that are streamed inside it.
type streamedArchive struct {
	w  *walker
	br *bufio.Reader // over the entry that is looked at
	// archives and logs bound what is kept and waits for visitors: more than these can take would only be memory. One
	// nested archive keeps them busy while the next one is loaded.
	archives, logs visitorSlots
}

// unpack reads through the tar that o has opened. It closes o.
func (w *walker) unpack(f foundFile, o *File) {
	defer func() { _ = o.Close() }()
	u := &streamedArchive{
		w: w, br: bufio.NewReaderSize(nil, peekEntry), archives: make(visitorSlots, 1),
		logs: make(visitorSlots, 1+runtime.GOMAXPROCS(0)),
	}
	// Tars may follow each other: tar's -A and cat make such.
	u.tar(f, o.br)
	w.layerSkips(f, o.layers)
}

// layerSkips reports what decompressors met.
func (w *walker) layerSkips(f foundFile, layers []*Layer) {
	for _, l := range layers {
		if reason, hint := l.Problem(); reason != "" {
			f.Named = f.Named && l.n == 0
			w.skipFile(f, reason, hint)
		}
	}
}

// A tarWalk is the state of one tar.
type tarWalk struct {
	listing
	u   *streamedArchive
	rot *rotationBuffer
	n   int // entries so far
}

func (u *streamedArchive) tar(f foundFile, r *bufio.Reader) {
	t := &tarWalk{listing: u.w.list(f), u: u, rot: &rotationBuffer{u: u}}
	err := Tars(u.w.ctx, r, func(h *tar.Header, content io.Reader) bool {
		if !u.w.admit(f.at, f.Path) {
			return false
		}
		t.n++
		t.entry(f.at.child(t.n-1), h, content)
		return true
	})
	t.rot.flush()
	cancelled := u.w.ctx.Err() != nil
	t.end(err == nil && !cancelled)
	if err == nil || cancelled {
		return
	}
	reason := fmt.Sprintf("the tar archive breaks after %d entries: everything before that was read (%v)", t.n, err)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		reason = fmt.Sprintf("the tar archive ends early, after %d entries: everything before that was read", t.n)
	}
	f.Named = f.Named && t.found == 0
	u.w.skipFile(f, reason, cmp.Or(disk.Hint(err), "copy the file again if its tail matters"))
}

func (t *tarWalk) entry(at Order, h *tar.Header, r io.Reader) {
	if h.Typeflag == tar.TypeDir {
		name, _ := entryName(h.Name)
		t.rot.enter(name)
		t.names.folder(name)
		return
	}
	f, name, _ := t.add(at, h.Name)
	f.Size, f.Modified = h.Size, h.ModTime
	t.rot.enter(path.Dir(name))
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
	case tar.TypeSymlink, tar.TypeLink:
		t.link(f, name, func() string { return linkTarget(h, name) })
		return
	case tar.TypeXGlobalHeader:
		return
	default:
		t.w.skipFile(f, "not a regular file", "nothing to read: a device or a pipe")
		return
	}
	if reason := t.tooLarge(h); reason != "" {
		t.w.skipFile(f, reason, "unpack the archive and pass the file")
		return
	}
	if t.wants(f) {
		t.u.br.Reset(r)
		t.content(f, name)
	}
}

// tooLarge returns why an entry of its size isn't read.
func (t *tarWalk) tooLarge(h *tar.Header) string {
	switch {
	case IsHoles(h):
		return fmt.Sprintf("a sparse file of %s", sizeName(h.Size))
	case h.Size > t.w.o.MaxFile:
		return fmt.Sprintf("%v (%s, --max-file)", errFileSize, sizeName(t.w.o.MaxFile))
	}
	return ""
}

// linkTarget returns the target of the link called name. A hard link's is a path from the archive's root.
func linkTarget(h *tar.Header, name string) string {
	if h.Typeflag == tar.TypeLink {
		if clean, out := entryName(h.Linkname); !out {
			return strings.Repeat("../", strings.Count(name, "/")) + clean
		}
	}
	return h.Linkname
}

// content hands an entry's content on, which u.br is about to read.
func (t *tarWalk) content(f foundFile, name string) {
	u, w := t.u, t.w
	head, _ := u.br.Peek(tarBlock)
	what, format := ContainerOf(head), Compression(head)
	if what == NoContainer && format != "" {
		what = u.compressed(format)
	} else {
		format = ""
	}
	switch {
	case what != NoContainer && f.depth >= w.o.MaxDepth:
		w.skipTooDeep(f)
	case what == Tar && format != "":
		u.compressedTar(f)
	case what == Tar:
		// Its own reader: u.br is for its entries.
		u.tar(f, bufio.NewReaderSize(&metered{r: u.entryReader(), a: w.allowance}, peekEntry))
	case what == Zip:
		if f, ok := u.keep(f); ok {
			u.submit([]foundFile{f}, u.archives)
		}
	case !w.filter.wants(f.Path[f.base:]):
		t.left++
		t.found--
	case t.rot.takes(name, f.Size):
		if f, ok := u.keep(f); ok {
			t.rot.add(name, f)
		}
	default:
		u.stream(f, u.br)
	}
}

// entryReader returns what is left of the entry, u.br's buffer first, so that u.br is free for what is in it.
func (u *streamedArchive) entryReader() io.Reader {
	r := u.br
	u.br = bufio.NewReaderSize(nil, peekEntry)
	return r
}

// compressed looks into the first bytes of a compressed entry.
func (u *streamedArchive) compressed(format string) Container {
	raw, _ := u.br.Peek(peekEntry)
	// bzip2 gives nothing before its first block is whole, up to 900 kB.
	if format == Bzip2 && len(raw) == peekEntry {
		return Tar
	}
	br, layers := decompress(bufio.NewReaderSize(bytes.NewReader(raw), peekSize))
	defer closeLayers(layers)
	head, _ := br.Peek(tarBlock)
	return ContainerOf(head)
}

// compressedTar walks a compressed tar inside a tar. What turns out to be none, which only bzip2 hides, is read as a
// file.
func (u *streamedArchive) compressedTar(f foundFile) {
	o := NewFile(io.NopCloser(u.entryReader()))
	defer func() { _ = o.Close() }()
	if o.container(true) != Tar {
		f.Size = -1
		u.stream(f, o)
		return
	}
	u.tar(f, bufio.NewReaderSize(&metered{r: o, a: u.w.allowance}, peekEntry))
	u.w.layerSkips(f, o.layers)
}

// maxSmall is how large an entry may be that is held for a visitor: more is read as it is unpacked. Most files of a
// bundle are smaller.
const maxSmall = 1 << 20

// stream reads the entry that r reads, or has a visitor read it where it is small.
func (u *streamedArchive) stream(f foundFile, r io.Reader) {
	w := u.w
	if f.Size >= 0 && f.Size <= maxSmall && w.store.mayKeep(f.Size, true) {
		u.later(r, f)
		return
	}
	lent := &lentReader{r: r}
	defer func() { _ = lent.Close() }()
	f.Open = func() (io.ReadCloser, error) { return lent, nil }
	if w.ctx.Err() == nil {
		defer w.recoverPanic(f)
		w.read([]foundFile{f})
	}
}

// later holds the entry that r reads until a visitor reads it.
func (u *streamedArchive) later(r io.Reader, f foundFile) {
	w := u.w
	f, ok := u.keepFrom(r, f)
	if !ok {
		return
	}
	select {
	case u.logs <- struct{}{}:
	case <-w.ctx.Done():
		f.around.release()
		return
	}
	w.visitors.add(f.at, func() {
		defer func() {
			f.around.release()
			<-u.logs
		}()
		if w.ctx.Err() == nil {
			defer w.recoverPanic(f)
			w.read([]foundFile{f})
		}
	})
}

// A lentReader reads until it is closed, from a reader that others use after that.
type lentReader struct {
	mu sync.Mutex
	r  io.Reader // nil once it is closed
}

func (l *lentReader) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.r == nil {
		return 0, io.EOF
	}
	// Decompressors return a few KB at a time; what reads a log works on more.
	n, err := io.ReadAtLeast(l.r, p, min(len(p), readAtOnce))
	if n > 0 {
		return n, nil // what ended it ends the next read
	}
	return 0, err
}

// Close waits for a read under way.
func (l *lentReader) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.r = nil
	return nil
}

// keep holds the entry; ok is false where it has no room, or nothing came.
func (u *streamedArchive) keep(f foundFile) (_ foundFile, ok bool) {
	return u.keepFrom(&metered{r: u.br, a: u.w.allowance}, f)
}

// A failed reader has nothing but the error that ended another, nil for none.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

func (u *streamedArchive) keepFrom(r io.Reader, f foundFile) (_ foundFile, ok bool) {
	w := u.w
	k, err := w.store.Keep(r, f.Size)
	if k == nil {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		w.skipFile(f, "a file that can't be held: "+err.Error(), holdHint("the archive", err))
		return f, false
	}
	f.Open, f.Size = func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(k.Reader(), failed{err})), nil
	}, k.size
	f.random = func() *Archive { return ArchiveOf(k, k.size) }
	f.around = newRefCount(k.Drop)
	return f, true
}

// visitorSlots are taken by what waits for visitors, and free again when it was read.
type visitorSlots chan struct{}

// submit gives kept files to the visitors, as soon as there is a slot, and lets go of them.
func (u *streamedArchive) submit(files []foundFile, in visitorSlots) {
	select {
	case in <- struct{}{}:
		// Each file is held until all that came out of it was read.
		all := newRefCount(func() { <-in })
		for i := range files {
			inner := files[i].around
			all.retain()
			files[i].around = newRefCount(func() {
				inner.release()
				all.release()
			})
		}
		u.w.submit(files)
		all.release()
	case <-u.w.ctx.Done():
	}
	for _, f := range files {
		f.around.release()
	}
}
