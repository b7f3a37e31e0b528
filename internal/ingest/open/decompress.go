package open

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/gotriage/triage/internal/disk"
)

const (
	// maxWindow bounds what one decompressor keeps: 128 MiB is what `zstd --long` needs, and twice what `xz -9` needs.
	maxWindow = 128 << 20
	// maxNesting is how many layers of compression are taken off: a rotated .gz that was gzipped again.
	maxNesting = 2
	peekSize   = 64 << 10
	gzipAhead  = 4 << 10
)

// The compressed formats, recognised by their first bytes.
const (
	Gzip  = "gzip"
	Zstd  = "zstd"
	Bzip2 = "bzip2"
	XZ    = "xz"
)

// A Layer is one decompressor. It turns its first error into the end of the stream and keeps it, so that what came
// before is read like any other input.
type Layer struct {
	r      io.Reader
	format string
	in     byteCounter
	n      int64 // bytes out
	err    error
	close  func()
}

// A byteCounter counts the bytes that are read through it.
type byteCounter struct {
	r *bufio.Reader
	n int64
}

func (c *byteCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// ReadByte keeps decompressors from buffering what is buffered.
func (c *byteCounter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// Format names the compressed format: "gzip", "zstd", "bzip2" or "xz".
func (l *Layer) Format() string { return l.format }

// Refused returns why no decompressor could be opened for the layer, nil where one was.
func (l *Layer) Refused() error {
	if l.r != nil {
		return nil
	}
	return l.err
}

func (l *Layer) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, io.EOF
	}
	n, err := l.r.Read(p)
	l.n += int64(n)
	if l.n > mayExpandTo(l.in.n) {
		err = errBomb
	}
	if err != nil && err != io.EOF {
		l.err = err
		err = io.EOF
	}
	return n, err
}

// Problem explains what went wrong and what to do about it, "" for nothing.
func (l *Layer) Problem() (reason, hint string) {
	const again = "copy the file again if its tail matters"
	failed := disk.Hint(l.err)
	switch {
	case l.err == nil:
		return "", ""
	case failed != "":
		return fmt.Sprintf("reading failed; everything before that was read: %s", ReasonOf(l.err)), failed
	case errors.Is(l.err, errWindow), errors.Is(l.err, zstd.ErrWindowSizeExceeded),
		errors.Is(l.err, zstd.ErrDecoderSizeExceeded):
		return l.err.Error(), "decompress it first and pass the result"
	case errors.Is(l.err, errBomb):
		return fmt.Sprintf("%v: stopped after %s", errBomb, sizeName(l.n)), "decompress it yourself if you trust it"
	case l.n == 0:
		return fmt.Sprintf("%s stream is broken at its start: %v", l.format, l.err), "copy the file again"
	case errors.Is(l.err, io.ErrUnexpectedEOF):
		return fmt.Sprintf("%s stream ends early after %d bytes: everything before that was read", l.format, l.n), again
	}
	return fmt.Sprintf("%s stream is corrupt after %d bytes: everything before that was read (%v)", l.format, l.n,
		l.err), again
}

// decompress takes up to maxNesting layers of compression off br. The layers are returned outermost first.
func decompress(br *bufio.Reader) (*bufio.Reader, []*Layer) {
	var layers []*Layer
	for range maxNesting {
		l := newLayer(magic(br), br)
		if l == nil {
			break
		}
		layers = append(layers, l)
		br = bufio.NewReaderSize(l, peekSize)
	}
	return br, layers
}

// magic returns the first bytes of what may be compressed. Of text that comes slowly it waits for no more than one
// byte, so that whatever came is shown when the user loses patience.
func magic(br *bufio.Reader) []byte {
	first, _ := br.Peek(1)
	if len(first) == 0 {
		return nil
	}
	switch c := first[0]; {
	case c == 0x1f, c == 0x28, c == 'B', c == 0xfd, c&0xf0 == 0x50:
	default:
		return nil
	}
	if four, _ := br.Peek(4); len(four) < 4 || !isMagic(four) {
		return nil
	}
	head, _ := br.Peek(32)
	return head
}

// isMagic reports, by four bytes, whether more must be looked at.
func isMagic(four []byte) bool {
	switch string(four[1:3]) {
	case "\x8b\x08", "\xb5\x2f", "\x2a\x4d", "Zh", "7z":
		return true
	}
	return false
}

// newLayer opens the decompressor for what begins with head, nil for what isn't compressed.
func newLayer(head []byte, br *bufio.Reader) *Layer {
	l := &Layer{format: Compression(head), in: byteCounter{r: br}}
	r := &l.in
	var err error
	switch l.format {
	case Gzip:
		// The library reads bytes out of a bufio.Reader without a call for each. What it counts is up to a buffer
		// more than it took.
		l.r, err = gzip.NewReader(bufio.NewReaderSize(r, gzipAhead))
	case Zstd:
		var d *zstd.Decoder
		d, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err == nil {
			l.r, l.close = d, d.Close
		}
	case Bzip2:
		l.r = bzip2.NewReader(r)
	case XZ:
		if err = checkXzWindow(head); err == nil {
			// The reader allocates at least 8 MiB or what the block asks for; the smallest legal value leaves it to the
			// block.
			l.r, err = xz.ReaderConfig{DictCap: 4096}.NewReader(r)
		}
	default:
		return nil
	}
	l.err = err
	return l
}

// Compression names the format of what begins with head, "" for none of them. A zstd stream may begin with a
// skippable frame (RFC 8878, 3.1.2).
func Compression(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return Gzip
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}),
		len(head) >= 8 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18}):
		return Zstd
	case len(head) >= 10 && string(head[:3]) == "BZh" && head[3] >= '1' && head[3] <= '9' &&
		(string(head[4:10]) == "\x31\x41\x59\x26\x53\x59" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90"):
		return Bzip2
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return XZ
	}
	return ""
}

var errWindow = errors.New("the stream needs more memory than a decompressor may use")

// checkXzWindow reads the dictionary size out of the first block's header (xz-file-format, 3.1 and 5.3.1): the
// library allocates what it says before it reads a byte.
func checkXzWindow(head []byte) error {
	const streamHeader = 12
	if len(head) < streamHeader+2 || head[streamHeader] == 0 {
		return nil // no block at all
	}
	i := streamHeader + 2
	flags := head[streamHeader+1]
	for _, sized := range []byte{0x40, 0x80} { // compressed and uncompressed size, variable-length integers
		if flags&sized == 0 {
			continue
		}
		for i < len(head) && head[i]&0x80 != 0 {
			i++
		}
		i++
	}
	if i+3 > len(head) || head[i] != 0x21 {
		return nil // no LZMA2: the library refuses it
	}
	bits := head[i+2]
	if bits > 40 {
		return nil
	}
	if size := uint64(2|bits&1) << (bits/2 + 11); size > maxWindow {
		return fmt.Errorf("%w: a dictionary of %d MiB", errWindow, size>>20)
	}
	return nil
}

func closeLayers(layers []*Layer) {
	for _, l := range layers {
		if l.close != nil {
			l.close()
		}
	}
}
