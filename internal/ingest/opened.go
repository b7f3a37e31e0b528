package ingest

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"
)

// An opened file is one with its compression taken off, whose first bytes may have been looked at.
type opened struct {
	br     *bufio.Reader
	layers []*layer      // of compression, outermost first
	first  *bufio.Reader // over raw
	raw    io.Closer
	closed bool
}

func newOpened(rc io.ReadCloser) *opened {
	first := newPeeker(rc)
	br, layers := uncompressed(first)
	return &opened{br: br, layers: layers, raw: rc, first: first}
}

// peekers are kept for the next file: a bundle has thousands, most of them smaller than a peeker's buffer.
var peekers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, peekSize) }}

func newPeeker(r io.Reader) *bufio.Reader {
	br := peekers.Get().(*bufio.Reader)
	br.Reset(r)
	return br
}

func recyclePeeker(br *bufio.Reader) {
	br.Reset(nil)
	peekers.Put(br)
}

func (o *opened) Read(p []byte) (int, error) { return o.br.Read(p) }

func (o *opened) Close() error {
	if o.closed {
		return nil
	}
	o.closed = true
	closeLayers(o.layers)
	err := o.raw.Close()
	recyclePeeker(o.first)
	return err
}

// A container is what may hold files.
type container uint8

const (
	noContainer container = iota
	zipContainer
	tarContainer
)

// tarBlock is the size of everything in a tar, and of an entry's header.
const tarBlock = 512

// container looks at the first bytes. Of something that comes slowly (patient is false) it looks at what one read gave, so
// that a log that grows is not waited for.
func (o *opened) container(patient bool) container {
	n := tarBlock
	if !patient {
		if _, err := o.br.Peek(1); err != nil {
			return noContainer
		}
		n = min(n, o.br.Buffered())
	}
	head, _ := o.br.Peek(n)
	return containerOf(head)
}

func containerOf(head []byte) container {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return zipContainer
	case isTarHeader(head):
		return tarContainer
	}
	return noContainer
}

// isTarHeader tells a header by its checksum (POSIX.1-1988, ustar): six octal digits for the sum of all bytes, its own place
// counted as blanks. Old implementations summed signed bytes.
func isTarHeader(head []byte) bool {
	const at, size = 148, 8
	if len(head) < tarBlock || head[0] == 0 {
		return false
	}
	field := strings.Trim(string(head[at:at+size]), " \x00")
	want, err := strconv.ParseInt(field, 8, 32)
	if err != nil {
		return false
	}
	var unsigned, signed int64
	for i, c := range head[:tarBlock] {
		if i >= at && i < at+size {
			c = ' '
		}
		unsigned += int64(c)
		signed += int64(int8(c))
	}
	return want == unsigned || want == signed
}

// archiveExtensions are what archives are called. Names decide nothing but whether a file that --only doesn't want is opened to
// see what it holds.
var archiveExtensions = []string{".zip", ".tar", ".tgz", ".txz", ".tbz", ".tbz2", ".tzst", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".jar"}

func calledArchive(name string) bool {
	name = strings.ToLower(name)
	for _, ext := range archiveExtensions {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}
