package redact

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/gotriage/triage/internal/ingest/open"
)

// A zipOut writes a zip archive.
type zipOut struct {
	z *zip.Writer
	// deflate is the compressor of one file after the other: making one costs more than most files of a bundle.
	deflate *flate.Writer
}

func newZipOut(w io.Writer) *zipOut {
	o := &zipOut{z: zip.NewWriter(w)}
	o.z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		if o.deflate != nil { // zip.Writer closes a file before it begins the next
			o.deflate.Reset(w)
			return o.deflate, nil
		}
		var err error
		o.deflate, err = flate.NewWriter(w, flate.DefaultCompression)
		return o.deflate, err
	})
	return o
}

func (o *zipOut) dir(name string, at time.Time) error {
	_, err := o.z.CreateHeader(&zip.FileHeader{Name: name + "/", Modified: at})
	return err
}

func (o *zipOut) file(name string, at time.Time) (io.Writer, func() error, error) {
	w, err := o.z.CreateHeader(&zip.FileHeader{Name: name, Modified: at, Method: zip.Deflate})
	return w, func() error { return nil }, err
}

// A tarOut writes a tar archive. A file's size precedes the file, so each is kept until it is redacted.
type tarOut struct {
	w    *tar.Writer
	kept *open.SpillStore
}

func (o *tarOut) dir(name string, at time.Time) error {
	return o.w.WriteHeader(&tar.Header{
		Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755, ModTime: at, Format: tar.FormatPAX,
	})
}

func (o *tarOut) file(name string, at time.Time) (io.Writer, func() error, error) {
	kept := o.kept.New()
	finish := func() error {
		defer kept.Drop()
		err := o.w.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: name, Size: kept.Size(), Mode: 0o644, ModTime: at.Truncate(time.Second),
			Format: tar.FormatPAX,
		})
		if err == nil {
			_, err = io.Copy(o.w, kept.Reader())
		}
		if err != nil {
			return fmt.Errorf("writing the copy: %w", err)
		}
		return nil
	}
	return kept, finish, nil
}

// A folderOut writes files below a root that it can't leave.
type folderOut struct{ root *os.Root }

func (o *folderOut) dir(name string, _ time.Time) error {
	if err := o.root.MkdirAll(local(name), 0o700); err != nil && !blocked(err) {
		return err
	}
	return nil
}

func (o *folderOut) file(name string, at time.Time) (io.Writer, func() error, error) {
	at = at.Truncate(time.Second)
	if dir := path.Dir(name); dir != "." {
		if err := o.root.MkdirAll(local(dir), 0o700); err != nil {
			return nil, nil, err
		}
	}
	f, err := o.root.OpenFile(local(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, nil, err
	}
	return f, func() error {
		err := f.Close()
		if err == nil && !at.IsZero() {
			_ = o.root.Chtimes(local(name), at, at) // the times are a courtesy
		}
		return err
	}, nil
}

// nothing is where nothing is written.
type nothing struct{}

func (nothing) dir(string, time.Time) error { return nil }

func (nothing) file(string, time.Time) (io.Writer, func() error, error) {
	return io.Discard, func() error { return nil }, nil
}

// local makes a name one of this system.
func local(name string) string {
	if runtime.GOOS == "windows" {
		name = strings.NewReplacer(":", "_", "*", "_", "?", "_", "|", "_", "<", "_", ">", "_", `"`, "_").Replace(name)
	}
	return filepath.FromSlash(name)
}

// blocked reports an unusable name, not a disk that is full.
func blocked(err error) bool {
	return errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// written are the compressions that the extension of an output names, "" for none.
var written = map[string]string{
	".gz": open.Gzip, ".tgz": open.Gzip, ".zst": open.Zstd, ".xz": open.XZ, ".txz": open.XZ,
	".log": "", ".txt": "", ".tar": "", ".yaml": "", ".json": "", ".yml": "",
}

// formats returns how the copy of a file with those layers is compressed, outermost first; out is the name of the
// output, "" inside of archives.
func formats(layers []string, out string) (all []string) {
	if format, ok := written[path.Ext(strings.ToLower(out))]; ok && len(layers) <= 1 {
		return strings.Fields(format)
	}
	for _, l := range layers {
		if l == open.XZ || l == open.Bzip2 {
			l = open.Gzip
		}
		all = append(all, l)
	}
	return all
}

// compressor writes in a format.
func compressor(format string, w io.Writer) (io.WriteCloser, error) {
	switch format {
	case open.Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	case open.XZ:
		return xz.NewWriter(w)
	}
	return gzip.NewWriterLevel(w, gzip.DefaultCompression)
}

// maxName bounds an entry's name: what file systems and tar's older readers take.
const maxName = 255

// entryName makes the name that an entry has in the copy: below its root, without what a name may do to a terminal or a
// file system, and redacted. sub is why the name isn't taken as it is, "" where it is.
func (t *Text) entryName(name string) (clean, sub string) {
	safe := strings.ToValidUTF8(strings.ReplaceAll(name, `\`, "/"), "_")
	safe = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x206f || r == utf8.RuneError || r == 0xfeff {
			return '_'
		}
		return r
	}, safe)
	safe = strings.TrimPrefix(path.Clean("/"+safe), "/")
	if safe == "" {
		safe = "_"
	}
	if len(safe) > 1 && safe[1] == ':' && isAlpha(safe[0]) { // a drive
		safe = safe[:1] + "_" + safe[2:]
	}
	if trimmed := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/"); trimmed != safe {
		sub = fmt.Sprintf("its name was unsafe: %.200q", t.String(name))
	}
	segs := strings.Split(safe, "/")
	for i, seg := range segs { // their extensions stay
		stem := stemOf(seg)
		out := t.String(stem) + seg[len(stem):]
		if len(out) > maxName {
			out = strings.ToValidUTF8(out[:maxName/2], "") + "_" + strings.ToValidUTF8(out[len(out)-maxName/3:], "")
		}
		segs[i] = out
	}
	return strings.Join(segs, "/"), sub
}

// uniqueNames makes names that are used once, whatever the case of their letters: some file systems ignore it.
type uniqueNames struct {
	used map[string]bool
	next map[string]int // the number that a name's next double gets
}

func (p *uniqueNames) name(name string) string {
	stem := stemOf(name)
	first := strings.ToLower(name)
	free := name
	for p.used[strings.ToLower(free)] {
		p.next[first] = max(p.next[first]+1, 2)
		free = fmt.Sprintf("%s (%d)%s", stem, p.next[first], name[len(stem):])
	}
	p.used[strings.ToLower(free)] = true
	return free
}

// rename gives a file whose compression changes to gzip the extension of that: .tar.xz becomes .tar.gz.
func rename(name string) string {
	m := compressed().FindStringSubmatchIndex(name)
	switch {
	case m == nil:
		return name
	case m[2] >= 0:
		return name[:m[2]] + ".tgz"
	}
	return name[:m[4]] + ".gz"
}

var compressed = onUse(`(\.t(?:xz|bz2?))$|(\.(?:xz|bz2))$`)
