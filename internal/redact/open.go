package redact

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/gotriage/triage/internal/ingest"
)

// A form is what a file is once its compression is off.
type form string

const (
	formText    form = "text"
	formZip     form = "a zip archive"
	formTar     form = "a tar archive"
	formProfile form = "a profile"
	formBinary  form = "a binary file"
)

// The compressed formats.
const (
	formatGzip  = "gzip"
	formatZstd  = "zstd"
	formatXz    = "xz"
	formatBzip2 = "bzip2"
)

const (
	// maxLayers is how many layers of compression are taken off, as reading does.
	maxLayers = 2
	// maxWindow bounds what one decompressor keeps: what `zstd --long` needs, twice what `xz -9` needs.
	maxWindow = 128 << 20
	// A stream or archive that becomes more than freeExpanded and more than expandRatio times its size is a bomb: deflate's limit is
	// 1,032 times, entries that share their bytes have none; a real kernel log packed 65 times.
	freeExpanded = 1 << 30
	expandRatio  = 250
	// maxSparse is how large a sparse file of a tar may be that is copied: its holes cost nothing to make.
	maxSparse = 64 << 20
)

var (
	errBomb     = fmt.Errorf("it unpacks to more than %d times its size", expandRatio)
	errExpanded = errors.New("all files together are larger than the limit (--max-expanded)")
	errFileSize = errors.New("it is larger than the limit for one file (--max-file)")
	errWindow   = errors.New("it asks for more memory than a decompressor is granted")
)

// An opened file has its layers of compression off.
type opened struct {
	br     *bufio.Reader
	layers []string // outermost first
	write  []string // the layers that the copy gets
	form   form
	why    string  // of a binary file: what it is
	err    error   // it can't be read at all
	zip    *zipped // of a zip archive
	// profile is a profile's redacted form.
	profile []byte
	closes  []func()
}

func (o *opened) close() {
	for _, f := range o.closes {
		f()
	}
}

// A zipped archive needs access to any place in it.
type zipped struct {
	r    io.ReaderAt
	size int64
}

// open takes the compression off r and tells what is in it. packed is what it took in an archive, 0 where it isn't from one.
func (c *copier) open(r io.Reader, packed int64) *opened {
	o := &opened{}
	if packed > 0 {
		r = &metered{r: r, in: &counter{n: packed}, c: c, outer: true}
	}
	br := bufio.NewReaderSize(r, headSize)
	for range maxLayers {
		head, _ := br.Peek(32)
		format := compression(head)
		if format == "" {
			break
		}
		counted := &counter{r: br}
		next, stop, err := decompressor(format, head, counted)
		if err != nil {
			o.err = fmt.Errorf("a %s stream that is broken: %w", format, err)
			return o
		}
		if stop != nil {
			o.closes = append(o.closes, stop)
		}
		o.layers = append(o.layers, format)
		// The outer bytes are read one by one where the decompressor asks for it: counter is an io.ByteReader.
		br = bufio.NewReaderSize(&metered{r: next, in: counted, c: c}, headSize)
	}
	if len(o.layers) == 0 {
		br = bufio.NewReaderSize(&metered{r: br, c: c}, headSize)
	}
	o.br = br
	head, err := br.Peek(headSize)
	if len(head) == 0 && err != io.EOF {
		o.err = err
		return o
	}
	o.form, o.why = formOfHead(head, err == io.EOF)
	return o
}

// compression names the format of what begins with head, "" for none.
func compression(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return formatGzip
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}), len(head) >= 8 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18}):
		return formatZstd
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return formatXz
	case len(head) >= 10 && string(head[:3]) == "BZh" && (string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17rE8P\x90"):
		return formatBzip2
	}
	return ""
}

func decompressor(format string, head []byte, r io.Reader) (io.Reader, func(), error) {
	switch format {
	case formatGzip:
		zr, err := gzip.NewReader(r)
		return zr, nil, err
	case formatZstd:
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return d, d.Close, nil
	case formatXz:
		if xzWindow(head) > maxWindow {
			return nil, nil, errWindow
		}
		xr, err := xz.ReaderConfig{DictCap: 4096}.NewReader(r)
		return xr, nil, err
	}
	return bzip2.NewReader(r), nil, nil
}

// xzWindow reads the size of the dictionary out of the first block's header (xz-file-format 5.3.1): the library allocates what it says.
func xzWindow(head []byte) uint64 {
	const streamHeader = 12
	if len(head) < streamHeader+2 || head[streamHeader] == 0 {
		return 0
	}
	i := streamHeader + 2
	for _, sized := range []byte{0x40, 0x80} {
		if head[streamHeader+1]&sized != 0 {
			for i < len(head) && head[i]&0x80 != 0 {
				i++
			}
			i++
		}
	}
	if i+3 > len(head) || head[i] != 0x21 || head[i+2] > 40 {
		return 0
	}
	bits := head[i+2]
	return uint64(2|bits&1) << (bits/2 + 11)
}

// A counter counts what a decompressor read.
type counter struct {
	r *bufio.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// A metered reader keeps one file within the limits.
type metered struct {
	r  io.Reader
	in *counter // what it is decompressed from, nil where it isn't
	c  *copier
	n  int64
	// outer says that another one counts the same file.
	outer bool
}

func (m *metered) Read(p []byte) (int, error) {
	if err := m.c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p)
	m.n += int64(n)
	if !m.outer {
		m.c.left -= int64(n)
		m.c.may -= int64(n)
	}
	switch {
	case m.c.left < 0:
		return 0, errExpanded
	case m.n > m.c.o.MaxFile:
		return 0, errFileSize
	case m.in != nil && m.n > freeExpanded && m.n > expandRatio*m.in.n, m.c.may < 0:
		return 0, errBomb
	}
	return n, err
}

// formOfHead tells what begins with head; whole says that there is no more.
func formOfHead(head []byte, whole bool) (form, string) {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return formZip, ""
	case isTar(head):
		return formTar, ""
	case ingest.IsProfile(head, whole):
		return formProfile, ""
	case len(head) >= 2 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff):
		return formBinary, "text in UTF-16: convert it to UTF-8"
	}
	if name := magicName(head); name != "" {
		return formBinary, name
	}
	if text := bytes.Trim(head, "\x00"); len(text) > 0 && ingest.IsBinary(text, whole) {
		return formBinary, "a binary file"
	}
	return formText, ""
}

// magicName names files that may look like text and hold memory or databases: whatever was in them would be in the copy.
func magicName(head []byte) string {
	for _, m := range []struct {
		at          int
		magic, name string
	}{
		{0, "\x7fELF", "an executable or a core dump"}, {0, "JAVA PROFILE ", "a heap dump"}, {0, "LPKSHHRH", "a journal in its binary form"},
		{0, "SQLite format 3\x00", "a database"}, {16, "\xed\xda\x0c\xed", "a database"}, {0, "%PDF-", "a document"}, {0, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
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

// isTar checks a header's sum (POSIX.1-1988 ustar, and what came before it).
func isTar(head []byte) bool {
	const block, sumAt = 512, 148
	if len(head) < block || head[0] == 0 {
		return false
	}
	want, err := strconv.ParseInt(strings.Trim(string(head[sumAt:sumAt+8]), " \x00"), 8, 64)
	if err != nil {
		return false
	}
	sum := int64(0)
	for i, c := range head[:block] {
		if i >= sumAt && i < sumAt+8 {
			c = ' '
		}
		sum += int64(c)
	}
	return sum == want
}

// formats says how the copy of a file with those layers is compressed, outermost first; out is the name of the output, "" inside of archives.
func formats(layers []string, out string) []string {
	lower := strings.ToLower(out)
	want := ""
	for _, e := range []struct{ ext, format string }{{".gz", formatGzip}, {".tgz", formatGzip}, {".zst", formatZstd}, {".xz", formatXz}, {".txz", formatXz}} {
		if strings.HasSuffix(lower, e.ext) {
			want = e.format
		}
	}
	if want != "" && len(layers) <= 1 {
		return []string{want}
	}
	if out != "" && len(layers) == 1 && want == "" {
		switch extension(lower) {
		case ".log", ".txt", ".tar", ".yaml", ".json", ".yml":
			return nil
		}
	}
	var all []string
	for _, l := range layers {
		if l == formatXz || l == formatBzip2 {
			l = formatGzip
		}
		all = append(all, l)
	}
	return all
}

// compressor writes in a format.
func compressor(format string, w io.Writer) (io.WriteCloser, error) {
	switch format {
	case formatZstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	case formatXz:
		return xz.NewWriter(w)
	}
	return gzip.NewWriterLevel(w, gzip.DefaultCompression)
}
