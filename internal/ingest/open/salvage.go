package open

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/flate"
)

// A zip's list of files is at its end, so that an upload that broke off has none. Each file has a header of its own
// before its bytes, though (APPNOTE 6.3.10, 4.3.7): what is there can be found from the beginning on.

const (
	localHeader     = "PK\x03\x04"
	localHeaderSize = 30
)

// salvaged finds the entries of a zip by their own headers, as far as they follow one another.
func salvaged(ctx context.Context, a *Archive, most int) []zipEntry {
	if a.use() != nil {
		return nil
	}
	defer func() { _ = a.leave() }()
	var all []zipEntry
	may := mayExpandTo(a.size) // bytes that may be unpacked to find where entries end
	names := directoryEach * most
	for off := int64(0); len(all) < most && ctx.Err() == nil; {
		h, data, ok := a.local(off)
		if names -= len(h.Name); !ok || names < 0 {
			break
		}
		size, known := int64(h.CompressedSize64), h.Flags&8 == 0 || h.CompressedSize64 > 0
		end := data + size
		if !known {
			if h.Method != zip.Deflate {
				break // its end is unknown
			}
			var n int64
			size, n = a.deflated(data, may)
			may -= n
			end = a.behindDescriptor(data + size)
		}
		size = min(size, a.size-data)
		h.CompressedSize64 = uint64(size)
		all = append(all, a.salvagedEntry(h, data, size))
		if end <= off || end > a.size {
			break
		}
		off = end
	}
	return all
}

// salvageSkip reports an archive whose list was of no use, and the n files that were found without it.
func salvageSkip(path string, n int, err error) Skip {
	what := "without its list of files, as if cut off"
	hint := "copy the file again: everything after these files is missing"
	if errors.Is(err, errDirectory) {
		what, hint = "with too long a list of files", "--max-entries lets the list be longer"
	}
	return Skip{
		Path: path, Hint: hint,
		Reason: fmt.Sprintf("a zip archive %s: %d files were found by their own headers", what, n),
	}
}

// local reads the header of an entry at off, and returns where its bytes begin.
func (a *Archive) local(off int64) (h zip.FileHeader, data int64, ok bool) {
	var b [localHeaderSize]byte
	if _, err := a.ReadAt(b[:], off); err != nil || string(b[:4]) != localHeader {
		return h, 0, false
	}
	le := binary.LittleEndian
	h.Flags, h.Method = le.Uint16(b[6:]), le.Uint16(b[8:])
	h.CompressedSize64, h.UncompressedSize64 = uint64(le.Uint32(b[18:])), uint64(le.Uint32(b[22:]))
	rest := make([]byte, int(le.Uint16(b[26:]))+int(le.Uint16(b[28:])))
	if _, err := a.ReadAt(rest, off+localHeaderSize); err != nil {
		return h, 0, false
	}
	name := int(le.Uint16(b[26:]))
	h.Name = string(rest[:name])
	// The header has no mode: only the list does, so links come as files that hold a name.
	h.SetMode(0o644)
	for extra := rest[name:]; len(extra) >= 4; {
		id, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		if n > len(extra)-4 {
			break
		}
		if id == 1 && n >= 16 && h.CompressedSize64 == math.MaxUint32 {
			h.UncompressedSize64, h.CompressedSize64 = le.Uint64(extra[4:]), le.Uint64(extra[12:])
		}
		extra = extra[4+n:]
	}
	data = off + localHeaderSize + int64(len(rest))
	if h.CompressedSize64 > math.MaxInt64/2 || data > a.size {
		return h, 0, false
	}
	return h, data, true
}

// deflated returns how many bytes the stream at off has, by unpacking it to at most so many bytes, and how many those
// were.
func (a *Archive) deflated(off, most int64) (size, n int64) {
	in := byteCounter{r: bufio.NewReaderSize(io.NewSectionReader(a, off, a.size-off), peekSize)}
	r := flate.NewReader(&in) // with no buffer of its own in between, so that it takes no byte too many
	defer func() { _ = r.Close() }()
	// An error ends it like its end: what comes behind is looked at.
	n, _ = io.Copy(io.Discard, io.LimitReader(r, most))
	return in.n, n
}

// behindDescriptor skips the sizes behind the bytes of an entry whose header lacks them: with a mark or without, of
// four bytes each or of eight.
func (a *Archive) behindDescriptor(off int64) int64 {
	var b [4]byte
	for _, n := range []int64{16, 12, 24, 20} {
		_, err := a.ReadAt(b[:], off+n)
		if err == nil && (string(b[:]) == localHeader || string(b[:]) == "PK\x01\x02") {
			return off + n
		}
	}
	return a.size + 1
}

func (a *Archive) salvagedEntry(h zip.FileHeader, data, size int64) zipEntry {
	open := func() (io.ReadCloser, error) {
		section := io.NewSectionReader(a, data, size)
		if h.Method == zip.Store {
			return io.NopCloser(section), nil
		}
		return inflater(bufio.NewReaderSize(section, peekSize)), nil
	}
	return zipEntry{
		FileHeader: &h,
		open: func() (io.ReadCloser, error) {
			if data > a.size {
				return nil, errors.New("its bytes are missing")
			}
			return a.unpacked(h.UncompressedSize64, open)
		},
		offset: func() (int64, error) { return data, nil },
	}
}
