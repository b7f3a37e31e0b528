package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	// maxProfile bounds the decompressed bytes of a profile: 10,000 goroutines with distinct stacks have some MiB.
	maxProfile = 256 << 20
	// maxSample bounds one sample: its frames and values are numbers, and stacks have at most some thousand frames.
	maxSample = 1 << 20
	maxGzips  = 2 // the profile's own layer and a server's
)

var errProfile = errors.New("no profile")

// countSamples returns the sum of the first values of all samples of a pprof profile: the number of goroutines in a
// goroutine profile. In google/pprof's proto/profile.proto, field 2 of Profile holds the samples, field 2 of Sample the
// values.
func countSamples(r io.Reader) (int, error) {
	br := bufio.NewReader(r)
	for range maxGzips {
		if head, _ := br.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) {
			break
		}
		z, err := gzip.NewReader(br)
		if err != nil {
			return 0, fmt.Errorf("unpacking a profile: %w", err)
		}
		br = bufio.NewReader(z)
	}
	br = bufio.NewReader(io.LimitReader(br, maxProfile))
	total, fields := 0, 0
	for {
		tag, err := binary.ReadUvarint(br)
		switch {
		case err == io.EOF && fields > 0:
			return total, nil
		case err != nil:
			return 0, fmt.Errorf("reading a profile: %w", noEOF(err))
		}
		fields++
		n, err := countField(br, tag)
		if err != nil {
			return 0, fmt.Errorf("reading a profile: %w", noEOF(err))
		}
		if total += n; total < 0 {
			return 0, errProfile
		}
	}
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// countField reads one field of a Profile and returns the first value if it is a sample, else 0.
func countField(br *bufio.Reader, tag uint64) (int, error) {
	const varint, bytesType = 0, 2
	length, err := binary.ReadUvarint(br)
	if err != nil || tag&7 == varint {
		return 0, err
	}
	if tag&7 != bytesType || length > maxProfile {
		return 0, errProfile
	}
	if tag>>3 != 2 {
		_, err := br.Discard(int(length))
		return 0, err
	}
	if length > maxSample {
		return 0, errProfile
	}
	sample := make([]byte, length)
	if _, err := io.ReadFull(br, sample); err != nil {
		return 0, err
	}
	return firstValue(sample)
}

// firstValue returns the first number of a Sample's field 2, packed or not.
func firstValue(b []byte) (int, error) {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, errProfile
		}
		v, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return 0, errProfile
		}
		b = b[n+m:]
		switch {
		case tag&7 == 2 && v <= uint64(len(b)):
			packed := b[:v]
			b = b[v:]
			if tag>>3 == 2 {
				if v, n = binary.Uvarint(packed); n <= 0 {
					return 0, errProfile
				}
			}
		case tag&7 != 0:
			return 0, errProfile
		}
		if tag>>3 == 2 {
			if v > 1<<40 {
				return 0, errProfile
			}
			return int(v), nil
		}
	}
	return 0, nil
}
