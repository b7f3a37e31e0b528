package open

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
)

// peekEntry is what is looked at of a compressed entry to see whether it holds a tar.
const peekEntry = 64 << 10

// An unpacking is one streamed archive, with the archives that are streamed inside it.
type unpacking struct {
	w  *walker
	br *bufio.Reader // over the entry that is looked at
	// archives and logs bound what is kept and waits for visitors: more than these can take would only be memory. One
	// nested archive keeps them busy while the next one is loaded.
	archives, logs slots
}

// unpack reads through the tar that o has opened. It closes o.
func (w *walker) unpack(f file, o *File) {
	defer func() { _ = o.Close() }()
	u := &unpacking{
		w: w, br: bufio.NewReaderSize(nil, peekEntry), archives: make(slots, 1),
		logs: make(slots, 1+runtime.GOMAXPROCS(0)),
	}
	// Tars may follow each other: tar's -A and cat make such.
	u.tar(f, o.br)
	w.layerSkips(f, o.layers)
}

// layerSkips reports what decompressors met.
func (w *walker) layerSkips(f file, layers []*Layer) {
	for _, l := range layers {
		if reason, hint := l.Problem(); reason != "" {
			w.skip(f.at, Skip{Path: f.Path, Reason: reason, Hint: hint, Named: f.Named && l.n == 0})
		}
	}
}

// A tarWalk is the state of one tar.
type tarWalk struct {
	u     *unpacking
	f     file
	names *names
	links []link
	rot   *rotationBuffer
	n     int // entries so far
	files int
	left  int
}

func (u *unpacking) tar(f file, r *bufio.Reader) {
	t := &tarWalk{u: u, f: f, names: newNames(), rot: &rotationBuffer{u: u}}
	w := u.w
	err := t.entries(r)
	t.rot.flush()
	w.reportLinks(f, t.links, t.names.has)
	w.countExcluded(f.at, f.Path, t.left)
	switch {
	case w.ctx.Err() != nil:
	case err != nil:
		reason := fmt.Sprintf("the tar archive breaks after %d entries: what came before was read (%v)", t.n, err)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			reason = fmt.Sprintf("the tar archive ends early, after %d entries: what came before was read", t.n)
		}
		w.skip(f.at, Skip{
			Path: f.Path, Reason: reason, Hint: "copy the file again if its tail matters",
			Named: f.Named && t.files == 0,
		})
	case t.files+t.left == 0:
		w.skipEmpty(f)
	}
}

// skipEmpty reports an archive without files.
func (w *walker) skipEmpty(f file) {
	w.skip(f.at, Skip{
		Path: f.Path, Reason: "the archive holds no readable files", Hint: "name the archive that holds the logs",
		Named: f.Named,
	})
}

// entries reads the tars in r, one after the other.
func (t *tarWalk) entries(r *bufio.Reader) error {
	return Tars(t.u.w.ctx, r, func(h *tar.Header, content io.Reader) bool {
		if !t.u.w.admit(t.f.at, t.f.Path) {
			return false
		}
		at := t.f.at.child(t.n)
		t.n++
		t.entry(at, h, content)
		return true
	})
}

func (t *tarWalk) entry(at Order, h *tar.Header, r io.Reader) {
	w := t.u.w
	name, out := entryName(h.Name)
	if h.Typeflag == tar.TypeDir {
		t.rot.enter(name)
		t.names.folder(name)
		return
	}
	t.rot.enter(path.Dir(name))
	name = t.names.add(name)
	shown := t.f.Path + InsideArchive + name
	if out {
		w.skip(at, outNotice(shown, h.Name))
	}
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
	case tar.TypeSymlink, tar.TypeLink:
		t.link(at, name, shown, h)
		return
	case tar.TypeXGlobalHeader:
		return
	default:
		w.skip(at, Skip{Path: shown, Reason: "no regular file", Hint: "nothing to read: a device or a pipe"})
		return
	}
	f := file{Part: Part{Path: shown, Size: h.Size, Regular: true}, at: at, depth: t.f.depth + 1, base: t.f.base}
	if reason := t.tooLarge(h); reason != "" {
		w.skip(at, Skip{Path: shown, Reason: reason, Hint: "unpack the archive and name the file"})
		return
	}
	if !w.filter.mayHold(shown[t.f.base:]) {
		t.left++
		return
	}
	t.files++
	t.u.br.Reset(r)
	t.content(f, name)
}

// tooLarge returns why an entry of its size isn't read.
func (t *tarWalk) tooLarge(h *tar.Header) string {
	switch {
	case IsHoles(h):
		return fmt.Sprintf("a sparse file of %s", sizeName(h.Size))
	case h.Size > t.u.w.o.MaxFile:
		return fmt.Sprintf("%v (%s, --max-file)", errFileSize, sizeName(t.u.w.o.MaxFile))
	}
	return ""
}

// link notes a link. A hard link's target is a path from the archive's root.
func (t *tarWalk) link(at Order, name, shown string, h *tar.Header) {
	if len(t.links) >= maxLinks || !t.u.w.filter.wants(shown[t.f.base:]) {
		return
	}
	target := h.Linkname
	if h.Typeflag == tar.TypeLink {
		clean, out := entryName(target)
		if !out {
			target = strings.Repeat("../", strings.Count(name, "/")) + clean
		}
	}
	t.links = append(t.links, link{at: at, name: name, target: target, shown: shown})
}

// content hands an entry's content on, which u.br is about to read.
func (t *tarWalk) content(f file, name string) {
	u, w := t.u, t.u.w
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
			u.submit([]file{f}, u.archives)
		}
	case !w.filter.wants(f.Path[f.base:]):
		t.left++
		t.files--
	case t.rot.takes(name, f.Size):
		if f, ok := u.keep(f); ok {
			t.rot.add(name, f)
		}
	default:
		u.stream(f, u.br)
	}
}

// entryReader returns what is left of the entry, u.br's buffer first, so that u.br is free for what is in it.
func (u *unpacking) entryReader() io.Reader {
	r := u.br
	u.br = bufio.NewReaderSize(nil, peekEntry)
	return r
}

// compressed looks into the first bytes of a compressed entry.
func (u *unpacking) compressed(format string) Container {
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
func (u *unpacking) compressedTar(f file) {
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

// stream hands the entry that r reads to the visitors while it is read.
func (u *unpacking) stream(f file, r io.Reader) {
	w := u.w
	fd := &feed{t: w.bufferPool}
	f.Open = func() (io.ReadCloser, error) { return fd, nil }
	w.visitors.add(f.at, func() {
		defer func() { _ = fd.Close() }()
		if w.ctx.Err() == nil {
			defer w.recoverPanic(f)
			w.read([]file{f})
		}
	})
	// The error reaches the reader; the tar's own reader meets it too.
	_ = fd.fill(r, f.Size)
}

// keep puts the entry into the vault; ok is false where it has no room, or nothing came.
func (u *unpacking) keep(f file) (_ file, ok bool) {
	w := u.w
	k, err := w.store.Keep(&metered{r: u.br, a: w.allowance}, f.Size)
	if k == nil {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		w.skip(f.at, Skip{
			Path: f.Path, Reason: "a file that can't be held: " + err.Error(),
			Hint: "unpack the archive and name the folder",
		})
		return f, false
	}
	f.Open, f.Size = k.open, k.size
	f.random = func() *Archive { return ArchiveOf(k, k.size) }
	f.around = newRefCount(k.Drop)
	return f, true
}

// slots are taken by what waits for visitors, and free again when it was read.
type slots chan struct{}

// submit gives kept files to the visitors, as soon as there is a slot, and lets go of them.
func (u *unpacking) submit(files []file, in slots) {
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
